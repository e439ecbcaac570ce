"""The same plan in other calculators, side by side in one run: `python -m benchmarks.peers [--only NAME …]`.

Each peer gets an environment of its own below build/peers, from PyPI, or from its repository where it has no package;
one that does not install or run is skipped with the reason that the attempt gave. All run one after another on this
machine, on one core where the system allows it: Llama 70B in 16 bit on eight H100, tp 8, context 4,096. A sweep varies
batch and context. Times are processor time, the best of several, so that other work on the machine counts little.
Results stand in benchmarks/data/peers.json and docs/accuracy.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.peer_table import OURS, PEERS, REQUIREMENTS, Peer

ROOT = Path(__file__).parents[1]
HOME = ROOT / "build" / "peers"
RESULTS = ROOT / "benchmarks" / "data" / "peers.json"
INSTALL_SECONDS, RUN_SECONDS = 900, 900
MILLION = 1_000_000

HARNESS = """
import json, resource, sys, time
now, repository = time.process_time, {repository!r}
start = now()
{imports}
imported = now() - start
{code}
first = one(16, 4096)
ready = now() - start
begin = now(); one(16, 4096); count = max(1, min(5000, int(0.02 / max(1e-9, now() - begin))))
best, spent = 1e9, 0.0
while spent < 3:
    begin = now()
    for _ in range(count): one(16, 4096)
    took = now() - begin; best = min(best, took / count); spent += took
if "sweep" in globals():
    sweep({million}); rate = 0.0
    for _ in range({repeats}):
        begin = now(); done = sweep({million}); rate = max(rate, done / (now() - begin))
else:
    done, begin = 0, now()
    while now() - begin < {seconds}:
        one(1 + done % 64, 256 + 8 * (done % 480)); done += 1
    rate = done / (now() - begin)
sys.stdout = sys.__stdout__
print(json.dumps(dict(imported=imported, ready=ready, answer=first, one=best, rate=rate, swept=done,
    peak=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)))
"""


def run(command: list[str], seconds: float, **more: Any) -> str:
    """What a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds, **more).stdout


def environment(peer: Peer, clones: Mapping[str, str]) -> tuple[Path, str, str]:
    """A peer's interpreter, its repository's folder if it has one, and where it came from; made when not there."""
    folder = HOME / peer.name
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    done = folder / "installed"
    pip = [str(python), "-m", "pip", "install", "--quiet"]
    repository = folder / "repository"
    if not done.exists():
        venv.create(folder, with_pip=True, clear=True)
        try:
            run([*pip, *peer.install], INSTALL_SECONDS)
            done.write_text(f"PyPI: {', '.join(peer.install)}", encoding="utf-8")
        except subprocess.CalledProcessError as error:
            if not peer.repository:
                raise
            print(f"{peer.name}: PyPI: {reason(error)}; trying {peer.repository}", flush=True)
            place = clones.get(peer.name, peer.repository)
            run(["git", "clone", "--quiet", "--depth", "1", place, str(repository)], INSTALL_SECONDS)
            run([*pip, *REQUIREMENTS[peer.name]], INSTALL_SECONDS)
            commit = run(["git", "-C", str(repository), "rev-parse", "--short", "HEAD"], 60).strip()
            done.write_text(f"no package of that name; {peer.repository} at {commit}", encoding="utf-8")
    return python, str(repository), done.read_text(encoding="utf-8")


def measured(peer: Peer, python: Path, repository: str, seconds: float) -> dict[str, float]:
    """What a peer's process says of itself."""
    repeats = 15 if peer is OURS else 3
    text = HARNESS.format(
        imports=peer.imports, code=peer.code, seconds=seconds, repository=repository, million=MILLION,
        repeats=repeats,
    )  # fmt: skip
    command = [str(python), "-c", text]
    if shutil.which("taskset"):
        command = ["taskset", "-c", "0", *command]
    one_thread = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "RAYON")}
    with tempfile.TemporaryDirectory() as folder:  # some write files where they stand
        printed = run(command, RUN_SECONDS, cwd=folder, env={**os.environ, **one_thread})
    found: dict[str, float] = json.loads(printed.strip().splitlines()[-1])
    return found


def reason(error: Exception) -> str:
    """The last line of what went wrong, without the places of this machine."""
    if isinstance(error, subprocess.TimeoutExpired):
        return f"took longer than {error.timeout:.0f} s"
    text = error.stderr if isinstance(error, subprocess.CalledProcessError) else str(error)
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return lines[-1].replace(str(ROOT), "…")[:160] if lines else type(error).__name__


def main() -> None:
    """Prints a table and keeps it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[p.name for p in PEERS], help="names of peers")
    parser.add_argument("--seconds", type=float, default=5, help="length of a sweep without a way of its own")
    parser.add_argument(
        "--clone", nargs="*", default=[], metavar="NAME=PLACE", help="take a peer's repository from elsewhere"
    )
    given = parser.parse_args()
    clones = dict(each.split("=", 1) for each in given.clone)
    print(f"{'':16} {'import s':>9} {'one plan':>14} {'plans a second':>15} {'peak MB':>8} {'decode ms':>10}")
    results: list[dict[str, Any]] = []
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    for peer in (OURS, *(p for p in PEERS if p.name in given.only)):
        try:
            place = (Path(sys.executable), "", "this project") if peer is OURS else environment(peer, clones)
            found = measured(peer, place[0], place[1], given.seconds)
        except (subprocess.SubprocessError, OSError, ValueError) as error:
            results.append({"name": peer.name, "skipped": reason(error)})
            print(f"{peer.name:16} skipped: {reason(error)}", flush=True)
            continue
        results.append({"name": peer.name, "from": place[2], "note": peer.note, **found})
        print(
            f"{peer.name:16} {found['imported']:9.3f} {found['one'] * 1e6:11,.1f} µs {found['rate']:15,.1f} "
            f"{found['peak']:8.0f} {found['answer']:10.2f}   {peer.note}",
            flush=True,
        )
    busy = f", {load:.1f} other processes running at the start" if load >= 0.5 else ""
    machine = f"Python {platform.python_version()}, {platform.system()}, {os.cpu_count()} cores{busy}"
    if sorted(given.only) == sorted(p.name for p in PEERS):
        RESULTS.write_text(
            json.dumps({"machine": machine, "results": results}, indent=1) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
