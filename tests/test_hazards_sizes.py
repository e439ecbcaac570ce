"""Mistakes that users of similar tools met with sizes, formats, units and imports: each stays away here.

The letters and numbers name the mistakes; a row says what went wrong elsewhere and what is right.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pydantic import ValidationError

from tests.config_import.test_import import CONFIGS
from tokensheet import planner
from tokensheet.cli.commands import tokensheet
from tokensheet.config_import import ConfigError, import_config
from tokensheet.errors import TokensheetError
from tokensheet.facts import entries
from tokensheet.schema.accelerator import Accelerator
from tokensheet.schema.price import Price

MIB, GIB = 2**20, 2**30

NUMBERS: list[tuple[str, str, str, float, float]] = [
    ("C01", "KV heads count, not query heads", '=KV_BYTES_PER_TOKEN("llama-3.1-8b")', 131_072, 0),
    ("C01", "a sixteenth of multi-head", '=KV_BYTES_PER_TOKEN("llama-3.1-70b")', 327_680, 0),
    ("C03", "one latent vector a token", '=KV_BYTES_PER_TOKEN("deepseek-v3")', 70_272, 0),
    ("C03", "the small one likewise", '=KV_BYTES_PER_TOKEN("deepseek-v2-lite")', 31_104, 0),
    ("C09", "half the layers see 128 tokens", '=KV_BYTES("gpt-oss-20b",8192,32)/2^30', 6.09375, 0),
    (
        "C09",
        "an engine may reserve them in full",
        '=KV_BYTES("gpt-oss-20b",8192,32,"window_reserved_in_full=1")/2^30',
        12,
        0,
    ),
    ("C09", "one sequence of the large one", '=KV_BYTES("gpt-oss-120b",8192)', 306_708_480, 0),
    ("C10", "a window that is switched off caps nothing", '=KV_BYTES("qwen2-7b",131072)/131072', 57_344, 0),
    (
        "C12",
        "ten million tokens, if no layer were chunked",
        '=KV_BYTES("llama-4-scout",10485760,1,"window_reserved_in_full=1")/1E12',
        2.06,
        0.001,
    ),
    ("C12", "three of four layers are chunked", '=TS_SPEC("llama-4-scout","window_layers")', 36, 0),
    ("C14", "a tied embedding counts once", '=TS_SPEC("qwen3-0.6b","parameters")', 596_049_920, 0),
    ("C14", "counted, not named", '=TS_SPEC("llama-3.1-8b","parameters")', 8_030_261_248, 0),
    ("C14", "counted, not named", '=TS_SPEC("llama-3.1-70b","parameters")', 70_553_706_496, 0),
    (
        "C15",
        "all experts lie in memory",
        '=TS_SPEC("qwen3.5-122b-a10b","published_parameters")*0.58/1E9',
        72.6,
        0.001,
    ),
    ("C15", "all experts lie in memory", '=WEIGHT_BYTES("mixtral-8x7b")/1E9', 93.4, 0.001),
    (
        "C15",
        "two of eight are passed",
        '=TS_SPEC("mixtral-8x7b","active")+TS_SPEC("mixtral-8x7b","embedding_parameters")',
        12_879_925_248,
        0,
    ),
    ("C16", "one token reads 8 of 128 experts", '=EXPERTS_TOUCHED("qwen3-30b-a3b",1)', 8, 1e-9),
    ("C16", "a batch of 64 reads nearly all", '=EXPERTS_TOUCHED("qwen3-30b-a3b",64)', 125.9, 0.001),
    ("C18", "blocks carry scales", '=TS_SPEC("q4_k_m","bytes_per_element")*8', 4.5, 0),
    ("C18", "blocks carry scales", '=TS_SPEC("q6_k","bytes_per_element")*8', 6.5625, 0),
    ("C18", "blocks carry scales", '=TS_SPEC("q8_0","bytes_per_element")*8', 8.5, 0),
    ("C18", "a mix", '=WEIGHT_BYTES("llama-3.1-70b","weights=q4_k_m")/1E9', 42.5, 0.001),
    ("C18", "the file's own size wins", '=MEMORY_BYTES("qwen3-4b",0,1,"weight_bytes=2.74E9")', 2.74e9, 0),
    (
        "C20",
        "MXFP4 on experts alone: the checkpoint's 65,248,815,744 bytes",
        '=WEIGHT_BYTES("gpt-oss-120b","weights=mxfp4")',
        65_248_815_744,
        0.001,
    ),
    (
        "C20",
        "expanded to 16 bit",
        '=WEIGHT_BYTES("gpt-oss-120b")/WEIGHT_BYTES("gpt-oss-120b","weights=mxfp4")',
        3.58,
        0.002,
    ),
    ("C22", "GB is 1e9", '=WEIGHT_BYTES("llama-3.1-70b")/1E9', 141.107, 1e-5),
    ("C22", "GiB is 2^30", '=WEIGHT_BYTES("llama-3.1-70b")/2^30', 131.417, 1e-5),
    ("C22", "a long sequence", '=KV_BYTES("llama-3.1-70b",32768)/2^30', 10, 0),
    ("C23", "what the driver shows", '=TS_SPEC("h100-sxm-80gb","usable memory")/2^20', 81_559, 0),
    ("C23", "what the driver shows", '=TS_SPEC("a100-sxm-40gb","usable memory")/2^20', 40_960, 0),
    ("C23", "what the driver shows", '=TS_SPEC("l4","usable memory")/2^20', 23_034, 0),
    ("C23", "what the driver shows", '=TS_SPEC("a10","usable memory")/2^20', 23_028, 0),
    ("C23", "what the driver shows", '=TS_SPEC("l40s","usable memory")/2^20', 46_068, 0),
    ("C23", "what the driver shows", '=TS_SPEC("t4","usable memory")/2^20', 15_360, 0),
    (
        "C23",
        "42.5 of 42.9 GB leave nothing to run in",
        '=FITS("llama-3.1-70b","a100-sxm-40gb",1,0,1,"weights=q4_k_m")',
        0,
        0,
    ),
    ("C28", "variants differ: SXM", '=TS_SPEC("h100-sxm-80gb","flops")/1E12', 989.5, 0.001),
    ("C28", "variants differ: PCIe", '=TS_SPEC("h100-pcie-80gb","flops")/1E12', 756, 0.001),
    ("C28", "no copy of its neighbour", '=TS_SPEC("rtx-3090-ti","bandwidth")/1E9', 1008, 0),
    ("C29", "a look-up is no product", '=FLOPS_PER_TOKEN("llama-3.1-8b")/1E9', 15.01, 0.0001),
    ("C30", "causal pairs of 200 tokens", "=ATTENTION_PAIRS(200)", 20_100, 0),
    ("C30", "two prompts of 100", "=2*ATTENTION_PAIRS(100)", 10_100, 0),
    ("C30", "a chunk after a long prefix", "=ATTENTION_PAIRS(8192,131072)", 1_107_300_352, 0),
    *(
        (
            "C30",
            "attention grows with the square: operations over those of the parameters",
            f'=1+PREFILL_ATTENTION_FLOPS("llama-3.1-8b",{tokens})/(2*TS_SPEC("llama-3.1-8b","params")*{tokens})',
            factor,
            0.005,
        )
        for tokens, factor in ((4096, 1.07), (32_768, 1.53), (131_072, 3.14))
    ),
    (
        "C31",
        "the cache is read beside the weights, the embedding is not",
        '=DECODE_MEMORY_TIME("llama-3.1-8b","h100-sxm-80gb",1,8192,32,"profile=ideal")*3.35E12',
        32 * 8192 * 131_072 + 2 * (8_030_261_248 - 525_336_576),
        1e-12,
    ),
    ("C45", "an adapter of rank 16", '=ADAPTER_BYTES("llama-3.1-8b","adapters=1")', 2 * 41_943_040, 0),
    (
        "C45",
        "eight of rank 64 leave less room for the cache",
        '=MEMORY_PER_DEVICE("llama-3.1-8b","h100-sxm-80gb",1,0,1,"adapters=8; adapter_rank=64")'
        '-MEMORY_PER_DEVICE("llama-3.1-8b","h100-sxm-80gb",1,0)',
        2_684_354_560,
        0,
    ),
    ("C46", "an image is tokens", "=IMAGE_TOKENS(1024,1024,16,2)", 1024, 0),
    ("C46", "an image is cache", '=KV_BYTES("qwen3-8b",IMAGE_TOKENS(1024,1024,16,2))', 150_994_944, 0),
    (
        "C46",
        "the tower lies beside the model",
        '=MEMORY_PER_DEVICE("qwen3-8b","h100-sxm-80gb",1,0,1,"companion_bytes=1.15E9")'
        '-MEMORY_PER_DEVICE("qwen3-8b","h100-sxm-80gb",1,0)',
        1.15e9,
        1e-9,
    ),
]


def evaluated(text: str) -> Result:
    return CliRunner().invoke(tokensheet, ["eval", text])


@pytest.mark.parametrize(
    ("cell", "value", "within"),
    [row[2:] for row in NUMBERS],
    ids=[f"{id}: {says}" for id, says, *_ in NUMBERS],
)
def test_right_number(cell: str, value: float, within: float) -> None:
    done = evaluated(cell)
    assert done.exit_code == 0, done.stdout
    assert float(done.stdout) == pytest.approx(value, rel=within, abs=0)


CARD = 97_887 * MIB
WANTED, FREE = 90.22 * GIB, 79.12 * GIB
CROWDED = f'"profile=ideal; memory_reserve={1 - WANTED / CARD}; other_memory_bytes={CARD - FREE}"'

REFUSED: list[tuple[str, str, str, list[str]]] = [
    (
        "C25",
        "a share of the whole card that is not free",
        f'=DECODE_LATENCY("llama-3.1-8b","rtx-pro-6000-bw",1,4096,1,{CROWDED})',
        [f"takes {WANTED / 1e9:.4g} GB", f"only {FREE / 1e9:.4g} GB are free", f"{FREE / CARD:.2%}"[:5]],
    ),
    (
        "C28",
        "a name that several devices share",
        '=RIDGE_BATCH("H100")',
        ["h100-nvl-94gb", "h100-pcie-80gb", "h100-sxm-80gb"],
    ),
]


@pytest.mark.parametrize(
    ("cell", "says"), [row[2:] for row in REFUSED], ids=[f"{id}: {says}" for id, says, *_ in REFUSED]
)
def test_refused_with_the_reason(cell: str, says: list[str]) -> None:
    done = evaluated(cell)
    assert done.exit_code == 1
    assert [part for part in says if part not in done.stdout] == []


def test_without_other_use_the_same_share_is_free() -> None:
    """C25: other use is 0 unless stated."""
    free = CROWDED[: CROWDED.index("; other")] + '"'
    assert evaluated(f'=DECODE_LATENCY("llama-3.1-8b","rtx-pro-6000-bw",1,4096,1,{free})').exit_code == 0


WARNED: list[tuple[str, str, str, str]] = [
    (
        "C12",
        "more context than the model was made for",
        '=KV_BYTES("llama-3.1-8b",200000)',
        "context 200,000 is beyond the 131,072 tokens that llama-3.1-8b was trained for",
    ),
    (
        "C12",
        "the same of a result",
        '=DECODE_LATENCY("llama-3.1-8b","h100-sxm-80gb",1,200000)',
        "beyond the 131,072 tokens",
    ),
    (
        "C20",
        "a device without fp4 units",
        '=DECODE_LATENCY("gpt-oss-120b","h100-sxm-80gb",2,4096,1,"weights=mxfp4")',
        "computes in 16 bit; software that also keeps them expanded needs the memory of weights=bf16",
    ),
]


@pytest.mark.parametrize(
    ("cell", "says"), [row[2:] for row in WARNED], ids=[f"{id}: {says}" for id, says, *_ in WARNED]
)
def test_answered_with_a_warning(cell: str, says: str) -> None:
    """The answer stands alone on standard output."""
    done = evaluated(cell)
    assert done.exit_code == 0
    assert float(done.stdout) > 0
    assert says in done.stderr


IMPORTED: list[tuple[str, str, str, dict[str, Any]]] = [
    ("C10", "null is no window", "03_qwen3_0_6b", {"window": None, "kv_bytes_per_token": 114_688}),
    ("C21", "fp8 in blocks", "05_qwen3_32b_fp8_block", {"weights": "fp8-block", "kv": "bf16"}),
    ("C21", "config groups", "06_qwen3_32b_fp8_static_modelopt", {"weights": "fp8", "kv": "fp8"}),
    ("C21", "AWQ", "47_qwen3_4b_awq", {"weights": "awq-int4"}),
    ("C21", "inside text_config", "17_gemma4_31b_nvfp4", {"weights": "mixed", "kv": "fp8"}),
    ("C21", "two groups in one model", "29_qwen36_27b_mixed", {"weights": "mixed", "kv": "fp8"}),
    ("C59", "sizes one level down", "16_gemma4_26b_a4b", {"path": "text_config"}),
    ("C62", "multi_query", "31_gpt_bigcode", {"kv_bytes_per_token_16bit": 12_288}),
    ("C62", "multi_query_group_num", "33_chatglm", {"kv_bytes_per_token_16bit": 28_672}),
    ("C62", "n_head_kv", "44_falcon40b_refinedweb", {"kv_bytes_per_token_16bit": 122_880}),
]


@pytest.mark.parametrize(
    ("file", "wanted"), [row[2:] for row in IMPORTED], ids=[f"{id}: {says}" for id, says, *_ in IMPORTED]
)
def test_right_import(file: str, wanted: dict[str, Any]) -> None:
    done = CliRunner().invoke(tokensheet, ["catalog", "import", str(CONFIGS / f"{file}.json"), "--json"])
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert {key: found[key] for key in wanted} == wanted


def test_a_window_above_the_longest_context_caps_nothing() -> None:
    """C10: 393,216 bytes for every token, as in Phi-3.5."""
    config = {
        "model_type": "phi3",
        "num_hidden_layers": 32,
        "hidden_size": 3072,
        "num_attention_heads": 32,
        "num_key_value_heads": 32,
        "intermediate_size": 8192,
        "vocab_size": 32064,
        "max_position_embeddings": 131_072,
        "sliding_window": 262_144,
        "torch_dtype": "bfloat16",
    }
    found = import_config(config)
    assert (found.model.window_layers, found.kv_bytes_per_token_16bit) == (0, 393_216)


def test_windows_of_26b_cap_most_of_the_cache(tmp_path: Path) -> None:
    """C09: 2.89 GB for 131,072 tokens, through an imported record."""
    file, runner = tmp_path / "gemma.py", CliRunner()
    config = str(CONFIGS / "16_gemma4_26b_a4b.json")
    done = runner.invoke(tokensheet, ["catalog", "import", config, "--id", "gemma", "-o", str(file)])
    assert done.exit_code == 0, done.stderr
    done = runner.invoke(tokensheet, ["--plugin", str(file), "eval", '=KV_BYTES("gemma",131072)/1E9'])
    assert float(done.stdout) == pytest.approx(2.89, abs=0.005)


def test_the_second_file_is_read_and_its_lack_is_told(tmp_path: Path) -> None:
    """C21: a checkpoint in NVFP4 whose config.json does not say so."""
    config = CONFIGS / "28a_deepseek_v31_nvfp4_config.json"
    assert any("hf_quant_config.json" in text for text in import_config(config).assumptions)
    (tmp_path / "config.json").write_bytes(config.read_bytes())
    beside = {"quantization": {"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8"}}
    (tmp_path / "hf_quant_config.json").write_text(json.dumps(beside), encoding="utf-8")
    found = import_config(tmp_path)
    assert (found.weights, found.kv) == ("nvfp4", "fp8")


def test_an_unknown_quantisation_is_a_question_and_never_16_bit() -> None:
    """C21."""
    content = json.loads((CONFIGS / "01_llama31_8b.json").read_text(encoding="utf-8"))
    found = import_config({**content, "quantization_config": {"quant_method": "nonesuch"}})
    assert (found.weights, found.weight_bytes) == (None, None)
    assert any("choose `weights`" in text for text in found.questions)


def test_a_language_part_two_levels_down_is_found() -> None:
    """C59: the numbers at the top belong to something else."""
    text = json.loads((CONFIGS / "03_qwen3_0_6b.json").read_text(encoding="utf-8"))
    outer = {"model_type": "omni", "hidden_size": 1152, "thinker_config": {"text_config": text}}
    found = import_config(outer)
    assert (found.path, found.kv_bytes_per_token_16bit) == ("thinker_config.text_config", 114_688)


def test_missing_sizes_stop_the_import() -> None:
    """C59: the defaults of a library are not the model's."""
    with pytest.raises(ConfigError, match="missing keys in text_config: num_hidden_layers"):
        import_config(CONFIGS / "40_llava_empty_text_config.json")


def test_every_number_of_a_device_has_source_and_state() -> None:
    """C28."""
    for entry in planner().registry.catalog("accelerator"):
        record = entry.record
        assert record.name and record.source
        assert all(record.source_of(n) and record.state_of(n) for n in record.quantities())


IMPOSSIBLE: list[tuple[str, type[Accelerator | Price], dict[str, Any], str]] = [
    ("C22", Accelerator, {"memory_bytes": 80}, "did you mean 80e9?"),
    ("C22", Accelerator, {"memory_bytes": 80e9, "usable_memory_bytes": 81_559}, "is it in MB or MiB?"),
    (
        "C52",
        Price,
        {"price_kind": "api", "item": "m", "usd_per_million_input_tokens": 15_000.0},
        "per token or per thousand taken for per million?",
    ),
    (
        "C54",
        Price,
        {"price_kind": "on_demand", "item": "8 x H100", "usd_per_gpu_hour": 20.0 * 730},
        "price of a node, or of a month, taken for one device and hour?",
    ),
]


@pytest.mark.parametrize(("kind", "fields", "says"), [row[1:] for row in IMPOSSIBLE])
def test_another_unit_is_refused_at_load(kind: type[Any], fields: dict[str, Any], says: str) -> None:
    blank = {"vendor": "v", "memory_bytes": None, "memory_bandwidth": None} if kind is Accelerator else {}
    with pytest.raises(ValidationError) as caught:
        kind(**({"id": "x", "source": "test"} | blank | fields))
    assert says in str(caught.value)


def test_kinds_of_rent_are_told_apart_and_old_ones_flagged() -> None:
    """C55: on demand, reserved with its term, and spot are three kinds."""
    found = {id: entries(planner(), id)[0].record for id in ("p003", "p080", "p017")}
    kinds = {id: (price.price_kind, price.term) for id, price in found.items() if isinstance(price, Price)}
    assert kinds == {
        "p003": ("on_demand", "on demand"),
        "p080": ("reserved", "1-year reserved"),
        "p017": ("spot", "spot"),
    }
    assert evaluated('=TS_SPEC("p003","stale")').stdout.strip() == "1"


def test_prices_of_tokens_say_whether_cached_ones_are_included() -> None:
    """C49."""
    (entry,) = entries(planner(), "openai/gpt-5")
    assert isinstance(entry.record, Price)
    assert entry.record.input_includes_cached
    assert Price.quantities()["usd_per_million_input_tokens"].text == (
        "a million input tokens that were not cached"
    )


def test_a_config_error_is_one_line_for_the_user() -> None:
    """C59: all that is missing at once, exit code 1, no traceback."""
    done = CliRunner().invoke(
        tokensheet, ["catalog", "import", str(CONFIGS / "40_llava_empty_text_config.json")]
    )
    assert isinstance(done.exception, TokensheetError)
    assert "\n" not in str(done.exception)


COVERED = (
    "C01 C03 C09 C10 C12 C14 C15 C16 C18 C20 C21 C22 C23 C25 C28 C29 C30 C31 C45 C46 C49 C52 C54 C55 C59 C62"
)


def test_no_hazard_is_left_out() -> None:
    """A row that is taken out of a table is missed."""
    rows = {row[0] for table in (NUMBERS, REFUSED, WARNED, IMPORTED, IMPOSSIBLE) for row in table}
    text = Path(__file__).read_text(encoding="utf-8").partition("COVERED =")[0]
    assert rows <= set(COVERED.split())
    assert [id for id in COVERED.split() if id not in rows and f'"""{id}' not in text] == []
