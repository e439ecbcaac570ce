"""Kimi models of Moonshot."""

from __future__ import annotations

from tokensheet.plugin import KimiDelta, Latent, Model


def models() -> list[Model]:
    """Kimi models of Moonshot."""
    return [
        Model(
            id="moonlight-16b-a3b",
            name="Moonlight 16B-A3B",
            aliases=("moonshotai/moonlight-16b-a3b",),
            hf_repo="moonshotai/Moonlight-16B-A3B",
            layers=27,
            d_model=2048,
            vocabulary=163_840,
            max_context=8192,
            latent_layers=27,
            heads=16,
            latent=Latent(kv_rank=512, rope_size=64, nope_size=128, value_size=128),
            dense_layers=1,
            mlp_width=11264,
            experts=64,
            experts_per_token=6,
            expert_width=1408,
            router_bias=True,
            shared_experts=2,
            published_parameters=15_960_111_936,
            published_active_parameters=3_000_000_000,
            source="llmfit 1.1.17 (PyPI) moonshotai/Moonlight-16B-A3B parameters_raw",
        ),
        Model(
            id="kimi-k2",
            name="Kimi K2 Instruct",
            aliases=("moonshotai/kimi-k2-instruct", "kimi-k2-instruct", "moonshot-kimi-k2"),
            hf_repo="moonshotai/Kimi-K2-Instruct",
            layers=61,
            d_model=7168,
            vocabulary=163_840,
            max_context=131_072,
            latent_layers=61,
            heads=64,
            latent=Latent(kv_rank=512, rope_size=64, nope_size=128, value_size=128, query_rank=1536),
            dense_layers=1,
            mlp_width=18432,
            experts=384,
            experts_per_token=8,
            expert_width=2048,
            router_bias=True,
            shared_experts=1,
            published_parameters=1_026_408_235_864,
            published_active_parameters=32_000_000_000,
            source=(
                "aiconfigurator 095f58a model_configs/moonshotai--Kimi-K2-Instruct; llmfit 1.1.17 (PyPI) "
                "moonshotai/Kimi-K2-Instruct parameters_raw"
            ),
        ),
        Model(
            id="kimi-linear-48b-a3b",
            name="Kimi Linear 48B-A3B",
            aliases=(
                "moonshotai/kimi-linear-48b-a3b-instruct",
                "kimi-linear-48b-a3b-instruct",
                "moonshot-kimi-linear-48b-a3b",
            ),
            hf_repo="moonshotai/Kimi-Linear-48B-A3B-Instruct",
            layers=27,
            d_model=2304,
            vocabulary=163_840,
            max_context=1_048_576,
            latent_layers=7,
            recurrent_layers=20,
            heads=32,
            latent=Latent(kv_rank=512, rope_size=64, nope_size=128, value_size=128),
            recurrent=KimiDelta(heads=32, head_size=128),
            dense_layers=1,
            mlp_width=9216,
            experts=256,
            experts_per_token=8,
            expert_width=1024,
            router_bias=True,
            shared_experts=1,
            published_parameters=49_122_681_728,
            published_active_parameters=3_000_000_000,
            source="llmfit 1.1.17 (PyPI) moonshotai/Kimi-Linear-48B-A3B-Instruct parameters_raw",
            states={"mlp_width": "derived", "latent": "derived", "recurrent": "derived"},
            notes=(
                "3 KDA : 1 MLA (20 KDA, 7 MLA); d_ff, ranks and KDA shape inferred (fla / vLLM "
                "KimiLinear), confirmed by the count"
            ),
        ),
        Model(
            id="kimi-k3",
            name="Kimi K3",
            aliases=("moonshotai/kimi-k3", "moonshot-kimi-k3"),
            hf_repo="moonshotai/Kimi-K3",
            layers=93,
            d_model=7168,
            vocabulary=163_840,
            max_context=1_048_576,
            latent_layers=24,
            recurrent_layers=69,
            heads=96,
            latent=Latent(
                kv_rank=512, rope_size=64, nope_size=128, value_size=128, query_rank=1536, gate=True
            ),
            recurrent=KimiDelta(heads=96, head_size=128, full_gate=True),
            dense_layers=1,
            mlp_width=33792,
            experts=896,
            experts_per_token=16,
            expert_width=3072,
            expert_latent=3584,
            router_bias=True,
            shared_experts=2,
            published_parameters=2_779_931_837_184,
            published_active_parameters=104_000_000_000,
            not_modelled=("the vision tower",),
            source=(
                "aiconfigurator 095f58a model_configs/moonshotai--Kimi-K3; llmfit 1.1.17 (PyPI) "
                "moonshotai/Kimi-K3 parameters_raw"
            ),
            notes=(
                "69 KDA : 24 MLA; routed experts run in a 3584-wide latent; HF total includes a vision "
                "tower (not modelled)"
            ),
        ),
    ]
