"""Parameters, cache and attention work of a model, counted from its architecture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokensheet.schema.mixers import Part

if TYPE_CHECKING:
    from tokensheet.schema.model import Model

NORM_VECTORS = {"rms": 1, "layer": 2, "layer-no-bias": 1, "none": 0}


class Heads(Part):
    """The attention of one group of layers, all columns filled in."""

    layers: int
    heads: int
    kv_heads: int
    key: int
    value: int
    keys_are_values: bool = False
    shares_kv: bool = False

    @property
    def kv_elements(self) -> int:
        """K and V elements a token over the group's layers."""
        return 0 if self.shares_kv else self.layers * self.kv_heads * (self.key + self.value)

    @property
    def macs(self) -> int:
        """Multiply-adds a token for each cached token over the group's layers."""
        return self.layers * self.heads * (self.key + self.value)

    def kv_projection(self, d_model: int) -> int:
        """Weights of the K and V projections of one layer, biases left out."""
        if self.shares_kv:
            return 0
        return d_model * self.kv_heads * (self.key + (0 if self.keys_are_values else self.value))


@dataclass(frozen=True, slots=True)
class Counts:
    """All counts of a model; see the quantities of the record of the same names."""

    embedding: int
    head: int
    unembedding: int
    attention: int
    mlp: float
    expert: int
    active_expert: int
    shared_expert: int
    other: int
    kv_projection: int | None
    full_projection: int
    window_projection: int
    latent_projection: int
    full_kv: int | None
    window_kv: int | None
    latent_kv: int | None
    state: int | None
    full_macs: int | None
    window_macs: int | None
    latent_macs: int | None

    @property
    def total(self) -> float:
        """Parameters of the main model."""
        dense = self.embedding + self.head + self.attention + self.mlp
        return dense + self.expert + self.shared_expert + self.other

    @property
    def active(self) -> float:
        """Parameters that one token passes; looking up its embedding is no pass."""
        experts = self.active_expert + self.shared_expert
        return self.attention + self.mlp + experts + self.other + self.unembedding


def groups(model: Model, window: bool) -> list[Heads]:
    """The full or the window attention layers of a model, group by group."""
    special = [g for g in model.attention_groups if g.window == window]
    found = [
        Heads(
            layers=g.layers,
            heads=model.heads if g.heads is None else g.heads,
            kv_heads=model.kv_heads if g.kv_heads is None else g.kv_heads,
            key=model.head_size if g.head_size is None else g.head_size,
            value=_value_size(model, g.head_size, g.value_head_size),
            keys_are_values=g.keys_are_values,
            shares_kv=g.shares_kv,
        )
        for g in special
    ]
    plain = (model.window_layers if window else model.full_layers) - sum(g.layers for g in special)
    if plain > 0:
        found.append(_plain(model, plain))
    return found


def count(model: Model) -> Counts:
    """Count a model once; the record keeps the result."""
    full, window = groups(model, window=False), groups(model, window=True)
    rank = model.embedding_width or model.d_model
    embedding = model.vocabulary * rank
    attention = sum(g.layers * _attention_block(model, g) for g in full + window) + _other_mixers(model)
    dense = _dense_mlp(model)
    moe = model.moe_layers
    expert = moe * model.experts * _expert(model)
    shared = moe * _shared(model)
    other = _other(model, rank)
    head = 0 if model.tied_embeddings else embedding
    if model.taken_parameters is not None:
        dense = model.taken_parameters - (embedding + head + attention + expert + shared + other)
    known = model.other_layers == 0
    latent = model.latent
    latent_width = latent.kv_rank + latent.rope_size if latent else 0
    full_projection = sum(g.layers * g.kv_projection(model.d_model) for g in full)
    window_projection = sum(g.layers * g.kv_projection(model.d_model) for g in window)
    kv_projection = full_projection + window_projection + model.latent_layers * model.d_model * latent_width
    latent_projection = latent_width + latent.query_rank if latent else 0
    latent_macs = model.heads * (latent_width + latent.kv_rank) if latent else 0
    state = model.recurrent.state_elements if model.recurrent else 0
    return Counts(
        embedding=embedding,
        head=head,
        unembedding=embedding,
        attention=attention,
        mlp=dense,
        expert=expert,
        active_expert=moe * model.experts_per_token * _expert(model),
        shared_expert=shared,
        other=other,
        kv_projection=kv_projection if known else None,
        full_projection=full_projection,
        window_projection=window_projection,
        latent_projection=model.latent_layers * model.d_model * latent_projection,
        full_kv=sum(g.kv_elements for g in full) if known else None,
        window_kv=sum(g.kv_elements for g in window) if known else None,
        latent_kv=model.latent_layers * latent_width if known else None,
        state=model.recurrent_layers * state if known else None,
        full_macs=sum(g.macs for g in full) if known else None,
        window_macs=sum(g.macs for g in window) if known else None,
        latent_macs=model.latent_layers * latent_macs if known else None,
    )


def included(model: Model) -> int:
    """Parameters that the published count holds besides the main model."""
    total = 0
    for piece in model.published_includes:
        total += piece.parameters
        total += piece.embeddings * model.vocabulary * (model.embedding_width or model.d_model)
        total += piece.mtp_layers * _mtp_layer(model)
    return total


def _value_size(model: Model, key: int | None, value: int | None) -> int:
    if value is not None:
        return value
    return model.value_head_size if key is None or key == model.head_size else key


def _plain(model: Model, layers: int) -> Heads:
    return Heads(
        layers=layers,
        heads=model.heads,
        kv_heads=model.kv_heads,
        key=model.head_size,
        value=model.value_head_size,
        keys_are_values=model.keys_are_values,
    )


def _attention_block(model: Model, group: Heads) -> int:
    d_model, heads, kv_heads, key, value = model.d_model, group.heads, group.kv_heads, group.key, group.value
    own_kv = 0 if group.shares_kv else 1
    total = d_model * heads * key + group.kv_projection(d_model) + heads * value * d_model
    widths = {"q": heads * key, "k": own_kv * kv_heads * key, "v": own_kv * kv_heads * value, "o": d_model}
    total += sum(widths[letter] for letter in model.attention_bias)
    if model.qk_norm == "head":
        total += (1 + own_kv) * key
    elif model.qk_norm == "full":
        total += heads * key + own_kv * kv_heads * key
    if model.attention_gate == "full":
        total += d_model * heads * key
    elif model.attention_gate == "head":
        total += d_model * heads
    if model.attention_sinks:
        total += heads
    if model.relative_positions:
        total += d_model * heads * key
    return total


def _other_mixers(model: Model) -> int:
    total = model.other_layers * model.other_layer_parameters
    if model.recurrent:
        total += model.recurrent_layers * model.recurrent.parameters(model.d_model)
    if model.latent:
        total += model.latent_layers * _latent_block(model)
    return total


def _latent_block(model: Model) -> int:
    if model.latent is None:
        return 0
    total = model.latent.parameters(model.d_model, model.heads, model.attention_bias)
    if model.indexer:
        total += model.indexer.parameters(model.d_model, model.latent.query_rank)
    return total


def _mlp(model: Model, width: int) -> int:
    matrices = 3 if model.gated_mlp else 2
    bias = (matrices - 1) * width + model.d_model if model.mlp_bias else 0
    return matrices * model.d_model * width + bias


def _dense_mlp(model: Model) -> float:
    total = sum(g.layers * _mlp(model, g.width) for g in model.mlp_groups)
    plain = model.dense_layers - sum(g.layers for g in model.mlp_groups)
    total += plain * _mlp(model, model.mlp_width) if plain > 0 and model.mlp_width else 0
    return total + model.moe_layers * _parallel_mlp(model)


def _parallel_mlp(model: Model) -> int:
    return (3 if model.gated_mlp else 2) * model.d_model * model.parallel_mlp_width


def _expert(model: Model) -> int:
    matrices, width = (3 if model.gated_mlp else 2), model.expert_latent or model.d_model
    bias = (matrices - 1) * model.expert_width + width if model.expert_bias else 0
    return matrices * width * model.expert_width + bias


def _shared(model: Model) -> int:
    width = model.shared_expert_width or model.expert_width
    gate = model.d_model if model.shared_expert_gate else 0
    return model.shared_experts * (3 if model.gated_mlp else 2) * model.d_model * width + gate


def _router(model: Model) -> int:
    bias = model.experts if model.router_bias else 0
    return model.d_model * model.experts + bias + 2 * model.d_model * model.expert_latent


def _other(model: Model, rank: int) -> int:
    vectors = NORM_VECTORS[model.norm]
    stated = model.norm_vectors
    in_layers = model.norms_per_layer * model.layers if stated is None else stated
    total = vectors * model.d_model * (in_layers + model.final_norms)
    total += vectors * model.d_model if model.embedding_norm else 0
    total += model.learned_positions * model.d_model
    total += model.vocabulary if model.head_bias else 0
    total += 2 * rank * model.d_model if rank != model.d_model else 0
    total += model.moe_layers * _router(model) if model.experts else 0
    if model.taken_parameters is not None and not model.vocabulary:
        return 0
    return total


def _mtp_layer(model: Model) -> int:
    """One layer more, two projections that join it to the main model, and three norms."""
    if model.other_layers:
        mixer = model.other_layer_parameters
    elif model.latent_layers:
        mixer = _latent_block(model)
    else:
        mixer = _attention_block(model, _plain(model, 1))
    if model.experts:
        mlp = model.experts * _expert(model) + _shared(model) + _router(model) + _parallel_mlp(model)
    else:
        mlp = _mlp(model, model.mlp_width)
    norms = NORM_VECTORS[model.norm] * model.d_model * (model.norms_per_layer + 3)
    return mixer + mlp + norms + 2 * model.d_model**2
