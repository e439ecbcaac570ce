"""A number format: bytes an element with its scales, by tensor class, and the units that compute in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from tokensheet.schema.base import Quantity
from tokensheet.schema.guards import GuardedRecord, amount


class NumberFormat(GuardedRecord):
    """How weights or cached numbers are stored, scales included; flags say which units compute.

    All flags 0 means the 16-bit units. A format whose units the device lacks runs in its 16-bit units.
    """

    kind: ClassVar[str] = "format"

    bytes_per_element: Annotated[
        float, Quantity("byte/element", "size of a plain matrix element or a cached number, with scales")
    ]
    attention_bytes_per_element: Annotated[
        float, Quantity("byte/element", "size of an attention weight, with scales")
    ]
    mlp_bytes_per_element: Annotated[
        float, Quantity("byte/element", "size of a dense MLP weight, with scales")
    ]
    expert_bytes_per_element: Annotated[
        float, Quantity("byte/element", "size of an expert weight, with scales")
    ]
    embedding_bytes_per_element: Annotated[
        float, Quantity("byte/element", "size of an input embedding weight")
    ]
    head_bytes_per_element: Annotated[float, Quantity("byte/element", "size of an output head weight")]
    other_bytes_per_element: Annotated[
        float, Quantity("byte/element", "size of a norm, router or bias weight")
    ] = 2.0

    computes_fp32: Annotated[float, Quantity("flag", "1 where matrices are computed in fp32")] = 0.0
    computes_fp8: Annotated[float, Quantity("flag", "1 where matrices are computed in fp8 units")] = 0.0
    computes_int8: Annotated[float, Quantity("flag", "1 where matrices are computed in int8 units")] = 0.0
    computes_fp4: Annotated[float, Quantity("flag", "1 where matrices are computed in fp4 units")] = 0.0

    @classmethod
    def impossible(cls, given: Mapping[str, Any], numbers: Mapping[str, float]) -> list[str]:
        """Bits for bytes, flags that are not 0 or 1, two kinds of units at once."""
        problems = []
        flags = {name: value for name, value in numbers.items() if name.startswith("computes_")}
        for name, value in numbers.items():
            if name.endswith("bytes_per_element") and not 0.05 <= value <= 8:
                cause = "bits taken for bytes?" if value > 8 else "it must be above 0.05"
                problems.append(f"{name} is {amount(value, 'byte/element')}; {cause}")
        problems += [
            f"{name} is {value:g}; it must be 0 or 1" for name, value in flags.items() if value not in (0, 1)
        ]
        if sum(value == 1 for value in flags.values()) > 1:
            problems.append(f"{' and '.join(n for n, v in flags.items() if v == 1)} are both 1; choose one")
        return problems
