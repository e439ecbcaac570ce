"""AWS accelerators: memory is printed in GiB."""

from __future__ import annotations

from tokensheet.plugin import Accelerator
from tokensheet_hardware.sizes import GIB
from tokensheet_hardware.sources import EPO, MLE, NEU, VENDOR


def accelerators() -> list[Accelerator]:
    """AWS accelerators."""
    return [
        Accelerator(
            id="inferentia2",
            name="Inferentia2",
            aliases=("inf2",),
            vendor="AWS",
            year=2023,
            memory_bytes=32 * GIB,
            memory_bandwidth=880e9,
            peak_flops_fp32=47.5e12,
            peak_flops_tf32=190e12,
            peak_flops_fp16=190e12,
            peak_flops_bf16=190e12,
            peak_flops_fp8=190e12,
            peak_flops_int8=380e12,
            peer_to_peer="ring of up to 12",
            source=NEU,
            notes=(
                "older the Neuron docs pages print 32 GB, 820 GB/s; Epoch AI intranode 1000; link "
                "rate not on the page; NeuronLink-v2 (ring): rate not found"
            ),
        ),
        Accelerator(
            id="trainium1",
            name="Trainium1",
            aliases=("trn1",),
            vendor="AWS",
            year=2022,
            memory_bytes=32 * GIB,
            memory_bandwidth=880e9,
            peak_flops_fp32=47.5e12,
            peak_flops_tf32=190e12,
            peak_flops_fp16=190e12,
            peak_flops_bf16=190e12,
            peak_flops_fp8=190e12,
            peak_flops_int8=380e12,
            source=NEU,
            notes=(
                "older the Neuron docs page: int8 420; link rate not on the page; NeuronLink-v2 (4D "
                "hypercube, 16): rate not found"
            ),
        ),
        Accelerator(
            id="trainium2",
            name="Trainium2",
            aliases=("trn2",),
            vendor="AWS",
            year=2024,
            memory_bytes=96 * GIB,
            memory_bandwidth=2.9e12,
            peak_flops_fp32=181e12,
            peak_flops_tf32=667e12,
            peak_flops_fp16=667e12,
            peak_flops_bf16=667e12,
            peak_flops_fp8=1.299e15,
            peak_flops_fp16_sparse=2.563e15,
            gpu_power=500,
            link="neuronlink-v3",
            peer_to_peer="2D torus of 16; 64 in UltraServer",
            source=NEU,
            sources={
                "memory_bytes": MLE,
                "memory_bandwidth": MLE,
                "link": f"{MLE} (1.28 TB/s halved)",
                "gpu_power": f"{EPO} (quotes SemiAnalysis)",
                "peak_flops_fp16_sparse": VENDOR,
            },
            states={"link": "derived", "gpu_power": "unconfirmed"},
            notes=(
                "vendor headline 2563 is 4:1 sparse; NKI guide says 96 GiB and 3 TB/s; PCIe 5.0, "
                "lanes not stated"
            ),
        ),
        Accelerator(
            id="trainium3",
            name="Trainium3",
            aliases=("trn3",),
            vendor="AWS",
            year=2025,
            memory_bytes=144 * GIB,
            memory_bandwidth=4.9e12,
            peak_flops_fp32=183e12,
            peak_flops_tf32=671e12,
            peak_flops_fp16=671e12,
            peak_flops_bf16=671e12,
            peak_flops_fp8=2.517e15,
            peak_flops_fp4=2.517e15,
            peak_flops_fp16_sparse=2.517e15,
            gpu_power=700,
            link="neuronlink-v4",
            source=NEU,
            sources={
                "gpu_power": f"{EPO} (quotes SemiAnalysis)",
                "link": f"{NEU} (2.56 TB/s halved, direction not stated)",
                "peak_flops_fp16_sparse": VENDOR,
            },
            states={"link": "derived", "gpu_power": "unconfirmed"},
            notes="memory in GiB; fp4 at the fp8 rate; 2517 fp16 is sparse",
        ),
    ]
