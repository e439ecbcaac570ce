"""The two articles, as records name them."""

from __future__ import annotations

from tokensheet_hardware.sources import LI_2023 as LI

KIPPLY = "kipply 2022, Transformer Inference Arithmetic"

__all__ = ["KIPPLY", "LI"]
