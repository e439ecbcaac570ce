"""What fits: tokens, batches and contexts of a given plan, and devices for a given load."""

from __future__ import annotations

import math

from tokensheet.plugin import UNLIMITED, at, check, formula

_ROOM = "kipply 2022: capacity; what the weights leave is room for the cache"


@formula(unit="byte", source=_ROOM, title="Room for cache on the fullest device")
def cache_room(memory_available, weight_bytes_per_device, set_aside_bytes):
    """Bytes that weights and activations leave for the cache on the fullest device; below 0 when they do not fit."""
    return memory_available - weight_bytes_per_device - set_aside_bytes


@formula(unit="1", source=_ROOM, title="Even share of KV heads")
def even_kv_share(kv_heads, tp):
    """Share of the cache on one rank when heads are spread evenly, as a pool of memory is counted."""
    return 1 / min(tp, kv_heads) if kv_heads > 0 else 1 / tp


@formula(unit="1", source=_ROOM, title="Even share of a layer")
def even_share(tp):
    """Share of a layer on one rank when it is spread evenly."""
    return 1 / tp


@formula(
    unit="token",
    source=_ROOM,
    cell="model, gpu, gpus, [options]",
    checks=("parallel_degrees_match", "cache_is_read_whole"),
    title="Tokens that the cache holds",
)
def kv_capacity_tokens(
    full_kv_elements,
    window_kv_elements,
    latent_kv_elements,
    kv_bytes_per_element,
    stage_share,
    even_kv_share,
    dp,
    room=at("cache_room", shard_share="even_share", copied_bytes=0),
):
    """Tokens of all sequences that the cache of one replica holds, devices taken as an even pool; no window full.

    MAX_BATCH and FITS count what ranks copy and the fullest device, so they allow a little less.
    """
    spread = (full_kv_elements + window_kv_elements) * even_kv_share + latent_kv_elements
    per_token = stage_share * spread * kv_bytes_per_element
    return (dp * math.floor(max(0, room) / per_token) if per_token > 0 else UNLIMITED) if room > 0 else 0


@formula(
    unit="sequence",
    source=_ROOM,
    cell="model, gpu, gpus, context, [options]",
    checks=("parallel_degrees_match", "cache_is_read_whole"),
    title="Largest batch that fits",
    headline=True,
)
def max_batch(cache_room, kv_bytes_per_sequence_on_device, dp):
    """Largest number of sequences in flight of one replica that fits in memory at a context; 0 when none fits.

    An error at context 0, where a sequence keeps no cache and memory sets no limit.
    """
    per_group = cache_room / kv_bytes_per_sequence_on_device
    return dp * math.floor(per_group) if cache_room > 0 else 0


@formula(unit="sequence", source=_ROOM, title="Batch that memory allows")
def batch_room(cache_room, kv_bytes_per_sequence_on_device, max_batch):
    """Largest batch that memory allows; unlimited (1e300) at context 0, where sequences keep no cache."""
    boundless = kv_bytes_per_sequence_on_device == 0 and cache_room > 0
    return UNLIMITED if boundless else max_batch


@formula(
    unit="token",
    source=_ROOM,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match", "cache_is_read_whole"),
    title="Longest context that fits",
)
def max_context(
    cache_room,
    batch,
    dp,
    full_kv_elements,
    window_kv_elements,
    latent_kv_elements,
    kv_bytes_per_element,
    kv_shard_share,
    window_kv_shard_share,
    shard_share,
    stage_share,
    state_bytes,
    window,
    window_reserved_in_full,
):
    """Longest context at which a batch fits in memory; not limited by what the model was trained for; 0 when none fits."""
    full = (full_kv_elements * kv_shard_share + latent_kv_elements) * kv_bytes_per_element * stage_share
    windowed = window_kv_elements * window_kv_shard_share * kv_bytes_per_element * stage_share
    room = cache_room / math.ceil(batch / dp) - state_bytes * shard_share * stage_share
    capped = UNLIMITED if window_reserved_in_full else window
    below = room <= (full + windowed) * capped
    growing = (full + windowed) if below else full
    used = 0 if below else windowed * capped
    return (math.floor((room - used) / growing) if growing > 0 else UNLIMITED) if room > 0 else 0


@check(
    message="no number of {gpu} is enough: {memory_available:GB} a device do not hold the {set_aside:GB} that each sets aside",
    source=_ROOM,
    title="A device has room for weights",
)
def room_for_weights(memory_available, set_aside=at("set_aside_bytes", stage_share=1)):
    """1 when something of a device is left for weights and cache."""
    return memory_available - set_aside > 0


@formula(
    unit="gpu",
    source="Bojie Li 2023: how many cards does 70B need; kipply 2022: capacity",
    cell="model, gpu, context, [batch], [options]",
    checks=("room_for_weights",),
    title="Devices needed by memory",
    headline=True,
)
def gpus_needed(weight_bytes, kv_bytes, memory_available, set_aside=at("set_aside_bytes", stage_share=1)):
    """Fewest devices whose memory together holds weights and cache. Whether tp, pp and dp can split them so, FITS tells."""
    return math.ceil((weight_bytes + kv_bytes) / (memory_available - set_aside))


@formula(
    unit="sequence",
    source="kipply 2022: batch sizes; Bojie Li 2023: the cache outgrows the parameters",
    cell="model, context, [options]",
    title="Batch at which the cache outgrows the weights",
)
def kv_crossover_batch(weight_bytes, kv_bytes_per_sequence):
    """Batch at which the KV cache takes as many bytes as the weights."""
    return weight_bytes / kv_bytes_per_sequence
