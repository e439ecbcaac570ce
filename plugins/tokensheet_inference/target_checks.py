"""Whether a plan is within the latencies that were asked for: flags for the checks of a workbook."""

from __future__ import annotations

from tokensheet.plugin import at, check

_COMPARED = "each time is compared with what was asked for"


@check(
    message="a decode step takes {decode_latency} s, target_tpot is {target_tpot} s; use a smaller batch or faster devices",
    source=_COMPARED,
    title="Time per output token is within its target",
)
def decode_holds_target(decode_latency, target_tpot):
    """1 when a decode step at the stated batch is within the target for the time per output token."""
    return decode_latency <= target_tpot


@check(
    message="a prefill takes {prefill_latency} s, target_ttft is {target_ttft} s; use more or faster devices",
    source=_COMPARED,
    title="Time of the prefill is within its target",
)
def prefill_holds_target(prefill_latency, target_ttft):
    """1 when the prefill of the stated batch is within the target for the time to first token."""
    return prefill_latency <= target_ttft


@check(
    message="{request_rate} requests/s on {replicas} replicas: TTFT {ttft_then} s (target {target_ttft} s), TPOT {tpot_then} s "
    "(target {target_tpot} s) at the percentile {target_percentile}; use more replicas",
    source=_COMPARED,
    title="Targets hold at the peak",
)
def load_holds_targets(
    targets_hold,
    request_rate,
    replicas,
    target_ttft,
    target_tpot,
    target_percentile,
    ttft_then=at("ttft", percentile="target_percentile"),
    tpot_then=at("tpot", percentile="target_percentile"),
):
    """1 when TTFT and TPOT are within their targets at the rate of the peak, or nothing is asked for."""
    return targets_hold == 1 if request_rate > 0 else 1
