"""Messages taken apart, other ways to divide the work, and sampling: by hand."""

from __future__ import annotations

import pytest

from tests.cells import number, reason

A100 = '"classic-a100-40gb"'
OPTIONS = '{"profile","kipply-2022"}'
WITH_WORDS = '{"profile","kipply-2022";"vocabulary",50257}'
D, V = 8192, 50257


@pytest.mark.parametrize(("gpus", "batch"), [(1, 3), (2, 1), (4, 256), (16, 7)])
def test_messages_and_bytes(gpus: int, batch: int) -> None:
    """Four messages in each of 64 layers, two bytes for each element of the hidden state."""
    messages = 256 if gpus > 1 else 0
    assert number(f'=TP_MESSAGES("classic-52b",{gpus},{OPTIONS})') == messages
    assert (
        number(f'=TP_COMM_BYTES("classic-52b",{A100},{gpus},{batch},{OPTIONS})') == messages * batch * 2 * D
    )


@pytest.mark.parametrize("gpus", [2, 4, 8, 16, 32])
def test_operations_a_communicated_byte(gpus: int) -> None:
    """6, 2 and 8 d_model² operations over N devices for 2 d_model bytes: 3, 1 and 4 times the width a device."""
    width = D / gpus
    assert number(f'=QKV_COMM_INTENSITY("classic-52b",{gpus},{OPTIONS})') == pytest.approx(3 * width)
    assert number(f'=PROJECTION_COMM_INTENSITY("classic-52b",{gpus},{OPTIONS})') == pytest.approx(width)
    assert number(f'=MLP_COMM_INTENSITY("classic-52b",{gpus},{OPTIONS})') == pytest.approx(4 * width)
    assert number(f'=COMM_INTENSITY("classic-52b",{A100},{gpus},{OPTIONS})') == pytest.approx(3 * width)


def test_one_device_communicates_no_byte() -> None:
    assert "divides by zero" in reason(f'=COMM_INTENSITY("classic-52b",{A100},1,{OPTIONS})')


@pytest.mark.parametrize(("gpus", "batch"), [(1, 1), (2, 1), (4, 57), (4, 58), (4, 59), (8, 1000)])
def test_whole_shards_against_reduced_ones(gpus: int, batch: int) -> None:
    """One message of everything to everybody, or two of an Nth each."""
    size = batch * 2 * D
    sums = 128 if gpus > 1 else 0
    reduced = sums * (16e-6 + 2 * (gpus - 1) / gpus * size / 300e9)
    whole = sums * (8e-6 + (gpus - 1) * size / 300e9 + (gpus + 1) * size / 1.5e12)
    given = f'"classic-52b",{A100},{gpus},{batch},{OPTIONS}'
    assert number(f"=REDUCED_SHARDS_TIME({given})") == pytest.approx(reduced, rel=1e-12)
    assert number(f"=WHOLE_SHARDS_TIME({given})") == pytest.approx(whole, rel=1e-12)


@pytest.mark.parametrize("gpus", [2, 3, 4, 8, 64])
@pytest.mark.parametrize("gpu", ["classic-a100-40gb", "classic-4090", "h100-sxm-80gb"])
def test_where_whole_shards_stop_being_faster(gpus: int, gpu: str) -> None:
    options = '{"profile","kipply-2022";"message_latency",12e-6}'
    plan = f'"classic-52b","{gpu}",{gpus}'
    largest = number(f"=WHOLE_SHARDS_BATCH({plan},{options})")

    def ahead(batch: float) -> float:
        whole = number(f"=WHOLE_SHARDS_TIME({plan},{batch!r},{options})")
        return number(f"=REDUCED_SHARDS_TIME({plan},{batch!r},{options})") - whole

    assert ahead(max(1.0, largest)) >= 0 or largest == 0
    assert ahead(largest + 1) < 0


@pytest.mark.parametrize(
    ("gpus", "batch", "sharded"), [(1, 1, 0), (4, 1, 0), (4, 256, 0), (4, 256, 1), (8, 4096, 1)]
)
def test_sampling_by_hand(gpus: int, batch: int, sharded: int) -> None:
    """Product, storing, gathering and sorting of batch × vocabulary logits of four bytes."""
    product = max(2 * batch * D * V / gpus / 312e12, 2 * D * V / gpus / 1.5e12)
    logits = batch * V / (gpus if sharded else 1)
    stored, sorted_ = 2 * logits * 4 / 1.5e12, 4 * 2 * logits * 8 / 1.5e12
    sent = batch * 50 * 2 * (gpus - 1) * 4 if sharded else batch * V * 4 * (gpus - 1) / gpus
    gathered = 8e-6 + sent / 300e9 if gpus > 1 else 0
    options = f'{WITH_WORDS[:-1]};"sharded_sampling",{sharded}}}'
    given = f'"classic-52b",{A100},{gpus},{batch},{options}'
    assert number(f"=UNEMBEDDING_TIME({given})") == pytest.approx(product, rel=1e-12)
    assert number(f"=LOGITS_TIME({given})") == pytest.approx(stored, rel=1e-12)
    assert number(f"=SORT_TIME({given})") == pytest.approx(sorted_, rel=1e-12)
    assert number(f"=LOGITS_GATHER_TIME({given})") == pytest.approx(gathered, rel=1e-12)
    assert number(f"=SAMPLING_TIME({given})") == pytest.approx(
        product + stored + sorted_ + gathered, rel=1e-12
    )


@pytest.mark.parametrize(("gpus", "batch"), [(1, 3), (2, 1), (4, 256), (16, 31)])
def test_ways_to_divide_the_embedding_by_hand(gpus: int, batch: int) -> None:
    part, many = (gpus - 1) / gpus, gpus > 1
    given = f'"classic-52b",{A100},{gpus},{batch},{WITH_WORDS}'
    for text, messages, moved in (
        ("EMBEDDING_BY_WIDTH_TIME", 1, batch * D * 2),
        ("EMBEDDING_BY_TOKEN_TIME", 2, 2 * batch * D * 2),
        ("UNEMBEDDING_BY_WIDTH_TIME", 2, 2 * batch * V * 4),
        ("SHARDED_NORM_TIME", 2, 2 * batch * 2 * 4),
    ):
        right = messages * 8e-6 + part * moved / 300e9 if many else 0
        assert number(f"={text}({given})") == pytest.approx(right, rel=1e-12), text
    assert number(f'=EMBEDDING_BYTES_PER_DEVICE("classic-52b",{gpus},{WITH_WORDS})') == 2 * V * D / gpus


@pytest.mark.parametrize("instances", [1, 2, 4])
@pytest.mark.parametrize("batch", [4, 24])
def test_copies_are_smaller_plans(instances: int, batch: int) -> None:
    """Copies share batch and devices; all of them together are what one gives, times their number."""
    plan = f'"classic-52b",{A100},16'
    each = f'"classic-52b",{A100},{16 // instances}'
    part = batch / instances
    assert number(f"=SPLIT_TOKENS_PER_SECOND({plan},{instances},2000,{batch},{OPTIONS})") == pytest.approx(
        instances * number(f"=TOKENS_PER_SECOND({each},2000,{part!r},{OPTIONS})"), rel=1e-12
    )
    tokens = (16 / instances * 40e9 - 24 * 64 * D**2) // 2**21
    assert number(f"=SPLIT_KV_CAPACITY_TOKENS({plan},{instances},{OPTIONS})") == instances * tokens
    assert number(f"=SPLIT_MAX_BATCH({plan},{instances},2000,{OPTIONS})") == instances * (tokens // 2000)


def test_devices_must_divide_into_copies() -> None:
    text = f'=SPLIT_TOKENS_PER_SECOND("classic-52b",{A100},16,3,2000,3,{OPTIONS})'
    assert "do not divide into 3 copies" in reason(text)
