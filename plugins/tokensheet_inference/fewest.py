"""The fewest devices, doubled from one on, that hold a plan and reach a wanted rate."""

from __future__ import annotations

from tokensheet.plugin import COUNT, Declaration, Input, at, check, formula

_FEWEST = "each number of devices is tried in turn; a replica of fewer devices costs less"

DECLARATIONS: tuple[Declaration, ...] = (
    Input(
        "first_gpus",
        "gpu",
        "fewest devices tried; the number is doubled seven times",
        1,
        COUNT,
    ),
)


@formula(unit="gpu", source=_FEWEST, title="Devices tried, second plan")
def second_gpus(first_gpus):
    """Devices of the second plan that is tried."""
    return 2 * first_gpus


@formula(unit="gpu", source=_FEWEST, title="Devices tried, third plan")
def third_gpus(second_gpus):
    """Devices of the third plan that is tried."""
    return 2 * second_gpus


@formula(unit="gpu", source=_FEWEST, title="Devices tried, fourth plan")
def fourth_gpus(third_gpus):
    """Devices of the fourth plan that is tried."""
    return 2 * third_gpus


@formula(unit="gpu", source=_FEWEST, title="Devices tried, fifth plan")
def fifth_gpus(fourth_gpus):
    """Devices of the fifth plan that is tried."""
    return 2 * fourth_gpus


@formula(unit="gpu", source=_FEWEST, title="Devices tried, sixth plan")
def sixth_gpus(fifth_gpus):
    """Devices of the sixth plan that is tried."""
    return 2 * fifth_gpus


@formula(unit="gpu", source=_FEWEST, title="Devices tried, seventh plan")
def seventh_gpus(sixth_gpus):
    """Devices of the seventh plan that is tried."""
    return 2 * sixth_gpus


@formula(unit="gpu", source=_FEWEST, title="Devices tried, eighth plan")
def eighth_gpus(seventh_gpus):
    """Devices of the eighth plan that is tried."""
    return 2 * seventh_gpus


@formula(unit="flag", source=_FEWEST, title="Rate reached")
def reaches_rate(parallel_degrees_match, heads_divide, fits, decode_latency, token_rate):
    """1 when a plan is possible, fits, and each sequence gains the wanted tokens a second."""
    possible = parallel_degrees_match == 1 and heads_divide == 1 and fits == 1
    return 1 if possible and decode_latency * token_rate <= 1 else 0


@formula(unit="gpu", source=_FEWEST, title="Fewest devices, or none")
def fewest_gpus(
    first_gpus,
    second_gpus,
    third_gpus,
    fourth_gpus,
    fifth_gpus,
    sixth_gpus,
    seventh_gpus,
    eighth_gpus,
    first=at("reaches_rate", gpus="first_gpus"),
    second=at("reaches_rate", gpus="second_gpus"),
    third=at("reaches_rate", gpus="third_gpus"),
    fourth=at("reaches_rate", gpus="fourth_gpus"),
    fifth=at("reaches_rate", gpus="fifth_gpus"),
    sixth=at("reaches_rate", gpus="sixth_gpus"),
    seventh=at("reaches_rate", gpus="seventh_gpus"),
    eighth=at("reaches_rate", gpus="eighth_gpus"),
):
    """Fewest devices of the eight plans tried that reach the wanted rate; 0 when none of them does."""
    after_first = 1 - first
    after_second = after_first * (1 - second)
    after_third = after_second * (1 - third)
    after_fourth = after_third * (1 - fourth)
    after_fifth = after_fourth * (1 - fifth)
    after_sixth = after_fifth * (1 - sixth)
    after_seventh = after_sixth * (1 - seventh)
    few = first * first_gpus + after_first * second * second_gpus + after_second * third * third_gpus
    some = after_third * fourth * fourth_gpus + after_fourth * fifth * fifth_gpus
    many = after_fifth * sixth * sixth_gpus + after_sixth * seventh * seventh_gpus
    return few + some + many + after_seventh * eighth * eighth_gpus


@check(
    message="no plan of {first_gpus}, twice as many … {eighth_gpus} × {gpu} gives each of {batch} sequences {token_rate} tokens "
    "a second at context {context}; DECODE_LATENCY_FLOOR says what no number beats: use a smaller batch, another link or device",
    source=_FEWEST,
    title="Some number of devices reaches the rate",
)
def some_count_is_fast(fewest_gpus, batch, context, token_rate):
    """1 when one of the plans tried reaches the rate."""
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
