"""Huawei accelerators: bins and direction of links partly unconfirmed."""

from __future__ import annotations

from tokensheet.plugin import Accelerator
from tokensheet_hardware.sources import EPO, MLE


def accelerators() -> list[Accelerator]:
    """Huawei accelerators."""
    return [
        Accelerator(
            id="ascend-910a",
            name="Ascend 910A",
            vendor="Huawei",
            year=2019,
            memory_bytes=32e9,
            memory_bandwidth=1.288e12,
            peak_flops_fp16=256e12,
            peak_flops_int8=512e12,
            gpu_power=310,
            source=EPO,
            notes=(
                "Epoch AI lists also 280/288/320 TFLOPS bins; PCIe 4.0, lanes not stated; HCCS: rate "
                "not found"
            ),
        ),
        Accelerator(
            id="ascend-910b2",
            name="Ascend 910B2",
            vendor="Huawei",
            year=2023,
            memory_bytes=64e9,
            memory_bandwidth=1.6e12,
            peak_flops_fp32=94e12,
            peak_flops_fp16=376e12,
            peak_flops_bf16=376e12,
            gpu_power=400,
            gpu_price=16854,
            link="hccs-910b",
            peer_to_peer="full mesh of 8",
            source=f"{EPO} (910B2)",
            sources={
                "peak_flops_bf16": "taken as the fp16 rate",
                "peak_flops_fp32": f"{EPO} (910B)",
                "gpu_power": f"{EPO} (910B)",
                "gpu_price": f"{EPO} (910B)",
                "link": f"{EPO} (392 GB/s halved, direction not stated)",
            },
            states={"peak_flops_bf16": "unconfirmed", "link": "unconfirmed"},
            notes=(
                "bins: B1 400, B2 376, B3 313, B4 280 TFLOPS (B4 32 GB, 800 GB/s); link "
                "directionality unconfirmed; bf16 = fp16 unconfirmed; PCIe 4.0, lanes not stated"
            ),
        ),
        Accelerator(
            id="ascend-910b3",
            name="Ascend 910B3",
            vendor="Huawei",
            year=2023,
            memory_bytes=64e9,
            memory_bandwidth=1.6e12,
            peak_flops_fp16=313e12,
            peak_flops_bf16=313e12,
            gpu_power=400,
            link="hccs-910b",
            peer_to_peer="full mesh of 8",
            source=EPO,
            sources={
                "peak_flops_bf16": "taken as the fp16 rate",
                "link": f"{EPO} (392 GB/s halved, direction not stated)",
            },
            states={"peak_flops_bf16": "unconfirmed", "link": "unconfirmed"},
            notes="PCIe 4.0, lanes not stated",
        ),
        Accelerator(
            id="ascend-910b4",
            name="Ascend 910B4",
            vendor="Huawei",
            year=2023,
            memory_bytes=32e9,
            memory_bandwidth=800e9,
            peak_flops_fp32=72e12,
            peak_flops_fp16=280e12,
            peak_flops_bf16=280e12,
            link="hccs-910b",
            source=EPO,
            sources={
                "peak_flops_bf16": "taken as the fp16 rate",
                "link": f"{EPO} (392 GB/s halved, direction not stated)",
            },
            states={"peak_flops_bf16": "unconfirmed", "link": "unconfirmed"},
            notes="PCIe 4.0, lanes not stated",
        ),
        Accelerator(
            id="ascend-910c",
            name="Ascend 910C (two dies)",
            vendor="Huawei",
            year=2024,
            memory_bytes=128e9,
            memory_bandwidth=3.2e12,
            peak_flops_fp16=800e12,
            peak_flops_bf16=800e12,
            gpu_power=700,
            link="ub-910c",
            peer_to_peer="CloudMatrix 384",
            source=EPO,
            sources={"link": "784 GB/s both ways halved (SemiAnalysis)"},
            states={"link": "unconfirmed"},
            notes="reports 752..800; SemiAnalysis 780",
        ),
        Accelerator(
            id="ascend-950dt",
            name="Ascend 950DT (announced)",
            vendor="Huawei",
            year=2026,
            memory_bytes=96e9,
            memory_bandwidth=4e12,
            peak_flops_fp16=486e12,
            peak_flops_bf16=486e12,
            peak_flops_fp8=919e12,
            peak_flops_fp4=1.783e15,
            link="ub-950",
            source=MLE,
            states={
                "peak_flops_fp16": "unconfirmed",
                "peak_flops_bf16": "unconfirmed",
                "peak_flops_fp8": "unconfirmed",
                "peak_flops_fp4": "unconfirmed",
                "memory_bytes": "unconfirmed",
                "memory_bandwidth": "unconfirmed",
                "link": "unconfirmed",
            },
            notes="announced; Epoch AI lists 1000/2000",
        ),
    ]
