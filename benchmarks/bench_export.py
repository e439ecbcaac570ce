"""What an export costs: time, peak memory and file size, for the first proposal, twelve candidates and a fleet.

Each is measured in a process of its own, cold, with the full catalogue; then LibreOffice calculates all its formulas.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

FIRST = ROOT / "workbooks" / "llama-2-70b-4090-or-h100.toml"
FLEET = ROOT / "workbooks" / "chat-fleet-owned-or-rented.toml"
TWELVE = "\n".join(
    [
        'title = "Twelve candidates"',
        'workload = { model = "llama-2-70b", context = 4096 }',
        *(
            f'[[candidates]]\nname = "batch {b}"\ngpu = "h100-sxm-80gb"\ngpus = 8\nbatch = {b}'
            for b in range(1, 13)
        ),
    ]
)
BUDGETS = {"first proposal": "2 s", "twelve candidates": "3 s, 300 MB, 1 MB; 1 s", "fleet": "none"}


def measured(text: str, path: str) -> dict[str, float]:
    """Seconds to the catalogue and to the workbook, peak memory and sizes, of one export in this process."""
    started = time.perf_counter()
    import tokensheet
    from tokensheet.proposal import parse
    from tokensheet.workbook.build import build

    planner = tokensheet.planner()
    proposal = parse(text, planner)
    ready = time.perf_counter()
    made = build(planner, proposal)
    done = time.perf_counter()
    build(planner, proposal)
    again = time.perf_counter()
    Path(path).write_bytes(made.xlsx)
    return {
        "start": ready - started,
        "export": done - ready,
        "warm": again - done,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "xlsx": len(made.xlsx) / 1000,
        "txt": len(made.text.encode()) / 1000,
    }


def main() -> None:
    """Prints a line for each proposal."""
    from tests.tools.office import Office

    print("proposal            start  export    warm  peak memory     .xlsx      .txt  recalculated   budget")
    texts = {
        "first proposal": FIRST.read_text(encoding="utf-8"),
        "twelve candidates": TWELVE,
        "fleet": FLEET.read_text(encoding="utf-8"),
    }
    office = Office()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in texts.items():
                path = Path(folder) / "plan.xlsx"
                run = [sys.executable, str(Path(__file__)), "--one", str(path)]
                done = subprocess.run(
                    run, input=text, capture_output=True, text=True, check=True, encoding="utf-8"
                )
                m = json.loads(done.stdout)
                print(
                    f"{name:<18} {m['start']:5.2f} s {m['export']:5.2f} s {m['warm']:5.2f} s {m['memory']:8.0f} MB "
                    f"{m['xlsx']:7.0f} kB {m['txt']:6.0f} kB {office.seconds(path):9.2f} s     {BUDGETS[name]}"
                )
    finally:
        office.close()


if __name__ == "__main__":
    if "--one" in sys.argv:
        print(json.dumps(measured(sys.stdin.read(), sys.argv[2])))
    else:
        main()
