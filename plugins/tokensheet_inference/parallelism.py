"""How a replica's devices share the work: tensor, pipeline and data parallel degrees, and the largest part."""

from __future__ import annotations

import math

from tokensheet.plugin import check, formula

_MICRO = "Huang et al. 2018, GPipe: micro-batches"
_DEGREES = "Shoeybi et al. 2019, Megatron-LM: tensor parallel; Huang et al. 2018, GPipe: pipeline parallel"

LAID_OUT = ("parallel_degrees_match", "heads_divide", "expert_ranks_divide", "experts_divide")
"""Checks of every result: the devices share the model in whole parts."""
SUITED = ("cache_is_read_whole", "format_is_native", "tp_stays_inside")
"""Warnings of every result: what the model, the format and the layout ask of a device that is not reckoned."""


@formula(unit="1", source=_DEGREES, title="Pipeline parallel stages", per_plan=True)
def pp(gpus, dp, layer_split):
    """Pipeline-parallel stages: one, or as many as devices when layers are split over them."""
    return gpus / dp if layer_split else 1


@formula(unit="1", source=_DEGREES, title="Tensor parallel degree", per_plan=True)
def tp(gpus, pp, dp):
    """Tensor-parallel degree: devices that share each layer; all that stages and data-parallel groups leave."""
    return gpus / (pp * dp)


@check(
    message="tp {tp} × pp {pp} × dp {dp} does not give the {gpus} devices of the plan in whole parts; give parts that multiply to {gpus}",
    source="a replica has tp × pp × dp devices",
    title="Degrees multiply to the devices",
)
def parallel_degrees_match(gpus, tp, pp, dp):
    """1 when tensor, pipeline and data parallel degrees are whole and multiply to the devices given."""
    return tp * pp * dp == gpus and tp == math.floor(tp) and pp == math.floor(pp) and min(tp, pp) >= 1


@check(
    message="tp {tp} does not divide the {heads_unit} heads of {model}; choose a divisor, or set uneven_sharding to 1",
    source="attention heads are the unit of tensor parallelism: Shoeybi et al. 2019",
    title="Tensor parallel degree divides the heads",
)
def heads_divide(heads_unit, tp, uneven_sharding):
    """1 when each tensor-parallel rank holds the same number of heads, or uneven shards are allowed."""
    return uneven_sharding == 1 or heads_unit / tp == math.floor(heads_unit / tp) or heads_unit == 0


@check(
    message="tp {tp} goes beyond the {devices_per_domain} devices that one link joins: messages of every layer cross the "
    "network; use pp across nodes",
    source="a network is slower than the links inside a node; stages send once, layers twice each",
    warning=True,
    title="Tensor parallelism stays inside a node",
)
def tp_stays_inside(tp, devices_per_domain):
    """1 when the devices that share each layer are joined by one scale-up link."""
    return tp <= devices_per_domain


@formula(unit="1", source=_DEGREES, checks=("parallel_degrees_match",), title="Devices of a replica")
def devices(tp, pp, dp):
    """Devices of one replica."""
    return tp * pp * dp


@formula(unit="1", source=_MICRO, title="Micro-batches in flight")
def micro_batches(pp, layer_split):
    """Micro-batches that stages work on at the same time; with a layer split one stage works and the others wait."""
    return 1 if layer_split else pp


@formula(unit="sequence", source=_MICRO, title="Micro-batch")
def micro_batch(batch, micro_batches, dp):
    """Sequences that one stage works on at once: the batch spread over stages and data-parallel groups."""
    return max(1, batch / (micro_batches * dp))


@formula(
    unit="1", source="the fullest stage sets memory and pace", title="Share of layers on the fullest stage"
)
def stage_share(layers, pp):
    """Share of the layers that the fullest pipeline stage holds."""
    return math.ceil(layers / pp) / layers


@formula(unit="1", source="the largest shard sets memory and pace", title="Largest shard of a layer")
def shard_share(heads_unit, tp):
    """Share of a layer that the largest tensor-parallel shard holds: 1/tp when tp divides the heads."""
    return math.ceil(heads_unit / tp) / heads_unit if heads_unit > 0 else 1 / tp


@formula(
    unit="1",
    source="KV heads are copied when tp exceeds them: Pope et al. 2022",
    title="Largest share of KV heads",
)
def kv_shard_share(kv_heads, tp):
    """Share of a full-attention layer's cache that one rank holds; a KV head is copied, never split."""
    return math.ceil(kv_heads / tp) / kv_heads if kv_heads > 0 else 1 / tp


@formula(
    unit="1",
    source="KV heads are copied when tp exceeds them: Pope et al. 2022",
    title="Largest share of window KV heads",
)
def window_kv_shard_share(window_kv_heads, tp):
    """Share of a window layer's cache that one rank holds."""
    return math.ceil(window_kv_heads / tp) / window_kv_heads if window_kv_heads > 0 else 1 / tp
