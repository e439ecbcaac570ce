"""Each model's count is computed from its architecture and agrees with what its publisher counts."""

from __future__ import annotations

import copy
import csv
import time
from pathlib import Path

import pytest
from pydantic import ValidationError

from tokensheet.schema.mixers import AttentionGroup, Included, Latent, Mamba1, Mamba2, MlpGroup
from tokensheet.schema.model import Model
from tokensheet_classics.models import models as classics
from tokensheet_models import tokensheet_models

GIB = 2**30
MODELS = {model.id: model for model in tokensheet_models()}
with (Path(__file__).parent / "published.csv").open() as file:
    PUBLISHED = {row["id"]: row for row in csv.DictReader(file)}

CLASSES = (
    "embedding_parameters",
    "head_parameters",
    "attention_parameters",
    "mlp_parameters",
    "expert_parameters",
    "shared_expert_parameters",
    "other_parameters",
)


def test_all_models_are_there_once() -> None:
    assert len(MODELS) == len(tokensheet_models()) == 231
    assert set(MODELS) == set(PUBLISHED)


@pytest.mark.parametrize("id", sorted(PUBLISHED))
def test_computed_count_agrees_with_the_published_one(id: str) -> None:
    model, row = MODELS[id], PUBLISHED[id]
    assert model.parameters == int(row["computed_parameters"])
    assert model.published_parameters == int(row["published_parameters"])
    off = abs(model.published_covers / model.published_parameters - 1)
    if row["agreement"] == "within 1 %":
        assert off <= 0.01
    else:
        assert model.published_gap and off > 0.01


def test_agreement_of_all_models() -> None:
    explained = [id for id, model in MODELS.items() if model.published_gap]
    assert sorted(explained) == ["baichuan2-13b", "baichuan2-7b", "opt-1.3b", "opt-13b", "opt-2.7b"]
    assert len(MODELS) - len(explained) == 226


@pytest.mark.parametrize("model", [*MODELS.values(), *classics()], ids=lambda m: m.id)
def test_classes_sum_to_the_total(model: Model) -> None:
    assert sum(getattr(model, name) for name in CLASSES) == model.parameters
    assert model.active_parameters <= model.parameters + model.unembedding_parameters
    for name in model.quantities():
        value = model.number(name)
        assert value is None or value >= 0
    assert model.source


@pytest.mark.parametrize(
    ("id", "parameters"),
    [
        # embedding and head, then a layer: queries and output, keys and values, MLP, two norms; a last norm
        (
            "llama-3.1-8b",
            2 * 128_256 * 4096
            + 32 * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14_336 + 2 * 4096)
            + 4096,
        ),
        # tied, heads wider than d_model, norms of 128 on queries and keys
        (
            "qwen3-0.6b",
            151_936 * 1024
            + 28 * (2 * 1024 * 2048 + 2 * 1024 * 1024 + 2 * 128 + 3 * 1024 * 3072 + 2 * 1024)
            + 1024,
        ),
        # biases everywhere, layer norms with two vectors, 1024 positions
        (
            "gpt2",
            (50_257 + 1024) * 768
            + 12 * (4 * (768 * 768 + 768) + 2 * 768 * 3072 + 3072 + 768 + 4 * 768)
            + 2 * 768,
        ),
        # eight experts a layer and a router
        (
            "mixtral-8x7b",
            2 * 32_000 * 4096
            + 32 * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 8 * 3 * 4096 * 14_336 + 8 * 4096 + 2 * 4096)
            + 4096,
        ),
        # latent attention: queries, compressed keys and values, expansion, output; 3 dense and 58 MoE layers
        (
            "deepseek-v3",
            2 * 129_280 * 7168
            + 61
            * (
                7168 * 1536
                + 1536
                + 1536 * 128 * 192
                + 7168 * 576
                + 512
                + 512 * 128 * 256
                + 128 * 128 * 7168
                + 2 * 7168
            )
            + 3 * 3 * 7168 * 18_432
            + 58 * (257 * 3 * 7168 * 2048 + 256 * 7168 + 256)
            + 7168,
        ),
    ],
)
def test_counts_by_hand(id: str, parameters: int) -> None:
    assert MODELS[id].parameters == parameters


@pytest.mark.parametrize(
    ("id", "total"),
    [
        ("llama-3.1-8b", 8_030_261_248),
        ("qwen3-0.6b", 596_049_920),
        ("gpt2", 124_439_808),
        ("mixtral-8x7b", 46_702_792_704),
        ("deepseek-v3", 671_026_419_200),
    ],
)
def test_counts_as_printed(id: str, total: int) -> None:
    assert MODELS[id].parameters == total


def test_active_parameters_of_mixtral_by_hand() -> None:
    model = MODELS["mixtral-8x7b"]
    assert model.active_parameters == model.parameters - 32_000 * 4096 - 32 * 6 * 3 * 4096 * 14_336


def test_a_tied_embedding_is_read_as_head() -> None:
    model = MODELS["qwen3-0.6b"]
    assert (model.head_parameters, model.unembedding_parameters) == (0, 151_936 * 1024)
    assert model.active_parameters == model.parameters


@pytest.mark.parametrize(
    ("id", "kv_bytes"),
    [
        ("llama-3.1-8b", 131_072),
        ("llama-3.1-70b", 327_680),
        ("qwen3-0.6b", 114_688),
        ("qwen3-32b", 262_144),
        ("mistral-small-24b", 163_840),
        ("deepseek-v3", 70_272),
        ("deepseek-v2-lite", 31_104),
        ("glm-5", 89_856),
        ("qwen2-7b", 57_344),
        ("nemotron-super-49b", 200_704),
        ("nemotron-3-nano-30b-a3b", 6_144),
        ("falcon-40b", 122_880),
        ("chatglm3-6b", 28_672),
        ("mamba-2.8b", 0),
    ],
)
def test_kv_bytes_a_token_in_16_bit(id: str, kv_bytes: int) -> None:
    model = MODELS[id]
    assert 2 * (model.full_kv_elements + model.window_kv_elements + model.latent_kv_elements) == kv_bytes


def _cache(model: Model, context: int, capped: bool = True) -> float:
    window = min(context, model.window) if capped else context
    return 2.0 * float(model.full_kv_elements * context + model.window_kv_elements * window)


@pytest.mark.parametrize(
    ("id", "context", "sequences", "capped", "gib"),
    [
        ("gpt-oss-20b", 8192, 32, True, 6.09),
        ("gpt-oss-20b", 8192, 32, False, 12.0),
        ("gemma-3-27b", 131_072, 1, True, 10.41),
    ],
)
def test_window_layers_keep_a_window(id: str, context: int, sequences: int, capped: bool, gib: float) -> None:
    assert round(sequences * _cache(MODELS[id], context, capped) / GIB, 2) == gib


def test_window_and_full_layers_may_have_other_heads() -> None:
    model = MODELS["mimo-v2-flash"]
    assert (model.full_kv_elements, model.window_kv_elements) == (9 * 4 * (192 + 128), 39 * 8 * (192 + 128))
    assert (model.kv_heads, model.window_kv_heads) == (4, 8)


def test_latent_attention_works_on_the_compressed_vector() -> None:
    model = MODELS["deepseek-v3"]
    assert model.latent_attention_macs == 61 * 128 * (512 + 64 + 512)
    assert model.kv_projection_parameters == 61 * 7168 * 576
    assert model.full_attention_macs == 0


def test_attention_macs_of_a_plain_model() -> None:
    model = MODELS["llama-3.1-8b"]
    assert model.full_attention_macs == 32 * 32 * 256
    assert model.kv_projection_parameters == 32 * 4096 * 2 * 8 * 128


def test_recurrent_models_keep_a_state() -> None:
    mamba = MODELS["mamba-2.8b"]
    assert mamba.state_elements == 64 * 5120 * (16 + 3)
    assert (mamba.heads, mamba.kv_heads, mamba.heads_unit) == (0, 0, 5120)
    hybrid = MODELS["granite-4.0-h-small"]
    assert hybrid.state_elements == 36 * (128 * 64 * 128 + (128 * 64 + 2 * 128) * 3)
    assert hybrid.heads_unit == 32


def test_a_cache_that_is_not_modelled_is_no_number() -> None:
    model = MODELS["deepseek-v4-flash"]
    assert model.number("full_kv_elements") is None
    assert model.number("full_attention_macs") is None
    assert model.number("parameters") == 283_811_148_288
    assert "compressed sparse attention" in model.not_modelled[0]


def test_classic_models_count_as_the_articles_do() -> None:
    found = {model.id: model for model in classics()}
    assert found["classic-52b"].parameters == 12 * 64 * 8192**2
    assert found["classic-13b"].parameters == 12 * 40 * 5120**2
    assert found["classic-gopher-260b"].parameters == 260e9
    assert found["classic-70b-mha"].parameters == found["classic-70b-mha"].active_parameters == 70e9
    assert found["classic-70b-mha"].mlp_parameters == 70e9 - 80 * 4 * 8192**2
    assert all(model.other_parameters == model.embedding_parameters == 0 for model in found.values())
    assert found["classic-52b"].kv_projection_parameters / found["classic-52b"].parameters == pytest.approx(
        1 / 6
    )


def test_aliases_lead_to_one_model() -> None:
    owner: dict[str, str] = {}
    for model in MODELS.values():
        for alias in {model.id, model.name, *model.aliases}:
            key = alias.lower().replace(" ", "").replace("_", "-")
            assert owner.setdefault(key, model.id) == model.id, alias
    assert owner["meta-llama/llama-3.1-8b"] == owner["meta-llama-3.1-8b"] == "llama-3.1-8b"


def _model(**fields: object) -> Model:
    plain = {
        "id": "m",
        "source": "test",
        "layers": 4,
        "d_model": 64,
        "heads": 8,
        "kv_heads": 2,
        "mlp_width": 256,
    }
    return Model.model_validate(plain | fields)


@pytest.mark.parametrize(
    ("fields", "messages"),
    [
        ({"heads": 5, "kv_heads": 5}, ["d_model=64 is not divisible by heads=5"]),
        ({"kv_heads": 3}, ["kv_heads=3: heads=8 is not divisible by it"]),
        ({"kv_heads": None}, ["kv_heads is missing"]),
        ({"layers": -4}, ["layers=-4: a count cannot be negative"]),
        ({"d_model": 0}, ["d_model=0: a model has at least one"]),
        ({"window": 512}, ["window=512: but window_layers=0"]),
        ({"window_layers": 2}, ["window_layers=2: window is missing"]),
        (
            {"full_layers": 3, "window_layers": 3, "window": 8},
            ["full_layers=3 + window_layers=3: more than layers=4"],
        ),
        ({"latent_layers": 4}, ["latent_layers=4: `latent` with their shape is missing"]),
        ({"recurrent": Mamba1(inner=128, state=16, rank=4)}, ["recurrent is given: but recurrent_layers=0"]),
        ({"recurrent_layers": 4, "recurrent": Mamba1(inner=-1, state=16, rank=4)}, ["Mamba1 inner=-1"]),
        ({"experts_per_token": 8}, ["experts_per_token=8: more than experts=0"]),
        (
            {"experts": 4, "experts_per_token": 8, "expert_width": 8},
            ["experts_per_token=8: more than experts=4"],
        ),
        ({"experts": 4}, ["experts_per_token=0: experts=4 need it", "expert_width=0: experts=4 need it"]),
        ({"shared_experts": 1}, ["shared_experts=1: but experts=0"]),
        ({"mlp_width": 0}, ["mlp_width=0: dense_layers=4 need a width"]),
        (
            {"mlp_groups": (MlpGroup(layers=5, width=8),)},
            ["mlp_groups hold 5 layers: more than dense_layers=4"],
        ),
        ({"attention_groups": (AttentionGroup(layers=5),)}, ["attention_groups hold 5 layers"]),
        ({"attention_bias": "qx"}, ["attention_bias='qx': letters of q, k, v and o"]),
        (
            {"published_parameters": 8},
            ["published_parameters=8: it counts parameters, not millions or billions"],
        ),
        ({"taken_parameters": 70}, ["taken_parameters=70"]),
        ({"taken_parameters": 1e6, "layers": 400}, ["taken_parameters=1e+06: less than the other parts"]),
        ({"layers": "four"}, ["layers='four': a whole number is needed"]),
    ],
)
def test_an_impossible_record_is_refused(fields: dict[str, object], messages: list[str]) -> None:
    with pytest.raises(ValidationError) as error:
        _model(**fields)
    for message in messages:
        assert message in str(error.value)


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(ValidationError) as error:
        _model(kv_heads=3, window=512, experts_per_token=8, published_parameters=8)
    assert str(error.value).count(";") == 3


def test_defaults_follow_from_other_fields() -> None:
    model = _model()
    assert (model.full_layers, model.head_size, model.value_head_size) == (4, 8, 8)
    assert (model.dense_layers, model.moe_layers) == (4, 0)
    moe = _model(experts=4, experts_per_token=2, expert_width=8, dense_layers=1)
    assert (moe.dense_layers, moe.moe_layers) == (1, 3)
    latent = _model(
        kv_heads=None, latent_layers=4, latent=Latent(kv_rank=16, rope_size=4, nope_size=8, value_size=6)
    )
    assert (latent.kv_heads, latent.head_size, latent.value_head_size) == (8, 12, 6)
    assert (latent.full_layers, latent.full_kv_elements, latent.latent_kv_elements) == (0, 0, 4 * 20)


def test_groups_of_layers() -> None:
    groups = (
        AttentionGroup(layers=1, kv_heads=1),
        AttentionGroup(layers=1, keys_are_values=True),
        AttentionGroup(layers=1, shares_kv=True),
    )
    model = _model(attention_groups=groups)
    assert model.full_kv_elements == 1 * 16 + 2 * 16 + 0 + 2 * 16
    assert model.kv_projection_parameters == 64 * (16 + 16 + 0 + 32)
    assert model.full_attention_macs == 4 * 8 * 16


def test_two_mixers_in_one_layer() -> None:
    state = Mamba2(heads=4, head_size=8, state=16, groups=1)
    with pytest.raises(ValidationError, match="parallel_mixers"):
        _model(full_layers=4, recurrent_layers=4, recurrent=state)
    model = _model(full_layers=4, recurrent_layers=4, recurrent=state, parallel_mixers=True)
    assert model.full_kv_elements and model.state_elements


def test_a_record_survives_json() -> None:
    for model in MODELS.values():
        again = Model.model_validate_json(model.model_dump_json())
        assert again == model
        assert again.parameters == model.parameters


def test_a_changed_copy_is_counted_anew() -> None:
    model = _model()
    before = model.parameters
    assert model.model_copy(update={"layers": 5, "full_layers": 5, "dense_layers": 5}).parameters > before
    assert copy.deepcopy(model).parameters == before


def test_what_a_published_count_includes() -> None:
    model = _model(
        vocabulary=100,
        published_includes=(
            Included(what="a second head", embeddings=1),
            Included(what="a vision tower", parameters=7),
        ),
    )
    assert model.published_covers == model.parameters + 100 * 64 + 7


def test_building_all_records_is_quick() -> None:
    best = min(_seconds() for _ in range(3))
    assert best < 0.06


def _seconds() -> float:
    start = time.perf_counter()
    tokensheet_models()
    return time.perf_counter() - start
