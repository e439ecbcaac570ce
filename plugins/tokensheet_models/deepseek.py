"""DeepSeek's models."""

from __future__ import annotations

from tokensheet.schema.mixers import Included, Indexer, Latent
from tokensheet.schema.model import Model


def models() -> list[Model]:
    """DeepSeek's models."""
    return [
        Model(
            id="deepseek-llm-7b",
            name="DeepSeek LLM 7B",
            aliases=("deepseek-ai/deepseek-llm-7b-base", "deepseek-llm-7b-base"),
            hf_repo="deepseek-ai/deepseek-llm-7b-base",
            layers=30,
            d_model=4096,
            vocabulary=102_400,
            max_context=4096,
            heads=32,
            kv_heads=32,
            head_size=128,
            mlp_width=11008,
            published_parameters=6_910_365_696,
            source=(
                "llmfit 1.1.17 (PyPI) deepseek-ai/deepseek-llm-7b-base; llmfit 1.1.17 (PyPI) "
                "deepseek-ai/deepseek-coder-7b-base-v1.5 parameters_raw"
            ),
            notes=(
                "count of deepseek-coder-7b-base-v1.5 (same shapes); llmfit value 5.138B for this repo is "
                "its own estimate"
            ),
        ),
        Model(
            id="deepseek-llm-67b",
            name="DeepSeek LLM 67B",
            aliases=("deepseek-ai/deepseek-llm-67b-base", "deepseek-llm-67b-base"),
            hf_repo="deepseek-ai/deepseek-llm-67b-base",
            layers=95,
            d_model=8192,
            vocabulary=102_400,
            max_context=4096,
            heads=64,
            kv_heads=8,
            head_size=128,
            mlp_width=22016,
            published_parameters=67_000_000_000,
            published_kind="headline",
            source="llmfit 1.1.17 (PyPI) deepseek-ai/deepseek-llm-67b-base",
            notes="llmfit value 60.6B is its own estimate",
        ),
        Model(
            id="deepseek-coder-33b",
            name="DeepSeek Coder 33B",
            aliases=("deepseek-ai/deepseek-coder-33b-base", "deepseek-coder-33b-base"),
            hf_repo="deepseek-ai/deepseek-coder-33b-base",
            layers=62,
            d_model=7168,
            vocabulary=32256,
            max_context=16384,
            heads=56,
            kv_heads=8,
            head_size=128,
            mlp_width=19200,
            published_parameters=33_342_991_360,
            source="llmfit 1.1.17 (PyPI) deepseek-ai/deepseek-coder-33b-base parameters_raw",
        ),
        Model(
            id="deepseek-moe-16b",
            name="DeepSeekMoE 16B",
            aliases=("deepseek-ai/deepseek-moe-16b-base", "deepseek-moe-16b-base", "deepseekmoe-16b"),
            hf_repo="deepseek-ai/deepseek-moe-16b-base",
            layers=28,
            d_model=2048,
            vocabulary=102_400,
            max_context=4096,
            heads=16,
            kv_heads=16,
            head_size=128,
            dense_layers=1,
            mlp_width=10944,
            experts=64,
            experts_per_token=6,
            expert_width=1408,
            shared_experts=2,
            published_parameters=16_375_728_128,
            published_active_parameters=2_800_000_000,
            source=(
                "genz-llm 0.0.16 (PyPI) misc.py deep_seek_moe_16b; llmfit 1.1.17 (PyPI) "
                "deepseek-ai/deepseek-moe-16b-base parameters_raw"
            ),
            notes="genz-llm lists 2 kv heads: wrong (16, MHA)",
        ),
        Model(
            id="deepseek-v2-lite",
            name="DeepSeek-V2-Lite",
            aliases=("deepseek-ai/deepseek-v2-lite",),
            hf_repo="deepseek-ai/DeepSeek-V2-Lite",
            layers=27,
            d_model=2048,
            vocabulary=102_400,
            max_context=163_840,
            latent_layers=27,
            heads=16,
            latent=Latent(kv_rank=512, rope_size=64, nope_size=128, value_size=128),
            dense_layers=1,
            mlp_width=10944,
            experts=64,
            experts_per_token=6,
            expert_width=1408,
            shared_experts=2,
            published_parameters=15_706_484_224,
            published_active_parameters=2_400_000_000,
            source="llmfit 1.1.17 (PyPI) deepseek-ai/DeepSeek-V2-Lite parameters_raw",
            notes="no q_lora; head_dim column = qk nope 128 + rope 64; v head 128",
        ),
        Model(
            id="deepseek-v2",
            name="DeepSeek-V2",
            aliases=("deepseek-ai/deepseek-v2",),
            hf_repo="deepseek-ai/DeepSeek-V2",
            layers=60,
            d_model=5120,
            vocabulary=102_400,
            max_context=163_840,
            latent_layers=60,
            heads=128,
            latent=Latent(kv_rank=512, rope_size=64, nope_size=128, value_size=128, query_rank=1536),
            dense_layers=1,
            mlp_width=12288,
            experts=160,
            experts_per_token=6,
            expert_width=1536,
            shared_experts=2,
            published_parameters=235_741_434_880,
            published_active_parameters=21_000_000_000,
            source="llmfit 1.1.17 (PyPI) deepseek-ai/DeepSeek-V2 parameters_raw",
            notes="qk nope 128 + rope 64; v head 128",
        ),
        Model(
            id="deepseek-v3",
            name="DeepSeek-V3",
            aliases=("deepseek-ai/deepseek-v3",),
            hf_repo="deepseek-ai/DeepSeek-V3",
            layers=61,
            d_model=7168,
            vocabulary=129_280,
            max_context=163_840,
            latent_layers=61,
            heads=128,
            latent=Latent(kv_rank=512, rope_size=64, nope_size=128, value_size=128, query_rank=1536),
            dense_layers=3,
            mlp_width=18432,
            experts=256,
            experts_per_token=8,
            expert_width=2048,
            router_bias=True,
            shared_experts=1,
            published_parameters=684_531_386_000,
            published_active_parameters=37_000_000_000,
            published_includes=(
                Included(
                    what="one layer for multi-token prediction with copies of embedding and head",
                    mtp_layers=1,
                    embeddings=2,
                ),
                Included(
                    what="scales of the fp8 blocks, as the V3 count exceeds that of R1", parameters=41_540_496
                ),
            ),
            not_modelled=("multi-token prediction",),
            source=(
                "aiconfigurator 095f58a model_configs/deepseek-ai--DeepSeek-V3; llmfit 1.1.17 (PyPI) "
                "deepseek-ai/DeepSeek-V3 parameters_raw"
            ),
            notes=(
                "671B main model; the 684.5B checkpoint adds the MTP layer with copies of embedding and "
                "head, and FP8 scale tensors"
            ),
        ),
        Model(
            id="deepseek-r1",
            name="DeepSeek-R1",
            aliases=("deepseek-ai/deepseek-r1",),
            hf_repo="deepseek-ai/DeepSeek-R1",
            layers=61,
            d_model=7168,
            vocabulary=129_280,
            max_context=163_840,
            latent_layers=61,
            heads=128,
            latent=Latent(kv_rank=512, rope_size=64, nope_size=128, value_size=128, query_rank=1536),
            dense_layers=3,
            mlp_width=18432,
            experts=256,
            experts_per_token=8,
            expert_width=2048,
            router_bias=True,
            shared_experts=1,
            published_parameters=684_489_845_504,
            published_active_parameters=37_000_000_000,
            published_includes=(
                Included(
                    what="one layer for multi-token prediction with copies of embedding and head",
                    mtp_layers=1,
                    embeddings=2,
                ),
            ),
            not_modelled=("multi-token prediction",),
            source=(
                "aiconfigurator 095f58a model_configs/deepseek-ai--DeepSeek-R1; llmfit 1.1.17 (PyPI) "
                "deepseek-ai/DeepSeek-R1 parameters_raw"
            ),
            notes="671B main model; 684.5B with the MTP layer",
        ),
        Model(
            id="deepseek-v3.2",
            name="DeepSeek-V3.2",
            aliases=("deepseek-ai/deepseek-v3.2",),
            hf_repo="deepseek-ai/DeepSeek-V3.2",
            layers=61,
            d_model=7168,
            vocabulary=129_280,
            max_context=163_840,
            latent_layers=61,
            heads=128,
            latent=Latent(kv_rank=512, rope_size=64, nope_size=128, value_size=128, query_rank=1536),
            indexer=Indexer(heads=64, size=128),
            dense_layers=3,
            mlp_width=18432,
            experts=256,
            experts_per_token=8,
            expert_width=2048,
            router_bias=True,
            shared_experts=1,
            published_parameters=685_355_329_792,
            published_active_parameters=37_000_000_000,
            published_includes=(
                Included(
                    what="one layer for multi-token prediction with copies of embedding and head",
                    mtp_layers=1,
                    embeddings=2,
                ),
            ),
            not_modelled=(
                "the indexer's own key cache and the sparse reading of the latent cache",
                "multi-token prediction",
            ),
            source=(
                "aiconfigurator 095f58a model_configs/deepseek-ai--DeepSeek-V3.2; llmfit 1.1.17 (PyPI) "
                "deepseek-ai/DeepSeek-V3.2 parameters_raw"
            ),
            notes="DSA: lightning indexer (64 heads x 128) top-2048",
        ),
        Model(
            id="deepseek-v4-flash",
            name="DeepSeek-V4-Flash",
            aliases=("deepseek-ai/deepseek-v4-flash",),
            hf_repo="deepseek-ai/DeepSeek-V4-Flash",
            layers=43,
            d_model=4096,
            vocabulary=129_280,
            max_context=1_048_576,
            other_layers=43,
            other_layer_parameters=106_956_288,
            heads=64,
            kv_heads=1,
            head_size=512,
            experts=256,
            experts_per_token=6,
            expert_width=2048,
            shared_experts=1,
            published_parameters=290_944_616_402,
            published_active_parameters=13_000_000_000,
            published_includes=(Included(what="one layer for multi-token prediction", mtp_layers=1),),
            not_modelled=(
                "compressed sparse attention: its cache and its work",
                "weights of compressor, indexer and hyper-connections (below 0.5 %)",
                "multi-token prediction",
            ),
            source=(
                "aiconfigurator 095f58a model_configs/deepseek-ai--DeepSeek-V4-Flash; llmfit 1.1.17 "
                "(PyPI) deepseek-ai/DeepSeek-V4-Flash parameters_raw"
            ),
            states={"other_layer_parameters": "derived"},
            notes=(
                "compressed sparse attention: per-layer compress_ratios 0/4/128; attention block counted "
                "as q_lora + shared kv(512) + grouped o_lora; compressor/indexer/hyper-connection weights "
                "not modelled (<0.5%)"
            ),
        ),
        Model(
            id="deepseek-v4-pro",
            name="DeepSeek-V4-Pro",
            aliases=("deepseek-ai/deepseek-v4-pro",),
            hf_repo="deepseek-ai/DeepSeek-V4-Pro",
            layers=61,
            d_model=7168,
            vocabulary=129_280,
            max_context=1_048_576,
            other_layers=61,
            other_layer_parameters=299_894_784,
            heads=128,
            kv_heads=1,
            head_size=512,
            experts=384,
            experts_per_token=6,
            expert_width=3072,
            shared_experts=1,
            published_parameters=1_598_839_674_782,
            published_active_parameters=49_000_000_000,
            published_includes=(Included(what="one layer for multi-token prediction", mtp_layers=1),),
            not_modelled=(
                "compressed sparse attention: its cache and its work",
                "weights of compressor, indexer and hyper-connections (below 0.5 %)",
                "multi-token prediction",
            ),
            source=(
                "aiconfigurator 095f58a model_configs/deepseek-ai--DeepSeek-V4-Pro; llmfit 1.1.17 (PyPI) "
                "deepseek-ai/DeepSeek-V4-Pro parameters_raw"
            ),
            states={"other_layer_parameters": "derived"},
            notes="compressed sparse attention: compress_ratios 4/128; same simplification as V4-Flash",
        ),
    ]
