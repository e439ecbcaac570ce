"""What a plan is asked with: records, inputs and assumptions of inference."""

from __future__ import annotations

from tokensheet.declare import Declaration
from tokensheet.plugin import Assumption, Input, Range, Role, Verdict

SHARE = Range(above=0, maximum=1)
COUNT = Range(minimum=1, whole=True)
FLAG = Range(minimum=0, maximum=1, whole=True)
TIME = Range(minimum=0)

ROLES = (
    Role("model", "model", "model that is served", example="llama-3.1-70b"),
    Role("gpu", "accelerator", "device that serves it", per_plan=True, example="h100-sxm-80gb"),
    Role(
        "weights", "format", "number format of the weights", prefix="weight_", default="bf16", per_plan=True
    ),
    Role("kv", "format", "number format of the KV cache", prefix="kv_", default="bf16", per_plan=True),
    Role(
        "interconnect",
        "link",
        "link between tensor-parallel devices",
        prefix="link_",
        follows=("gpu", "link"),
        per_plan=True,
    ),
    Role(
        "stage_interconnect",
        "link",
        "link between pipeline stages",
        prefix="stage_link_",
        follows=("interconnect", "id"),
        per_plan=True,
    ),
)

INPUTS = (
    Input(
        "batch",
        "sequence",
        "sequences in flight in one replica",
        1,
        Range(above=0),
        per_plan=True,
        limit="max_batch",
        example=16,
    ),
    Input(
        "context",
        "token",
        "tokens a sequence has in the cache at the step",
        range=Range(minimum=0),
        list_axis=True,
        example=4096,
    ),
    Input("prompt", "token", "prompt tokens of a request", range=Range(minimum=1), example=1000),
    Input(
        "output", "token", "generated tokens of a request", range=Range(minimum=1, whole=True), example=200
    ),
    Input("cached_prefix", "token", "tokens before the prompt that are in the cache already", 0, TIME),
    Input("gpus", "gpu", "devices of one replica", range=COUNT, per_plan=True, example=8),
    Input("dp", "1", "attention groups that share the batch inside a replica", 1, COUNT, per_plan=True),
    Input(
        "ep",
        "1",
        "ranks that hold whole experts; 1: each device a slice of every expert",
        1,
        COUNT,
        per_plan=True,
        example=8,
    ),
    Input("replicas", "replica", "whole copies of the plan", 1, COUNT, per_plan=True, example=2),
    Input("image_width", "1", "pixels of an image from left to right", range=COUNT, example=1024),
    Input("image_height", "1", "pixels of an image from top to bottom", range=COUNT, example=768),
    Input("patch_size", "1", "pixels of a side of one patch", range=COUNT, example=14),
    Input("patch_merge", "1", "patches of a side that become one token", 1, COUNT, example=2),
    Input("m", "1", "rows of the first matrix", range=COUNT, example=64),
    Input("k", "1", "columns of the first matrix, rows of the second", range=COUNT, example=4096),
    Input("n", "1", "columns of the second matrix", range=COUNT, example=8192),
    Input("regime_start", "token", "first context of a stretch in which step times grow evenly"),
    Input("regime_end", "token", "last context of that stretch"),
)

_PROFILE = "stated by profiles"
_PLAN = "stated by the plan"

ASSUMPTIONS = (
    Assumption(
        "bandwidth_efficiency",
        "1",
        "share of memory bandwidth reached reading weights",
        _PROFILE,
        range=SHARE,
    ),
    Assumption(
        "kv_bandwidth_efficiency",
        "1",
        "share of memory bandwidth reached reading the KV cache",
        _PROFILE,
        range=SHARE,
    ),
    Assumption(
        "compute_efficiency", "1", "share of peak FLOP/s reached in decode steps (MFU)", _PROFILE, range=SHARE
    ),
    Assumption(
        "prefill_compute_efficiency",
        "1",
        "share of peak FLOP/s reached in prefill (MFU)",
        _PROFILE,
        range=SHARE,
    ),
    Assumption("link_efficiency", "1", "share of a link's bandwidth reached", _PROFILE, range=SHARE),
    Assumption(
        "memory_reserve",
        "1",
        "share of device memory kept free for the runtime",
        _PROFILE,
        range=Range(minimum=0, maximum=0.99),
    ),
    Assumption(
        "other_memory_bytes",
        "byte",
        "bytes of each device in use by something else: another process, a desktop",
        _PLAN,
        0,
        TIME,
    ),
    Assumption(
        "companion_bytes",
        "byte",
        "bytes on each device of weights beside the model: a vision tower, a draft model with its cache",
        _PLAN,
        0,
        TIME,
    ),
    Assumption(
        "adapters",
        "count",
        "LoRA adapters that stay loaded: all take memory; reading them counts in ADAPTER_DECODE_LATENCY alone",
        _PLAN,
        0,
        Range(minimum=0, whole=True),
        example=8,
    ),
    Assumption("adapter_rank", "1", "rank of each LoRA adapter", _PLAN, 16, COUNT),
    Assumption(
        "activation_tokens",
        "token",
        "tokens whose intermediate activations have room set aside",
        _PROFILE,
        range=TIME,
    ),
    Assumption("messages_per_layer", "message", "tensor-parallel messages a layer", _PROFILE, range=TIME),
    Assumption(
        "message_bytes_per_element",
        "byte",
        "bytes of a message for each element of the hidden state",
        _PROFILE,
        2.0,
        TIME,
    ),
    Assumption(
        "message_mode",
        "1",
        "how a message's time is counted: 0 latency and transfer added, 1 the larger of the two, "
        "2 an all-reduce, ring or one-shot, whichever is faster",
        _PROFILE,
        range=Range(minimum=0, maximum=2, whole=True),
    ),
    Assumption(
        "stage_copies_per_rank",
        "flag",
        "1: each tensor-parallel rank sends its own copy to the next stage",
        _PROFILE,
        0,
        FLAG,
    ),
    Assumption(
        "overlap_communication",
        "flag",
        "1: communication runs behind computation of another batch",
        _PROFILE,
        0,
        FLAG,
    ),
    Assumption(
        "attention_flops_counted",
        "flag",
        "1: operations between tokens count, not only the weights'",
        _PROFILE,
        1,
        FLAG,
    ),
    Assumption(
        "uneven_sharding",
        "flag",
        "1: tp need not divide the heads; the largest shard counts",
        _PROFILE,
        0,
        FLAG,
    ),
    Assumption(
        "window_reserved_in_full",
        "flag",
        "1: window layers reserve the whole context, as some engines do",
        _PROFILE,
        0,
        FLAG,
    ),
    Assumption("step_overhead", "second", "time of a step outside all layers", _PROFILE, 0, TIME),
    Assumption(
        "layer_overhead",
        "second",
        "time a layer that does not depend on size: launches, small kernels",
        _PROFILE,
        0,
        TIME,
    ),
    Assumption(
        "moe_layer_overhead",
        "second",
        "further time of a layer with experts: routing, gathering",
        _PROFILE,
        0,
        TIME,
    ),
    Assumption(
        "sequence_overhead",
        "second",
        "time a step for each sequence in flight: scheduling, sampling",
        _PROFILE,
        0,
        TIME,
    ),
    Assumption("prefill_overhead", "second", "fixed time of a prefill", _PROFILE, 0, TIME),
    Assumption(
        "latent_layer_overhead",
        "second",
        "further time of a layer with latent attention",
        _PROFILE,
        0,
        TIME,
    ),
    Assumption("recurrent_layer_overhead", "second", "further time of a recurrent layer", _PROFILE, 0, TIME),
    Assumption(
        "fp8_moe_layer_overhead",
        "second",
        "further time of a layer with 8-bit experts: rescaling activations and blocks",
        _PROFILE,
        0,
        TIME,
    ),
    Assumption(
        "lowbit_moe_layer_overhead",
        "second",
        "further time of a layer with 4-bit experts on a device without units for them",
        _PROFILE,
        0,
        TIME,
    ),
    Assumption(
        "expert_compute_cost",
        "1",
        "time of an operation with routed experts in prefill over one with other weights: small groups",
        _PROFILE,
        1,
        Range(above=0),
    ),
    Assumption(
        "stage_mode",
        "1",
        "how the parts of a stage overlap: 0 all memory traffic behind all computing, 1 attention after matrix "
        "products and each the larger of its two times, 2 reading weights and computing added as well",
        _PROFILE,
        0,
        Range(minimum=0, maximum=2, whole=True),
    ),
    Assumption(
        "layer_split",
        "flag",
        "1: devices hold layers and work one after the other, as llama.cpp does by default",
        _PROFILE,
        0,
        FLAG,
    ),
    Assumption(
        "layer_split_gain",
        "1",
        "speed-up of reading weights that a layer split still gives: devices^this",
        _PROFILE,
        0,
        Range(minimum=0, maximum=1),
    ),
    Assumption(
        "runtime_bytes", "byte", "bytes of each device that the runtime takes for itself", _PROFILE, 0, TIME
    ),
    Assumption(
        "prefill_share",
        "1",
        "share of other requests' prefills that a decode step of a served run waits for",
        _PROFILE,
        0,
        Range(minimum=0, maximum=1),
    ),
    Assumption(
        "time_scale",
        "1",
        "measured over reckoned time: a factor on steps and prefills from measurements of one's own",
        "1: not calibrated",
        1,
        Range(above=0),
    ),
)

VERDICTS = (
    Verdict("fits", "memory_missing", "memory on each device", "fits", "does not fit, {gb} GB missing", 1e9),
)

DECLARATIONS: tuple[Declaration, ...] = (*ROLES, *INPUTS, *ASSUMPTIONS, *VERDICTS)
