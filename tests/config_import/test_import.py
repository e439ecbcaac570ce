"""Configuration files become records, with all that was assumed; what does not fit is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tokensheet.config_import import ConfigError, ImportedModel, import_config, load
from tokensheet.config_import.keys import ALIASES, Fields
from tokensheet.config_import.quantization import declared
from tokensheet.errors import TokensheetError

CONFIGS = Path(__file__).parent / "configs"
with (CONFIGS / "expected.csv").open() as file:
    EXPECTED = {row["file"]: row for row in csv.DictReader(file)}


def _content(name: str) -> dict[str, Any]:
    content = json.loads((CONFIGS / name).read_text())
    assert isinstance(content, dict)
    return content


def _cache(found: ImportedModel) -> float:
    model = found.model
    return 2.0 * float(model.full_kv_elements + model.window_kv_elements + model.latent_kv_elements)


LLAMA = _content("01_llama31_8b.json")
QWEN = _content("05_qwen3_32b_fp8_block.json")


def test_every_file_is_expected() -> None:
    assert {path.name for path in CONFIGS.glob("*.json")} == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_file_behaves_as_expected(name: str) -> None:
    row = EXPECTED[name]
    if row["outcome"] == "refused":
        with pytest.raises(ConfigError) as error:
            import_config(CONFIGS / name)
        assert row["says"] in str(error.value)
        return
    found = import_config(CONFIGS / name)
    assert found.model.parameters == int(row["parameters"])
    assert _cache(found) == int(row["cache_bytes_16_bit"])
    assert (found.weights, found.kv) == (row["weights"], row["kv"])
    assert found.verified == (row["verified"] == "yes")
    said = [*found.assumptions, *found.decided, *found.questions, *found.not_modelled]
    assert any(row["says"] in text for text in said)


def test_layers_of_gemma4_by_kind() -> None:
    model = import_config(CONFIGS / "16_gemma4_26b_a4b.json").model
    assert 2 * model.full_kv_elements == 5 * 2 * 2 * 512 * 2 == 20_480
    assert 2 * model.window_kv_elements == 25 * 2 * 8 * 256 * 2 == 204_800
    assert round((20_480 * 131_072 + 204_800 * model.window) / 1e9, 2) == 2.89
    assert (model.kv_heads, model.window_kv_heads, model.experts) == (2, 8, 128)


def test_num_experts_null_is_a_dense_model() -> None:
    model = import_config(CONFIGS / "17_gemma4_31b_nvfp4.json").model
    assert (model.experts, model.moe_layers) == (0, 0)
    # an engine that gives all 60 layers the pages of the 50 local ones reports 983,040 bytes a token
    assert 2 * model.window_kv_elements / 50 * 60 == 983_040


def test_window_layers_of_gemma3() -> None:
    model = import_config(CONFIGS / "19_gemma3_1b.json").model
    assert (2 * model.full_kv_elements, 2 * model.window_kv_elements, model.window) == (4096, 22 * 1024, 512)


def test_fifteen_heads_cannot_be_split_in_two() -> None:
    model = import_config(CONFIGS / "36_smollm_360m.json").model
    assert (model.heads_unit, model.kv_heads) == (15, 5)


def test_a_model_without_attention_keeps_a_state() -> None:
    model = import_config(CONFIGS / "38_rwkv5.json").model
    assert (model.heads, model.kv_heads, model.heads_unit) == (0, 0, 40)
    assert model.state_elements == 32 * (40 * 64 * 64 + 2 * 2560)


# --- where the language model stands -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrap", "path"),
    [
        (lambda c: {"model_type": "wrapper", "text_config": c}, "text_config"),
        (
            lambda c: {"thinker_config": {"text_config": c, "audio_config": {"d": 1}}},
            "thinker_config.text_config",
        ),
        (lambda c: {"llm_config": c, "vision_config": {"hidden_size": 8}}, "llm_config"),
        (lambda c: {"hidden_size": 1, "language_config": c}, "language_config"),
        (lambda c: {**c, "text_config": None}, ""),
        (lambda c: {**c, "text_config": {}}, ""),
    ],
)
def test_language_part_is_found(wrap: Any, path: str) -> None:
    found = import_config(wrap(LLAMA))
    assert found.path == path
    assert found.model.parameters == 8_030_261_248


def test_outer_values_hold_inside_only_where_the_inside_is_silent() -> None:
    inner = {k: v for k, v in LLAMA.items() if k not in ("torch_dtype", "tie_word_embeddings")}
    outer = {
        "dtype": "float16",
        "tie_word_embeddings": True,
        "quantization_config": QWEN["quantization_config"],
    }
    found = import_config(outer | {"text_config": inner})
    assert (found.kv, found.weights, found.model.tied_embeddings) == ("fp16", "fp8-block", True)
    found = import_config(outer | {"text_config": LLAMA})
    assert (found.kv, found.model.tied_embeddings) == ("bf16", False)


def test_an_old_vision_model_with_numbers_at_the_top() -> None:
    config = LLAMA | {"model_type": "qwen2_vl", "text_config": {"model_type": "qwen2_vl_text"}}
    assert import_config(config).path == ""


# --- keys ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, keys in ALIASES.items() for key in keys])
def test_each_alias_is_read(name: str, key: str) -> None:
    assert Fields({key: 7}).whole(name) == 7


def test_the_usual_key_wins_and_null_is_absent() -> None:
    assert Fields({"n_embd": 5, "hidden_size": 7}).whole("d_model") == 7
    assert Fields({"n_embd": 5, "hidden_size": None}).whole("d_model") == 5


@pytest.mark.parametrize(
    "key", ["num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size"]
)
@pytest.mark.parametrize("value", [None, "missing"])
def test_a_missing_key_stops_the_import(key: str, value: str | None) -> None:
    config = dict(LLAMA)
    if value is None:
        config[key] = None
    else:
        del config[key]
    with pytest.raises(ConfigError, match=key) as error:
        import_config(config)
    assert key in error.value.missing


def test_all_missing_keys_are_told_at_once() -> None:
    with pytest.raises(ConfigError) as error:
        import_config({"model_type": "mixtral", "vocab_size": 10})
    assert error.value.missing == (
        "num_hidden_layers",
        "hidden_size",
        "num_attention_heads",
        "num_key_value_heads",
        "num_experts",
        "num_experts_per_tok",
        "intermediate_size",
    )


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("num_hidden_layers", "32", "num_hidden_layers is '32': a whole number is needed"),
        ("num_hidden_layers", True, "a whole number is needed"),
        ("num_hidden_layers", 32.5, "a whole number is needed"),
        ("num_hidden_layers", float("inf"), "a whole number is needed"),
        ("num_hidden_layers", -1, "it must be between 0 and 10,000"),
        ("num_hidden_layers", 10**30, "it must be between 0 and 10,000"),
        ("hidden_size", 10**12, "it must be between 0 and 1,000,000,000"),
        ("num_key_value_heads", 7, "kv_heads=7: heads=32 is not divisible by it"),
        ("num_attention_heads", 36, "hidden_size 4096 is not divisible by 36 heads"),
        ("tie_word_embeddings", "yes", "tie_word_embeddings is 'yes': true or false is needed"),
    ],
)
def test_an_impossible_value_stops_the_import(key: str, value: object, says: str) -> None:
    with pytest.raises(ConfigError) as error:
        import_config(LLAMA | {key: value})
    assert says in str(error.value)


def test_a_key_that_nothing_reads_is_told() -> None:
    found = import_config(LLAMA | {"num_memory_layers": 4})
    assert not found.verified
    assert "nothing here reads num_memory_layers" in found.questions[0]


@pytest.mark.parametrize(
    ("more", "window"),
    [
        ({"sliding_window": 4096}, 4096),
        ({"sliding_window": None}, 0),
        ({"sliding_window": 262_144}, 0),
        ({"sliding_window": 4096, "use_sliding_window": False}, 0),
    ],
)
def test_a_window_counts_only_when_it_is_in_use(more: dict[str, Any], window: int) -> None:
    model = import_config(LLAMA | {"model_type": "mistral"} | more).model
    assert model.window == window
    assert (model.full_layers == 0) == bool(window)


def test_a_list_of_layer_kinds_must_fit() -> None:
    config = LLAMA | {"model_type": "mistral", "sliding_window": 4096}
    with pytest.raises(ConfigError, match="layer_types has 2 entries: num_hidden_layers is 32"):
        import_config(config | {"layer_types": ["full_attention"] * 2})
    with pytest.raises(ConfigError, match="layer_types names ring_attention"):
        import_config(config | {"layer_types": ["ring_attention"] * 32})


# --- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["bert", "t5", "whisper", "mllama", "gemma3n", "deepseek_v4", "recurrent_gemma"]
)
def test_architectures_that_do_not_fit_are_refused(kind: str) -> None:
    with pytest.raises(ConfigError, match="is not supported"):
        import_config(LLAMA | {"model_type": kind, "architectures": None})


def test_an_unknown_architecture_is_refused_by_name() -> None:
    with pytest.raises(ConfigError) as error:
        import_config(LLAMA | {"model_type": "quokka", "architectures": ["QuokkaForCausalLM"]})
    assert "architecture QuokkaForCausalLM (model_type 'quokka') is not known" in str(error.value)
    assert "nothing was computed" in str(error.value)


def test_a_refused_architecture_under_a_strange_model_type() -> None:
    with pytest.raises(ConfigError, match="compressed sparse attention"):
        import_config(LLAMA | {"model_type": "reference", "architectures": ["DeepseekV4ForCausalLM"]})


def test_a_pair_of_encoder_and_decoder_is_refused() -> None:
    with pytest.raises(ConfigError, match="pairs an encoder with a decoder"):
        import_config(LLAMA | {"is_encoder_decoder": True})


# --- untrusted input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "it is not JSON"),
        ("[]", "it holds no JSON object"),
        ('{"a": ', "it is not JSON"),
        ('{"a": 1, "a": 2}', "the key a stands twice"),
        ('{"a": ' * 200 + "1" + "}" * 200, "nested deeper than 40 levels"),
        ("[" * 200_000, "nested deeper than 40 levels"),
        ('{"a": [' + "1," * 600_000 + "1]}", "holds more than 500,000 values"),
        ('{"a": "' + "x" * load.MAX_BYTES + '"}', "larger than 5,000,000 bytes"),
    ],
)
def test_a_strange_file_is_refused(content: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(content)
    with pytest.raises(ConfigError, match=says):
        import_config(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        import_config(tmp_path / "none.json")


def test_a_config_error_is_shown_without_a_traceback() -> None:
    assert issubclass(ConfigError, TokensheetError)


def test_names_from_the_file_become_plain_ids(tmp_path: Path) -> None:
    assert import_config(LLAMA | {"_name_or_path": "org/Model X_1"}).model.id == "imported-llamaforcausallm"
    assert import_config(LLAMA | {"_name_or_path": "org/Model-X_1"}).model.id == "model-x-1"
    assert import_config(LLAMA | {"_name_or_path": '=HYPERLINK("x")'}).model.hf_repo == ""
    folder = tmp_path / "My Model"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(LLAMA))
    assert import_config(folder).model.id == "my-model"
    assert import_config(folder, id="Mine").model.id == "mine"


# --- formats -------------------------------------------------------------------------------------------

HF_QUANT = {
    "producer": {"name": "modelopt"},
    "quantization": {
        "quant_algo": "NVFP4",
        "kv_cache_quant_algo": "FP8",
        "group_size": 16,
        "exclude_modules": ["lm_head"],
    },
}


def test_the_second_file_decides(tmp_path: Path) -> None:
    config = _content("28a_deepseek_v31_nvfp4_config.json")
    for given in (HF_QUANT, json.dumps(HF_QUANT)):
        found = import_config(config, {"hf_quant_config.json": given})
        assert (found.weights, found.kv) == ("nvfp4", "fp8")
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "hf_quant_config.json").write_text(json.dumps(HF_QUANT))
    found = import_config(tmp_path / "config.json")
    assert (found.weights, found.kv) == ("nvfp4", "fp8")
    assert "kv fp8: kv_cache_quant_algo of hf_quant_config.json" in found.decided
    assert found.kv_bytes_per_token == 61 * 576


def test_fp8_blocks_leave_embedding_and_head_alone() -> None:
    found = import_config(QWEN)
    sizes = {group.what: (group.format, group.bytes_per_weight) for group in found.weight_groups}
    assert sizes["attention"] == sizes["mlp"] == ("fp8-block", 1 + 4 / 16_384)
    assert sizes["embedding"] == sizes["head"] == sizes["other"] == ("bf16", 2.0)
    linear = found.model.attention_parameters + found.model.mlp_parameters
    rest = found.model.parameters - linear
    assert found.weight_bytes == linear * (1 + 4 / 16_384) + 2 * rest


def test_two_formats_are_summed_group_by_group() -> None:
    found = import_config(CONFIGS / "29_qwen36_27b_mixed.json")
    sizes = {group.what: group.format for group in found.weight_groups}
    assert sizes == {
        "attention": "fp8",
        "mlp": "nvfp4",
        "embedding": "bf16",
        "head": "nvfp4",
        "other": "bf16",
    }
    own = found.number_format()
    assert own is not None
    assert (own.attention_bytes_per_element, own.mlp_bytes_per_element) == (1.0, 0.5625)
    assert found.kv_bytes_per_token == 32_768


def test_layers_named_one_by_one_count_as_their_share() -> None:
    named = {f"model.layers.{i}.self_attn.{p}_proj": {"quant_algo": "FP8"} for i in range(8) for p in "qkvo"}
    block = {"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION", "quantized_layers": named}
    found = import_config(LLAMA | {"quantization_config": block})
    attention = {group.format: group.parameters for group in found.weight_groups if group.what == "attention"}
    total = found.model.attention_parameters
    assert attention == {"bf16": total * 24 / 32, "fp8": total * 8 / 32}
    assert found.weights == "mixed"
    assert any("no group names the mlp weights" in text for text in found.assumptions)


def test_experts_alone_in_mxfp4() -> None:
    config = {
        "model_type": "gpt_oss",
        "num_hidden_layers": 36,
        "hidden_size": 2880,
        "num_attention_heads": 64,
        "num_key_value_heads": 8,
        "head_dim": 64,
        "intermediate_size": 2880,
        "num_local_experts": 128,
        "num_experts_per_tok": 4,
        "sliding_window": 128,
        "attention_bias": True,
        "layer_types": ["sliding_attention", "full_attention"] * 18,
        "vocab_size": 201_088,
        "max_position_embeddings": 131_072,
        "torch_dtype": "bfloat16",
        "quantization_config": {
            "quant_method": "mxfp4",
            "modules_to_not_convert": [
                "model.layers.*.self_attn",
                "model.layers.*.mlp.router",
                "model.embed_tokens",
                "lm_head",
            ],
        },
    }
    found = import_config(config)
    assert found.weights == "mxfp4"
    # published files: 65,248,815,744 bytes, expert biases in 16 bit
    assert found.weight_bytes == pytest.approx(65_248_815_744, rel=2e-3)


@pytest.mark.parametrize(
    ("block", "id", "bits"),
    [
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, "fp8-block", 8.002),
        ({"quant_method": "fp8"}, "fp8", 8),
        ({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True}, "awq-int4", 4.15625),
        ({"quant_method": "gptq", "bits": 4, "group_size": 32, "sym": True}, "gptq-int4-g32", 4.625),
        ({"quant_method": "gptq", "bits": 8, "group_size": 128}, "gptq-int8", 8.1875),
        ({"quant_method": "mxfp4"}, "mxfp4-all", 4.25),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "bnb-nf4", 4.5),
        (_content("49_bnb_quant_block.json")["quantization_config"], "bnb-nf4-dq", 4.127),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, "int8", 8),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "nvfp4", 4.5),
        ({"quant_algo": "FP8"}, "fp8", 8),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"g": {"weights": {"num_bits": 4, "type": "int", "group_size": 32}}},
            },
            "int4-g32",
            4.5,
        ),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"g": {"weights": {"num_bits": 8, "type": "int", "strategy": "channel"}}},
            },
            "int8",
            8,
        ),
    ],
)
def test_quantisation_blocks(block: dict[str, Any], id: str, bits: float) -> None:
    found = declared(block)
    assert found is not None and found.default is not None
    assert found.default.id == id
    assert 8 * found.default.bytes_per_weight == pytest.approx(bits, abs=5e-4)


@pytest.mark.parametrize(
    "block",
    [
        {"quant_method": "exotic"},
        {"quant_method": "gptq"},
        {"quant_method": "modelopt", "quant_algo": "INT1"},
        {"quant_method": "compressed-tensors", "config_groups": {}},
        {"config_groups": {"g": {"weights": {"num_bits": 5, "type": "float"}}}},
        {"bits": 4},
        {},
    ],
)
def test_a_block_that_is_not_understood_is_never_16_bit(block: dict[str, Any]) -> None:
    found = import_config(LLAMA | {"quantization_config": block})
    assert found.weights is None
    assert found.weight_bytes is None
    assert any("choose `weights`" in text for text in found.questions)


@pytest.mark.parametrize(
    ("keys", "id"),
    [
        ({"torch_dtype": "bfloat16"}, "bf16"),
        ({"dtype": "torch.float16"}, "fp16"),
        ({"fp16": True}, "fp16"),
        ({"torch_dtype": None}, "bf16"),
        ({"torch_dtype": "auto"}, "bf16"),
    ],
)
def test_dtypes(keys: dict[str, Any], id: str) -> None:
    bare = {k: v for k, v in LLAMA.items() if k != "torch_dtype"}
    found = import_config(bare | keys)
    assert (found.weights, found.kv) == (id, id)
    silent = not any(isinstance(v, (bool, str)) and v != "auto" for v in keys.values())
    assert any("dtype assumed bf16" in text for text in found.assumptions) == silent


def test_an_unknown_dtype_is_a_question() -> None:
    found = import_config(LLAMA | {"torch_dtype": "posit8"})
    assert found.weights is None
    assert "torch_dtype 'posit8' is not known" in found.questions[0]


def test_every_format_of_the_importer_is_named_as_in_the_catalogue() -> None:
    from tokensheet_hardware.formats import formats as catalogue

    sizes = {record.id: record.bytes_per_element for record in catalogue()}
    for block in (
        {"quant_method": "fp8"},
        {"quant_method": "fp8", "weight_block_size": [128, 128]},
        {"quant_method": "awq", "bits": 4, "group_size": 128},
        {"quant_method": "gptq", "bits": 4, "group_size": 128},
        {"quant_method": "gptq", "bits": 8, "group_size": 128},
        {"quant_method": "modelopt", "quant_algo": "NVFP4"},
        {"quant_method": "modelopt", "quant_algo": "W4A16"},
        {"quant_method": "modelopt", "quant_algo": "MXFP8"},
        {"quant_method": "bitsandbytes", "load_in_4bit": True},
        {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_use_double_quant": True},
        {"quant_method": "mxfp4"},
    ):
        found = declared(block)
        assert found is not None and found.default is not None
        assert sizes[found.default.id] == pytest.approx(found.default.bytes_per_weight)


@pytest.mark.parametrize(
    ("window", "told"), [({}, True), ({"sliding_window": None}, False), ({"sliding_window": 4096}, False)]
)
def test_a_window_that_is_not_given_is_told(tmp_path: Path, window: dict[str, Any], told: bool) -> None:
    """Null says that there is none; nothing at all says nothing, and libraries differ in what they take then."""
    config = {**LLAMA, "architectures": ["MistralForCausalLM"], "model_type": "mistral", **window}
    (tmp_path / "config.json").write_text(json.dumps(config))
    found = import_config(tmp_path / "config.json")
    assert any("sliding_window is not given" in line for line in found.assumptions) == told
    assert found.model.window == (4096 if window.get("sliding_window") else 0)
