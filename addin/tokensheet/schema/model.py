"""A language model's architecture; every number that formulas see is derived from it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from tokensheet.schema import adapters, architecture
from tokensheet.schema.base import Quantity, Record, quantity
from tokensheet.schema.mixers import AttentionGroup, Included, Indexer, Latent, MlpGroup, Recurrent
from tokensheet.schema.model_checks import fill, problems

Norm = Literal["rms", "layer", "layer-no-bias", "none"]

FOLLOWS: Any = None
"""The default follows from other fields; `fill` sets it before the fields are checked."""


OF_GROUPS = ("heads", "kv_heads", "head_size", "value_head_size")
"""What groups of layers state each for themselves."""


class Model(Record):
    """One model: its layers by kind, its head and MLP sizes, and what its publisher counts.

    The plain columns (heads, kv_heads, head_size, mlp_width) hold for all layers of their kind;
    `attention_groups` and `mlp_groups` name the layers that differ.
    """

    kind: ClassVar[str] = "model"

    hf_repo: str = ""
    license: str = ""

    layers: Annotated[int, Quantity("1", "transformer blocks that a token passes", shapes=True)]
    d_model: Annotated[int, Quantity("1", "width of the residual stream", shapes=True)]
    vocabulary: Annotated[int, Quantity("1", "rows of the embedding", shapes=True)] = 0
    tied_embeddings: Annotated[
        bool, Quantity("1", "1 when the head is the embedding itself", shapes=True)
    ] = False
    max_context: Annotated[int | None, Quantity("1", "tokens that the model was made for", False)] = None

    # Layers by kind of mixer.
    full_layers: Annotated[int, Quantity("1", "layers that attend to the whole context", shapes=True)] = (
        FOLLOWS
    )
    window_layers: Annotated[int, Quantity("1", "layers that attend to a window", shapes=True)] = 0
    latent_layers: Annotated[int, Quantity("1", "layers with latent attention (MLA)", shapes=True)] = 0
    recurrent_layers: Annotated[int, Quantity("1", "layers with a recurrent state", shapes=True)] = 0
    other_layers: int = 0
    """Layers whose weights are known and whose cache is not modelled."""
    other_layer_parameters: int = 0
    parallel_mixers: bool = False
    """A layer may hold attention and a recurrent mixer side by side."""

    # Attention.
    heads: Annotated[int, Quantity("1", "query heads", shapes=True)] = 0
    kv_heads: Annotated[
        int, Quantity("1", "key and value heads; of the full layers where kinds differ", shapes=True)
    ] = FOLLOWS
    head_size: Annotated[int, Quantity("1", "elements of a key of one head", shapes=True)] = FOLLOWS
    value_head_size: Annotated[int, Quantity("1", "elements of a value of one head", shapes=True)] = FOLLOWS
    window: Annotated[
        int, Quantity("1", "tokens that a window layer sees; 0 if there is none", shapes=True)
    ] = 0
    keys_are_values: bool = False
    attention_groups: tuple[AttentionGroup, ...] = ()
    attention_bias: str = ""
    """The projections with a bias, of q, k, v and o."""
    qk_norm: Literal["", "head", "full"] = ""
    """Norms of queries and keys: one head wide, or all heads wide."""
    attention_gate: Literal["", "head", "full"] = ""
    """Output gate: one number a head, or as wide as the queries."""
    attention_sinks: bool = False
    relative_positions: bool = False
    """A projection of relative positions a layer (Transformer-XL)."""
    latent: Latent | None = None
    indexer: Indexer | None = None
    sparse_layers: Annotated[
        int,
        Quantity(
            "1", "layers that read chosen tokens of their cache, here counted as reading all", shapes=True
        ),
    ] = FOLLOWS
    recurrent: Annotated[Recurrent, Field(discriminator="kind")] | None = None

    # MLP and experts.
    mlp_width: int = 0
    gated_mlp: bool = True
    """Three matrices instead of two."""
    mlp_bias: bool = False
    dense_layers: int = FOLLOWS
    mlp_groups: tuple[MlpGroup, ...] = ()
    experts: Annotated[int, Quantity("1", "routed experts a layer; 0 if dense", shapes=True)] = 0
    experts_per_token: Annotated[
        int, Quantity("1", "routed experts that a token passes; 0 if dense", shapes=True)
    ] = 0
    moe_layers: Annotated[int, Quantity("1", "layers with routed experts", shapes=True)] = FOLLOWS
    expert_width: int = 0
    expert_bias: bool = False
    expert_latent: int = 0
    """Width of the bottleneck that routed experts work in; 0: d_model."""
    router_bias: bool = False
    shared_experts: int = 0
    shared_expert_width: int = 0
    """0: as wide as a routed expert."""
    shared_expert_gate: bool = False
    parallel_mlp_width: int = 0
    """Width of a dense MLP beside the experts of each MoE layer."""

    # The rest.
    norm: Norm = "rms"
    norms_per_layer: int = 2
    norm_vectors: int | None = None
    """Norms of all layers together, where layers differ."""
    final_norms: int = 1
    embedding_norm: bool = False
    learned_positions: int = 0
    head_bias: bool = False
    embedding_width: int | None = None
    """Width of the embedding when it is not d_model; two projections join them."""
    taken_parameters: float | None = None
    """The total as stated; the MLP is then what is left."""

    # What the publisher counts.
    published_parameters: Annotated[int | None, Quantity("1", "parameters that the publisher counts")] = None
    published_active_parameters: int | None = None
    published_kind: Literal["checkpoint", "model card", "paper", "headline"] = "checkpoint"
    published_includes: tuple[Included, ...] = ()
    published_gap: str = ""
    """Why the published count is more than 1 % away from the computed one."""
    not_modelled: tuple[str, ...] = ()
    """Parts of the model that no number here counts."""

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, values: Any) -> Any:
        return fill(values) if isinstance(values, dict) else values

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        found = problems(self)
        if found:
            raise ValueError(f"model {self.id}: " + "; ".join(found))
        return self

    def changed(self, changes: Mapping[str, float]) -> Self:
        """The same model with another architecture: what follows from it is counted anew, nothing is published of it."""
        if self.attention_groups and not changes.keys().isdisjoint(OF_GROUPS):
            raise ValueError(
                f"layers of {self.id} differ in {', '.join(OF_GROUPS)}; bring a record of your own"
            )
        kept = {k: v for k, v in self.model_dump().items() if not k.startswith("published")}
        for name in [k for k, f in type(self).model_fields.items() if f.default is FOLLOWS]:
            rest = {k: v for k, v in kept.items() if k != name}
            if name not in changes and fill(dict(rest)).get(name) == kept.get(name):
                kept = rest  # it followed from the others and does so again
        return type(self).model_validate({**kept, **changes})

    @cached_property
    def counts(self) -> architecture.Counts:
        """All derived numbers, counted when first asked for."""
        return architecture.count(self)

    @property
    def traits(self) -> tuple[str, ...]:
        """What people look for: moe or dense, kind of attention, windows, recurrent layers."""
        found = ["moe" if self.experts else "dense"]
        if self.latent_layers:
            found.append("mla")
        if self.full_layers + self.window_layers:
            grouped = "mqa" if self.kv_heads == 1 else "gqa"
            found.append("mha" if self.kv_heads == self.heads else grouped)
        if self.window_layers:
            found.append("window")
        if self.recurrent_layers:
            mixed = self.full_layers + self.window_layers + self.latent_layers
            found.append("hybrid" if mixed else "recurrent")
        return tuple(found)

    def __copy__(self) -> Self:
        copied = super().__copy__()
        copied.__dict__.pop("counts", None)
        return copied

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        copied = super().__deepcopy__(memo)
        copied.__dict__.pop("counts", None)
        return copied

    @property
    def published_covers(self) -> float:
        """The computed count of what the published one covers: the main model and what is included."""
        return self.counts.total + architecture.included(self)

    @quantity("token", "tokens of context that the model was made for")
    def max_context_trained(self) -> float | None:
        """Tokens of context that the model was made for."""
        return None if self.max_context is None else float(self.max_context)

    @quantity("1", "parameters of the input embedding")
    def embedding_parameters(self) -> float:
        """Looked up, not multiplied: they count in memory, not in a step."""
        return self.counts.embedding

    @quantity("1", "parameters of a head of its own; 0 when tied")
    def head_parameters(self) -> float:
        """What the head adds in memory."""
        return self.counts.head

    @quantity("1", "parameters that a step reads to score the vocabulary, tied or not")
    def unembedding_parameters(self) -> float:
        """Read and multiplied in each step."""
        return self.counts.unembedding

    @quantity("1", "parameters of attention and recurrent mixers, with biases and inner norms")
    def attention_parameters(self) -> float:
        """All mixers of all layers."""
        return self.counts.attention

    @quantity("1", "parameters of dense MLPs")
    def mlp_parameters(self) -> float:
        """Dense layers and MLPs beside experts; no expert."""
        return self.counts.mlp

    @quantity("1", "parameters of all routed experts")
    def expert_parameters(self) -> float:
        """All layers, all experts."""
        return self.counts.expert

    @quantity("1", "parameters of shared experts")
    def shared_expert_parameters(self) -> float:
        """Passed by every token."""
        return self.counts.shared_expert

    @quantity("1", "parameters of norms, routers, position tables and the rest")
    def other_parameters(self) -> float:
        """All that no other class counts."""
        return self.counts.other

    @quantity("1", "parameters of the main model, computed from its architecture")
    def parameters(self) -> float:
        """Without vision towers and layers for multi-token prediction."""
        return self.counts.total

    @quantity("1", "parameters that a token passes: no embedding look-up, only its own experts")
    def active_parameters(self) -> float:
        """Twice this is the work of a token outside attention."""
        return self.counts.active

    @quantity("1", "weights of the K and V projections of all layers: what caching saves a token")
    def kv_projection_parameters(self) -> float | None:
        """Latent attention: the projection to the cached vector."""
        return self.counts.kv_projection

    @quantity("1", "weights of the K and V projections of all full-attention layers")
    def full_projection_parameters(self) -> float:
        """A rank has those of its KV heads, copies included."""
        return self.counts.full_projection

    @quantity("1", "weights of the K and V projections of all window layers")
    def window_projection_parameters(self) -> float:
        """A rank has those of its KV heads, copies included."""
        return self.counts.window_projection

    @quantity("1", "weights that compress keys, values and queries of all latent layers: whole on each rank")
    def latent_projection_parameters(self) -> float:
        """What they make is every head's, so tensor parallelism cannot divide them."""
        return self.counts.latent_projection

    @quantity("1", "K and V elements a token over all full-attention layers")
    def full_kv_elements(self) -> float | None:
        """None where the cache is not modelled."""
        return self.counts.full_kv

    @quantity("1", "K and V elements a token over all window layers, for as many tokens as the window holds")
    def window_kv_elements(self) -> float | None:
        """None where the cache is not modelled."""
        return self.counts.window_kv

    @quantity("1", "cached elements a token over all latent layers")
    def latent_kv_elements(self) -> float | None:
        """None where the cache is not modelled."""
        return self.counts.latent_kv

    @quantity(
        "1", "elements of recurrent state a sequence over all layers, the convolutions' inputs included"
    )
    def state_elements(self) -> float | None:
        """None where the cache is not modelled."""
        return self.counts.state

    @quantity("1", "multiply-adds a token for each cached token over all full-attention layers")
    def full_attention_macs(self) -> float | None:
        """Scores and weighted values of all query heads."""
        return self.counts.full_macs

    @quantity("1", "multiply-adds a token for each cached token inside the window over all window layers")
    def window_attention_macs(self) -> float | None:
        """Scores and weighted values of all query heads."""
        return self.counts.window_macs

    @quantity("1", "multiply-adds a token for each cached token over all latent layers, projections absorbed")
    def latent_attention_macs(self) -> float | None:
        """Each head works on the compressed vector itself."""
        return self.counts.latent_macs

    @quantity("1", "elements of an adapter on all linear layers for each unit of its rank")
    def adapter_elements_per_rank(self) -> float | None:
        """None where the projections of some layers are not known one by one."""
        return adapters.elements_per_rank(self)

    @quantity("1", "key and value heads of the window layers; 0 if there are none")
    def window_kv_heads(self) -> float:
        """The fewest of all groups, where they differ."""
        return min((g.kv_heads for g in architecture.groups(self, window=True)), default=0)

    @quantity("1", "mixers and MLPs that a token passes in turn: two a layer, one where a layer is either")
    def sublayers(self) -> float:
        """Each ends with a sum over tensor-parallel ranks; a layer may be either alone (Nemotron-H, Mamba)."""
        mixers = self.full_layers + self.window_layers + self.latent_layers + self.recurrent_layers
        return float(min(mixers + self.other_layers, self.layers) + self.dense_layers + self.moe_layers)

    @quantity(
        "1", "what tensor parallelism must divide: query heads, or recurrent heads where there are none"
    )
    def heads_unit(self) -> float:
        """A Mamba-1 block has channels instead of heads."""
        if self.heads:
            return self.heads
        return self.recurrent.unit if self.recurrent else 0
