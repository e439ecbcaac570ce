"""The devices, links, systems and assumption sets of the two articles, as the articles use them."""

from __future__ import annotations

from tokensheet.plugin import Accelerator, BillLine, Link, Profile, System
from tokensheet_classics.sources import KIPPLY, LI


def accelerators() -> list[Accelerator]:
    """The three devices."""
    return [
        Accelerator(
            id="classic-a100-40gb",
            name="A100 40 GB of kipply 2022",
            vendor="NVIDIA",
            year=2020,
            memory_bytes=40e9,
            memory_bandwidth=1.5e12,
            peak_flops_fp16=312e12,
            link="classic-nvlink3",
            source=KIPPLY,
        ),
        Accelerator(
            id="classic-h100",
            name="H100 of Bojie Li 2023",
            vendor="NVIDIA",
            year=2022,
            memory_bytes=80e9,
            memory_bandwidth=3.35e12,
            peak_flops_fp16=1979e12,
            gpu_price=30000,
            link="classic-nvlink4",
            source=LI,
            sources={"peak_flops_fp16": f"{LI}: the sparse headline, dense is 989e12"},
            states={"peak_flops_fp16": "unconfirmed"},
            notes="1979 TFLOP/s is the sparse figure the article used; plan with h100-sxm-80gb",
        ),
        Accelerator(
            id="classic-4090",
            name="RTX 4090 of Bojie Li 2023",
            vendor="NVIDIA",
            year=2022,
            memory_bytes=24e9,
            memory_bandwidth=1e12,
            peak_flops_fp16=330e12,
            gpu_power=400,
            gpu_price=1600,
            link="classic-pcie4",
            host_link="classic-pcie4",
            peer_to_peer="none: through the host",
            source=LI,
            sources={"peak_flops_fp16": f"{LI}: accumulated in fp16; in fp32 it is 165e12"},
            states={"peak_flops_fp16": "unconfirmed"},
        ),
    ]


def links() -> list[Link]:
    """The articles' links, and one that costs nothing."""
    return [
        Link(
            id="ideal",
            name="No communication cost",
            link_kind="ideal",
            scope="node",
            bandwidth=1e300,
            latency=0.0,
            source="definition: no latency, unlimited bandwidth",
        ),
        Link(
            id="classic-nvlink3",
            name="NVLink of kipply 2022",
            link_kind="scale-up",
            scope="node",
            bandwidth=300e9,
            latency=8e-6,
            source=KIPPLY,
        ),
        Link(
            id="classic-nvlink4",
            name="NVLink of Bojie Li 2023",
            link_kind="scale-up",
            scope="node",
            bandwidth=450e9,
            latency=30e-6,
            source=LI,
            sources={"latency": f"{LI}, stated for PCIe"},
            states={"latency": "derived"},
        ),
        Link(
            id="classic-pcie4",
            name="PCIe 4.0 x16 of Bojie Li 2023, no peer to peer",
            link_kind="host bus",
            scope="node",
            bandwidth=32e9,
            latency=30e-6,
            source=LI,
        ),
    ]


def systems() -> list[System]:
    """The systems that Bojie Li 2023 prices."""
    return [
        System(
            id="li-8x4090-pcie",
            name="8 x 4090 in one PCIe 4.0 host",
            accelerator="classic-4090",
            devices_per_node=8,
            link="classic-pcie4",
            system_power=5000,
            system_host_power=2000,
            bill=(
                _cards(8),
                _line("PCIe 4.0 server for eight cards", 1, 20000),
                _line("network and the rest", 1, 7200),
            ),
            source=LI,
        ),
        System(
            id="li-8xh100",
            name="8 x H100 with InfiniBand",
            accelerator="classic-h100",
            devices_per_node=8,
            link="classic-nvlink4",
            outside_link="ib-ndr",
            system_power=10000,
            bill=(
                _line("H100", 8, 30000, is_accelerator=True),
                _line("server and InfiniBand network", 1, 60000),
            ),
            source=LI,
        ),
        System(
            id="li-pp-10g",
            name="8 desktops with one 4090 each, 10 Gb/s",
            accelerator="classic-4090",
            devices_per_node=1,
            nodes=8,
            link="classic-pcie4",
            outside_link="eth-10",
            system_power=5000,
            system_host_power=2000,
            bill=(
                _cards(8),
                _line("desktop", 8, 700),
                _line("10 Gb/s network card", 8, 150),
                _line("share of a switch: 8 of 20 ports", 1, 750),
            ),
            source=LI,
        ),
        System(
            id="li-tp-200g",
            name="8 desktops with one 4090 each, 200 Gb/s RoCE",
            accelerator="classic-4090",
            devices_per_node=1,
            nodes=8,
            link="classic-pcie4",
            outside_link="roce-200",
            system_power=5000,
            system_host_power=2000,
            bill=(
                _cards(8),
                _line("desktop", 8, 700),
                _line("200 Gb/s network card", 8, 1000),
                _line("share of a switch: 8 of 40 ports", 1, 4000),
            ),
            source=LI,
        ),
        System(
            id="li-2x4-25g",
            name="Two hosts of four 4090, 25 Gb/s",
            accelerator="classic-4090",
            devices_per_node=4,
            nodes=2,
            link="classic-pcie4",
            outside_link="roce-25",
            system_power=5000,
            system_host_power=2000,
            bill=(
                _cards(8),
                _line("host for four cards", 2, 3000),
                _line("25 Gb/s network card", 2, 300),
            ),
            source=LI,
        ),
    ]


def _line(item: str, count: float, unit_price: float, is_accelerator: bool = False) -> BillLine:
    return BillLine(item=item, count=count, unit_price=unit_price, source=LI, is_accelerator=is_accelerator)


def _cards(count: int) -> BillLine:
    return _line("RTX 4090", count, 1600, is_accelerator=True)


def profiles() -> list[Profile]:
    """The assumptions of the two articles."""
    return [
        Profile(
            id="kipply-2022",
            name="kipply 2022",
            values=KIPPLY_2022,
            fitted_to="not fitted: the article's assumptions",
            source=KIPPLY,
        ),
        Profile(
            id="li-2023",
            name="Bojie Li 2023",
            values=LI_2023,
            fitted_to="not fitted: the article's assumptions",
            source=LI,
        ),
    ]


_NO_LOSSES: dict[str, float] = {
    "bandwidth_efficiency": 1,
    "kv_bandwidth_efficiency": 1,
    "compute_efficiency": 1,
    "prefill_compute_efficiency": 1,
    "link_efficiency": 1,
    "memory_reserve": 0,
    "activation_tokens": 0,
    "attention_flops_counted": 0,
    "uneven_sharding": 1,
    "layer_overhead": 0,
    "step_overhead": 0,
    "sequence_overhead": 0,
    "pue": 1,
    "host_price_per_gpu": 0,
    "hosting_per_hour": 0,
    "message_bytes_per_element": 2,
    "overlap_communication": 0,
}

KIPPLY_2022: dict[str, float] = {
    **_NO_LOSSES,
    "messages_per_layer": 4,
    "message_latency": 8e-6,
    "message_mode": 0,
    "stage_copies_per_rank": 0,
}

LI_2023: dict[str, float] = {
    **_NO_LOSSES,
    "messages_per_layer": 2,
    "message_latency": 30e-6,
    "message_mode": 1,
    "stage_copies_per_rank": 1,
    "weights_read_per_token": 1,
}
