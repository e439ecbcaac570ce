"""Other calculators: what to install for each, and the few lines that ask it for the plan of benchmarks/peers.py.

`one(batch, context)` gives a decode step in milliseconds; `sweep(size)`, where a peer has a faster way for many
configurations, takes that way and gives how many it did. No timing here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Peer:
    """A calculator: packages from PyPI, or a repository and what its README says to install beside it."""

    name: str
    install: tuple[str, ...]
    imports: str
    code: str
    note: str = ""
    repository: str = ""
    """Cloned where there is no package under that name; its folder is `repository` in the code."""


OURS = Peer(
    "tokensheet",
    (),
    "import tokensheet",
    """
plan = dict(model="llama-3.1-70b", gpu="h100-sxm-80gb", gpus=8)
planner = tokensheet.planner()
def one(batch, context):
    return planner.one("decode_latency", dict(plan, batch=float(batch), context=float(context))) * 1000
given = {}
def sweep(size):
    import numpy as np
    if not given:
        numbers = np.random.default_rng(1)
        given.update(plan, batch=numbers.integers(1, 64, size).astype(float),
            context=numbers.integers(256, 4096, size).astype(float))
    assert np.isfinite(tokensheet.evaluate("decode_latency", **given)).all()
    return size
""",
    "profile default; memory, degrees and heads are checked in each answer",
)
PEERS = (
    Peer(
        "genz-llm",
        ("genz-llm==0.0.16",),
        "import io; sys.stdout = io.StringIO()\nfrom GenZ import decode_moddeling",
        """
def one(batch, context):
    return float(decode_moddeling(model="meta-llama/meta-llama-3.1-70b", batch_size=batch, Bb=1, input_tokens=context,
        output_tokens=0, system_name="H100_GPU", bits="bf16", tensor_parallel=8)["Latency"])
""",
        "operator by operator, at datasheet rates",
    ),
    Peer(
        "llm-analysis",
        ("llm-analysis==0.2.2",),
        "import logging; logging.disable(logging.CRITICAL)\nfrom llm_analysis.analysis import infer",
        """
def one(batch, context):
    found = infer(model_name="upstage_Llama-2-70b-instruct-v2", gpu_name="h100-sxm-80gb", dtype_name="w16a16e16",
        log_level="ERROR", batch_size_per_gpu=batch, tp_size=8, seq_len=context - 1, num_tokens_to_generate=1,
        flops_efficiency=1, hbm_memory_efficiency=1)
    return float(found["decode_latency"]) * 1000
""",
        "Llama 2 70B, at datasheet rates; prefill and decode in one call",
    ),
    Peer(
        "llm-viewer",
        ("llm-viewer",),
        "import io, json, os; sys.stdout = io.StringIO()\nsys.path.insert(0, repository); home = os.getcwd()\n"
        "from model_analyzer import ModelAnalyzer",
        """
json.dump(dict(model_type="llama", hidden_size=8192, intermediate_size=28672, num_attention_heads=64,
    num_key_value_heads=8, num_hidden_layers=80, vocab_size=128256), open(os.path.join(home, "config.json"), "w"))
os.chdir(repository)
analyzer = ModelAnalyzer(home, "nvidia_H100", "configs/Llama.py")
def one(batch, context):
    found = analyzer.analyze(seqlen=context, batchsize=batch, w_bit=16, a_bit=16, kv_bit=16)
    return found["total_results"]["decode"]["inference_time"] * 1000
""",
        "one device: no tensor parallelism; at datasheet rates",
        "https://github.com/hahnyuan/LLM-Viewer",
    ),
    Peer(
        "mlsysim",
        ("mlsysim==0.3.0",),
        "from mlsysim import Hardware, Models\nfrom mlsysim.engine.solvers.serving import ServingModel",
        """
solver = ServingModel()
def one(batch, context):
    found = solver.solve(Models.Language.Llama3_70B, Hardware.Cloud.H100, seq_len=context, batch_size=batch, precision="fp16")
    return float(found.itl.m_as("ms"))
""",
        "one device: its serving model has no tensor parallelism",
    ),
    Peer(
        "aiconfigurator",
        ("aiconfigurator==0.12.0", "aiconfigurator-core==0.12.0"),
        "import logging, warnings; warnings.simplefilter('ignore'); logging.disable(logging.CRITICAL)\n"
        "from aiconfigurator.cli.api import cli_estimate",
        """
def one(batch, context):
    return float(cli_estimate("meta-llama/Meta-Llama-3.1-70B", "h100_sxm", mode="static_gen", backend_name="vllm", isl=context,
        osl=2, batch_size=batch, tp_size=8, stride=1, gemm_quant_mode="bfloat16", kvcache_quant_mode="bfloat16",
        fmha_quant_mode="bfloat16").tpot)
from aiconfigurator.sdk import common, config
from aiconfigurator.sdk.backends.factory import get_backend
from aiconfigurator.sdk.inference_session import InferenceSession
from aiconfigurator.sdk.models import get_model
from aiconfigurator.sdk.perf_database import get_database, get_latest_database_version
formats = config.ModelConfig(tp_size=8, gemm_quant_mode=common.GEMMQuantMode.bfloat16,
    kvcache_quant_mode=common.KVCacheQuantMode.bfloat16, fmha_quant_mode=common.FMHAQuantMode.bfloat16)
session = InferenceSession(get_model("meta-llama/Meta-Llama-3.1-70B", formats, "vllm"),
    get_database("h100_sxm", "vllm", get_latest_database_version("h100_sxm", "vllm")), get_backend("vllm"))
def sweep(size):
    for i in range(20000):
        session.run_static_latency_only(
            config.RuntimeConfig(isl=256 + 8 * (i * 7919 % 480), osl=2, batch_size=1 + i % 64), "static_gen", 1)
    return 20000
""",
        "tables of measured kernels; one plan by its documented call, many in a session that is kept open",
    ),
)
REQUIREMENTS = {"llm-viewer": ("transformers", "flask", "flask_cors", "easydict", "numpy")}
"""What a repository without a package needs, by its README."""
