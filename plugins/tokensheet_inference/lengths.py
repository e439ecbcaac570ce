"""How long prompts and answers are: variation from a percentile or a histogram, kinds of requests, cached blocks."""

from __future__ import annotations

import math

from tokensheet.plugin import NOT_NEGATIVE, Declaration, Input, at, check, formula
from tokensheet_inference.sources import MIX

_LOGNORMAL = "mean and one percentile fix a lognormal distribution: its sigma solves a quadratic equation"
_HISTOGRAM = "mean and second moment of up to six kinds of lengths, weighed by their shares"
_BINS = (
    "bin_length_1, bin_share_1, [bin_length_2], [bin_share_2], [bin_length_3], [bin_share_3], [bin_length_4], "
    "[bin_share_4], [bin_length_5], [bin_share_5], [bin_length_6], [bin_share_6]"
)

_USUAL = {1: (500, 60), 2: (2000, 30), 3: (8000, 10)}
"""Bin → length and share of example calls."""

DECLARATIONS: tuple[Declaration, ...] = tuple(
    Input(name, unit, f"{text} {bin}", None if bin == 1 else 0, NOT_NEGATIVE, example=usual)
    for bin in range(1, 7)
    for name, unit, text, usual in (
        (
            f"bin_length_{bin}",
            "token",
            "mean length of the requests of bin",
            _USUAL.get(bin, (None, None))[0],
        ),
        (f"bin_share_{bin}", "1", "requests of bin, counted in any unit:", _USUAL.get(bin, (None, None))[1]),
    )
)


@check(
    message="a length of {high_over_mean} times the mean is beyond what a lognormal distribution reaches at its percentile "
    "{high_percentile}; give a lower ratio, or another percentile",
    source=_LOGNORMAL,
    title="Percentile is possible",
)
def ratio_is_possible(
    high_over_mean, high_percentile, quantile=at("normal_quantile", percentile="high_percentile")
):
    """1 when some lognormal distribution has this percentile over its mean."""
    return 2 * math.log(high_over_mean) <= quantile**2


@formula(
    unit="1",
    source=_LOGNORMAL,
    cell="high_over_mean, [high_percentile]",
    checks=("ratio_is_possible",),
    title="Variation of lengths",
)
def length_cv(high_over_mean, quantile=at("normal_quantile", percentile="high_percentile")):
    """Standard deviation over mean of lengths whose percentile is known; 0 when all are the same."""
    sigma = quantile - math.sqrt(max(0, quantile**2 - 2 * math.log(high_over_mean)))
    return math.sqrt(math.exp(sigma**2) - 1)


@formula(unit="1", source=_LOGNORMAL, title="Variation of prompts")
def prompt_cv(spread=at("length_cv", high_over_mean="prompt_high_ratio")):
    """Standard deviation over mean of the prompts' lengths."""
    return spread


@formula(unit="1", source=_LOGNORMAL, title="Variation of outputs")
def output_cv(spread=at("length_cv", high_over_mean="output_high_ratio")):
    """Standard deviation over mean of the outputs' lengths."""
    return spread


# ---- histograms


# fmt: off
@formula(unit="1", source=_HISTOGRAM, title="Requests of all bins")
def bin_total(bin_share_1, bin_share_2, bin_share_3, bin_share_4, bin_share_5, bin_share_6):
    """Shares of all bins together, in the unit in which they are given."""
    return bin_share_1 + bin_share_2 + bin_share_3 + bin_share_4 + bin_share_5 + bin_share_6


@formula(unit="token", source=_HISTOGRAM, cell=_BINS, title="Mean length of a histogram")
def histogram_mean(
    bin_length_1, bin_share_1, bin_length_2, bin_share_2, bin_length_3, bin_share_3, bin_length_4, bin_share_4,
    bin_length_5, bin_share_5, bin_length_6, bin_share_6, bin_total,
):
    """Mean tokens of requests of which a histogram of up to six bins is known."""
    low = bin_length_1 * bin_share_1 + bin_length_2 * bin_share_2 + bin_length_3 * bin_share_3
    high = bin_length_4 * bin_share_4 + bin_length_5 * bin_share_5 + bin_length_6 * bin_share_6
    return (low + high) / bin_total


@formula(unit="1", source=_HISTOGRAM, cell=_BINS, title="Variation of a histogram")
def histogram_cv(
    bin_length_1, bin_share_1, bin_length_2, bin_share_2, bin_length_3, bin_share_3, bin_length_4, bin_share_4,
    bin_length_5, bin_share_5, bin_length_6, bin_share_6, bin_total, histogram_mean,
):
    """Standard deviation over mean of lengths of which a histogram is known; lengths inside a bin are taken as equal."""
    low = bin_length_1**2 * bin_share_1 + bin_length_2**2 * bin_share_2 + bin_length_3**2 * bin_share_3
    high = bin_length_4**2 * bin_share_4 + bin_length_5**2 * bin_share_5 + bin_length_6**2 * bin_share_6
    return math.sqrt(max(0, (low + high) / bin_total / histogram_mean**2 - 1))
# fmt: on


# ---- kinds of requests


@formula(unit="token", source=MIX, title="Prompt of the long requests")
def long_prompt(prompt):
    """Prompt tokens of the requests with long contexts; as the others, unless given."""
    return prompt


@formula(unit="token", source=MIX, title="Mean prompt")
def mean_prompt(prompt, long_prompt, long_share):
    """Prompt tokens of a mean request, long ones included."""
    return (1 - long_share) * prompt + long_share * long_prompt


@formula(
    unit="token",
    source="vLLM and SGLang keep blocks; the last token is always computed, its output is asked for",
    cell="prompt, shared_prefix, [block_tokens]",
    title="Prompt tokens found in the cache",
)
def cached_prompt_tokens(prompt, shared_prefix, block_tokens):
    """Tokens of a prompt that a request with the shared prefix finds in the cache: whole blocks only."""
    return math.floor(min(shared_prefix, prompt - 1) / block_tokens) * block_tokens


@formula(unit="token", source="prompt without what the cache has", title="Prompt tokens computed after a hit")
def computed_prompt(prompt, cached_prompt_tokens):
    """Tokens of a prompt that a request with the shared prefix must compute."""
    return prompt - cached_prompt_tokens


@formula(
    unit="token", source="cache before the prompt, and what is found", title="Cache before what is computed"
)
def hit_prefix(cached_prefix, cached_prompt_tokens):
    """Tokens in the cache before the first computed one, after a hit."""
    return cached_prefix + cached_prompt_tokens


@formula(unit="token", source=MIX, title="Prompt tokens computed on average")
def mean_computed_prompt(prompt, cached_prompt_tokens, prefix_hit_share, long_prompt, long_share):
    """Prompt tokens that a mean request makes the engine compute."""
    common = prompt - prefix_hit_share * cached_prompt_tokens
    return (1 - long_share) * common + long_share * long_prompt


@formula(unit="token", source=MIX, title="Prompt tokens from the cache on average")
def mean_cached_prompt(mean_prompt, mean_computed_prompt):
    """Prompt tokens of a mean request that are found in the cache."""
    return mean_prompt - mean_computed_prompt
