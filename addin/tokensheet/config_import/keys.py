"""The keys of configuration files under one set of names, and a reader that remembers what is missing."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

ALIASES: dict[str, tuple[str, ...]] = {
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "d_model": ("hidden_size", "n_embd", "d_model"),
    "heads": ("num_attention_heads", "n_head", "n_heads", "num_heads"),
    "kv_heads": ("num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num", "kv_n_heads"),
    "head_size": ("head_dim", "kv_channels", "attention_head_dim", "head_size"),
    "vocabulary": ("vocab_size", "padded_vocab_size"),
    "mlp_width": ("intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim", "ff_intermediate_size"),
    "max_context": (
        "max_position_embeddings",
        "n_positions",
        "seq_length",
        "max_seq_len",
        "max_sequence_length",
        "n_ctx",
        "model_max_length",
        "context_length",
    ),
    "window": ("sliding_window", "sliding_window_size", "attention_chunk_size"),
    "experts": ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"),
    "experts_per_token": (
        "num_experts_per_tok",
        "num_experts_per_token",
        "top_k_experts",
        "moe_topk",
        "moe_k",
        "moe_top_k",
        "experts_per_token",
        "num_selected_experts",
    ),
    "expert_width": ("moe_intermediate_size", "expert_intermediate_size", "ffn_hidden_size"),
    "shared_experts": (
        "n_shared_experts",
        "num_shared_experts",
        "num_shared_expert",
        "moe_num_shared_experts",
    ),
    "dense_first": ("first_k_dense_replace", "moe_layer_start_index"),
    "kv_rank": ("kv_lora_rank",),
    "query_rank": ("q_lora_rank",),
    "rope_size": ("qk_rope_head_dim",),
    "nope_size": ("qk_nope_head_dim",),
    "value_size": ("v_head_dim",),
    "tied_embeddings": ("tie_word_embeddings",),
    "dtype": ("dtype", "torch_dtype"),
    "mtp_layers": ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules"),
    "state": ("state_size", "ssm_state_size", "mamba_d_state"),
    "conv": ("conv_kernel", "mamba_d_conv", "linear_conv_kernel_dim"),
}
"""Our name → the keys that mean it, the usual one first."""

SHAPES = re.compile(
    r"size|dim|rank|width|head|layer|expert|ratio|group|latent|mlp|ffn|ffw|gate|bias|norm|sink|share|pattern"
    r"|types|interval|period|block|residual|cross|memory|window|position|kernel|state"
)
"""Words in keys that describe a part or a size."""

HARMLESS = re.compile(
    r"_config$|token|vision|image|audio|video|dropout|_prob$|initializer|eps(ilon)?$|^rope_|rotary|norm_topk_prob"
    r"|^n_group$|^topk_group$|num_expert_group|expert_dtype|aux_loss|_coef$|scaling_factor|mtp|nextn|beam"
    r"|return|chunk_size|dtype|residual_in_fp32|fp32_residual|rescale|max_window_layers|no_repeat_ngram"
    r"|output_|label|pruned_heads|problem_type|length|multiplier|position_embeddings?(_type)?$|pretraining"
    r"|index_|kernels|renormalize|use_grouped|indexer_rope|rope_interleave|_freq$|sinkhorn|quant|auto_map|ep_size|router_jitter|type_vocab"
    r"|apply_|norm_after|gemma_norm|norm_type|rms_norm$|post_layer_norm|_function$|_act$|softcap|parallel_size"
    r"|value_scale|tensor_parallel|use_bidirectional|pad_|num_logits|shared_expert_overlap|flash|hidden_act"
    r"|skip_bias|elementwise_affine|mlp_type|gated_activation|parallel_block|interleaved_layers|inner_layernorms"
    r"|mlp_expansion|norm_before_gate|dim_model_base|cla_share|moe_gate$|moe_group$|norm_gate_logits|use_rmsnorm"
    r"|fused_add_norm|size_multiple|z_loss|capacity|group_limited|cross_attention_hidden|layernorm_embedding|is_|max_batch|groups?_topk"
)
"""Keys of that sound that change no count."""

LIMITS = {"layers": 10_000}
LIMIT = 10**9
"""No count of an architecture is larger; what is larger is a mistake or an attack."""


class Fields:
    """One configuration, read by our names; null counts as absent."""

    def __init__(self, config: Mapping[str, Any], path: str = "") -> None:
        self.config = config
        self.path = path
        self.missing: list[str] = []
        self.problems: list[str] = []
        self.assumptions: list[str] = []
        self.not_modelled: list[str] = []
        self.incomplete: list[str] = []
        """What the count lacks because the configuration does not say it."""
        self.read: set[str] = set()
        """Keys that were looked at, with the path of nested ones."""

    def key(self, name: str) -> str | None:
        """The first key of the configuration that means `name` and is not null."""
        keys = ALIASES.get(name, (name,))
        self.read.update(keys)
        return next((key for key in keys if self.config.get(key) is not None), None)

    def has(self, name: str) -> bool:
        """Whether the configuration states `name`."""
        return self.key(name) is not None

    def raw(self, name: str) -> Any:
        """The value as it stands, or None."""
        key = self.key(name)
        return None if key is None else self.config[key]

    def whole(self, name: str) -> int | None:
        """A count, or None where it is absent."""
        key = self.key(name)
        if key is None:
            return None
        value = self.config[key]
        if isinstance(value, list) and value and all(item == value[0] for item in value):
            value = value[0]  # one number a layer, all alike
        numeric = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        limit = LIMITS.get(name, LIMIT)
        if not numeric or value != int(value):
            self._refuse(key, value, "a whole number is needed")
        elif not 0 <= value <= limit:
            self._refuse(key, value, f"it must be between 0 and {limit:,}")
        else:
            return int(value)
        return None

    def need(self, name: str) -> int:
        """A count that the import cannot do without; its absence is remembered."""
        value = self.whole(name)
        if value is None:
            if not self.has(name) and name not in self.missing:
                self.missing.append(name)
            return 0
        return value

    def count(self, name: str, default: int, why: str = "") -> int:
        """A count with a default; `why` makes the default an assumption that is shown."""
        value = self.whole(name)
        if value is None:
            if why:
                self.assume(f"{self.usual(name)} is not given: {default} {why}")
            return default
        return value

    def flag(self, name: str, default: bool, why: str = "") -> bool:
        """A switch with a default; `why` makes the default an assumption that is shown."""
        key = self.key(name)
        if key is None:
            if why:
                self.assume(f"{self.usual(name)} is not given: {str(default).lower()} {why}")
            return default
        value = self.config[key]
        if isinstance(value, bool):
            return value
        self._refuse(key, value, "true or false is needed")
        return default

    def text(self, name: str) -> str:
        """A text, empty where it is absent."""
        key = self.key(name)
        if key is None:
            return ""
        value = self.config[key]
        if isinstance(value, str):
            return value
        self._refuse(key, value, "text is needed")
        return ""

    def part(self, name: str) -> Fields:
        """A nested object that shares this one's notes."""
        value = self.config.get(name)
        self.read.add(name)
        return self._sharing(value if isinstance(value, Mapping) else {}, f"{self.path}.{name}".strip("."))

    def filled(self, values: Mapping[str, Any]) -> Fields:
        """The same configuration with further values, sharing what was noted."""
        return self._sharing({**self.config, **values}, self.path)

    def _sharing(self, config: Mapping[str, Any], path: str) -> Fields:
        other = Fields(config, path)
        other.missing, other.problems, other.incomplete = self.missing, self.problems, self.incomplete
        other.assumptions, other.not_modelled = self.assumptions, self.not_modelled
        if path == self.path:
            other.read = self.read
        return other

    def unread(self) -> list[str]:
        """Keys that sound like a part or a size of the model and that nothing looked at."""
        return [
            key
            for key, value in self.config.items()
            if key not in self.read and value and SHAPES.search(key) and not HARMLESS.search(key)
        ]

    def listing(self, name: str) -> list[Any] | None:
        """A list, or None where it is absent."""
        self.read.add(name)
        value = self.config.get(name)
        if value is None:
            return None
        if isinstance(value, list):
            return value
        self._refuse(name, value, "a list is needed")
        return None

    def ignore(self, *keys: str) -> None:
        """Keys that change nothing in this family."""
        self.read.update(keys)

    def assume(self, text: str) -> None:
        """Remember something that the configuration does not say."""
        if text not in self.assumptions:
            self.assumptions.append(text)

    def problem(self, text: str) -> None:
        """Remember something that stops the import."""
        if text not in self.problems:
            self.problems.append(text)

    def usual(self, name: str) -> str:
        """The usual key for one of our names."""
        return ALIASES.get(name, (name,))[0]

    def _refuse(self, key: str, value: Any, cause: str) -> None:
        self.problem(f"{key} is {_short(value)}: {cause}")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
