"""The fewest devices, by powers of two, that hold a plan and reach a wanted rate."""

from __future__ import annotations

from tokensheet.plugin import at, check, formula

_FEWEST = "each power of two is tried in turn; a replica of one device costs the least"


@formula(unit="flag", source=_FEWEST, title="Rate reached")
def reaches_rate(parallel_degrees_match, heads_divide, fits, decode_latency, token_rate):
    """1 when a plan is possible, fits, and each sequence gains the wanted tokens a second."""
    possible = parallel_degrees_match == 1 and heads_divide == 1 and fits == 1
    return 1 if possible and decode_latency * token_rate <= 1 else 0


@formula(unit="gpu", source=_FEWEST, title="Fewest devices, or none")
def fewest_gpus(
    alone=at("reaches_rate", gpus=1),
    two=at("reaches_rate", gpus=2),
    four=at("reaches_rate", gpus=4),
    eight=at("reaches_rate", gpus=8),
    sixteen=at("reaches_rate", gpus=16),
    thirty_two=at("reaches_rate", gpus=32),
    sixty_four=at("reaches_rate", gpus=64),
    most=at("reaches_rate", gpus=128),
):
    """Fewest of 1, 2, 4 … 128 devices that reach the wanted rate; 0 when none of them does."""
    many = 32 if thirty_two else (64 if sixty_four else (128 if most else 0))
    return 1 if alone else (2 if two else (4 if four else (8 if eight else (16 if sixteen else many))))


@check(
    message="no power of two up to 128 × {gpu} gives each of {batch} sequences {token_rate} tokens a second at context {context}; "
    "DECODE_LATENCY_FLOOR says what no number beats: use a smaller batch, another link or another device",
    source=_FEWEST,
    title="Some number of devices reaches the rate",
)
def some_count_is_fast(fewest_gpus, batch, context, token_rate):
    """1 when a power of two up to 128 reaches the wanted rate."""
    return fewest_gpus > 0


@formula(
    unit="gpu",
    source=_FEWEST,
    cell="model, gpu, context, token_rate, [batch], [options]",
    checks=("some_count_is_fast",),
    title="Devices for a wanted rate",
)
def gpus_for_rate(fewest_gpus):
    """Fewest of 1, 2, 4 … 128 devices on which a batch fits and each sequence gains the wanted tokens a second."""
    return fewest_gpus
