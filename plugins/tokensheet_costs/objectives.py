"""What a search for a plan wants of costs: goals, targets, ways to price a device; and the results that it tells."""

from __future__ import annotations

from tokensheet.plugin import PER_MILLION, Basis, Declaration, Front, Goal, Search, Shown, Target, at, formula

PLAN, RATE, FLEET = ("plan",), ("rate",), ("fleet",)
EVERY = PLAN + FLEET

_PEAK = "at the peak, when only the replicas serve that the load needs"
_BOUND = "no replica takes more than its utilization allows, so no fleet needs fewer"
_WHOLE = "replicas that a load needs, with all their devices"

SEARCHES = (
    Search(
        "rate",
        "plan that reaches a rate of tokens",
        asks=("model", "context", "min_tokens_per_second"),
        like="plan",
    ),
)


def _rented(name: str, text: str, kind: str, **sets: float) -> Basis:
    """Devices at the median of the rents of one kind on record."""
    return Basis(
        name,
        text,
        EVERY,
        option="cost_basis",
        role="gpu",
        number="rent_per_gpu_hour",
        kind="price",
        by="accelerator",
        fact="usd_per_gpu_hour",
        where={"price_kind": kind},
        sets=sets,
    )


BASES = (
    Basis("owned", "devices are bought at the price on record", EVERY, option="cost_basis", role="gpu", needs="gpu_price"),
    _rented("rent", "rented on demand at the median on record", "on_demand"),
    _rented("reserved", "rented for a term and paid around the clock", "reserved", reserved_rent=1),
    _rented("spot", "rented while nobody pays more; give rent_availability", "spot", spot_rent=1),
)  # fmt: skip

OF_STEPS = (
    Goal("cost", "cheapest tokens", PLAN, node="usd_per_million_generated", then=("decode_latency",)),
    Goal("latency", "fastest step", PLAN, node="decode_latency", then=("usd_per_million_generated",)),
    Goal("cost", "cheapest machines that reach the rate", RATE, node="cost_for_rate",
         then=("usd_per_million_generated", "decode_latency")),
    Goal("latency", "fastest step", RATE, node="decode_latency",
         then=("cost_for_rate", "usd_per_million_generated")),
    Target("min_tokens_per_second", "tokens a second of all replicas together", PLAN, node="reached_tokens_per_second",
           least=True, gives="wanted_tokens_per_second"),
    Target("max_cost_per_hour", "highest cost of all replicas an hour", PLAN, node="cost_for_rate"),
    Front("front", "nothing is both faster and cheaper", PLAN, pair=("decode_latency", "cost_for_rate")),
    Shown("tp", "tensor-parallel degree", PLAN),
    Shown("rent_per_gpu_hour", "rent of a device an hour", PLAN, head="usd/gpu/h", codes={0.0: "owned"}),
    Shown("decode_latency", "time of a token", PLAN, head="step s"),
    Shown("tokens_per_second", "tokens a second of a replica", PLAN, head="tokens/s"),
    Shown("replicas_for_rate", "whole copies of the plan", PLAN, head="replicas"),
    Shown("cost_for_rate", "cost of all replicas an hour", PLAN, head="usd/h"),
    Shown("usd_per_million_generated", "cost of a million generated tokens", PLAN, head="usd/M"),
    Shown("tokens_per_dollar", "tokens that a dollar buys", PLAN, head="tokens/usd"),
)  # fmt: skip

OF_FLEETS = (
    Goal("cost", "cheapest fleet a month", FLEET, node="fleet_monthly_cost", bound="least_monthly_cost",
         then=("planned_devices", "planned_utilization")),
    Goal("devices", "fewest devices", FLEET, node="planned_devices", bound="least_devices", then=("fleet_monthly_cost",)),
    Goal("energy", "least energy a month", FLEET, node="planned_energy", bound="least_energy", then=("fleet_monthly_cost",)),
    Target("target_ttft", "longest time to first token", FLEET, node="planned_ttft", lightest="lightest_ttft",
           fullest="fullest_ttft"),
    Target("target_tpot", "longest time per output token", FLEET, node="planned_tpot", lightest="lightest_tpot",
           fullest="fullest_tpot"),
    Target("target_request_time", "longest time of a whole request", FLEET, node="planned_request_time",
           lightest="lightest_request_time", fullest="fullest_request_time"),
    Target("target_utilization", "share of its largest rate that a replica may be given", FLEET,
           node="planned_utilization", fullest="fullest_utilization"),
    Target("max_monthly_cost", "highest cost of the fleet a month", FLEET, node="fleet_monthly_cost"),
    Target("max_devices", "most devices of the fleet", FLEET, node="planned_devices"),
    Shown("tp", "tensor-parallel degree", FLEET),
    Shown("rent_per_gpu_hour", "rent of a device an hour", FLEET, head="usd/gpu/h", codes={0.0: "owned"}),
    Shown("replicas_needed", "replicas, spare ones included", FLEET, head="replicas"),
    Shown("planned_devices", "devices of all replicas", FLEET, head="devices"),
    Shown("planned_batch", "sequences in flight in a replica at the peak", FLEET, head="batch"),
    Shown("planned_ttft", "time to first token at the peak", FLEET, head="TTFT s"),
    Shown("planned_tpot", "time per output token at the peak", FLEET, head="TPOT s"),
    Shown("planned_request_time", "time of a request at the peak", FLEET, head="request s"),
    Shown("planned_utilization", "share of its largest rate that a replica gets at the peak", FLEET, head="load"),
    Shown("fleet_monthly_cost", "cost of the fleet a month", FLEET, head="usd/month"),
    Shown("fleet_usd_per_million", "cost of a million tokens, prompts and outputs", FLEET, head="usd/M"),
    Shown("batch_limit", "what limits the batch", FLEET, head="batch limit",
          codes={1.0: "memory", 2.0: "max_sequences", 3.0: "step_tokens"}),
)  # fmt: skip

DECLARATIONS: tuple[Declaration, ...] = (*SEARCHES, *BASES, *OF_STEPS, *OF_FLEETS)


# ---- a plan of steps


@formula(
    unit="usd/million", source="turned over from tokens a dollar", title="Dollars a million generated tokens"
)
def usd_per_million_generated(tokens_per_dollar):
    """Dollars a million tokens that steps generate, prompts aside."""
    return PER_MILLION / tokens_per_dollar


@formula(
    unit="token/second",
    source="whole replicas at the stated utilization",
    title="Rate of the replicas together",
)
def reached_tokens_per_second(replicas_for_rate, tokens_per_second, utilization):
    """Tokens a second of all replicas that a wanted rate takes."""
    return replicas_for_rate * tokens_per_second * utilization


# ---- a fleet at its peak


@formula(unit="gpu", source=_WHOLE, title="Devices paid for")
def planned_devices(replicas_needed, gpus):
    """Devices of all replicas that a load needs, spare ones included, which costs count; idle places of nodes aside."""
    return replicas_needed * gpus


@formula(unit="kilowatt*hour/month", source=_WHOLE, title="Energy of the fleet a month")
def planned_energy(energy=at("energy_per_month", replicas="replicas_needed")):
    """Kilowatt hours a month of all replicas that a load needs."""
    return energy


@formula(unit="sequence", source=_PEAK, title="Batch at the peak")
def planned_batch(batch=at("served_batch", replicas="busy_replicas")):
    """Sequences that a step of a replica serves at the peak."""
    return batch


@formula(unit="second", source=_PEAK, title="TTFT at the peak")
def planned_ttft(first=at("ttft", replicas="busy_replicas", percentile="target_percentile")):
    """Seconds to the first token at the peak, at the percentile of the targets."""
    return first


@formula(unit="second", source=_PEAK, title="TPOT at the peak")
def planned_tpot(further=at("tpot", replicas="busy_replicas", percentile="target_percentile")):
    """Seconds between tokens at the peak, at the percentile of the targets."""
    return further


@formula(unit="second", source=_PEAK, title="Request time at the peak")
def planned_request_time(
    whole=at("loaded_request_time", replicas="busy_replicas", percentile="target_percentile"),
):
    """Seconds from a request to its last token at the peak, at the percentile of the targets."""
    return whole


@formula(unit="share", source=_PEAK, title="Utilization at the peak")
def planned_utilization(share=at("replica_utilization", replicas="busy_replicas")):
    """Share of its largest rate that a replica gets at the peak."""
    return share


# ---- how far a replica is from its targets


@formula(unit="second", source="no load is lighter than none", title="TTFT with hardly any load")
def lightest_ttft(first=at("ttft", request_rate=0, percentile="target_percentile")):
    """Seconds to the first token of a lone request, at the percentile of the targets."""
    return first


@formula(unit="second", source="no load is lighter than none", title="TPOT with hardly any load")
def lightest_tpot(further=at("tpot", request_rate=0, percentile="target_percentile")):
    """Seconds between tokens of a lone request, at the percentile of the targets."""
    return further


@formula(unit="second", source="no load is lighter than none", title="Request time with hardly any load")
def lightest_request_time(
    whole=at("loaded_request_time", request_rate=0, percentile="target_percentile"),
):
    """Seconds of a lone request, at the percentile of the targets."""
    return whole


@formula(unit="second", source="largest load of a replica", title="TTFT at the largest load")
def fullest_ttft(
    first=at("ttft", request_rate="largest_replica_load", replicas=1, percentile="target_percentile"),
):
    """Seconds to the first token when a replica has its largest load under the targets."""
    return first


@formula(unit="second", source="largest load of a replica", title="TPOT at the largest load")
def fullest_tpot(
    further=at("tpot", request_rate="largest_replica_load", replicas=1, percentile="target_percentile"),
):
    """Seconds between tokens when a replica has its largest load under the targets."""
    return further


@formula(unit="second", source="largest load of a replica", title="Request time at the largest load")
def fullest_request_time(
    whole=at(
        "loaded_request_time", request_rate="largest_replica_load", replicas=1, percentile="target_percentile"
    ),
):
    """Seconds of a request when a replica has its largest load under the targets."""
    return whole


@formula(unit="share", source="largest load of a replica", title="Utilization at the largest load")
def fullest_utilization(largest_replica_load, replica_capacity):
    """Share of its capacity that a replica's largest load under the targets is."""
    return largest_replica_load / replica_capacity


# ---- bounds: never above what they bound, and quick, as they try no rates


@formula(unit="usd/month", source=_BOUND, title="Least cost of the fleet a month")
def least_monthly_cost(cost=at("fleet_monthly_cost", largest_replica_load="highest_rate")):
    """Dollars a month that no fleet of these replicas is cheaper than, whatever the latency targets."""
    return cost


@formula(unit="gpu", source=_BOUND, title="Least devices of the fleet")
def least_devices(few=at("planned_devices", largest_replica_load="highest_rate")):
    """Devices that no fleet of these replicas has fewer than, whatever the latency targets."""
    return few


@formula(unit="kilowatt*hour/month", source=_BOUND, title="Least energy of the fleet a month")
def least_energy(energy=at("planned_energy", largest_replica_load="highest_rate")):
    """Kilowatt hours a month that no fleet of these replicas uses fewer than, whatever the latency targets."""
    return energy
