"""What pictures of a plan show: where a device's memory goes, and a decode step under the device's roofline."""

from __future__ import annotations

import math

from tokensheet.plugin import formula

_FULLEST = "the fullest device of a replica"
_ROOFLINE = "Williams, Waterman, Patterson 2009: roofline"


@formula(unit="byte", source=_FULLEST, title="KV cache on a device")
def kv_memory_per_device(kv_bytes_per_sequence_on_device, batch, dp):
    """Bytes that the cache of all sequences in flight takes on the fullest device."""
    return math.ceil(batch / dp) * kv_bytes_per_sequence_on_device


@formula(unit="byte", source=_FULLEST, title="Memory left on a device")
def unused_memory(memory_available, memory_per_device):
    """Bytes of the fullest device that a plan leaves for a larger batch or context; 0 when it does not fit."""
    return max(0, memory_available - memory_per_device)


@formula(unit="token/second", source="replica's rate over its devices", title="Tokens a second a device")
def tokens_per_second_per_device(tokens_per_second, gpus):
    """Generated tokens a second of a replica for each of its devices."""
    return tokens_per_second / gpus


@formula(unit="flop/byte", source=_ROOFLINE, title="Operations a byte of a decode step")
def step_intensity(
    matrix_compute_time,
    attention_compute_time,
    compute_rate,
    weight_read_time,
    weight_bandwidth,
    kv_read_time,
    kv_bandwidth,
):
    """Operations of a decode step for each byte that a device reads: weights and cache."""
    operations = (matrix_compute_time + attention_compute_time) * compute_rate
    read = weight_read_time * weight_bandwidth + kv_read_time * kv_bandwidth
    return operations / read


@formula(unit="flop/second", source=_ROOFLINE, title="Operations a second reached")
def step_rate(matrix_compute_time, attention_compute_time, compute_rate, micro_batches, decode_latency):
    """Operations a second of one device over a whole decode step, communication and overhead included."""
    operations = (matrix_compute_time + attention_compute_time) * compute_rate * micro_batches
    return operations / decode_latency


@formula(unit="flop/byte", source=_ROOFLINE, title="Knee of the roofline")
def roof_knee(compute_rate, weight_bandwidth):
    """Operations a byte at which a device's computing takes as long as its reading."""
    return compute_rate / weight_bandwidth


@formula(unit="flop/byte", source=_ROOFLINE, title="Left end of the roofline drawn")
def roof_start(roof_knee):
    """A thousandth of the knee: below the intensity of a batch of one."""
    return roof_knee / 1000


@formula(unit="flop/byte", source=_ROOFLINE, title="Right end of the roofline drawn")
def roof_end(roof_knee):
    """Eight times the knee."""
    return roof_knee * 8


@formula(unit="flop/second", source=_ROOFLINE, title="Roofline at its left end")
def roof_start_rate(roof_start, weight_bandwidth):
    """Operations a second that reading allows at the left end."""
    return roof_start * weight_bandwidth
