"""One accelerator that does not exist: the smallest plugin that adds hardware to Tokensheet."""

from __future__ import annotations

from tokensheet.plugin import Accelerator, hookimpl

EXAMPLE_GPU = Accelerator(
    id="example-gpu-96gb",
    name="Example GPU 96 GB (invented)",
    vendor="Example",
    year=2026,
    memory_bytes=96e9,
    memory_bandwidth=4.0e12,
    peak_flops_bf16=1.0e15,
    peak_flops_fp8=2.0e15,
    gpu_power=600,
    gpu_price=20_000,
    link="pcie5-x16",
    source="invented for this example; in your plugin: the data sheet, its address and date",
)


@hookimpl
def tokensheet_accelerators() -> list[Accelerator]:
    """The accelerators of this plugin."""
    return [EXAMPLE_GPU]
