"""A buyable system: devices a node, nodes, links inside and outside, power, and a bill line by line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError

from tokensheet.schema.base import Quantity, quantity
from tokensheet.schema.family import family
from tokensheet.schema.guards import GuardedRecord, amount


class BillLine(BaseModel):
    """One line of a bill of materials."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, strict=True)

    item: str
    count: float
    unit_price: float
    """US dollars for one."""
    source: str
    is_accelerator: bool = False

    @property
    def price(self) -> float:
        """US dollars for the line."""
        return self.count * self.unit_price


class System(GuardedRecord):
    """Several devices bought together; prices and power are of the whole system."""

    kind: ClassVar[str] = "system"
    named: ClassVar[Mapping[str, str]] = {
        "accelerator": "accelerator",
        "link": "link",
        "outside_link": "link",
    }
    plain_numbers: ClassVar[Mapping[str, str]] = {"stated_price": "usd"}

    accelerator: str
    """Id of the accelerator."""
    devices_per_node: Annotated[int, Quantity("1", "accelerators in a node or in one scale-up domain")]
    nodes: Annotated[int, Quantity("1", "nodes in the system")] = 1
    link: str | None = None
    """Id of the link inside a node."""
    outside_link: str | None = None
    """Id of the link between nodes."""

    system_power: Annotated[float | None, Quantity("watt", "power of the whole system, hosts included")] = (
        None
    )
    system_host_power: Annotated[
        float | None, Quantity("watt", "power of everything but the accelerators")
    ] = None
    stated_price: float | None = None
    """US dollars where no bill is known."""
    bill: tuple[BillLine, ...] = ()

    @quantity("1", "accelerators in the system")
    def system_devices(self) -> float:
        """Accelerators in the system."""
        return float(self.devices_per_node * self.nodes)

    @quantity("1", "number of the product family of the accelerators")
    def system_family(self) -> float:
        """Number of the product family of the accelerators."""
        return family(self.accelerator)

    @quantity("usd", "price of the system: the sum of its bill, else the stated price")
    def system_price(self) -> float | None:
        """Price of the system: the sum of its bill, else the stated price."""
        return sum(line.price for line in self.bill) if self.bill else self.stated_price

    @quantity("usd", "price of everything but the accelerators, from the bill")
    def system_host_price(self) -> float | None:
        """Price of everything but the accelerators, from the bill."""
        if not any(line.is_accelerator for line in self.bill):
            return None
        return sum(line.price for line in self.bill if not line.is_accelerator)

    @quantity("1", "share of the price that is accelerators, from the bill")
    def gpu_price_share(self) -> float | None:
        """Share of the price that is accelerators, from the bill."""
        price, host = self.system_price, self.system_host_price
        if host is None or not price:
            return None
        return float((price - host) / price)

    @classmethod
    def impossible(cls, given: Mapping[str, Any], numbers: Mapping[str, float]) -> list[str]:
        """Counts, kilowatts and bills that cannot be."""
        problems = []
        for name in ("devices_per_node", "nodes"):
            count = numbers.get(name)
            if count is not None and (count < 1 or count != int(count)):
                problems.append(f"{name} is {count:g}; it must be a whole number, at least 1")
        power, host = numbers.get("system_power"), numbers.get("system_host_power")
        for name, value in (("system_power", power), ("system_host_power", host)):
            if value is not None and 0 < value < 30:
                problems.append(f"{name} is {amount(value, 'watt')}, below 30; kilowatt taken for watt?")
        if power is not None and host is not None and host > power:
            problems.append(
                f"system_host_power is {amount(host, 'watt')}, above system_power {amount(power, 'watt')}; "
                "are they swapped?"
            )
        return problems + _bill_problems(given, numbers)


def _bill_problems(given: Mapping[str, Any], numbers: Mapping[str, float]) -> list[str]:
    problems = []
    lines = []
    for line in given.get("bill") or ():
        try:
            lines.append(BillLine.model_validate(line))
        except ValidationError:  # pydantic's own message on the field follows
            continue
    problems += [
        f"bill line {line.item!r} is {line.count:g} x {amount(line.unit_price, 'usd')}; "
        "count must be above 0, price not negative"
        for line in lines
        if line.count <= 0 or line.unit_price < 0
    ]
    cards = sum(line.count for line in lines if line.is_accelerator)
    devices = numbers.get("devices_per_node", 0) * numbers.get("nodes", 1)
    if cards and devices and cards != devices:
        problems.append(f"bill has {cards:g} accelerators but the system {devices:g}")
    total, stated = sum(line.price for line in lines), numbers.get("stated_price")
    if lines and stated is not None and abs(total - stated) > 1:
        problems.append(
            f"bill adds up to {amount(total, 'usd')} but stated_price is {amount(stated, 'usd')}; give one"
        )
    return problems
