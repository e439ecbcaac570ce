"""The same plan in other calculators, side by side in one run: `python -m benchmarks.peers [--only NAME …]`.

Each peer gets an environment of its own below build/peers; one that does not install or does not run is skipped with
the reason. All run one after another on this machine, on one core where the system allows it: Llama 70B in 16 bit on
eight H100, tp 8, context 4,096. A sweep varies batch and context; peers run as long as `--seconds` and are given as
configurations a second, ours runs 1,000,000 in one call.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOME = ROOT / "build" / "peers"
INSTALL_SECONDS, RUN_SECONDS = 900, 600

HARNESS = """
import json, resource, statistics, sys, time
start = time.perf_counter()
{imports}
imported = time.perf_counter() - start
{code}
first = one(16, 4096)
times = []
while len(times) < 5 or (sum(times) < 2 and len(times) < 20000):
    begin = time.perf_counter(); one(16, 4096); times.append(time.perf_counter() - begin)
try:
    rate = sweep()
except NameError:
    count, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < {seconds}:
        one(1 + count % 64, 256 + 8 * (count % 480)); count += 1
    rate = count / (time.perf_counter() - begin)
sys.stdout = sys.__stdout__
print(json.dumps(dict(imported=imported, answer=first, one=statistics.median(times), rate=rate,
    peak=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)))
"""


@dataclass(frozen=True)
class Peer:
    """A calculator: what to install, and a function `one(batch, context)` that gives a decode step in milliseconds."""

    name: str
    install: tuple[str, ...]
    imports: str
    code: str
    note: str = ""


OURS = Peer(
    "tokensheet",
    (),
    "import tokensheet",
    """
plan = dict(model="llama-3.1-70b", gpu="h100-sxm-80gb", gpus=8)
planner = tokensheet.planner()
def one(batch, context):
    return planner.one("decode_latency", dict(plan, batch=float(batch), context=float(context))) * 1000
def sweep():
    import numpy as np
    numbers = np.random.default_rng(1)
    size = 1_000_000
    given = dict(plan, batch=numbers.integers(1, 64, size).astype(float), context=numbers.integers(256, 4096, size).astype(float))
    tokensheet.evaluate("decode_latency", **given)
    best = 1e9
    for _ in range(5):
        begin = time.perf_counter(); found = tokensheet.evaluate("decode_latency", **given); best = min(best, time.perf_counter() - begin)
    assert np.isfinite(found).all()
    return size / best
""",
    "memory, degrees and heads are checked in each answer",
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
        "operator by operator",
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
        "Llama 2 70B; prefill and decode in one call",
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
""",
        "tables of measured kernels; a session that is kept open is faster than this call",
    ),
)
LLM_VIEWER = "no package; its repository holds scripts for one device without tensor parallelism"


def environment(peer: Peer) -> Path:
    """The interpreter of a peer's environment, made and filled when it is not there."""
    folder = HOME / peer.name
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    done = folder / "installed"
    if not done.exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", *peer.install],
            check=True, capture_output=True, text=True, timeout=INSTALL_SECONDS,
        )  # fmt: skip
        done.write_text("\n".join(peer.install), encoding="utf-8")
    return python


def measured(peer: Peer, python: Path, seconds: float) -> Mapping[str, float]:
    """What a peer's process says of itself."""
    text = HARNESS.format(imports=peer.imports, code=peer.code, seconds=seconds)
    command = [str(python), "-c", text]
    if sys.platform == "linux":
        command = ["taskset", "-c", "0", *command]
    one_thread = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    with tempfile.TemporaryDirectory() as folder:  # some write files where they stand
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=RUN_SECONDS, cwd=folder,
            env={**os.environ, **one_thread},
        )  # fmt: skip
    found: Mapping[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def reason(error: Exception) -> str:
    """The last line of what went wrong."""
    if isinstance(error, subprocess.TimeoutExpired):
        return f"took longer than {error.timeout:.0f} s"
    text = error.stderr if isinstance(error, subprocess.CalledProcessError) else str(error)
    lines = [line for line in (text or "").splitlines() if line.strip()]
    return lines[-1][:160] if lines else type(error).__name__


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[p.name for p in PEERS], help="names of peers")
    parser.add_argument("--seconds", type=float, default=5, help="length of a peer's sweep")
    given = parser.parse_args()
    print(f"{'':16} {'import s':>9} {'one plan':>12} {'plans a second':>15} {'peak MB':>8} {'decode ms':>10}")
    skipped = [("LLM-Viewer", LLM_VIEWER)]
    for peer in (OURS, *(p for p in PEERS if p.name in given.only)):
        try:
            python = Path(sys.executable) if peer is OURS else environment(peer)
            found = measured(peer, python, given.seconds)
        except (subprocess.SubprocessError, OSError, ValueError) as error:
            skipped.append((peer.name, reason(error)))
            continue
        print(
            f"{peer.name:16} {found['imported']:9.3f} {found['one'] * 1e6:9,.1f} µs {found['rate']:15,.1f} "
            f"{found['peak']:8.0f} {found['answer']:10.2f}   {peer.note}",
            flush=True,
        )
    for name, why in skipped:
        print(f"{name:16} skipped: {why}")


if __name__ == "__main__":
    main()
