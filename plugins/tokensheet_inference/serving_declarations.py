"""What serving is asked with: users and their rhythm, lengths of requests, limits of the engine, targets."""

from __future__ import annotations

from tokensheet.plugin import (
    CHANGE,
    COUNT,
    FLAG,
    NOT_NEGATIVE,
    ONE_OR_MORE,
    POSITIVE,
    SHARE,
    SHARE_OR_NONE,
    UNLIMITED,
    Assumption,
    Declaration,
    Input,
    Range,
    Role,
)
from tokensheet_inference.sources import PLAN

_TRACE = "stated by the plan; `tokensheet demand` counts it in a trace"

ROLES = (
    Role(
        "prefill_gpu",
        "accelerator",
        "device that computes prompts for others",
        prefix="prefill_gpu_",
        example="h100-sxm-80gb",
    ),
    Role(
        "transfer_link",
        "link",
        "link over which caches go from prefill devices to decode devices",
        prefix="transfer_link_",
        follows=("stage_interconnect", "id"),
    ),
    Role(
        "host_link",
        "link",
        "link between a device and its host's memory",
        prefix="host_link_",
        example="pcie5-x16",
    ),
)

INPUTS = (
    Input("users", "user", "people in a session at the busiest time", 0, NOT_NEGATIVE, example=100),
    Input(
        "think_time",
        "second",
        "from the end of an answer to the same user's next request",
        0,
        NOT_NEGATIVE,
        example=30,
    ),
    Input("answer_time", "second", "from a request to the end of its answer", 0, NOT_NEGATIVE, example=10),
    Input("requests_per_day", "request", "requests of a mean day besides those of `users`", 0, NOT_NEGATIVE),
    Input(
        "percentile",
        "share",
        "share of requests that are at least this fast, such as 0.95; 0 is the mean",
        0,
        SHARE_OR_NONE,
        example=0.95,
    ),
    Input(
        "target_ttft",
        "second",
        "longest time to first token that is accepted",
        UNLIMITED,
        POSITIVE,
        example=1,
    ),
    Input(
        "target_tpot",
        "second",
        "longest time per output token that is accepted",
        UNLIMITED,
        POSITIVE,
        example=0.05,
    ),
    Input(
        "target_request_time",
        "second",
        "longest time of a whole request that is accepted",
        UNLIMITED,
        POSITIVE,
    ),
    Input(
        "target_percentile",
        "share",
        "share of requests that must hold the targets; 0: the mean must",
        0.95,
        SHARE_OR_NONE,
    ),
    Input(
        "high_over_mean",
        "1",
        "length at `high_percentile` over mean length",
        range=ONE_OR_MORE,
        example=3,
    ),
    Input("prefill_gpus", "gpu", "devices of one prefill replica", range=COUNT, per_plan=True, example=8),
    Input("servers", "1", "servers behind one queue", range=POSITIVE, example=4),
    Input("arrival_rate", "1/second", "arrivals a second", range=NOT_NEGATIVE, example=2),
    Input(
        "service_time",
        "second",
        "mean time that one arrival keeps a server busy",
        range=NOT_NEGATIVE,
        example=1.5,
    ),
    Input("factor_cv", "1", "standard deviation over mean"),
    Input("wait_chance", "share", "share of arrivals that wait at all"),
    Input("meet_constant", "second", "where a straight line of time by batch starts"),
    Input("meet_slope", "second", "how a straight line of time grows with each sequence"),
    Input("curve_batch", "sequence", "batch at which the step's curve is read"),
    Input("search_low", "request/second", "largest rate known to hold the targets"),
    Input("search_step", "1", "step in the root of the share of the highest rate that is tried"),
)

ASSUMPTIONS = (
    Assumption(
        "burst_factor", "1", "load of the busiest minutes over the busiest hour", _TRACE, 1, ONE_OR_MORE
    ),
    Assumption("growth_per_year", "1", "growth of the demand in a year", PLAN, 0, CHANGE),
    Assumption("years_ahead", "1", "years of growth that the plan is for", PLAN, 0, NOT_NEGATIVE),
    Assumption("tool_share", "share", "share of requests that call tools", _TRACE, 0, SHARE_OR_NONE),
    Assumption(
        "calls_per_tool_request", "1", "model calls of a request that calls tools", PLAN, 1, ONE_OR_MORE
    ),
    Assumption("long_share", "share", "share of requests with `long_prompt`", _TRACE, 0, SHARE_OR_NONE),
    Assumption(
        "high_percentile",
        "share",
        "percentile that `prompt_high_ratio` and `output_high_ratio` state",
        _TRACE,
        0.95,
        SHARE,
    ),
    Assumption(
        "prompt_high_ratio", "1", "prompt length at `high_percentile` over the mean", _TRACE, 1, ONE_OR_MORE
    ),
    Assumption(
        "output_high_ratio", "1", "output length at `high_percentile` over the mean", _TRACE, 1, ONE_OR_MORE
    ),
    Assumption("shared_prefix", "token", "first tokens of a prompt that many requests share", _TRACE, 0, NOT_NEGATIVE, example=512),
    Assumption(
        "prefix_hit_share",
        "share",
        "share of requests that find the shared prefix in the cache",
        _TRACE,
        0,
        SHARE_OR_NONE, example=0.6,
    ),
    Assumption(
        "block_tokens", "token", "tokens of a cache block; only whole blocks are found again",
        "vLLM: 16 by default", 16, COUNT,
    ),
    Assumption(
        "max_sequences", "sequence", "most sequences that the engine runs at once",
        "vLLM max_num_seqs: 256 on most devices", 256, COUNT,
    ),
    Assumption(
        "step_tokens", "token", "most tokens that the engine computes in one step",
        "vLLM max_num_batched_tokens: 8192 on devices of 70 GB or more, 2048 on others", 8192, COUNT,
    ),
    Assumption(
        "chunked_prefill", "flag",
        "1: prompts are cut into chunks that share steps with decoding; 0: a prompt stops decoding",
        "Agrawal et al. 2024, Sarathi-Serve; the default of vLLM and SGLang", 1, FLAG,
    ),
    Assumption(
        "arrival_cv", "1", "standard deviation over mean of the time between arrivals",
        "1: requests of many people come independently (Poisson)", 1, NOT_NEGATIVE,
    ),
    Assumption(
        "service_cv", "1", "standard deviation over mean of the service time", "1: exponential", 1, NOT_NEGATIVE
    ),
    Assumption(
        "target_utilization", "share", "share of its largest rate that a replica may be given",
        "the wait grows with 1/(1 - utilization): 0.6 to 0.7 is common; at 1 it is endless", 0.7, Range(above=0, maximum=0.99),
    ),
    Assumption(
        "expert_imbalance", "1", "tokens of the busiest expert rank over an even share",
        "DeepSeek-AI 2024, EPLB: 1 is an even spread, which redundant experts approach", 1, ONE_OR_MORE,
    ),
    Assumption(
        "dispatch_bytes_per_element", "byte", "size of an element sent to an expert's rank",
        "DeepSeek-AI 2024, DeepSeek-V3: fp8 to the experts", 1, POSITIVE,
    ),
    Assumption(
        "combine_bytes_per_element", "byte", "size of an element sent back from an expert's rank",
        "DeepSeek-AI 2024, DeepSeek-V3: bf16 back", 2, POSITIVE,
    ),
    Assumption(
        "offload_share", "share", "share of the weights that stay in the host's memory", PLAN, 0, SHARE_OR_NONE, example=0.25
    ),
)  # fmt: skip

DECLARATIONS: tuple[Declaration, ...] = (*ROLES, *INPUTS, *ASSUMPTIONS)
