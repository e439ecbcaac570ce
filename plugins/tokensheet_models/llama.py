"""Meta's Llama models and others of the same shape."""

from __future__ import annotations

from tokensheet.plugin import Included, Model
from tokensheet_models import vision


def models() -> list[Model]:
    """Meta's Llama models and others of the same shape."""
    return [
        Model(
            id="llama-7b",
            name="LLaMA 7B",
            aliases=("huggyllama/llama-7b", "meta-llama-7b"),
            hf_repo="huggyllama/llama-7b",
            layers=32,
            d_model=4096,
            vocabulary=32000,
            max_context=2048,
            heads=32,
            kv_heads=32,
            head_size=128,
            mlp_width=11008,
            published_parameters=6_738_417_664,
            source="llmfit 1.1.17 (PyPI) huggyllama/llama-7b parameters_raw",
        ),
        Model(
            id="llama-13b",
            name="LLaMA 13B",
            aliases=("huggyllama/llama-13b", "meta-llama-13b"),
            hf_repo="huggyllama/llama-13b",
            layers=40,
            d_model=5120,
            vocabulary=32000,
            max_context=2048,
            heads=40,
            kv_heads=40,
            head_size=128,
            mlp_width=13824,
            published_parameters=13_015_866_880,
            source="llmfit 1.1.17 (PyPI) huggyllama/llama-13b parameters_raw",
        ),
        Model(
            id="llama-30b",
            name="LLaMA 30B",
            aliases=("huggyllama/llama-30b", "meta-llama-30b", "meta-llama/meta-llama-30b"),
            hf_repo="huggyllama/llama-30b",
            layers=60,
            d_model=6656,
            vocabulary=32000,
            max_context=2048,
            heads=52,
            kv_heads=52,
            head_size=128,
            mlp_width=17920,
            published_parameters=32_528_947_456,
            source="llmfit 1.1.17 (PyPI) huggyllama/llama-30b parameters_raw",
        ),
        Model(
            id="llama-65b",
            name="LLaMA 65B",
            aliases=("huggyllama/llama-65b", "meta-llama-65b"),
            hf_repo="huggyllama/llama-65b",
            layers=80,
            d_model=8192,
            vocabulary=32000,
            max_context=2048,
            heads=64,
            kv_heads=64,
            head_size=128,
            mlp_width=22016,
            published_parameters=65_285_665_792,
            source="llmfit 1.1.17 (PyPI) huggyllama/llama-65b parameters_raw",
        ),
        Model(
            id="llama-2-7b",
            name="Llama 2 7B",
            aliases=("meta-llama/llama-2-7b-hf", "llama-2-7b-hf", "meta-llama-2-7b"),
            hf_repo="meta-llama/Llama-2-7b-hf",
            layers=32,
            d_model=4096,
            vocabulary=32000,
            max_context=4096,
            heads=32,
            kv_heads=32,
            head_size=128,
            mlp_width=11008,
            published_parameters=6_738_417_664,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Llama-2-7b-hf; llmfit 1.1.17 (PyPI) "
                "meta-llama/Llama-2-7b-hf parameters_raw"
            ),
        ),
        Model(
            id="llama-2-13b",
            name="Llama 2 13B",
            aliases=("meta-llama/llama-2-13b-hf", "llama-2-13b-hf", "meta-llama-2-13b"),
            hf_repo="meta-llama/Llama-2-13b-hf",
            layers=40,
            d_model=5120,
            vocabulary=32000,
            max_context=4096,
            heads=40,
            kv_heads=40,
            head_size=128,
            mlp_width=13824,
            published_parameters=13_015_866_880,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Llama-2-13b-hf; llmfit 1.1.17 (PyPI) "
                "meta-llama/Llama-2-13b-hf parameters_raw"
            ),
        ),
        Model(
            id="llama-2-70b",
            name="Llama 2 70B",
            aliases=("meta-llama/llama-2-70b-hf", "llama-2-70b-hf", "meta-llama-2-70b"),
            hf_repo="meta-llama/Llama-2-70b-hf",
            layers=80,
            d_model=8192,
            vocabulary=32000,
            max_context=4096,
            heads=64,
            kv_heads=8,
            head_size=128,
            mlp_width=28672,
            published_parameters=68_976_653_312,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Llama-2-70b-hf; llmfit 1.1.17 (PyPI) "
                "NousResearch/Llama-2-70b-hf parameters_raw"
            ),
        ),
        Model(
            id="codellama-34b",
            name="Code Llama 34B",
            aliases=(
                "codellama/codellama-34b-hf",
                "codellama-34b-hf",
                "meta-codellama-34b",
                "code-llama-34b",
            ),
            hf_repo="codellama/CodeLlama-34b-hf",
            layers=48,
            d_model=8192,
            vocabulary=32000,
            max_context=16384,
            heads=64,
            kv_heads=8,
            head_size=128,
            mlp_width=22016,
            published_parameters=33_743_970_304,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:CodeLlama-34b-hf; llmfit 1.1.17 (PyPI) "
                "codellama/CodeLlama-34b-hf parameters_raw"
            ),
        ),
        Model(
            id="llama-3-8b",
            name="Llama 3 8B",
            aliases=("meta-llama/meta-llama-3-8b", "meta-llama-3-8b"),
            hf_repo="meta-llama/Meta-Llama-3-8B",
            layers=32,
            d_model=4096,
            vocabulary=128_256,
            max_context=8192,
            heads=32,
            kv_heads=8,
            head_size=128,
            mlp_width=14336,
            published_parameters=8_030_261_248,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Llama-3-8B; llmfit 1.1.17 (PyPI) "
                "meta-llama/Meta-Llama-3-8B parameters_raw"
            ),
        ),
        Model(
            id="llama-3-70b",
            name="Llama 3 70B",
            aliases=("meta-llama/meta-llama-3-70b", "meta-llama-3-70b"),
            hf_repo="meta-llama/Meta-Llama-3-70B",
            layers=80,
            d_model=8192,
            vocabulary=128_256,
            max_context=8192,
            heads=64,
            kv_heads=8,
            head_size=128,
            mlp_width=28672,
            published_parameters=70_553_706_496,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Llama-3-70B; llmfit 1.1.17 (PyPI) "
                "meta-llama/Llama-3.1-70B parameters_raw"
            ),
            notes="count taken from the 3.1 checkpoint (same shapes)",
        ),
        Model(
            id="llama-3.1-8b",
            name="Llama 3.1 8B",
            aliases=(
                "meta-llama/llama-3.1-8b",
                "meta-llama-3.1-8b",
                "llama-3.1-8b-instruct",
                "meta-llama/meta-llama-3.1-8b",
            ),
            hf_repo="meta-llama/Llama-3.1-8B",
            layers=32,
            d_model=4096,
            vocabulary=128_256,
            max_context=131_072,
            heads=32,
            kv_heads=8,
            head_size=128,
            mlp_width=14336,
            published_parameters=8_030_261_248,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Llama-3.1-8B; aiconfigurator 095f58a "
                "model_configs/meta-llama--Meta-Llama-3.1-8B; llmfit 1.1.17 (PyPI) "
                "meta-llama/Llama-3.1-8B parameters_raw"
            ),
        ),
        Model(
            id="llama-3.1-70b",
            name="Llama 3.1 70B",
            aliases=(
                "meta-llama/llama-3.1-70b",
                "meta-llama-3.1-70b",
                "llama-3.1-70b-instruct",
                "meta-llama/meta-llama-3.1-70b",
            ),
            hf_repo="meta-llama/Llama-3.1-70B",
            layers=80,
            d_model=8192,
            vocabulary=128_256,
            max_context=131_072,
            heads=64,
            kv_heads=8,
            head_size=128,
            mlp_width=28672,
            published_parameters=70_553_706_496,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Llama-3.1-70B; aiconfigurator 095f58a "
                "model_configs/meta-llama--Meta-Llama-3.1-70B; llmfit 1.1.17 (PyPI) "
                "meta-llama/Llama-3.1-70B parameters_raw"
            ),
        ),
        Model(
            id="llama-3.1-405b",
            name="Llama 3.1 405B",
            aliases=(
                "meta-llama/llama-3.1-405b",
                "meta-llama-3.1-405b",
                "llama-3.1-405b-instruct",
                "meta-llama/meta-llama-3.1-405b",
            ),
            hf_repo="meta-llama/Llama-3.1-405B",
            layers=126,
            d_model=16384,
            vocabulary=128_256,
            max_context=131_072,
            heads=128,
            kv_heads=8,
            head_size=128,
            mlp_width=53248,
            published_parameters=405_853_388_800,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Llama-3.1-405B; aiconfigurator 095f58a "
                "model_configs/meta-llama--Meta-Llama-3.1-405B; llmfit 1.1.17 (PyPI) "
                "meta-llama/Llama-3.1-405B parameters_raw"
            ),
            notes="first release stored 16 kv heads (duplicated); model has 8",
        ),
        Model(
            id="llama-3.2-1b",
            name="Llama 3.2 1B",
            aliases=(
                "meta-llama/llama-3.2-1b",
                "meta-llama-3.2-1b",
                "llama-3.2-1b-instruct",
                "meta-llama/meta-llama-3.2-1b",
            ),
            hf_repo="meta-llama/Llama-3.2-1B",
            layers=16,
            d_model=2048,
            vocabulary=128_256,
            tied_embeddings=True,
            max_context=131_072,
            heads=32,
            kv_heads=8,
            head_size=64,
            mlp_width=8192,
            published_parameters=1_235_814_400,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Llama-3.2-1B; llmfit 1.1.17 (PyPI) "
                "meta-llama/Llama-3.2-1B parameters_raw"
            ),
        ),
        Model(
            id="llama-3.2-3b",
            name="Llama 3.2 3B",
            aliases=(
                "meta-llama/llama-3.2-3b",
                "meta-llama-3.2-3b",
                "llama-3.2-3b-instruct",
                "meta-llama/meta-llama-3.2-3b",
            ),
            hf_repo="meta-llama/Llama-3.2-3B",
            layers=28,
            d_model=3072,
            vocabulary=128_256,
            tied_embeddings=True,
            max_context=131_072,
            heads=24,
            kv_heads=8,
            head_size=128,
            mlp_width=8192,
            published_parameters=3_212_749_824,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Llama-3.2-3B; llmfit 1.1.17 (PyPI) "
                "meta-llama/Llama-3.2-3B parameters_raw"
            ),
        ),
        Model(
            id="llama-3.3-70b",
            name="Llama 3.3 70B Instruct",
            aliases=(
                "meta-llama/llama-3.3-70b-instruct",
                "llama-3.3-70b-instruct",
                "meta-llama-3.3-70b",
                "meta-llama/meta-llama-3.3-70b",
            ),
            hf_repo="meta-llama/Llama-3.3-70B-Instruct",
            layers=80,
            d_model=8192,
            vocabulary=128_256,
            max_context=131_072,
            heads=64,
            kv_heads=8,
            head_size=128,
            mlp_width=28672,
            published_parameters=70_553_706_496,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Llama-3.3-70B-Instruct; llmfit 1.1.17 (PyPI) "
                "meta-llama/Llama-3.3-70B-Instruct parameters_raw"
            ),
        ),
        Model(
            id="llama-4-scout",
            name="Llama 4 Scout 17B-16E",
            aliases=(
                "meta-llama/llama-4-scout-17b-16e-instruct",
                "llama-4-scout-17b-16e-instruct",
                "meta-llama-4-scout",
                "llama-4-scout-17b-16e",
            ),
            hf_repo="meta-llama/Llama-4-Scout-17B-16E-Instruct",
            layers=48,
            d_model=5120,
            vocabulary=202_048,
            max_context=10_485_760,
            window_layers=36,
            window=8192,
            heads=40,
            kv_heads=8,
            head_size=128,
            experts=16,
            experts_per_token=1,
            expert_width=8192,
            shared_experts=1,
            published_parameters=108_641_793_536,
            published_active_parameters=17_000_000_000,
            published_includes=(Included(what="vision tower and projector", parameters=vision.llama4()),),
            not_modelled=("the vision tower",),
            source=(
                "aiconfigurator 095f58a model_configs/meta-llama--Llama-4-Scout-17B-16E-Instruct; llmfit "
                "1.1.17 (PyPI) meta-llama/Llama-4-Scout-17B-16E-Instruct parameters_raw"
            ),
            notes=(
                "3 chunked(8192) : 1 full (NoPE); HF total includes the vision tower; published active "
                "17B counts the shared expert"
            ),
        ),
        Model(
            id="llama-4-maverick",
            name="Llama 4 Maverick 17B-128E",
            aliases=(
                "meta-llama/llama-4-maverick-17b-128e-instruct",
                "llama-4-maverick-17b-128e-instruct",
                "meta-llama-4-maverick",
                "llama-4-maverick-17b-128e",
            ),
            hf_repo="meta-llama/Llama-4-Maverick-17B-128E-Instruct",
            layers=48,
            d_model=5120,
            vocabulary=202_048,
            max_context=1_048_576,
            window_layers=36,
            window=8192,
            heads=40,
            kv_heads=8,
            head_size=128,
            dense_layers=24,
            mlp_width=16384,
            experts=128,
            experts_per_token=1,
            expert_width=8192,
            shared_experts=1,
            published_parameters=401_583_781_376,
            published_active_parameters=17_000_000_000,
            published_includes=(Included(what="vision tower and projector", parameters=vision.llama4()),),
            not_modelled=("the vision tower",),
            source=(
                "aiconfigurator 095f58a model_configs/meta-llama--Llama-4-Maverick-17B-128E-Instruct; "
                "llmfit 1.1.17 (PyPI) meta-llama/Llama-4-Maverick-17B-128E-Instruct parameters_raw"
            ),
            notes=(
                "3 chunked(8192) : 1 full (NoPE); MoE every 2nd layer; interleave_moe_layer_step=2; dense "
                "layers use intermediate_size_mlp 16384"
            ),
        ),
        Model(
            id="tinyllama-1.1b",
            name="TinyLlama 1.1B",
            aliases=("tinyllama/tinyllama-1.1b-chat-v1.0", "tinyllama-1.1b-chat-v1.0"),
            hf_repo="TinyLlama/TinyLlama-1.1B-Chat-v1.0",
            layers=22,
            d_model=2048,
            vocabulary=32000,
            max_context=2048,
            heads=32,
            kv_heads=4,
            head_size=64,
            mlp_width=5632,
            published_parameters=1_100_048_384,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:tiny-llama-1.1b-chat; llmfit 1.1.17 (PyPI) "
                "TinyLlama/TinyLlama-1.1B-Chat-v1.0 parameters_raw"
            ),
        ),
        Model(
            id="solar-10.7b",
            name="SOLAR 10.7B",
            aliases=("upstage/solar-10.7b-v1.0", "solar-10.7b-v1.0"),
            hf_repo="upstage/SOLAR-10.7B-v1.0",
            layers=48,
            d_model=4096,
            vocabulary=32000,
            max_context=4096,
            heads=32,
            kv_heads=8,
            head_size=128,
            mlp_width=14336,
            published_parameters=10_731_524_096,
            source="llmfit 1.1.17 (PyPI) upstage/SOLAR-10.7B-v1.0 parameters_raw",
        ),
    ]
