"""The kinds of configurations that are known, and those that are known not to fit."""

from __future__ import annotations

from tokensheet.config_import.families import blocks, dense, early, gemma, hybrid, latent, moe
from tokensheet.config_import.families.common import Family

FAMILIES: dict[str, Family] = {
    **dense.FAMILIES,
    **blocks.FAMILIES,
    **early.FAMILIES,
    **gemma.FAMILIES,
    **moe.FAMILIES,
    **latent.FAMILIES,
    **hybrid.FAMILIES,
}
"""`model_type` → family."""

ENCODER = "it encodes text and generates none, or pairs an encoder with a decoder"
CROSS = "its cross-attention layers read an image, which no formula covers"
NESTED = "its per-layer inputs, shared caches and nested sizes are not covered"

REFUSED: dict[str, str] = {
    "deepseek_v4": (
        "its compressed sparse attention keeps a cache that the formula for grouped heads gets wrong"
    ),
    "gemma3n": NESTED,
    "gemma3n_text": NESTED,
    "mllama": CROSS,
    "mllama_text_model": CROSS,
    "zamba": "its attention blocks are shared between layers",
    "zamba2": "its attention blocks are shared between layers",
    "recurrent_gemma": "its gated linear recurrence is not covered",
    "lfm2": "its short convolutions are not covered",
    "lfm2_moe": "its short convolutions are not covered",
    "rwkv": "version 4 of RWKV is not covered",
    "rwkv6": "versions 6 and 7 of RWKV are not covered",
    "rwkv7": "versions 6 and 7 of RWKV are not covered",
    "longcat_flash": "its shortcut-connected blocks with two attentions a layer are not covered",
    "minimax_m3": "its block-sparse attention is not covered",
    "minimax_m3_vl": "its block-sparse attention is not covered",
    **dict.fromkeys(
        (
            "bert",
            "roberta",
            "xlm-roberta",
            "deberta",
            "deberta-v2",
            "distilbert",
            "albert",
            "electra",
            "modernbert",
            "nomic_bert",
            "t5",
            "mt5",
            "umt5",
            "t5gemma",
            "longt5",
            "bart",
            "mbart",
            "pegasus",
            "marian",
            "m2m_100",
            "blenderbot",
            "whisper",
            "speech_to_text",
            "wav2vec2",
            "clip",
            "siglip",
            "vit",
        ),
        ENCODER,
    ),
}
"""`model_type` → why it is not imported."""
