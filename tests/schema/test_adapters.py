"""Sizes of low-rank adapters on all linear layers."""

from __future__ import annotations

import pytest

from tokensheet_models import tokensheet_models

MODELS = {model.id: model for model in tokensheet_models()}

# d_model + output, input + d_model of each matrix of a layer, by hand.
LLAMA_8B = 32 * ((4096 + 4096) * 2 + (4096 + 1024) * 2 + (4096 + 14336) * 3)
MIXTRAL = 32 * ((4096 + 4096) * 2 + (4096 + 1024) * 2 + 8 * (4096 + 14336) * 3)
GPT_2_STYLE_OPT = 32 * ((4096 + 4096) * 4 + (4096 + 16384) * 2)
DEEPSEEK_ATTENTION = (
    (7168 + 1536) + (1536 + 128 * 192) + (7168 + 576) + (512 + 128 * 256) + (128 * 128 + 7168)
)
DEEPSEEK_V3 = 61 * DEEPSEEK_ATTENTION + 3 * 3 * (7168 + 18432) + 58 * 257 * 3 * (7168 + 2048)

COUNTS: list[tuple[str, int | None]] = [
    ("llama-3.1-8b", LLAMA_8B),
    ("mixtral-8x7b", MIXTRAL),
    ("opt-6.7b", GPT_2_STYLE_OPT),
    ("deepseek-v3", DEEPSEEK_V3),
    ("qwen3-next-80b-a3b", None),
]


@pytest.mark.parametrize(("id", "elements"), COUNTS)
def test_inputs_and_outputs_of_every_linear_layer(id: str, elements: int | None) -> None:
    assert MODELS[id].number("adapter_elements_per_rank") == elements


def test_rank_16_of_8b_is_41_943_040_parameters() -> None:
    elements = MODELS["llama-3.1-8b"].adapter_elements_per_rank
    assert elements is not None
    assert 16 * elements == 41_943_040


def test_an_adapter_of_full_rank_is_larger_than_its_model() -> None:
    """Two thin matrices as wide as one square one are twice as large: a bound on all counts."""
    for model in MODELS.values():
        elements = model.adapter_elements_per_rank
        if elements is not None and model.taken_parameters is None:
            linear = (
                model.attention_parameters
                + model.mlp_parameters
                + model.expert_parameters
                + model.shared_expert_parameters
            )
            assert elements * model.d_model > linear * 0.5, model.id
            assert elements < linear, model.id
