"""A replica under load, III: percentiles of TTFT, TPOT and request time, each part's own put together.

A part that every request has (its prefill, the steps of a lone sequence) is never undercut, and no percentile falls
when a part grows: medians add up, and distances from the median as those of independent parts do.
"""

from __future__ import annotations

import math

from tokensheet.plugin import Constant, at, check, formula
from tokensheet_inference.queueing import LEAST_SHARE, LEAST_TIME, MEDIAN
from tokensheet_inference.serving import SERVED
from tokensheet_inference.sources import EXPONENTIAL, LOGNORMAL

_TOGETHER = "medians add up, distances from them as those of independent parts"
_BEYOND = "mean and variance of what exceeds a lone request; Wilson and Hilferty 1931 for the percentile"
_KINDS = "prompts with a hit are the shortest, those with long contexts the longest; exact where a kind has one length"

_LOGISTIC = "normal and logistic distributions part by 0.01 at most: Haley 1952"

LOGISTIC_WIDTH = Constant(
    "LOGISTIC_WIDTH", 1.702, "1", "logistic distribution nearest to the normal one: scale of its argument"
)

STABLE = (*SERVED, "load_is_stable")


@check(
    message="percentile {percentile} is below the median: times of the fastest requests are not modelled; give 0 for the mean, "
    "or 0.5 and more",
    source=_TOGETHER,
    title="Percentile is the median or beyond",
)
def percentile_is_high(percentile):
    """1 when the mean is asked for, or a percentile that is not below the median."""
    return percentile == 0 or percentile >= MEDIAN


# ---- time to first token


@formula(unit="second", source=EXPONENTIAL, title="Wait for a slot at a percentile")
def slot_wait_at_percentile(slot_wait_when_waiting, factor=at("wait_factor", wait_chance="slot_wait_chance")):
    """Seconds that a request waits for a slot at a percentile of all."""
    return slot_wait_when_waiting * factor


@formula(unit="second", source=EXPONENTIAL, title="Wait for prompts at a percentile")
def prefill_wait_at_percentile(
    prefill_wait_when_waiting, together_factor, factor=at("wait_factor", wait_chance="prefill_wait_chance")
):
    """Seconds that a request waits for the prompts before it at a percentile of all."""
    return prefill_wait_when_waiting * together_factor * factor


@formula(
    unit="second",
    source="a moment of the running step, each as likely",
    title="Rest of the running step at a percentile",
)
def step_rest_at_percentile(served_step_time, decode_busy, percentile):
    """Seconds until the running step is over at a percentile of all requests; prompts do not shorten it."""
    return served_step_time * max(0, 1 - (1 - percentile) / max(LEAST_SHARE, decode_busy))


@formula(unit="share", source=_KINDS, title="Requests without a hit")
def missed_share(prefix_hit_share, long_share):
    """Share of the requests whose prompt is computed whole, those with long contexts among them."""
    return long_share + (1 - long_share) * (1 - prefix_hit_share)


@formula(
    unit="1",
    source=_KINDS + "; " + LOGNORMAL + "; " + _LOGISTIC,
    title="Prefill at a percentile over the mean",
)
def prefill_factor(
    percentile,
    prefill_work,
    hit_prefill_work,
    missed_prefill_work,
    long_prefill_work,
    missed_share,
    long_share,
    prompt_cv,
    of_lengths=at("length_factor", factor_cv="prompt_cv"),
):
    """How many times its mean a prefill takes at a percentile: that of the kind of request which the percentile falls on.

    A percentile of all is a lower one among the requests of a kind, as the others are shorter.
    """
    power = math.sqrt(math.log(1 + prompt_cv**2)) / LOGISTIC_WIDTH
    missed_rank = max(0, missed_share - 1 + percentile) / max(LEAST_SHARE, percentile)
    long_rank = max(0, long_share - 1 + percentile) / max(LEAST_SHARE, percentile)
    whole = missed_prefill_work * missed_rank**power if missed_rank > LEAST_SHARE else 0
    longest = long_prefill_work * long_rank**power if long_rank > LEAST_SHARE else 0
    return max(hit_prefill_work, whole, longest) * of_lengths / max(LEAST_TIME, prefill_work)


@formula(unit="second", source=_KINDS, title="Prefill under load at a percentile")
def own_prefill_at_percentile(own_prefill_time, prefill_factor):
    """Seconds of a request's own prefill at a percentile of all: its mean where prompts do not vary."""
    return own_prefill_time * prefill_factor


@formula(unit="second", source=_TOGETHER, checks=STABLE, title="TTFT at a percentile")
def ttft_at_percentile(
    slot_wait_at_percentile,
    prefill_wait_at_percentile,
    step_rest_at_percentile,
    own_prefill_at_percentile,
    median_slot=at("slot_wait_at_percentile", percentile=1 / 2),
    median_prompts=at("prefill_wait_at_percentile", percentile=1 / 2),
    median_rest=at("step_rest_at_percentile", percentile=1 / 2),
    median_own=at("own_prefill_at_percentile", percentile=1 / 2),
):
    """Seconds from a request to its first token under load at a percentile of the requests, never below its prefill."""
    waits = (slot_wait_at_percentile - median_slot) ** 2 + (prefill_wait_at_percentile - median_prompts) ** 2
    itself = (step_rest_at_percentile - median_rest) ** 2 + (own_prefill_at_percentile - median_own) ** 2
    return median_slot + median_prompts + median_rest + median_own + math.sqrt(waits + itself)


# ---- from first to last token


@formula(unit="second", source=_BEYOND, title="Step of a lone sequence")
def lone_step_time(timed=at("curve_time", curve_batch=1)):
    """Seconds of a decode step that serves one sequence: no TPOT is below it."""
    return timed


@formula(unit="second", source=_BEYOND, title="TPOT beyond a lone step")
def tpot_beyond(mean_tpot, lone_step_time):
    """Mean seconds that other sequences and their prompts add to each token."""
    return max(LEAST_TIME, mean_tpot - lone_step_time)


@formula(unit="1", source=_BEYOND, title="Variation of TPOT beyond a lone step")
def tpot_beyond_cv(mean_tpot, tpot_cv, tpot_beyond):
    """Standard deviation over mean of what others add to each token."""
    return mean_tpot * tpot_cv / tpot_beyond


@formula(unit="second", source=_BEYOND, title="TPOT at a percentile")
def tpot_at_percentile(lone_step_time, tpot_beyond, factor=at("quantile_factor", factor_cv="tpot_beyond_cv")):
    """Seconds between tokens of a request under load at a percentile of the requests, never below a lone step."""
    return lone_step_time + tpot_beyond * factor


# ---- the whole request


@formula(unit="second", source=_BEYOND, title="Decoding of a lone request")
def lone_decode_time(lone_step_time, output):
    """Mean seconds from first to last token of a request that meets no other."""
    return (output - 1) * lone_step_time


@formula(unit="second", source=_BEYOND, title="Decoding beyond a lone request")
def decode_beyond(mean_decode_time, lone_decode_time):
    """Mean seconds that other requests add between a request's first and last token."""
    return max(LEAST_TIME, mean_decode_time - lone_decode_time)


@formula(unit="1", source=_BEYOND, title="Variation of decoding beyond a lone request")
def decode_beyond_cv(mean_decode_time, tpot_cv, decode_beyond):
    """Standard deviation over mean of what others add to decoding, the output's length aside."""
    return mean_decode_time * tpot_cv / decode_beyond


@formula(unit="second", source=_BEYOND, title="Decoding of a mean output at a percentile")
def decode_at_percentile(
    lone_decode_time, decode_beyond, factor=at("quantile_factor", factor_cv="decode_beyond_cv")
):
    """Seconds from first to last token of a mean output at a percentile of the requests."""
    return lone_decode_time + decode_beyond * factor


@formula(unit="1", source=LOGNORMAL, title="Output at a percentile over the mean")
def output_at_percentile(factor=at("length_factor", factor_cv="output_cv")):
    """How many times its mean an output is long at a percentile of the requests."""
    return factor


@formula(unit="second", source=_TOGETHER, checks=STABLE, title="Request time at a percentile")
def request_time_at_percentile(
    ttft_at_percentile,
    decode_at_percentile,
    output_at_percentile,
    median_ttft=at("ttft_at_percentile", percentile=1 / 2),
    median_decode=at("decode_at_percentile", percentile=1 / 2),
    median_output=at("output_at_percentile", percentile=1 / 2),
):
    """Seconds from a request to its last token under load at a percentile of the requests, never below a lone one's."""
    of_length = median_decode * (output_at_percentile - median_output)
    of_steps = (decode_at_percentile - median_decode) * median_output
    rest = (ttft_at_percentile - median_ttft) ** 2 + of_length**2 + of_steps**2
    return median_ttft + median_decode * median_output + math.sqrt(rest)
