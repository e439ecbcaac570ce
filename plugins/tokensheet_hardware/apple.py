"""Apple GPUs with unified memory: prices are of whole computers."""

from __future__ import annotations

from tokensheet.plugin import Accelerator
from tokensheet_hardware.sources import HFT, MTB, P_ARSM4, P_MMS, P_PR1642, P_WCCF


def accelerators() -> list[Accelerator]:
    """Apple GPUs with unified memory."""
    return [
        Accelerator(
            id="apple-m1",
            name="M1 (8-core GPU)",
            vendor="Apple",
            year=2020,
            memory_bytes=16e9,
            memory_bandwidth=68.2e9,
            peak_flops_fp32=2.6e12,
            peak_flops_fp16=2.6e12,
            gpu_power=15,
            gpu_price=1250,
            link="thunderbolt4",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": P_PR1642,
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m1-pro",
            name="M1 Pro (16-core)",
            vendor="Apple",
            year=2021,
            memory_bytes=32e9,
            memory_bandwidth=204.8e9,
            peak_flops_fp32=5.3e12,
            peak_flops_fp16=5.3e12,
            gpu_power=30,
            gpu_price=2900,
            link="thunderbolt4",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": P_PR1642,
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m1-max",
            name="M1 Max (32-core)",
            vendor="Apple",
            year=2021,
            memory_bytes=64e9,
            memory_bandwidth=409.6e9,
            peak_flops_fp32=10.6e12,
            peak_flops_fp16=10.6e12,
            gpu_power=60,
            gpu_price=3900,
            link="thunderbolt4",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": P_PR1642,
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m1-ultra",
            name="M1 Ultra (64-core)",
            vendor="Apple",
            year=2022,
            memory_bytes=128e9,
            memory_bandwidth=819.2e9,
            peak_flops_fp32=21.2e12,
            peak_flops_fp16=21.2e12,
            gpu_power=120,
            gpu_price=6200,
            link="thunderbolt4",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": f"{P_PR1642} (twice M1 Max; Apple prints 800)",
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "memory_bandwidth": "derived",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m2",
            name="M2 (10-core)",
            vendor="Apple",
            year=2022,
            memory_bytes=24e9,
            memory_bandwidth=102.4e9,
            peak_flops_fp32=3.6e12,
            peak_flops_fp16=3.6e12,
            gpu_power=20,
            gpu_price=1500,
            link="thunderbolt4",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": P_PR1642,
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m2-pro",
            name="M2 Pro (19-core)",
            vendor="Apple",
            year=2023,
            memory_bytes=32e9,
            memory_bandwidth=204.8e9,
            peak_flops_fp32=6.8e12,
            peak_flops_fp16=6.8e12,
            gpu_power=35,
            gpu_price=2800,
            link="thunderbolt4",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": P_ARSM4,
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m2-max",
            name="M2 Max (38-core)",
            vendor="Apple",
            year=2023,
            memory_bytes=96e9,
            memory_bandwidth=409.6e9,
            peak_flops_fp32=13.6e12,
            peak_flops_fp16=13.6e12,
            gpu_power=80,
            gpu_price=4500,
            link="thunderbolt4",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": "as M1 Max; Apple prints 400",
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "memory_bandwidth": "unconfirmed",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m2-ultra",
            name="M2 Ultra (76-core)",
            vendor="Apple",
            year=2023,
            memory_bytes=192e9,
            memory_bandwidth=819.2e9,
            peak_flops_fp32=27.2e12,
            peak_flops_fp16=27.2e12,
            gpu_power=150,
            gpu_price=7000,
            link="thunderbolt4",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": f"{P_WCCF} (twice M2 Max; the press prints 800)",
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "memory_bandwidth": "derived",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m3",
            name="M3 (10-core)",
            vendor="Apple",
            year=2023,
            memory_bytes=24e9,
            memory_bandwidth=102.4e9,
            peak_flops_fp32=4.1e12,
            peak_flops_fp16=4.1e12,
            gpu_power=22,
            gpu_price=1500,
            link="thunderbolt4",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": P_ARSM4,
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m3-pro",
            name="M3 Pro (18-core)",
            vendor="Apple",
            year=2023,
            memory_bytes=36e9,
            memory_bandwidth=153.6e9,
            peak_flops_fp32=7.4e12,
            peak_flops_fp16=7.4e12,
            gpu_power=40,
            gpu_price=2400,
            link="thunderbolt4",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": P_ARSM4,
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m3-max",
            name="M3 Max (40-core)",
            vendor="Apple",
            year=2023,
            memory_bytes=128e9,
            memory_bandwidth=409.6e9,
            peak_flops_fp32=14.2e12,
            peak_flops_fp16=14.2e12,
            gpu_power=90,
            gpu_price=5000,
            link="thunderbolt4",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": P_MMS,
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m3-ultra",
            name="M3 Ultra (80-core)",
            vendor="Apple",
            year=2025,
            memory_bytes=512e9,
            memory_bandwidth=819.2e9,
            peak_flops_fp32=28.4e12,
            peak_flops_fp16=28.4e12,
            gpu_power=180,
            gpu_price=9500,
            link="thunderbolt5",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": "twice M2 Max",
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "memory_bandwidth": "unconfirmed",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m4",
            name="M4 (10-core)",
            vendor="Apple",
            year=2024,
            memory_bytes=32e9,
            memory_bandwidth=120e9,
            peak_flops_fp32=4.6e12,
            peak_flops_fp16=4.6e12,
            gpu_power=22,
            gpu_price=1600,
            link="thunderbolt4",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": P_ARSM4,
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m4-pro",
            name="M4 Pro (20-core)",
            vendor="Apple",
            year=2024,
            memory_bytes=64e9,
            memory_bandwidth=273e9,
            peak_flops_fp32=9.2e12,
            peak_flops_fp16=9.2e12,
            gpu_power=45,
            gpu_price=2600,
            link="thunderbolt5",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": P_ARSM4,
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m4-max",
            name="M4 Max (40-core)",
            vendor="Apple",
            year=2024,
            memory_bytes=128e9,
            memory_bandwidth=546e9,
            peak_flops_fp32=18.4e12,
            peak_flops_fp16=18.4e12,
            gpu_power=100,
            gpu_price=5000,
            link="thunderbolt5",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": P_ARSM4,
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs"
            ),
        ),
        Accelerator(
            id="apple-m5",
            name="M5 (10-core)",
            vendor="Apple",
            year=2025,
            memory_bytes=32e9,
            memory_bandwidth=153.6e9,
            peak_flops_fp32=5.7e12,
            peak_flops_fp16=5.7e12,
            gpu_power=25,
            gpu_price=2000,
            link="thunderbolt4",
            peer_to_peer="Thunderbolt only",
            source=HFT,
            sources={
                "memory_bytes": f"{HFT} (largest configuration)",
                "gpu_price": f"{HFT} (a whole Mac)",
                "peak_flops_fp16": f"{MTB} (the fp32 rate)",
                "memory_bandwidth": "not found",
                "link": "general knowledge",
            },
            states={
                "gpu_power": "unconfirmed",
                "gpu_price": "unconfirmed",
                "peak_flops_fp16": "derived",
                "memory_bandwidth": "unconfirmed",
                "link": "unconfirmed",
            },
            notes=(
                "unified memory, largest configuration; exo doubles fp16 (and int8 x4): contradicts "
                "metal-benchmarks, where fp16 FMA rate equals fp32 on Apple 7/8 GPUs; M5 adds matrix "
                "units in the GPU cores: fp16 matrix rate not found"
            ),
        ),
    ]
