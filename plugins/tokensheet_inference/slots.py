"""How many sequences a replica decodes at once: room in memory, the engine's number, tokens of a step."""

from __future__ import annotations

import math

from tokensheet.plugin import UNLIMITED, Constant, at, check, formula

_LIMITS = "vLLM: cache memory, max_num_seqs and max_num_batched_tokens bound a batch"

_SHARED = "Kwon et al. 2023, vLLM: sequences with the same first blocks hold them together"

BY_TOKENS = Constant("BY_TOKENS", 3.0, "1", "code: the tokens of a step bind")


@formula(
    unit="token",
    source="a sequence in flight is met with chances by its length",
    title="Context of a mean step",
)
def served_context(cached_prefix, mean_prompt, output, output_cv):
    """Tokens in the cache of a sequence in flight, mean over time: long outputs are met more often."""
    return cached_prefix + mean_prompt + output * (1 + output_cv**2) / 2


@formula(
    unit="token", source="no sequence is preempted: each has room to its end", title="Room of a sequence"
)
def slot_context(cached_prefix, mean_prompt, output, output_cv):
    """Tokens that a sequence in flight has when it ends, mean over those in flight."""
    return cached_prefix + mean_prompt + output * (1 + output_cv**2)


@formula(unit="byte", source=_SHARED, title="Shared prefix on a device")
def shared_prefix_bytes(
    full_kv_elements,
    latent_kv_elements,
    kv_bytes_per_element,
    kv_shard_share,
    stage_share,
    cached_prompt_tokens,
):
    """Bytes of cache on one device of a prefix that sequences hold together: whole blocks, no window layers, no states."""
    spread = full_kv_elements * kv_shard_share + latent_kv_elements
    return stage_share * spread * kv_bytes_per_element * cached_prompt_tokens


@formula(unit="share", source=_SHARED, title="Sequences that hold the shared prefix")
def sharing_share(prefix_hit_share, long_share):
    """Share of the sequences in flight that hold the shared prefix together; those with long contexts do not."""
    return prefix_hit_share * (1 - long_share)


@formula(unit="byte", source=_SHARED, title="Cache of a sequence without what it shares")
def own_bytes(
    shared_prefix_bytes, sharing_share, held=at("kv_bytes_per_sequence_on_device", context="slot_context")
):
    """Bytes of cache on one device that a mean sequence in flight holds for itself when it ends."""
    return held - sharing_share * shared_prefix_bytes


@formula(unit="sequence", source=_LIMITS, title="Sequences with room in memory, nothing shared")
def unshared_slots(held=at("max_batch", context="slot_context")):
    """Sequences of a replica whose whole requests fit in memory at once, each with all its cache for itself."""
    return held


@formula(unit="sequence", source=_SHARED, title="Sequences with room in memory")
def memory_slots(unshared_slots, cache_room, own_bytes, shared_prefix_bytes, dp):
    """Sequences of a replica whose whole requests fit in memory at once, a shared prefix held once in each data-parallel group."""
    sharing = dp * math.floor(max(0, cache_room - shared_prefix_bytes) / own_bytes)
    return max(unshared_slots, sharing)


@formula(unit="sequence", source=_LIMITS, title="Slots for sequences")
def slots(memory_slots, max_sequences, step_tokens):
    """Most sequences that a replica decodes at once: memory, the engine's limit, and a token of the step for each."""
    return max(1, min(memory_slots, max_sequences, step_tokens))


@formula(unit="sequence", source=_LIMITS, title="Batch at which steps are full of tokens")
def token_slots(step_tokens, output, mean_computed_prompt, chunked_prefill):
    """Batch at which chunks of prompts and tokens of sequences fill the step, in the requests' own proportion."""
    decoded = output - 1
    full = step_tokens * decoded / (mean_computed_prompt + decoded)
    return full if chunked_prefill else UNLIMITED


@formula(unit="sequence", source=_LIMITS, title="Largest batch under load")
def full_batch(slots, token_slots):
    """Sequences in flight in a replica that has all the load that it can take."""
    return max(1, min(slots, token_slots))


@formula(
    unit="1",
    source=_LIMITS,
    cell="model, gpu, gpus, prompt, output, [options]",
    title="Limit of the batch",
)
def batch_limit(memory_slots, max_sequences, token_slots):
    """Which limit of the batch binds: 1 room in memory, 2 the engine's number of sequences, 3 tokens of a step."""
    by_tokens = token_slots < min(memory_slots, max_sequences)
    by_engine = max_sequences <= memory_slots
    return BY_TOKENS if by_tokens else 1 + by_engine


@check(
    message="{model} does not fit on {gpus} × {gpu}: not one request of {prompt} + {output} tokens has room; "
    "use more devices, shorter requests or another format",
    source="a replica serves at least one sequence",
    title="One request fits",
)
def one_request_has_room(memory_slots, gpus, prompt, output):
    """1 when memory has room for at least one request."""
    return memory_slots >= 1
