"""What a search for a plan varies, and the searches themselves: a decode step under limits, a fleet under load."""

from __future__ import annotations

from tokensheet.plugin import Axis, Declaration, Search, Target

PLAN, FLEET = ("plan",), ("fleet",)
BOTH = PLAN + FLEET

SEARCHES = (
    Search("plan", "plan of a decode step at a stated batch and context", asks=("model", "context"), takes=("profile",)),
    Search(
        "fleet",
        "fleet that holds latency targets at a demand",
        asks=("model", "prompt", "output"),
        demands=(("request_rate",), ("users", "requests_per_day")),
        takes=("think_time", "answer_time", "peak_to_average", "target_percentile", "profile"),
    ),
)  # fmt: skip

AXES = (
    Axis("devices", "devices to try; by default all with a price and a confirmed peak", BOTH, of="gpu", every=True,
         avoids=(("is_doubtful", "its 16-bit peak is not confirmed"),)),
    Axis("counts", "devices of a replica", BOTH, of="gpus", values=(1, 2, 4, 8)),
    Axis("stages", "pipeline stages", BOTH, of="pp", values=(1, 2, 4, 8), splits="gpus"),
    Axis("groups", "data-parallel groups", BOTH, of="dp", values=(1,), splits="gpus"),
    Axis("expert_ranks", "expert ranks over which experts are spread; as the formulas have it by default", BOTH, of="ep"),
    Axis("batches", "sequences in flight", PLAN, of="batch", values=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512)),
    Axis("formats", "formats of the weights", BOTH, of="weights", values=("bf16",)),
    Axis("cache_formats", "formats of the cache", BOTH, of="kv", values=("bf16",)),
    Axis("links", "links between devices; each device's own by default", BOTH, of="interconnect", values=(None,)),
    Axis("sequences", "most sequences that the engine runs at once; the profile's by default", FLEET, of="max_sequences"),
)  # fmt: skip

TARGETS = (Target("max_latency", "longest decode latency", PLAN, node="decode_latency"),)

DECLARATIONS: tuple[Declaration, ...] = (*SEARCHES, *AXES, *TARGETS)
