"""Google TPUs: memory is printed in GiB."""

from __future__ import annotations

from tokensheet.plugin import Accelerator
from tokensheet_hardware.sizes import GIB
from tokensheet_hardware.sources import EPO, GTP, GZ, MLE, SCB


def accelerators() -> list[Accelerator]:
    """Google TPUs."""
    return [
        Accelerator(
            id="tpu-v3",
            name="TPU v3",
            vendor="Google",
            year=2018,
            memory_bytes=32 * GIB,
            memory_bandwidth=900e9,
            peak_flops_bf16=123e12,
            peer_to_peer="torus neighbours",
            source=GTP,
            notes=(
                "measured power min/mean/max 123/220/262 W (the Google docs); no fp16; ICI 2D torus "
                "(4 links): rate not found"
            ),
        ),
        Accelerator(
            id="tpu-v4",
            name="TPU v4",
            vendor="Google",
            year=2021,
            memory_bytes=32 * GIB,
            memory_bandwidth=1.228e12,
            peak_flops_bf16=275e12,
            peak_flops_int8=275e12,
            gpu_power=192,
            link="tpu-ici-v4",
            peer_to_peer="torus neighbours, 45 GB/s per link and direction",
            source=GTP,
            sources={"memory_bandwidth": GZ, "link": SCB},
            notes="memory is 32 GiB; mean power 170 W; PCIe 3.0, lanes not stated",
        ),
        Accelerator(
            id="tpu-v5e",
            name="TPU v5e",
            vendor="Google",
            year=2023,
            memory_bytes=16 * GIB,
            memory_bandwidth=819e9,
            peak_flops_bf16=197e12,
            peak_flops_int8=393e12,
            link="tpu-ici-v5e",
            peer_to_peer="torus neighbours",
            source=GTP,
            notes=(
                "the Google docs pages disagree on HBM: 819 GBps and 800 GiBps; How to Scale Your "
                "Model 45 GB/s per link one-way (180 per chip); Epoch AI derives 225 W"
            ),
        ),
        Accelerator(
            id="tpu-v5p",
            name="TPU v5p",
            vendor="Google",
            year=2023,
            memory_bytes=95 * GIB,
            memory_bandwidth=2.765e12,
            peak_flops_bf16=459e12,
            peak_flops_int8=918e12,
            link="tpu-ici-v5p",
            peer_to_peer="torus neighbours",
            source=GTP,
            sources={"peak_flops_int8": f"{SCB}; {MLE}"},
            notes=(
                "How to Scale Your Model 90 GB/s per link one-way (540); no native fp8 (the Google "
                "docs table lists fp8 = bf16 459); Epoch AI derives 540 W"
            ),
        ),
        Accelerator(
            id="tpu-v6e",
            name="TPU v6e (Trillium)",
            aliases=("trillium",),
            vendor="Google",
            year=2024,
            memory_bytes=32 * GIB,
            memory_bandwidth=1.638e12,
            peak_flops_bf16=918e12,
            peak_flops_fp8=918e12,
            peak_flops_int8=1.836e15,
            link="tpu-ici-v6e",
            peer_to_peer="torus neighbours",
            source=GTP,
            notes=(
                "fp8 runs at the bf16 rate; How to Scale Your Model 90 GB/s per link one-way (360); "
                "Epoch AI links 448; Epoch AI derives 380 W; PCIe 5.0 (host), lanes not stated"
            ),
        ),
        Accelerator(
            id="tpu-v7x",
            name="TPU7x (Ironwood)",
            aliases=(
                "ironwood",
                "tpu7x",
            ),
            vendor="Google",
            year=2025,
            memory_bytes=192 * GIB,
            memory_bandwidth=7.37e12,
            peak_flops_bf16=2.307e15,
            peak_flops_fp8=4.614e15,
            link="tpu-ici-v7x",
            peer_to_peer="torus neighbours, 100 GB/s per link",
            source=GTP,
            sources={"memory_bandwidth": EPO, "link": MLE},
            notes=(
                "two chiplets (devices) of 96 GB; memory printed as GiB in the Google docs; Epoch AI "
                "derives 960 W"
            ),
        ),
    ]
