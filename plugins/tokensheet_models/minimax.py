"""MiniMax's models."""

from __future__ import annotations

from tokensheet.plugin import Lightning, Model


def models() -> list[Model]:
    """MiniMax's models."""
    return [
        Model(
            id="minimax-text-01",
            name="MiniMax-Text-01 456B-A46B",
            aliases=("minimaxai/minimax-text-01", "minimax-text-01-456b-a46b"),
            hf_repo="MiniMaxAI/MiniMax-Text-01",
            layers=80,
            d_model=6144,
            vocabulary=200_064,
            max_context=10_240_000,
            full_layers=10,
            recurrent_layers=70,
            heads=64,
            kv_heads=8,
            head_size=128,
            recurrent=Lightning(heads=64, head_size=128),
            experts=32,
            experts_per_token=2,
            expert_width=9216,
            published_parameters=456_089_655_296,
            published_active_parameters=45_900_000_000,
            source="llmfit 1.1.17 (PyPI) MiniMaxAI/MiniMax-Text-01 parameters_raw",
            notes="7 lightning(linear) : 1 softmax",
        ),
        Model(
            id="minimax-m2",
            name="MiniMax-M2 230B-A10B",
            aliases=("minimaxai/minimax-m2", "minimax-m2-230b-a10b"),
            hf_repo="MiniMaxAI/MiniMax-M2",
            layers=62,
            d_model=3072,
            vocabulary=200_064,
            max_context=196_608,
            heads=48,
            kv_heads=8,
            head_size=128,
            qk_norm="full",
            experts=256,
            experts_per_token=8,
            expert_width=1536,
            router_bias=True,
            published_parameters=228_689_764_864,
            published_active_parameters=10_000_000_000,
            source=(
                "aiconfigurator 095f58a model_configs/MiniMaxAI--MiniMax-M2.5; llmfit 1.1.17 (PyPI) "
                "MiniMaxAI/MiniMax-M2 parameters_raw"
            ),
            notes="shape file is that of M2.5 (same shapes)",
        ),
        Model(
            id="minimax-m3",
            name="MiniMax-M3 428B-A23B",
            aliases=("minimaxai/minimax-m3", "minimax-m3-428b-a23b"),
            hf_repo="MiniMaxAI/MiniMax-M3",
            layers=60,
            d_model=6144,
            vocabulary=200_064,
            max_context=1_048_576,
            heads=64,
            kv_heads=4,
            head_size=128,
            qk_norm="head",
            dense_layers=3,
            mlp_width=12288,
            experts=128,
            experts_per_token=4,
            expert_width=3072,
            router_bias=True,
            shared_experts=1,
            published_parameters=427_040_140_160,
            published_active_parameters=23_000_000_000,
            sparse_layers=57,
            not_modelled=(
                "the vision tower",
                "block-sparse attention in 57 layers and its index weights: all layers count as full",
            ),
            source=(
                "aiconfigurator 095f58a model_configs/MiniMaxAI--MiniMax-M3; llmfit 1.1.17 (PyPI) "
                "MiniMaxAI/MiniMax-M3 parameters_raw"
            ),
            notes=(
                "block-sparse top-16 blocks of 128 in 57 layers; HF total includes a vision tower and "
                "sparse-index weights (not modelled)"
            ),
        ),
    ]
