"""Error bands: the low and high value between which a measurement falls in 8 of 10 cases, by a profile's own errors.

The band is a factor: exp(band) around the result. Profiles that are not fitted state no band; theirs is the
result itself, which says nothing about its error. Both ends of each result are written out: a formula is read
from its own source, which one that a factory makes has not, and `at(...)` would add rows for one product.
"""

from __future__ import annotations

import math

from tokensheet.plugin import Constant, check, formula

_BAND = "80 % quantiles of errors in cross-validation: fitted by profiles"
_DECODE = "model, gpu, gpus, context, [batch], [options]"
_PROMPT = "model, gpu, gpus, prompt, [batch], [options]"
_REQUEST = "model, gpu, gpus, prompt, output, [batch], [options]"

FAR = ("stack_is_measured", "maker_is_measured", "model_is_measured", "bandwidth_is_measured")

SLACK = Constant("SLACK", 1.25, "1", "how far beyond the measured range counts as measured")


@check(
    message="{model} has {parameters:billion} parameters, and the profile was fitted on models of {least_parameters_measured:billion} "
    "to {most_parameters_measured:billion}; the band is widened by {band_nearest:%}",
    source=_BAND,
    warning=True,
    title="Size of the model is within what was measured",
)
def model_is_measured(parameters, least_parameters_measured, most_parameters_measured):
    """1 when the model is no smaller and no larger than those that the profile was fitted on, by a quarter."""
    return parameters * SLACK >= least_parameters_measured and parameters <= most_parameters_measured * SLACK


@check(
    message="{gpu} reads {memory_bandwidth:GB/s}, and the profile was fitted on devices of {least_bandwidth_measured:GB/s} "
    "to {most_bandwidth_measured:GB/s}; the band is widened by {band_nearest:%}",
    source=_BAND,
    warning=True,
    title="Bandwidth of the device is within what was measured",
)
def bandwidth_is_measured(memory_bandwidth, least_bandwidth_measured, most_bandwidth_measured):
    """1 when the device's memory is no slower and no faster than those that the profile was fitted on, by a quarter."""
    return (
        memory_bandwidth * SLACK >= least_bandwidth_measured
        and memory_bandwidth <= most_bandwidth_measured * SLACK
    )


@check(
    message="{gpu} is of another maker than the devices that the profile was fitted on; the band is widened by "
    "{band_nearest:%}",
    source=_BAND,
    warning=True,
    title="Maker of the device is one that was measured",
)
def maker_is_measured(gpu_maker, first_maker_measured, second_maker_measured):
    """1 when the profile was fitted on devices of the same maker, or states none."""
    of_neither = (gpu_maker - first_maker_measured) * (gpu_maker - second_maker_measured)
    return first_maker_measured == 0 or of_neither == 0


@check(
    message="profile fitted for another engine, period or kind of device; the band is widened by {band_nearest:%}",
    source=_BAND,
    warning=True,
    title="Profile is the stack's own",
)
def stack_is_measured(nearest):
    """1 when the profile was fitted on the stack that is asked about."""
    return nearest == 0


@formula(unit="1", source=_BAND, title="Widening of the band")
def band_widening(
    measured,
    nearest,
    model_is_measured,
    bandwidth_is_measured,
    maker_is_measured,
    band_unmeasured,
    band_nearest,
):
    """How many times as wide the band is as on a machine that the profile was fitted on."""
    size = model_is_measured == 1 and bandwidth_is_measured == 1
    far = 0 if nearest == 0 and size == 1 and maker_is_measured == 1 else 1
    return 1 + band_unmeasured * (1 - measured) + band_nearest * far


@formula(unit="1", source=_BAND, title="Band of requests")
def request_band(band_base, band_experts, experts, band_widening):
    """Logarithm of the factor that eight of ten measured runs of whole requests stay within."""
    return (band_base + (band_experts if experts > 0 else 0)) * band_widening


@formula(unit="1", source=_BAND, title="Band of decode steps")
def decode_band(band_base, band_tpot, band_experts, experts, band_widening):
    """Logarithm of the factor that eight of ten measured decode steps stay within."""
    return (band_base + band_tpot + (band_experts if experts > 0 else 0)) * band_widening


@formula(unit="1", source=_BAND, title="Band of prefill")
def prefill_band(band_base, band_ttft, band_experts, experts, band_widening):
    """Logarithm of the factor that eight of ten measured prefills stay within."""
    return (band_base + band_ttft + (band_experts if experts > 0 else 0)) * band_widening


@formula(
    unit="second",
    source=_BAND,
    cell=_DECODE,
    checks=FAR,
    title="Decode latency, low",
)
def decode_latency_low(decode_latency, decode_band):
    """Low end of the band of 80 % around the decode latency; the value itself if the profile was not fitted."""
    return decode_latency * math.exp(-decode_band)


@formula(
    unit="second",
    source=_BAND,
    cell=_DECODE,
    checks=FAR,
    title="Decode latency, high",
)
def decode_latency_high(decode_latency, decode_band):
    """High end of the band of 80 % around the decode latency; the value itself if the profile was not fitted."""
    return decode_latency * math.exp(decode_band)


@formula(
    unit="second",
    source=_BAND,
    cell=_PROMPT,
    checks=FAR,
    title="Prefill latency, low",
)
def prefill_latency_low(prefill_latency, prefill_band):
    """Low end of the band of 80 % around the prefill latency; the value itself if the profile was not fitted."""
    return prefill_latency * math.exp(-prefill_band)


@formula(
    unit="second",
    source=_BAND,
    cell=_PROMPT,
    checks=FAR,
    title="Prefill latency, high",
)
def prefill_latency_high(prefill_latency, prefill_band):
    """High end of the band of 80 % around the prefill latency; the value itself if the profile was not fitted."""
    return prefill_latency * math.exp(prefill_band)


@formula(
    unit="second",
    source=_BAND,
    cell=_REQUEST,
    checks=FAR,
    title="Request latency, low",
)
def request_latency_low(request_latency, request_band):
    """Low end of the band of 80 % around the request latency; the value itself if the profile was not fitted."""
    return request_latency * math.exp(-request_band)


@formula(
    unit="second",
    source=_BAND,
    cell=_REQUEST,
    checks=FAR,
    title="Request latency, high",
)
def request_latency_high(request_latency, request_band):
    """High end of the band of 80 % around the request latency; the value itself if the profile was not fitted."""
    return request_latency * math.exp(request_band)


@formula(
    unit="second",
    source=_BAND,
    cell=_REQUEST,
    checks=FAR,
    title="Time of a batch of requests, low",
)
def batch_run_time_low(batch_run_time, request_band):
    """Low end of the band of 80 % around the time of a batch of requests; the value itself if the profile was not fitted."""
    return batch_run_time * math.exp(-request_band)


@formula(
    unit="second",
    source=_BAND,
    cell=_REQUEST,
    checks=FAR,
    title="Time of a batch of requests, high",
)
def batch_run_time_high(batch_run_time, request_band):
    """High end of the band of 80 % around the time of a batch of requests; the value itself if the profile was not fitted."""
    return batch_run_time * math.exp(request_band)


@formula(
    unit="second",
    source=_BAND,
    cell=_REQUEST,
    checks=FAR,
    title="TPOT in a served run, low",
)
def served_tpot_low(served_tpot, decode_band):
    """Low end of the band of 80 % around the TPOT in a served run; the value itself if the profile was not fitted."""
    return served_tpot * math.exp(-decode_band)


@formula(
    unit="second",
    source=_BAND,
    cell=_REQUEST,
    checks=FAR,
    title="TPOT in a served run, high",
)
def served_tpot_high(served_tpot, decode_band):
    """High end of the band of 80 % around the TPOT in a served run; the value itself if the profile was not fitted."""
    return served_tpot * math.exp(decode_band)


@formula(unit="token/second", source=_BAND, cell=_DECODE, title="Tokens a second, low")
def tokens_per_second_low(batch, decode_latency_high):
    """Low end of the band of 80 % around the tokens a second of a replica."""
    return batch / decode_latency_high


@formula(unit="token/second", source=_BAND, cell=_DECODE, title="Tokens a second, high")
def tokens_per_second_high(batch, decode_latency_low):
    """High end of the band of 80 % around the tokens a second of a replica."""
    return batch / decode_latency_low


@formula(unit="token/second", source=_BAND, cell=_DECODE, title="Tokens a second for each user, low")
def tokens_per_second_per_user_low(decode_latency_high):
    """Low end of the band of 80 % around the tokens a second of each user."""
    return 1 / decode_latency_high


@formula(unit="token/second", source=_BAND, cell=_DECODE, title="Tokens a second for each user, high")
def tokens_per_second_per_user_high(decode_latency_low):
    """High end of the band of 80 % around the tokens a second of each user."""
    return 1 / decode_latency_low
