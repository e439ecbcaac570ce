"""Falcon models of TII."""

from __future__ import annotations

from tokensheet.plugin import Included, Mamba1, Model


def models() -> list[Model]:
    """Falcon models of TII."""
    return [
        Model(
            id="falcon-7b",
            name="Falcon 7B",
            aliases=("tiiuae/falcon-7b", "tii-falcon-7b"),
            hf_repo="tiiuae/falcon-7b",
            layers=32,
            d_model=4544,
            vocabulary=65024,
            tied_embeddings=True,
            max_context=2048,
            heads=71,
            kv_heads=1,
            head_size=64,
            mlp_width=18176,
            gated_mlp=False,
            norm="layer",
            norms_per_layer=1,
            published_parameters=7_217_189_760,
            published_includes=(Included(what="a second copy of the tied head", embeddings=1),),
            source=(
                "litgpt 0.5.13 (PyPI) config.py:falcon-7b; llmfit 1.1.17 (PyPI) tiiuae/falcon-7b "
                "parameters_raw"
            ),
            notes=(
                "HF total stores the tied head twice; 6.92B without. genz-llm and llmfit list 71 kv "
                "heads: wrong, the model is multi_query (1)"
            ),
        ),
        Model(
            id="falcon-40b",
            name="Falcon 40B",
            aliases=("tiiuae/falcon-40b", "tii-falcon-40b"),
            hf_repo="tiiuae/falcon-40b",
            layers=60,
            d_model=8192,
            vocabulary=65024,
            tied_embeddings=True,
            max_context=2048,
            heads=128,
            kv_heads=8,
            head_size=64,
            mlp_width=32768,
            gated_mlp=False,
            norm="layer",
            published_parameters=41_835_970_560,
            published_includes=(Included(what="a second copy of the tied head", embeddings=1),),
            source=(
                "litgpt 0.5.13 (PyPI) config.py:falcon-40b; llmfit 1.1.17 (PyPI) tiiuae/falcon-40b "
                "parameters_raw"
            ),
            notes=(
                "HF total stores the tied head twice; 41.30B without; llmfit lists 128 kv heads (config "
                "num_kv_heads 8)"
            ),
        ),
        Model(
            id="falcon-180b",
            name="Falcon 180B",
            aliases=("tiiuae/falcon-180b", "tii-falcon-180b"),
            hf_repo="tiiuae/falcon-180B",
            layers=80,
            d_model=14848,
            vocabulary=65024,
            tied_embeddings=True,
            max_context=2048,
            heads=232,
            kv_heads=8,
            head_size=64,
            mlp_width=59392,
            gated_mlp=False,
            norm="layer",
            published_parameters=179_522_565_120,
            published_includes=(Included(what="a second copy of the tied head", embeddings=1),),
            source=(
                "litgpt 0.5.13 (PyPI) config.py:falcon-180B; llmfit 1.1.17 (PyPI) tiiuae/falcon-180B "
                "parameters_raw"
            ),
            notes="HF total stores the tied head twice; 178.56B without",
        ),
        Model(
            id="falcon-2-11b",
            name="Falcon2 11B",
            aliases=("tiiuae/falcon-11b", "falcon-11b", "tii-falcon-2-11b", "falcon2-11b"),
            hf_repo="tiiuae/falcon-11B",
            layers=60,
            d_model=4096,
            vocabulary=65024,
            max_context=8192,
            heads=32,
            kv_heads=8,
            head_size=128,
            mlp_width=16384,
            gated_mlp=False,
            norm="layer",
            norms_per_layer=1,
            published_parameters=11_102_822_400,
            source="llmfit 1.1.17 (PyPI) tiiuae/falcon-11B parameters_raw",
            notes="llmfit lists 32 kv heads (config num_kv_heads 8)",
        ),
        Model(
            id="falcon3-1b",
            name="Falcon3 1B",
            aliases=("tiiuae/falcon3-1b-base", "falcon3-1b-base", "tii-falcon3-1b"),
            hf_repo="tiiuae/Falcon3-1B-Base",
            layers=18,
            d_model=2048,
            vocabulary=131_072,
            max_context=4096,
            heads=8,
            kv_heads=4,
            head_size=256,
            mlp_width=8192,
            published_parameters=1_669_408_768,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Falcon3-1B-Base; llmfit 1.1.17 (PyPI) "
                "tiiuae/Falcon3-1B-Base parameters_raw"
            ),
        ),
        Model(
            id="falcon3-7b",
            name="Falcon3 7B",
            aliases=("tiiuae/falcon3-7b-base", "falcon3-7b-base", "tii-falcon3-7b"),
            hf_repo="tiiuae/Falcon3-7B-Base",
            layers=28,
            d_model=3072,
            vocabulary=131_072,
            max_context=32768,
            heads=12,
            kv_heads=4,
            head_size=256,
            mlp_width=23040,
            published_parameters=7_455_550_464,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Falcon3-7B-Base; llmfit 1.1.17 (PyPI) "
                "tiiuae/Falcon3-7B-Base parameters_raw"
            ),
        ),
        Model(
            id="falcon3-10b",
            name="Falcon3 10B",
            aliases=("tiiuae/falcon3-10b-base", "falcon3-10b-base", "tii-falcon3-10b"),
            hf_repo="tiiuae/Falcon3-10B-Base",
            layers=40,
            d_model=3072,
            vocabulary=131_072,
            max_context=32768,
            heads=12,
            kv_heads=4,
            head_size=256,
            mlp_width=23040,
            published_parameters=10_305_653_760,
            source=(
                "litgpt 0.5.13 (PyPI) config.py:Falcon3-10B-Base; llmfit 1.1.17 (PyPI) "
                "tiiuae/Falcon3-10B-Base parameters_raw"
            ),
        ),
        Model(
            id="falcon-mamba-7b",
            name="Falcon Mamba 7B",
            aliases=("tiiuae/falcon-mamba-7b", "tii-falcon-mamba-7b"),
            hf_repo="tiiuae/falcon-mamba-7b",
            layers=64,
            d_model=4096,
            vocabulary=65024,
            recurrent_layers=64,
            recurrent=Mamba1(inner=8192, state=16, rank=256),
            dense_layers=0,
            norms_per_layer=1,
            published_parameters=7_272_665_088,
            source=(
                "genz-llm 0.0.16 (PyPI) misc.py falcon_mamba_7b; llmfit 1.1.17 (PyPI) "
                "tiiuae/falcon-mamba-7b parameters_raw"
            ),
            notes="genz-llm lists vocab 50280: checkpoint has 65024",
        ),
    ]
