"""All prices: to rent, to buy, of power, and of hosted models."""

from __future__ import annotations

from tokensheet.plugin import Price
from tokensheet_hardware import prices_api, prices_buy, prices_rent


def prices() -> list[Price]:
    """All prices."""
    return [
        *prices_rent.rents(),
        *prices_buy.purchases(),
        *prices_buy.power(),
        *prices_api.api_prices(),
    ]
