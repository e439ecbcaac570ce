"""Energy and carbon dioxide of tokens."""

from __future__ import annotations

from tokensheet.constants import PER_MILLION, Constant
from tokensheet.plugin import formula

_ENERGY = "power over tokens a second"
_CARBON = "energy times the grid's carbon"
_CELL = "model, gpu, gpus, context, [batch], [options]"

JOULES_PER_WATT_SECOND = Constant(
    "JOULES_PER_WATT_SECOND", 1.0, "joule/(watt*second)", "a watt second is a joule"
)
JOULES_PER_KWH = Constant("JOULES_PER_KWH", 3.6e6, "joule/(kilowatt*hour)", "joules in a kilowatt hour")


@formula(unit="joule", source=_ENERGY, cell=_CELL, title="Energy of a token")
def energy_per_token(average_power, tokens_per_second, utilization):
    """Joules of the machine for each generated token, the building aside, idle time included."""
    return average_power / (tokens_per_second * utilization) * JOULES_PER_WATT_SECOND


@formula(unit="kilowatt*hour/million", source=_ENERGY, cell=_CELL, title="Energy of a million tokens")
def kwh_per_million_tokens(energy_per_token, pue):
    """Kilowatt hours for a million generated tokens, the building included once by PUE."""
    return energy_per_token * pue / JOULES_PER_KWH * PER_MILLION


@formula(unit="usd/million", source=_ENERGY, cell=_CELL, title="Electricity of a million tokens")
def energy_usd_per_million_tokens(kwh_per_million_tokens, electricity_price):
    """Dollars of electricity for a million generated tokens."""
    return kwh_per_million_tokens * electricity_price


@formula(unit="gram/million", source=_CARBON, cell=_CELL, title="Carbon dioxide of a million tokens")
def co2_per_million_tokens(kwh_per_million_tokens, grid_carbon):
    """Grams of carbon dioxide of the electricity for a million generated tokens; making the machines is left out."""
    return kwh_per_million_tokens * grid_carbon
