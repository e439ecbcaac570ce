"""All-reduces against measurements, and by hand."""

from __future__ import annotations

import csv
import statistics
from pathlib import Path
from typing import Any

import pytest

import tokensheet

# nccl-tests on nine NVIDIA systems, as listed in aiconfigurator-core 0.12.0
TABLE = Path(__file__).parents[1] / "data" / "nccl_all_reduce.csv"
MEASURED = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))


def all_reduce(gpu: str, gpus: float, size: float, **given: Any) -> float:
    return float(
        tokensheet.evaluate(
            "all_reduce_time", gpu=gpu, gpus=gpus, message_bytes=size, **{"profile": "nccl", **given}
        )
    )


def error(row: dict[str, str], **given: Any) -> float:
    found = all_reduce(row["accelerator"], float(row["gpus"]), float(row["bytes"]), **given)
    return abs(found / (float(row["microseconds"]) * 1e-6) - 1)


def test_measured_all_reduces_overall() -> None:
    """The faster of ring and one-shot, and the ring alone: both within 20 % in the median."""
    assert len(MEASURED) >= 100
    assert statistics.median(map(error, MEASURED)) < 0.12
    alone = [error(r, one_shot_efficiency=1e-9, ring_latency=0) for r in MEASURED]
    assert statistics.median(alone) < 0.2


@pytest.mark.parametrize("gpu", sorted({r["accelerator"] for r in MEASURED}))
def test_measured_all_reduces_of_each_device(gpu: str) -> None:
    """Every device: within 20 % in the median of its sizes and numbers."""
    assert statistics.median(error(r) for r in MEASURED if r["accelerator"] == gpu) <= 0.2


@pytest.mark.parametrize("size", sorted({r["bytes"] for r in MEASURED}))
def test_measured_all_reduces_of_each_size(size: str) -> None:
    """From 512 bytes to 512 MiB: within 20 % in the median."""
    assert statistics.median(error(r) for r in MEASURED if r["bytes"] == size) <= 0.2


def test_one_shot_for_small_messages_and_a_ring_for_large_ones() -> None:
    """Few bytes save the ring's latency; many are sent only as often as a ring needs."""
    given = {"gpu": "h100-sxm-80gb", "gpus": 8, "profile": "nccl"}
    for size, faster in ((512, "one_shot_time"), (2**29, "ring_time")):
        both = [tokensheet.evaluate(n, message_bytes=size, **given) for n in ("one_shot_time", "ring_time")]
        assert all_reduce("h100-sxm-80gb", 8, size) == min(both)
        assert min(both) == tokensheet.evaluate(faster, message_bytes=size, **given)


@pytest.mark.parametrize("tp", [2, 4, 8])
def test_an_all_reduce_by_hand(tp: int) -> None:
    """8.93 µs grow with (tp/2)^0.572; 450 GB/s at 75 %; a ring sends 2 (tp - 1)/tp of the bytes, one-shot tp - 1."""
    latency, rate, size = 8.93e-6 * (tp / 2) ** 0.572, 450e9 * 0.75, 1e6
    ring = latency + 3.15e-6 + 2 * (tp - 1) / tp * size / rate
    one_shot = latency + (tp - 1) * size / (rate * 0.22)
    assert all_reduce("h100-sxm-80gb", tp, size) == pytest.approx(min(ring, one_shot), rel=1e-12)


def test_devices_on_a_bus_share_it() -> None:
    """On PCIe without a switch of their own each device gets less the more there are."""
    seconds = [all_reduce("l40s", n, 2**29) for n in (2, 4, 8)]
    rate = 31.5e9 * 0.75 * 0.785
    wanted = [2 * (n - 1) / n * 2**29 / (rate * (2 / n) ** 0.758) for n in (2, 4, 8)]
    assert seconds == pytest.approx(wanted, rel=1e-3)


def test_beyond_a_node_the_network_is_the_link() -> None:
    """Sixteen devices send at what the node's cards carry; eight at what NVLink does; a larger domain takes more."""
    given: dict[str, Any] = {"gpu": "h100-sxm-80gb", "profile": "vllm-2025"}
    rates = [tokensheet.evaluate("link_rate", gpus=n, **given) for n in (8, 16)]
    assert rates == pytest.approx([450e9 * 0.7, 200e9 * 0.7], rel=1e-12)
    assert tokensheet.evaluate("link_rate", gpus=16, devices_per_domain=72, **given) == pytest.approx(
        450e9 * 0.7
    )


@pytest.mark.parametrize(
    ("gpu", "gpus", "wanted"), [("gb200", 16, 900e9), ("gb200", 144, 72 / 8 * 90e9), ("b200", 16, 90e9)]
)
def test_a_rack_of_72_is_no_network(gpu: str, gpus: int, wanted: float) -> None:
    """GB200 NVL72 joins 72 devices by NVLink, an HGX server eight: the device says which; each eight have a node's network."""
    found = tokensheet.evaluate("link_rate", gpu=gpu, gpus=gpus, profile="default", node_link_bandwidth=90e9)
    assert found == pytest.approx(wanted * 0.7, rel=1e-12)
    warned = tokensheet.evaluate("tp_stays_inside", gpu=gpu, gpus=gpus) == 0
    assert warned == (wanted != 900e9)


@pytest.mark.parametrize(("tp", "links"), [(1, 1), (2, 1), (4, 3), (8, 7)])
def test_in_a_mesh_two_devices_share_one_link(tp: int, links: int) -> None:
    """MI300X: 64 GB/s to each of seven others, 448 in all; a switch gives two devices everything."""
    given: dict[str, Any] = {"gpus": tp, "profile": "ideal"}
    assert tokensheet.evaluate("link_rate", gpu="mi300x", **given) == pytest.approx(links * 64e9, rel=1e-12)
    assert tokensheet.evaluate("link_rate", gpu="h100-sxm-80gb", **given) == pytest.approx(450e9, rel=1e-12)
    other = tokensheet.evaluate("link_rate", gpu="mi300x", link_bandwidth=70e9, **given)
    assert other == pytest.approx(links * 10e9, rel=1e-12)


@pytest.mark.parametrize(("gpu", "rate"), [("mi300x", 64e9), ("h100-sxm-80gb", 450e9)])
def test_a_stage_sends_to_one_other(gpu: str, rate: float) -> None:
    """4096 tokens, 8192 wide, two hops: in a mesh over the one link that joins two devices."""
    plan: dict[str, Any] = {"model": "llama-3.1-70b", "gpu": gpu, "gpus": 2, "pp": 2, "profile": "ideal"}
    seconds = tokensheet.evaluate("pp_comm_time", **plan, micro_batch=4096)
    assert seconds == pytest.approx(2 * 4096 * 8192 * 2 / rate, rel=1e-12)
    moving = tokensheet.evaluate("hop_transfer_time", **plan, micro_batch=4096)
    assert moving == pytest.approx(4096 * 8192 * 2 / rate, rel=1e-12)


@pytest.mark.parametrize(
    ("model", "messages"),
    [
        ("llama-3.1-70b", 160),
        ("deepseek-v3", 122),
        ("nemotron-3-nano-30b-a3b", 52),  # 23 Mamba, 6 attention and 23 MoE layers, each alone
        ("nemotron-h-56b", 118),
        ("mamba-2.8b", 64),  # no MLP
        ("nemotron-super-49b", 49 + 80),  # 31 layers without attention
    ],
)
def test_a_message_after_each_mixer_and_each_mlp(model: str, messages: int) -> None:
    """Two a layer only where a layer has both; a profile's messages a layer are those of such a layer."""
    given: dict[str, Any] = {"model": model, "gpus": 8, "gpu": "h100-sxm-80gb", "profile": "ideal"}
    assert tokensheet.evaluate("tp_messages", **given) == messages
    assert tokensheet.evaluate("tp_messages", **given, messages_per_layer=4) == 2 * messages
    assert tokensheet.evaluate("shard_sums", **given) == messages


def test_one_device_sends_nothing() -> None:
    """And needs no link: a device without one answers."""
    assert all_reduce("h100-sxm-80gb", 1, 1e6) == 0


def test_a_message_takes_the_software_or_the_link() -> None:
    """The profile's latency is a least; a slow network takes its own; a link without a latency takes the least."""
    least = 4.5e-6
    given: dict[str, Any] = {"gpu": "h100-sxm-80gb", "message_latency_least": least, "profile": "default"}
    own = tokensheet.evaluate("link_latency", gpu="h100-sxm-80gb", interconnect="eth-1")
    assert own > least
    assert tokensheet.evaluate("message_latency", **given) == least
    assert tokensheet.evaluate("message_latency", interconnect="eth-1", **given) == own
    assert tokensheet.evaluate("message_latency", gpu="mi300x", message_latency_least=least) == least
    assert "states no latency" in tokensheet.why("message_latency", gpu="mi300x", message_latency_least=0)
