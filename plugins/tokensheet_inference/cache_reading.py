"""How often a decode step reads the cache: once, or again for query heads that share keys."""

from __future__ import annotations

from tokensheet.plugin import SHARE_OR_NONE, Assumption, Declaration, check, formula

DECLARATIONS: tuple[Declaration, ...] = (
    Assumption(
        "kv_reread_exponent",
        "1",
        "how far query heads that share keys read them again in a decode step: × (heads/KV heads)^this",
        "0: kernels that read each key once for all heads that share it",
        0,
        SHARE_OR_NONE,
    ),
)


@formula(
    unit="1",
    source="Kwon et al. 2023, paged attention: a block of threads for each query head; fitted by profiles",
    title="Times the cache is read in a step",
)
def kv_rereads(heads, kv_heads, latent_layers, kv_reread_exponent):
    """How often a step reads the cache: once, or more where query heads that share keys each read them again."""
    sharing = heads / kv_heads if kv_heads > 0 and latent_layers == 0 else 1
    return sharing**kv_reread_exponent if kv_reread_exponent > 0 else 1


@check(
    message="{model} chooses the cached tokens that it reads in {sparse_layers} of its layers; here all count as read, and no "
    "index of theirs as kept: long contexts take less time, and more memory, than told",
    source="DeepSeek-AI 2025, DeepSeek-V3.2: sparse attention reads 2048 chosen tokens and keeps a key of 128 for each",
    warning=True,
    title="The whole cache is read",
)
def cache_is_read_whole(sparse_layers):
    """1 when no layer leaves cached tokens out by choice."""
    return sparse_layers == 0
