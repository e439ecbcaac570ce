"""Tokens a step, time of a step, memory, and what comes of it: below 1 when the verification costs more than it saves."""

from __future__ import annotations

from tokensheet.plugin import at, check, formula

_LEVIATHAN = "Leviathan et al. 2022, Fast Inference from Transformers via Speculative Decoding"
_ON_DEVICE = "both models lie on the same devices"
_CELL = "model, draft_model, gpu, gpus, context, acceptance_rate, [batch], [options]"


@formula(
    unit="1",
    source=_LEVIATHAN + ", equation 1",
    cell="acceptance_rate, [draft_tokens], [options]",
    title="Tokens gained a step",
)
def speculative_tokens_per_step(acceptance_rate, draft_tokens):
    """Expected tokens of one drafting and verifying step: the accepted ones, and one of the large model itself."""
    rejected = 1 - acceptance_rate
    return (1 - acceptance_rate ** (draft_tokens + 1)) / rejected if rejected > 0 else draft_tokens + 1


@formula(unit="second", source=_LEVIATHAN, title="Drafting one token")
def draft_latency(draft=at("decode_latency", model="draft_model")):
    """Seconds in which the draft model gains one token for all sequences, on the same devices."""
    return draft


@formula(
    unit="sequence",
    source="each sequence brings its drafted tokens and the last accepted one",
    title="Tokens verified by a stage at once",
)
def verified_tokens(micro_batch, draft_tokens):
    """Tokens of one micro-batch that a verifying step computes."""
    return micro_batch * (draft_tokens + 1)


@formula(
    unit="second",
    source=_LEVIATHAN + "; computation and messages grow with the tokens, the cache is read once a sequence",
    title="Verifying",
)
def verify_latency(
    verified=at("decode_latency", micro_batch="verified_tokens", kv_read_time="kv_read_time"),
):
    """Seconds in which the large model verifies all drafted tokens of all sequences."""
    return verified


@formula(
    unit="second",
    source=_LEVIATHAN,
    cell=_CELL,
    checks=("speculation_fits",),
    title="Drafting and verifying step",
)
def speculative_step_time(draft_tokens, draft_latency, verify_latency):
    """Seconds of one step: drafting one token after another, then verifying all of them."""
    return draft_tokens * draft_latency + verify_latency


@formula(unit="second", source=_LEVIATHAN, cell=_CELL, title="Time of a token, speculative")
def speculative_latency(speculative_step_time, speculative_tokens_per_step):
    """Seconds for each token that a sequence gains, on average over steps."""
    return speculative_step_time / speculative_tokens_per_step


@formula(
    unit="token/second",
    source="batch / time of a token",
    cell=_CELL,
    title="Tokens a second, speculative",
)
def speculative_tokens_per_second(batch, speculative_latency):
    """Tokens a second that one replica generates for all sequences in flight."""
    return batch / speculative_latency


@formula(unit="1", source=_LEVIATHAN, cell=_CELL, title="Speed-up by speculation")
def speculative_speedup(decode_latency, speculative_latency):
    """Decode latency over speculative latency; below 1 the draft costs more than it saves."""
    return decode_latency / speculative_latency


@formula(
    unit="byte",
    source=_ON_DEVICE,
    cell="model, draft_model, gpu, gpus, context, [batch], [options]",
    title="Memory with the draft model",
)
def speculative_memory_per_device(
    memory_per_device,
    activation_reserve,
    draft=at("memory_per_device", model="draft_model", runtime_bytes=0, companion_bytes=0, adapters=0),
    draft_reserve=at("activation_reserve", model="draft_model"),
):
    """Bytes on the fullest device with weights and cache of both models; what one runtime sets aside counts once."""
    return memory_per_device + draft - min(activation_reserve, draft_reserve)


@check(
    message="{model} with {draft_model} does not fit on {gpus} × {gpu} at batch {batch} and context {context}: each device "
    "needs {speculative_memory_per_device:GB} of {memory_available:GB}; use more devices, a smaller batch or draft model",
    source=_ON_DEVICE,
    title="Plan fits in memory with the draft model",
)
def speculation_fits(speculative_memory_per_device, memory_available, gpus, batch, context):
    """1 when both models and their caches fit."""
    return speculative_memory_per_device <= memory_available
