"""Size of low-rank adapters (LoRA, arXiv:2106.09685) on all linear layers of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokensheet.schema.architecture import Heads, groups

if TYPE_CHECKING:
    from tokensheet.schema.model import Model


def elements_per_rank(model: Model) -> int | None:
    """Adapter elements for each unit of rank: inputs plus outputs of every linear layer.

    Attention, MLPs, shared and routed experts count; embedding, head and routers do not. None where a
    model has layers whose projections are not known one by one.
    """
    if model.recurrent_layers or model.other_layers:
        return None
    if model.dense_layers and not (model.mlp_width or model.mlp_groups):
        return None
    attention = [*groups(model, window=False), *groups(model, window=True)]
    total = sum(group.layers * _attention(model, group) for group in attention)
    return total + model.latent_layers * _latent(model) + _mlps(model)


def _attention(model: Model, group: Heads) -> int:
    d_model = model.d_model
    total = d_model + group.heads * group.key + group.heads * group.value + d_model
    if not group.shares_kv:
        total += d_model + group.kv_heads * group.key
        total += 0 if group.keys_are_values else d_model + group.kv_heads * group.value
    return total


def _latent(model: Model) -> int:
    latent = model.latent
    if latent is None:
        return 0
    d_model, heads = model.d_model, model.heads
    query = heads * (latent.nope_size + latent.rope_size)
    rank = latent.query_rank
    total = d_model + rank + rank + query if rank else d_model + query
    total += d_model + latent.kv_rank + latent.rope_size
    total += latent.kv_rank + heads * (latent.nope_size + latent.value_size)
    return total + heads * latent.value_size + d_model


def _mlps(model: Model) -> int:
    matrices = 3 if model.gated_mlp else 2
    grouped = sum(group.layers for group in model.mlp_groups)
    widths = [(group.layers, group.width) for group in model.mlp_groups]
    widths.append((max(0, model.dense_layers - grouped), model.mlp_width))
    total = sum(layers * matrices * (model.d_model + width) for layers, width in widths if width)
    if not model.experts:
        return total
    shared = model.shared_expert_width or model.expert_width
    layer = model.experts * ((model.expert_latent or model.d_model) + model.expert_width)
    layer += model.shared_experts * (model.d_model + shared)
    layer += model.d_model + model.parallel_mlp_width if model.parallel_mlp_width else 0
    return total + model.moe_layers * matrices * layer
