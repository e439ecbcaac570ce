"""Accelerators, links and systems: guards speak, every device is there, figures are those of the sheet."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

import tokensheet_hardware as hardware
from tokensheet.schema import KINDS
from tokensheet.schema.accelerator import Accelerator
from tokensheet.schema.base import Record
from tokensheet.schema.link import Link
from tokensheet.schema.profile import Profile
from tokensheet.schema.system import BillLine, System
from tokensheet.units import parse
from tokensheet_classics import records as classics

ACCELERATOR_IDS = [
    "p100-pcie-16gb",
    "p40",
    "v100-pcie-16gb",
    "v100-pcie-32gb",
    "v100-sxm2-16gb",
    "v100-sxm2-32gb",
    "v100s-pcie-32gb",
    "t4",
    "a10",
    "a10g",
    "a16",
    "a30",
    "a40",
    "a100-pcie-40gb",
    "a100-pcie-80gb",
    "a100-sxm-40gb",
    "a100-sxm-80gb",
    "a800-sxm-80gb",
    "a800-pcie-80gb",
    "l4",
    "l20",
    "l40",
    "l40s",
    "h100-pcie-80gb",
    "h100-sxm-80gb",
    "h100-nvl-94gb",
    "h100-sxm-64gb",
    "h200-sxm-141gb",
    "h200-nvl-141gb",
    "h20-96gb",
    "h800-sxm-80gb",
    "h800-pcie-80gb",
    "gh200-96gb",
    "gh200-144gb",
    "b100",
    "b200-sxm-180gb",
    "b300-sxm-288gb",
    "gb200",
    "gb300",
    "vr-rubin",
    "rtx-a6000",
    "rtx-a5000",
    "rtx-3090",
    "rtx-3090-ti",
    "rtx-4070-ti-super",
    "rtx-4080",
    "rtx-4090",
    "rtx-5080",
    "rtx-5090",
    "rtx-6000-ada",
    "rtx-pro-6000-bw",
    "rtx-pro-5000-bw",
    "dgx-spark-gb10",
    "jetson-agx-orin-64gb",
    "jetson-thor-t5000",
    "mi50-16gb",
    "mi60-32gb",
    "mi100",
    "mi210",
    "mi250",
    "mi250x",
    "mi300a",
    "mi300x",
    "mi325x",
    "mi350x",
    "mi355x",
    "mi455x",
    "rx-7900-xtx",
    "pro-w7900",
    "ai-pro-r9700",
    "rx-9070-xt",
    "strix-halo-395",
    "tpu-v3",
    "tpu-v4",
    "tpu-v5e",
    "tpu-v5p",
    "tpu-v6e",
    "tpu-v7x",
    "inferentia2",
    "trainium1",
    "trainium2",
    "trainium3",
    "gaudi2",
    "gaudi3",
    "max-1550",
    "max-1100",
    "arc-a770",
    "arc-b580",
    "arc-pro-b60",
    "apple-m1",
    "apple-m1-pro",
    "apple-m1-max",
    "apple-m1-ultra",
    "apple-m2",
    "apple-m2-pro",
    "apple-m2-max",
    "apple-m2-ultra",
    "apple-m3",
    "apple-m3-pro",
    "apple-m3-max",
    "apple-m3-ultra",
    "apple-m4",
    "apple-m4-pro",
    "apple-m4-max",
    "apple-m5",
    "ascend-910a",
    "ascend-910b2",
    "ascend-910b3",
    "ascend-910b4",
    "ascend-910c",
    "ascend-950dt",
    "mtia-300",
    "groq-lpu-v1",
    "cerebras-wse3",
    "mtt-s4000",
    "biren-br100",
    "mlu370-x8",
    "kunlun-r200",
]

LINK_IDS = [
    "nvlink1",
    "nvlink2",
    "nvlink3",
    "nvlink3-bridge-a100",
    "nvlink3-ga102",
    "nvlink4",
    "nvlink4-cut",
    "nvlink5",
    "nvlink6",
    "nvlink-c2c-gh",
    "nvswitch-dgx1v",
    "nvswitch-2",
    "nvswitch-3",
    "nvswitch-4",
    "nvswitch-nvl72",
    "pcie3-x16",
    "pcie4-x16",
    "pcie4-x8",
    "pcie5-x16",
    "pcie6-x16",
    "if-mi100",
    "if-mi250x",
    "if-mi300x",
    "if-mi355x",
    "tpu-ici-v4",
    "tpu-ici-v5e",
    "tpu-ici-v5p",
    "tpu-ici-v6e",
    "tpu-ici-v7x",
    "neuronlink-v3",
    "neuronlink-v4",
    "gaudi2-roce",
    "gaudi3-roce",
    "ub-950",
    "ib-edr",
    "ib-hdr",
    "ib-ndr",
    "ib-xdr",
    "roce-25",
    "roce-100",
    "roce-200",
    "roce-400",
    "eth-1",
    "eth-10",
    "eth-40-usnic",
    "efa-v1-p4d",
    "efa-v2-p5",
    "efa-v3-p5en",
    "efa-v4-p6",
    "gcp-tcpx",
    "gcp-tcpxo",
    "slingshot-11",
]

DEVICES = {record.id: record for record in [*hardware.tokensheet_accelerators(), *classics.accelerators()]}
LINKS = {record.id: record for record in [*hardware.tokensheet_links(), *classics.links()]}
SYSTEMS = {record.id: record for record in [*hardware.tokensheet_systems(), *classics.systems()]}

DEVICE: dict[str, Any] = {
    "id": "x1",
    "vendor": "X",
    "source": "test",
    "memory_bytes": 80e9,
    "memory_bandwidth": 3.35e12,
    "peak_flops_bf16": 989e12,
}
LINK: dict[str, Any] = {
    "id": "l1",
    "link_kind": "network",
    "scope": "network",
    "bandwidth": 50e9,
    "source": "test",
}
SYSTEM: dict[str, Any] = {"id": "s1", "accelerator": "x1", "devices_per_node": 8, "source": "test"}


def refused(kind: type[Record], fields: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as caught:
        kind(**fields)
    return str(caught.value)


ACCELERATOR_CASES: list[tuple[dict[str, Any], str]] = [
    ({"memory_bytes": 80}, "memory_bytes is 80 byte, below 1e9; give bytes: did you mean 80e9?"),
    ({"memory_bytes": 81559}, "memory_bytes is 81559 byte, below 1e9; give bytes: is it in MB or MiB?"),
    ({"memory_bytes": None, "usable_memory_bytes": 79}, "usable_memory_bytes is 79 byte, below 1e9"),
    ({"usable_memory_bytes": 640e9}, "memory of another device or of a whole node?"),
    ({"memory_bandwidth": 3350}, "GB/s taken for byte/s: did you mean 3350e9?"),
    ({"memory_bandwidth": "3,35"}, "memory_bandwidth is text '3,35'; give a plain number such as 3.35e12"),
    ({"memory_bandwidth": "3.35e12"}, "memory_bandwidth is text '3.35e12'"),
    ({"memory_bandwidth": True}, "memory_bandwidth is True; give a plain number"),
    ({"memory_bandwidth": float("nan")}, "memory_bandwidth is nan; leave it out where the fact is not known"),
    ({"memory_bandwidth": float("inf")}, "memory_bandwidth is inf"),
    ({"peak_flops_bf16": 989}, "TFLOPS given instead of FLOP/s: did you mean 989e12?"),
    (
        {"peak_flops_fp8": 500e12},
        "slower than peak_flops_bf16 9.89e+14 flop/second; is bf16 the sparse figure",
    ),
    ({"peak_flops_fp8": 2e15, "peak_flops_fp4": 1e15}, "slower than peak_flops_fp8"),
    (
        {"peak_flops_bf16_sparse": 900e12},
        "peak_flops_bf16_sparse is 9e+14 flop/second, not above the dense 9.89e+14 flop/second",
    ),
    ({"gpu_price": 300000}, "gpu_price is 300000 usd, above 150000; price of a node taken for one device?"),
    ({"gpu_price": -1}, "gpu_price is -1 usd; it must not be negative"),
    ({"gpu_power": 0.7}, "gpu_power is 0.7 watt, below 1; kilowatt taken for watt?"),
]


@pytest.mark.parametrize(("wrong", "message"), ACCELERATOR_CASES)
def test_accelerator_that_cannot_be_is_refused(wrong: dict[str, Any], message: str) -> None:
    assert message in refused(Accelerator, DEVICE | wrong)


LINK_CASES: list[tuple[dict[str, Any], str]] = [
    ({"bandwidth": 900e9, "headline_bidirectional": 900e9, "scope": "node"}, "did you mean 4.5e+11?"),
    ({"bandwidth": 900e9, "headline_bidirectional": 450e9, "scope": "node"}, "are they swapped?"),
    ({"bandwidth": 400e9}, "above 200e9 for a network port; Gb/s taken for GB/s, or a whole node taken"),
    ({"bandwidth": 100e9, "name": "RoCE 100GbE"}, "but 100 Gb/s are 12.5e9 byte/second; Gb/s taken for GB/s"),
    ({"bandwidth": 100e9, "line_rate_gbit": 400}, "but 400 Gb/s are 50e9 byte/second"),
    ({"bandwidth": 50}, "below 1e6; GB/s taken for byte/s: did you mean 50e9?"),
    (
        {"bandwidth": 100e9, "node_bandwidth": 100e9, "shared_by_gpus": 8},
        "shared by 8 devices is 1.25e+10; a whole node taken for one device?",
    ),
    ({"latency": 2.7}, "microseconds taken for seconds: did you mean 2.7e-6?"),
    ({"bandwidth": "50 GB/s"}, "bandwidth is text '50 GB/s'"),
    ({"bandwidth": -1}, "it must not be negative"),
    ({"scope": "rack"}, "scope"),
]


@pytest.mark.parametrize(("wrong", "message"), LINK_CASES)
def test_link_that_cannot_be_is_refused(wrong: dict[str, Any], message: str) -> None:
    assert message in refused(Link, LINK | wrong)


CARDS = BillLine(item="card", count=4, unit_price=1600, source="test", is_accelerator=True)
SYSTEM_CASES: list[tuple[dict[str, Any], str]] = [
    ({"devices_per_node": 0}, "devices_per_node is 0; it must be a whole number, at least 1"),
    ({"system_power": 10.2}, "system_power is 10.2 watt, below 30; kilowatt taken for watt?"),
    ({"system_power": 4000, "system_host_power": 9000}, "are they swapped?"),
    ({"bill": (CARDS,)}, "bill has 4 accelerators but the system 8"),
    ({"bill": [CARDS.model_dump()]}, "bill has 4 accelerators but the system 8"),
    ({"bill": [CARDS.model_dump() | {"unit_price": "1,600"}]}, "bill.0.unit_price"),
    ({"devices_per_node": 4, "bill": (CARDS,), "stated_price": 7000}, "bill adds up to 6400 usd"),
    (
        {"bill": (BillLine(item="host", count=1, unit_price=-5, source="test"),)},
        "bill line 'host' is 1 x -5 usd",
    ),
]


@pytest.mark.parametrize(("wrong", "message"), SYSTEM_CASES)
def test_system_that_cannot_be_is_refused(wrong: dict[str, Any], message: str) -> None:
    assert message in refused(System, SYSTEM | wrong)


@pytest.mark.parametrize("value", [float("nan"), "0.9", True])
def test_profile_value_that_is_no_number_is_refused(value: object) -> None:
    message = refused(Profile, {"id": "p", "source": "t", "fitted_to": "t", "values": {"efficiency": value}})
    assert "values.efficiency is" in message


def test_all_problems_of_a_record_stand_in_one_message() -> None:
    wrong = {"id": "X 1", "memory_bytes": 80, "memory_bandwidth": "3,35", "gpu_price": -1, "tflops": 1979}
    message = refused(Accelerator, DEVICE | wrong)
    for part in (
        "accelerator X 1: 5 problems",
        "did you mean 80e9?",
        "text '3,35'",
        "-1 usd",
        "lower case",
        "tflops",
    ):
        assert part in message


def test_no_fact_is_none_and_never_zero() -> None:
    bare = Accelerator(**{**DEVICE, "memory_bandwidth": None, "peak_flops_bf16": None})
    assert (bare.number("memory_bandwidth"), bare.number("peak_flops_16bit")) == (None, None)
    assert (bare.number("has_fp8"), bare.number("device_memory_bytes")) == (0.0, 80e9)


def test_every_accelerator_and_link_of_the_fact_tables_is_there() -> None:
    assert len(ACCELERATOR_IDS) == 118
    assert len(LINK_IDS) == 52
    assert not set(ACCELERATOR_IDS) - set(DEVICES)
    assert not set(LINK_IDS) - set(LINKS)


def test_ids_and_aliases_are_one_name_space_for_each_kind() -> None:
    groups = (
        [*hardware.tokensheet_accelerators(), *classics.accelerators()],
        [*hardware.tokensheet_links(), *classics.links()],
        [*hardware.tokensheet_systems(), *classics.systems()],
    )
    for records in groups:
        names = [name for record in records for name in (record.id, *record.aliases)]
        assert len(names) == len(set(names))


def test_records_name_only_links_and_accelerators_that_exist() -> None:
    for device in DEVICES.values():
        for name in (device.link, device.bridge_link, device.host_link):
            assert name is None or name in LINKS, (device.id, name)
    for system in SYSTEMS.values():
        assert system.accelerator in DEVICES
        for name in (system.link, system.outside_link):
            assert name is None or name in LINKS | {"ib-ndr": None}, (system.id, name)


SPOT: list[tuple[str, str, float]] = [
    ("h100-sxm-80gb", "memory_bytes", 80e9),
    ("h100-sxm-80gb", "device_memory_bytes", 81559 * 1024 * 1024),
    ("h100-sxm-80gb", "memory_bandwidth", 3.35e12),
    ("h100-sxm-80gb", "peak_flops_16bit", 989.4e12),
    ("h100-sxm-80gb", "peak_flops_fp8", 1979e12),
    ("h100-sxm-80gb", "peak_flops_fp16_sparse", 1979e12),
    ("h100-sxm-80gb", "gpu_power", 700),
    ("h100-sxm-80gb", "gpu_price", 33600),
    ("h100-pcie-80gb", "peak_flops_16bit", 756.5e12),
    ("a100-sxm-80gb", "peak_flops_int8", 624e12),
    ("a100-sxm-80gb", "has_fp8", 0),
    ("h200-sxm-141gb", "memory_bandwidth", 4.8e12),
    ("b200-sxm-180gb", "peak_flops_fp4", 9e15),
    ("b300-sxm-288gb", "peak_flops_int8", 154e12),
    ("rtx-4090", "peak_flops_16bit", 165.2e12),
    ("rtx-3090-ti", "memory_bandwidth", 1.008e12),
    ("mi100", "peak_flops_16bit", 92.3e12),
    ("mi300x", "peak_flops_16bit", 1307.4e12),
    ("tpu-v5e", "peak_flops_16bit", 197e12),
    ("tpu-v4", "memory_bytes", 32 * 1024**3),
    ("apple-m3-ultra", "memory_bytes", 512e9),
    ("groq-lpu-v1", "memory_bytes", 230e6),
    ("classic-h100", "peak_flops_16bit", 1979e12),
]


@pytest.mark.parametrize(("name", "field", "value"), SPOT)
def test_figures_are_those_of_the_sheet(name: str, field: str, value: float) -> None:
    assert DEVICES[name].number(field) == pytest.approx(value, rel=1e-12)


def test_an_80_gb_card_shows_85_52e9_bytes() -> None:
    shown = DEVICES["h100-sxm-80gb"].number("usable_memory_bytes")
    assert shown is not None
    assert round(shown / 1e9, 2) == 85.52
    assert round(shown / 2**30, 2) == 79.65


def test_gb_and_gib_are_two_units() -> None:
    size = 70_553_706_496 * 2
    assert (round(size / 1e9, 3), round(size / 2**30, 3)) == (141.107, 131.417)


def test_unconfirmed_figures_say_so() -> None:
    assert DEVICES["vr-rubin"].state_of("memory_bandwidth") == "unconfirmed"
    assert DEVICES["h200-sxm-141gb"].state_of("usable_memory_bytes") == "unconfirmed"
    assert DEVICES["classic-h100"].state_of("peak_flops_fp16") == "unconfirmed"
    assert DEVICES["h100-sxm-80gb"].state_of("memory_bandwidth") == "confirmed"
    assert LINKS["nvlink4"].state_of("latency") == "derived"


def test_pair_bridges_are_not_the_default_link() -> None:
    card = DEVICES["a100-pcie-80gb"]
    assert (card.link, card.bridge_link) == ("pcie4-x16", "nvlink3-bridge-a100")


LINK_SPOT: list[tuple[str, str, float]] = [
    ("nvlink4", "bandwidth", 450e9),
    ("nvlink5", "bandwidth", 900e9),
    ("pcie4-x16", "bandwidth", 31.5e9),
    ("eth-1", "bandwidth", 0.125e9),
    ("eth-10", "bandwidth", 1.25e9),
    ("roce-25", "bandwidth", 3.125e9),
    ("roce-200", "bandwidth", 25e9),
    ("ib-ndr", "bandwidth", 50e9),
    ("efa-v2-p5", "bandwidth", 50e9),
    ("efa-v2-p5", "node_bandwidth", 400e9),
    ("efa-v1-p4d", "bandwidth", 6.25e9),
    ("if-mi300x", "peer_bandwidth", 64e9),
    ("ideal", "bandwidth", 1e300),
    ("ideal", "latency", 0),
]


@pytest.mark.parametrize(("name", "field", "value"), LINK_SPOT)
def test_links_count_one_direction_of_one_device(name: str, field: str, value: float) -> None:
    assert LINKS[name].number(field) == pytest.approx(value, rel=1e-12)


PRICES = [
    ("li-pp-10g", 20350.0),
    ("li-tp-200g", 30400.0),
    ("li-2x4-25g", 19400.0),
    ("li-8x4090-pcie", 40000.0),
    ("li-8xh100", 300000.0),
]


@pytest.mark.parametrize(("name", "price"), PRICES)
def test_price_of_an_article_s_system_is_the_sum_of_its_bill(name: str, price: float) -> None:
    system = SYSTEMS[name]
    assert (system.system_price, system.system_devices, len(system.bill) > 1) == (price, 8, True)


def test_shares_of_a_bill() -> None:
    system = SYSTEMS["li-8x4090-pcie"]
    assert (system.gpu_price_share, system.system_host_price) == (pytest.approx(12800 / 40000), 27200)


def test_profiles_of_the_articles_differ_as_the_articles_do() -> None:
    kipply, li = (profile.values for profile in classics.profiles())
    assert {name: li[name] for name in set(kipply) ^ set(li)} == {"weights_read_per_token": 1}
    assert {name: (kipply[name], li[name]) for name in set(kipply) & set(li) if kipply[name] != li[name]} == {
        "messages_per_layer": (4, 2),
        "message_latency": (8e-6, 30e-6),
        "message_mode": (0, 1),
        "stage_copies_per_rank": (0, 1),
    }


def test_quantity_names_have_one_owner() -> None:
    owned = [name for kind in (Accelerator, Link, System) for name in kind.quantities()]
    assert len(owned) == len(set(owned))


@pytest.mark.parametrize("kind", KINDS)
def test_units_of_every_kind_of_record_are_known(kind: str) -> None:
    for name, mark in KINDS[kind].quantities().items():
        assert parse(mark.unit) is not None, name


CONTRADICTED = {
    "rtx-pro-5000-bw": (
        "NVIDIA prints 2,064 AI TOPS",
        ("fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4"),
    ),
    "strix-halo-395": ("that of the vector units", ("fp16",)),
}


@pytest.mark.parametrize("id", CONTRADICTED)
def test_peaks_that_another_source_contradicts_are_unconfirmed(id: str) -> None:
    """With the reason; such a device is searched only when somebody names it."""
    reason, formats = CONTRADICTED[id]
    assert reason in DEVICES[id].notes and DEVICES[id].is_doubtful
    assert all(DEVICES[id].state_of(f"peak_flops_{name}") == "unconfirmed" for name in formats)
