"""Shapes of a model's parts that are not a plain attention block: what each weighs and what it remembers.

Sources of the arithmetic: the named papers and the tensors of published checkpoints, whose totals it meets.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """A piece of an architecture; all counts are of elements, none of bytes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def negative_fields(self) -> list[str]:
        """The fields whose number is below 0, as `name=value`."""
        return [f"{name}={value}" for name, value in self if isinstance(value, int) and value < 0]


class AttentionGroup(Part):
    """Layers whose attention differs from the model's plain columns; what is None follows the columns."""

    layers: int
    window: bool = False
    """These are some of the window layers; otherwise some of the full ones."""
    heads: int | None = None
    kv_heads: int | None = None
    head_size: int | None = None
    value_head_size: int | None = None
    keys_are_values: bool = False
    """One projection makes keys and values; both are still cached."""
    shares_kv: bool = False
    """The layers read the cache of an earlier layer: no K and V projections and no cache of their own."""


class MlpGroup(Part):
    """Layers with a dense MLP of one width, in models that vary it."""

    layers: int
    width: int


class Latent(Part):
    """Multi-head latent attention (DeepSeek-V2, arXiv:2405.04434): one compressed vector a token is kept."""

    kv_rank: int
    rope_size: int
    nope_size: int
    value_size: int
    query_rank: int = 0
    """0: queries are projected in one step."""
    gate: bool = False
    """An output gate as wide as the values of all heads."""

    def parameters(self, d_model: int, heads: int, bias: str) -> int:
        """Weights of one block, norms of the compressed vectors and biases included."""
        key = self.nope_size + self.rope_size
        query = d_model * heads * key
        if self.query_rank:
            query = d_model * self.query_rank + self.query_rank + self.query_rank * heads * key
        compress = d_model * (self.kv_rank + self.rope_size) + self.kv_rank
        expand = self.kv_rank * heads * (self.nope_size + self.value_size)
        out = heads * self.value_size * d_model
        gate = d_model * heads * self.value_size if self.gate else 0
        widths = {
            "q": self.query_rank or heads * key,
            "k": self.kv_rank + self.rope_size,
            "v": 0,
            "o": d_model,
        }
        return query + compress + expand + out + gate + sum(widths[letter] for letter in bias)


class Indexer(Part):
    """Chooses the cached tokens that sparse attention reads (DeepSeek-V3.2, arXiv:2512.02556)."""

    heads: int
    size: int

    def parameters(self, d_model: int, query_rank: int) -> int:
        """Weights of one indexer: queries from the compressed query, one key, its norm, head weights."""
        return (
            query_rank * self.heads * self.size + d_model * self.size + 2 * self.size + d_model * self.heads
        )


class Mamba1(Part):
    """Selective state space block (Mamba, arXiv:2312.00752)."""

    kind: Literal["mamba1"] = "mamba1"
    inner: int
    state: int
    rank: int
    conv: int = 4
    inner_norms: bool = False
    """Norms on the step, B and C inside the block (Jamba)."""

    def parameters(self, d_model: int) -> int:
        """Weights of one block."""
        inner, state, rank = self.inner, self.state, self.rank
        project = d_model * 2 * inner + inner * d_model
        convolution = inner * self.conv + inner
        selection = inner * (rank + 2 * state) + rank * inner + inner
        norms = rank + 2 * state if self.inner_norms else 0
        return project + convolution + selection + inner * state + inner + norms

    @property
    def state_elements(self) -> int:
        """Elements a layer keeps for a sequence: the state and the last inputs of the convolution."""
        return self.inner * self.state + self.inner * (self.conv - 1)

    @property
    def unit(self) -> int:
        """What tensor parallelism divides: the inner channels."""
        return self.inner


class Mamba2(Part):
    """State space duality block (Mamba-2, arXiv:2405.21060)."""

    kind: Literal["mamba2"] = "mamba2"
    heads: int
    head_size: int
    state: int
    groups: int
    conv: int = 4
    norm: bool = True
    conv_bias: bool = True
    projection_bias: bool = False

    @property
    def _convolved(self) -> int:
        return self.heads * self.head_size + 2 * self.groups * self.state

    def parameters(self, d_model: int) -> int:
        """Weights of one block."""
        inner = self.heads * self.head_size
        wide = inner + self._convolved + self.heads
        convolution = self._convolved * self.conv + (self._convolved if self.conv_bias else 0)
        bias = wide + d_model if self.projection_bias else 0
        norm = inner if self.norm else 0
        return d_model * wide + convolution + 3 * self.heads + norm + inner * d_model + bias

    @property
    def state_elements(self) -> int:
        """Elements a layer keeps for a sequence: the state and the last inputs of the convolution."""
        return self.heads * self.head_size * self.state + self._convolved * (self.conv - 1)

    @property
    def unit(self) -> int:
        """What tensor parallelism divides: the heads."""
        return self.heads


class DeltaNet(Part):
    """Gated delta rule (arXiv:2412.06464) as Qwen3-Next builds it."""

    kind: Literal["deltanet"] = "deltanet"
    key_heads: int
    key_size: int
    value_heads: int
    value_size: int
    conv: int = 4

    @property
    def _convolved(self) -> int:
        return 2 * self.key_heads * self.key_size + self.value_heads * self.value_size

    def parameters(self, d_model: int) -> int:
        """Weights of one block."""
        values = self.value_heads * self.value_size
        project = d_model * (self._convolved + values) + d_model * 2 * self.value_heads
        decay = 2 * self.value_heads
        return project + self._convolved * self.conv + decay + self.value_size + values * d_model

    @property
    def state_elements(self) -> int:
        """Elements a layer keeps for a sequence: the state and the last inputs of the convolution."""
        return self.value_heads * self.key_size * self.value_size + self._convolved * (self.conv - 1)

    @property
    def unit(self) -> int:
        """What tensor parallelism divides: the value heads."""
        return self.value_heads


class KimiDelta(Part):
    """Kimi delta attention (arXiv:2510.26692): a delta rule with one decay a channel."""

    kind: Literal["kimi-delta"] = "kimi-delta"
    heads: int
    head_size: int
    conv: int = 4
    full_gate: bool = False
    """The output gate is one square projection instead of two thin ones."""

    def parameters(self, d_model: int) -> int:
        """Weights of one block."""
        size, width = self.head_size, self.heads * self.head_size
        project = 3 * d_model * width + width * d_model
        decay = d_model * size + size * width + width + self.heads
        gate = d_model * width if self.full_gate else d_model * size + size * width
        return project + 3 * width * self.conv + decay + d_model * self.heads + gate + size

    @property
    def state_elements(self) -> int:
        """Elements a layer keeps for a sequence: the state and the last inputs of the convolutions."""
        return self.heads * self.head_size**2 + 3 * self.heads * self.head_size * (self.conv - 1)

    @property
    def unit(self) -> int:
        """What tensor parallelism divides: the heads."""
        return self.heads


class Lightning(Part):
    """Linear attention with a fixed decay (MiniMax-01, arXiv:2501.08313)."""

    kind: Literal["lightning"] = "lightning"
    heads: int
    head_size: int

    def parameters(self, d_model: int) -> int:
        """Weights of one block: queries, keys, values, output gate, norm, output."""
        width = self.heads * self.head_size
        return 5 * d_model * width + width

    @property
    def state_elements(self) -> int:
        """Elements a layer keeps for a sequence."""
        return self.heads * self.head_size**2

    @property
    def unit(self) -> int:
        """What tensor parallelism divides: the heads."""
        return self.heads


class Rwkv5(Part):
    """RWKV-5 time mix (arXiv:2404.05892), with the channel mix's receptance, which is no MLP matrix."""

    kind: Literal["rwkv5"] = "rwkv5"
    heads: int
    head_size: int
    width: int
    """What the last token leaves for the next one to mix with: d_model, once a mix."""

    def parameters(self, d_model: int) -> int:
        """Weights of one block: five projections, receptance, mixing vectors, decay, bonus, group norm."""
        inner = self.heads * self.head_size
        return 5 * d_model * inner + d_model**2 + 6 * d_model + 2 * inner + 2 * inner

    @property
    def state_elements(self) -> int:
        """Elements a layer keeps for a sequence: the state and the last token's two vectors."""
        return self.heads * self.head_size**2 + 2 * self.width

    @property
    def unit(self) -> int:
        """What tensor parallelism divides: the heads."""
        return self.heads


Recurrent = Mamba1 | Mamba2 | DeltaNet | KimiDelta | Lightning | Rwkv5


class Included(Part):
    """Something that a published count holds besides the main model."""

    what: str
    mtp_layers: int = 0
    """Layers for multi-token prediction, each like a layer of the main model and two d_model² blocks."""
    embeddings: int = 0
    """Further copies of the embedding or of the head."""
    parameters: int = 0
    """A count stated outright: a vision tower, buffers, scales."""
