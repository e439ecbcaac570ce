"""A device that computes: memory, bandwidth, dense peaks by number format, power and list price."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

from tokensheet.schema.base import Quantity, quantity
from tokensheet.schema.family import family, named_number
from tokensheet.schema.guards import GuardedRecord, amount

_FORMATS = ("fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4")
_HIGHEST_GPU_PRICE = 150_000.0
_NODE_DEVICES = 8
"""Nodes of eight are the most common."""


class Accelerator(GuardedRecord):
    """One device as the planner counts it; peaks are dense, per device, in FLOP/s."""

    kind: ClassVar[str] = "accelerator"
    named: ClassVar[Mapping[str, str]] = {"link": "link", "bridge_link": "link", "host_link": "link"}

    vendor: str
    year: int | None = None
    memory_is_on_chip: bool = False
    """SRAM only: such a device may have less than a gigabyte."""

    memory_bytes: Annotated[
        float | None, Quantity("byte", "memory as the vendor prints it: 80 GB is 80e9", False)
    ]
    usable_memory_bytes: Annotated[
        float | None, Quantity("byte", "memory that the driver or a measurement shows", shapes=True)
    ] = None
    memory_bandwidth: Annotated[float | None, Quantity("byte/second", "memory bandwidth of the datasheet")]

    dies: Annotated[int, Quantity("1", "dies that software sees as devices of their own")] = 1
    """All other numbers are of all dies together."""

    peak_flops_fp32: Annotated[float | None, Quantity("flop/second", "peak in fp32, vector units")] = None
    peak_flops_tf32: Annotated[float | None, Quantity("flop/second", "dense matrix peak in tf32")] = None
    peak_flops_fp16: Annotated[
        float | None, Quantity("flop/second", "dense matrix peak in fp16", shapes=True)
    ] = None
    peak_flops_bf16: Annotated[
        float | None, Quantity("flop/second", "dense matrix peak in bf16", shapes=True)
    ] = None
    peak_flops_fp8: Annotated[
        float | None, Quantity("flop/second", "dense matrix peak in fp8", shapes=True)
    ] = None
    peak_flops_int8: Annotated[
        float | None, Quantity("flop/second", "dense matrix peak in int8", shapes=True)
    ] = None
    peak_flops_fp4: Annotated[
        float | None, Quantity("flop/second", "dense matrix peak in fp4", shapes=True)
    ] = None

    peak_flops_tf32_sparse: Annotated[
        float | None, Quantity("flop/second", "headline in tf32 with structured sparsity, not for planning")
    ] = None
    peak_flops_fp16_sparse: Annotated[
        float | None, Quantity("flop/second", "headline in fp16 with structured sparsity, not for planning")
    ] = None
    peak_flops_bf16_sparse: Annotated[
        float | None, Quantity("flop/second", "headline in bf16 with structured sparsity, not for planning")
    ] = None
    peak_flops_fp8_sparse: Annotated[
        float | None, Quantity("flop/second", "headline in fp8 with structured sparsity, not for planning")
    ] = None
    peak_flops_int8_sparse: Annotated[
        float | None, Quantity("flop/second", "headline in int8 with structured sparsity, not for planning")
    ] = None
    peak_flops_fp4_sparse: Annotated[
        float | None, Quantity("flop/second", "headline in fp4 with structured sparsity, not for planning")
    ] = None

    gpu_power: Annotated[float | None, Quantity("watt", "power limit of one device (TDP)")] = None
    gpu_price: Annotated[float | None, Quantity("usd", "list price of one device")] = None

    domain_devices: Annotated[
        int | None, Quantity("gpu", "devices that its scale-up link joins, where not eight", shapes=True)
    ] = None
    link: str | None = None
    """Id of the link between devices: the scale-up link where every device has one, else its PCIe slot."""
    bridge_link: str | None = None
    """Id of an optional bridge that joins a pair or a few cards; choose it as `interconnect`."""
    host_link: str | None = None
    """Id of the link to the host."""
    peer_to_peer: str = ""
    """How devices reach each other, in words."""

    def changed(self, changes: Mapping[str, float]) -> Self:
        """The same device with other numbers; with another memory alone, how much of it is usable is not known."""
        kept = self
        if "memory_bytes" in changes and "usable_memory_bytes" not in changes:
            kept = self.model_copy(update={"usable_memory_bytes": None})
        return super(Accelerator, kept).changed(changes)

    @property
    def is_doubtful(self) -> bool:
        """Whether the 16-bit peak is unconfirmed: such a device is searched only when somebody names it."""
        field = "peak_flops_fp16" if self.peak_flops_bf16 is None else "peak_flops_bf16"
        return self.state_of(field) == "unconfirmed"

    @quantity("flop/second", "dense 16-bit peak: bf16 where stated, else fp16")
    def peak_flops_16bit(self) -> float | None:
        """Dense 16-bit peak: bf16 where stated, else fp16."""
        return self.peak_flops_fp16 if self.peak_flops_bf16 is None else self.peak_flops_bf16

    @quantity("flag", "1 where an fp8 peak is stated")
    def has_fp8(self) -> float:
        """1 where an fp8 peak is stated."""
        return float(self.peak_flops_fp8 is not None)

    @quantity("flag", "1 where an int8 peak is stated")
    def has_int8(self) -> float:
        """1 where an int8 peak is stated."""
        return float(self.peak_flops_int8 is not None)

    @quantity("flag", "1 where an fp4 peak is stated")
    def has_fp4(self) -> float:
        """1 where an fp4 peak is stated."""
        return float(self.peak_flops_fp4 is not None)

    @quantity("gpu", "devices that one scale-up link joins: as stated, else a node of eight")
    def devices_per_domain(self) -> float:
        """Devices that one scale-up link joins; tensor parallelism beyond crosses nodes."""
        return float(_NODE_DEVICES if self.domain_devices is None else self.domain_devices)

    @quantity("1", "number of the product family, the same for all variants of a device")
    def gpu_family(self) -> float:
        """Number of the product family: variants of a device share it."""
        return family(self.id)

    @quantity("1", "number of the maker, the same for all its devices")
    def gpu_maker(self) -> float:
        """Number of the maker: devices of one vendor share it, however it is capitalised."""
        return named_number(self.vendor)

    @quantity("byte", "memory to plan with: usable where known, else as the vendor prints it")
    def device_memory_bytes(self) -> float | None:
        """Memory to plan with: usable where known, else as the vendor prints it."""
        return self.memory_bytes if self.usable_memory_bytes is None else self.usable_memory_bytes

    @classmethod
    def impossible(cls, given: Mapping[str, Any], numbers: Mapping[str, float]) -> list[str]:
        """Units and mix-ups that would give a wrong number which looks right."""
        problems = _memory_problems(numbers, bool(given.get("memory_is_on_chip")))
        problems += _peak_problems(numbers)
        power = numbers.get("gpu_power")
        if power is not None and power < 1:
            problems.append(f"gpu_power is {amount(power, 'watt')}, below 1; kilowatt taken for watt?")
        price = numbers.get("gpu_price")
        if price is not None and price > _HIGHEST_GPU_PRICE:
            problems.append(
                f"gpu_price is {amount(price, 'usd')}, above 150000; price of a node taken for one device?"
            )
        return problems


def _memory_problems(numbers: Mapping[str, float], on_chip: bool) -> list[str]:
    problems = []
    memory, usable = numbers.get("memory_bytes"), numbers.get("usable_memory_bytes")
    for name, value in (("memory_bytes", memory), ("usable_memory_bytes", usable)):
        if value is not None and value < 1e9 and not on_chip:
            meant = f"did you mean {value:g}e9?" if 1 <= value < 1e4 else "is it in MB or MiB?"
            problems.append(f"{name} is {amount(value, 'byte')}, below 1e9; give bytes: {meant}")
    if memory and usable and min(memory, usable) >= 1e9 and not 0.7 <= usable / memory <= 1.1:
        problems.append(
            f"usable_memory_bytes is {amount(usable, 'byte')} but memory_bytes {amount(memory, 'byte')}; "
            "memory of another device or of a whole node?"
        )
    bandwidth = numbers.get("memory_bandwidth")
    if bandwidth is not None and bandwidth < 1e10:
        meant = f": did you mean {bandwidth:g}e9?" if 1 <= bandwidth < 1e6 else ""
        problems.append(
            f"memory_bandwidth is {amount(bandwidth, 'byte/second')}, below 1e10; "
            f"GB/s taken for byte/s{meant or '?'}"
        )
    return problems


def _peak_problems(numbers: Mapping[str, float]) -> list[str]:
    problems = []
    for name, value in numbers.items():
        if name.startswith("peak_flops_") and value < 1e9:
            problems.append(
                f"{name} is {amount(value, 'flop/second')}, below 1e9; TFLOPS given instead of FLOP/s: "
                f"did you mean {value:g}e12?"
            )
    bf16 = numbers.get("peak_flops_bf16")
    fp8, fp4 = numbers.get("peak_flops_fp8"), numbers.get("peak_flops_fp4")
    for fast, slow, fast_name, slow_name in ((fp8, bf16, "fp8", "bf16"), (fp4, fp8, "fp4", "fp8")):
        if fast is not None and slow is not None and fast < slow:
            problems.append(
                f"peak_flops_{fast_name} is {amount(fast, 'flop/second')}, slower than "
                f"peak_flops_{slow_name} {amount(slow, 'flop/second')}; "
                f"is {slow_name} the sparse figure, or are they swapped?"
            )
    for name in _FORMATS:
        dense, sparse = numbers.get(f"peak_flops_{name}"), numbers.get(f"peak_flops_{name}_sparse")
        if dense is not None and sparse is not None and sparse <= dense:
            problems.append(
                f"peak_flops_{name}_sparse is {amount(sparse, 'flop/second')}, not above the dense "
                f"{amount(dense, 'flop/second')}; is the dense one the sparse headline?"
            )
    return problems
