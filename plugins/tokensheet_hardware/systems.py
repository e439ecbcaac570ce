"""Systems: what is bought and powered together. A node is one scale-up domain.

Power and prices stand where a document was found; they are the vendor's maximum or a reported price.
"""

from __future__ import annotations

from tokensheet.plugin import BillLine, System
from tokensheet_hardware.sources import AIC, EPO, GTP, LI_2023, MLE, SCB

_DGX_H100 = "NVIDIA DGX H100/H200 user guide as quoted by unanswered.io and supercluster.blog"
_DGX_B200 = "NVIDIA DGX B200 user guide"
_SEMIANALYSIS = "SemiAnalysis, May 2023, as quoted by Epoch AI training-cost-trends"
_CLUSTER_SHEET = "public sheet of H100 cluster costs, August 2024 (cites a server maker's quote)"
_NVL72_POWER = "ServeTheHome at GTC 2024 as quoted by nybreaking.com; introl.com"
_NVL72_PRICE = "xatakaon.com and continuumlabs.ai: about 3 million dollars"


def systems() -> list[System]:
    """All systems."""
    return [*_nvidia(), *_others()]


def _nvidia() -> list[System]:
    """NVIDIA systems."""
    return [
        System(
            id="dgx-h100",
            name="DGX H100 (8 x H100 SXM)",
            accelerator="h100-sxm-80gb",
            devices_per_node=8,
            link="nvlink4",
            outside_link="ib-ndr",
            system_power=10200,
            system_host_power=10200 - 8 * 700,
            stated_price=270000,
            source=MLE,
            sources={
                "system_power": _DGX_H100,
                "system_host_power": f"{_DGX_H100}, less 8 x 700 W",
                "system_price": _SEMIANALYSIS,
            },
            states={"system_host_power": "derived", "system_price": "unconfirmed"},
            notes="one 400 Gb/s port a device; price is an estimate of the sales price",
        ),
        System(
            id="hgx-h100",
            name="HGX H100 server (8 x H100 SXM)",
            accelerator="h100-sxm-80gb",
            devices_per_node=8,
            link="nvlink4",
            outside_link="ib-ndr",
            system_power=10200,
            system_host_power=10200 - 8 * 700,
            stated_price=310000,
            source=MLE,
            sources={
                "system_power": f"as DGX H100: {_DGX_H100}",
                "system_host_power": f"as DGX H100: {_DGX_H100}, less 8 x 700 W",
                "system_price": _CLUSTER_SHEET,
            },
            states={
                "system_power": "unconfirmed",
                "system_host_power": "unconfirmed",
                "system_price": "unconfirmed",
            },
            notes="price with eight 400 Gb/s InfiniBand cards, without switches",
        ),
        System(
            id="hgx-h200",
            name="HGX H200 server (8 x H200 SXM)",
            accelerator="h200-sxm-141gb",
            devices_per_node=8,
            link="nvlink4",
            outside_link="ib-ndr",
            system_power=10200,
            system_host_power=10200 - 8 * 700,
            source=MLE,
            sources={"system_power": _DGX_H100, "system_host_power": f"{_DGX_H100}, less 8 x 700 W"},
            states={"system_host_power": "derived"},
            aliases=("dgx-h200",),
        ),
        System(
            id="hgx-b200",
            name="HGX B200 server (8 x B200 SXM)",
            aliases=("dgx-b200",),
            accelerator="b200-sxm-180gb",
            devices_per_node=8,
            link="nvlink5",
            outside_link="ib-ndr",
            system_power=14300,
            system_host_power=14300 - 8 * 1000,
            source=_DGX_B200,
            sources={"system_host_power": f"{_DGX_B200}, less 8 x 1000 W"},
            states={"system_host_power": "derived"},
        ),
        System(
            id="gb200-nvl72",
            name="GB200 NVL72 rack (72 x GB200)",
            accelerator="gb200",
            devices_per_node=72,
            link="nvswitch-nvl72",
            outside_link="ib-ndr",
            system_power=120000,
            system_host_power=120000 - 72 * 1200,
            stated_price=3000000,
            source=AIC,
            sources={
                "system_power": _NVL72_POWER,
                "system_host_power": f"{_NVL72_POWER}, less 72 x 1200 W",
                "system_price": _NVL72_PRICE,
            },
            states={
                "system_power": "unconfirmed",
                "system_host_power": "derived",
                "system_price": "unconfirmed",
            },
            notes="36 Grace processors; one NVLink domain of 72",
        ),
        System(
            id="h100-2x8-ib",
            name="Two HGX H100 servers with InfiniBand NDR",
            accelerator="h100-sxm-80gb",
            devices_per_node=8,
            nodes=2,
            link="nvlink4",
            outside_link="ib-ndr",
            system_power=2 * 10200,
            system_host_power=2 * (10200 - 8 * 700),
            bill=(
                BillLine(item="H100 SXM, list", count=16, unit_price=33600, source=EPO, is_accelerator=True),
                BillLine(
                    item="server without its devices, InfiniBand cards included",
                    count=2,
                    unit_price=310000 - 8 * 33600,
                    source=f"{_CLUSTER_SHEET}: 310,000 a server, less the devices",
                ),
                BillLine(
                    item="InfiniBand cables and connectors, back to back",
                    count=1,
                    unit_price=12960,
                    source=_CLUSTER_SHEET,
                ),
            ),
            source=MLE,
            sources={
                "system_power": f"twice DGX H100: {_DGX_H100}",
                "system_host_power": f"twice DGX H100: {_DGX_H100}, less 16 x 700 W",
                "system_price": _CLUSTER_SHEET,
            },
            states={
                "system_power": "derived",
                "system_host_power": "derived",
                "system_price": "unconfirmed",
            },
            notes="rail by rail without a switch; the sheet's facility cost is not in the bill",
        ),
        System(
            id="rtx-4090-8x-pcie",
            name="PCIe server with 8 x RTX 4090",
            aliases=("8x4090-pcie",),
            accelerator="rtx-4090",
            devices_per_node=8,
            link="pcie4-x16",
            outside_link="eth-10",
            system_power=8 * 450 + 2000,
            system_host_power=2000,
            bill=(
                BillLine(item="RTX 4090, list", count=8, unit_price=1599, source=EPO, is_accelerator=True),
                BillLine(item="PCIe 4.0 server for eight cards", count=1, unit_price=20000, source=LI_2023),
            ),
            source=LI_2023,
            sources={"system_power": f"8 x 450 W of the cards; host of {LI_2023}"},
            states={"system_power": "derived", "system_price": "derived"},
            notes="no peer to peer: traffic goes through the host",
        ),
    ]


def _others() -> list[System]:
    """Systems of other vendors."""
    return [
        System(
            id="mi300x-platform",
            name="Instinct MI300X platform (8 x MI300X)",
            accelerator="mi300x",
            devices_per_node=8,
            link="if-mi300x",
            outside_link="roce-400",
            source=MLE,
            notes="full mesh; power and price of the server not found",
        ),
        System(
            id="tpu-v5e-slice-16",
            name="TPU v5e slice of 16 chips",
            accelerator="tpu-v5e",
            devices_per_node=16,
            link="tpu-ici-v5e",
            source=f"{GTP}; {SCB}",
            notes="4 x 4 torus, rented by chip and hour",
        ),
        System(
            id="tpu-v5p-slice-16",
            name="TPU v5p slice of 16 chips",
            accelerator="tpu-v5p",
            devices_per_node=16,
            link="tpu-ici-v5p",
            source=f"{GTP}; {SCB}",
            notes="the vendor's name counts TensorCores, two a chip: v5p-32",
        ),
        System(
            id="tpu-v6e-slice-16",
            name="TPU v6e slice of 16 chips",
            accelerator="tpu-v6e",
            devices_per_node=16,
            link="tpu-ici-v6e",
            source=f"{GTP}; {SCB}",
            notes="4 x 4 torus, rented by chip and hour",
        ),
        System(
            id="tpu-v7x-slice-64",
            name="TPU7x slice of 64 chips",
            accelerator="tpu-v7x",
            devices_per_node=64,
            link="tpu-ici-v7x",
            source=f"{GTP}; {MLE}",
            notes="4 x 4 x 4 torus",
        ),
    ]
