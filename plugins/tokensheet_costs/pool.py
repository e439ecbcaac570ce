"""Up to three models on one pool of nodes: replicas of each, nodes that they share, and what the pool costs."""

from __future__ import annotations

import math

from tokensheet.plugin import ROUNDING, at, formula
from tokensheet_costs.sources import SPARE
from tokensheet_inference.other_models import placed
from tokensheet_inference.sources import SAME_DEVICES

_EACH = "replicas of each model under its own targets"
_WHOLE = "replicas of several models share a node as far as they fit whole; nodes are bought whole"
_MODELS = "model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate, [options]"
_NODES = "each node of the pool is bought or rented with all its devices"

SECOND, THIRD = placed("second"), placed("third")


@formula(unit="replica", source=_EACH, title="Replicas of the second model")
def second_model_replicas(second_model_rate, needed=at("replicas_needed", **SECOND)):
    """Replicas of the second model, spare ones included; 0 when it has no requests."""
    return needed if second_model_rate > 0 else 0


@formula(unit="replica", source=_EACH, title="Replicas of the third model")
def third_model_replicas(third_model_rate, needed=at("replicas_needed", **THIRD)):
    """Replicas of the third model, spare ones included; 0 when it has no requests."""
    return needed if third_model_rate > 0 else 0


@formula(unit="node", source=_WHOLE, title="Nodes' worth of replicas")
def nodes_worth(replicas, replica_nodes, node_replicas):
    """Nodes that replicas take, parts of a shared node included."""
    return replicas * replica_nodes / node_replicas


@formula(unit="node", source=_WHOLE, title="Nodes' worth of the first model")
def first_model_nodes(worth=at("nodes_worth", replicas="replicas_needed")):
    """Nodes that the first model's replicas take, parts of a shared node included."""
    return worth


@formula(unit="node", source=_WHOLE, title="Nodes' worth of the second model")
def second_model_nodes(worth=at("nodes_worth", replicas="second_model_replicas", gpus="second_model_gpus")):
    """Nodes that the second model's replicas take, parts of a shared node included."""
    return worth


@formula(unit="node", source=_WHOLE, title="Nodes' worth of the third model")
def third_model_nodes(worth=at("nodes_worth", replicas="third_model_replicas", gpus="third_model_gpus")):
    """Nodes that the third model's replicas take, parts of a shared node included."""
    return worth


@formula(unit="flag", source=_WHOLE, title="Parts of nodes fit together")
def parts_fit(
    node_replicas,
    second=at("node_replicas", gpus="second_model_gpus"),
    third=at("node_replicas", gpus="third_model_gpus"),
):
    """1 when the larger of any two numbers of replicas of a node is a multiple of the smaller: then no gap stays open."""
    first_two = max(node_replicas, second) / min(node_replicas, second)
    last_two = max(second, third) / min(second, third)
    outer_two = max(node_replicas, third) / min(node_replicas, third)
    whole = math.floor(first_two) == first_two and math.floor(last_two) == last_two
    return 1 if whole and math.floor(outer_two) == outer_two else 0


@formula(unit="node", source=_WHOLE, cell=_MODELS, title="Nodes of the pool")
def pool_nodes(first_model_nodes, second_model_nodes, third_model_nodes, other_nodes, parts_fit):
    """Whole nodes for the replicas of all models; models whose parts of a node leave gaps have nodes of their own."""
    together = first_model_nodes + second_model_nodes + third_model_nodes + other_nodes
    first = math.ceil(first_model_nodes * (1 - ROUNDING))
    second = math.ceil(second_model_nodes * (1 - ROUNDING))
    third = math.ceil(third_model_nodes * (1 - ROUNDING))
    apart = first + second + third + other_nodes
    return math.ceil((together if parts_fit else apart) * (1 - ROUNDING))


@formula(unit="gpu", source=_WHOLE, title="Devices of the pool")
def pool_gpus(pool_nodes, node_gpus):
    """Devices of all nodes of the pool, idle ones included."""
    return pool_nodes * node_gpus


@formula(unit="1", source=_WHOLE, title="Racks of the pool")
def pool_racks(pool_nodes, nodes_per_rack):
    """Whole racks for all nodes of the pool."""
    return math.ceil(pool_nodes / nodes_per_rack)


@formula(unit="node", source=_WHOLE, title="Nodes of the pool in use")
def nodes_in_use(first_model_nodes, second_model_nodes, third_model_nodes, other_nodes):
    """Nodes that all models and what else is on the pool take, parts of a node included; gaps and spare room are not."""
    return first_model_nodes + second_model_nodes + third_model_nodes + other_nodes


@formula(unit="share", source=_WHOLE, title="First model's share of the pool")
def first_model_share(nodes_in_use, first_model_nodes):
    """Share of the nodes in use that the first model takes."""
    return first_model_nodes / nodes_in_use


@formula(unit="share", source=_WHOLE, title="Second model's share of the pool")
def second_model_share(nodes_in_use, second_model_nodes):
    """Share of the nodes in use that the second model takes."""
    return second_model_nodes / nodes_in_use


@formula(unit="share", source=_WHOLE, title="Third model's share of the pool")
def third_model_share(nodes_in_use, third_model_nodes):
    """Share of the nodes in use that the third model takes."""
    return third_model_nodes / nodes_in_use


@formula(unit="share", source=_WHOLE, title="Other nodes' share of the pool")
def other_nodes_share(nodes_in_use, other_nodes):
    """Share of the nodes in use that something else than the three models takes."""
    return other_nodes / nodes_in_use


@formula(unit="usd/month", source=_NODES, cell=_MODELS, title="Cost of the pool a month")
def pool_monthly_cost(cost=at("monthly_cost", replicas="pool_nodes", gpus="node_gpus")):
    """Dollars a month of all nodes of the pool; what is stated for a replica counts for each node."""
    return cost


@formula(unit="usd/month", source=_NODES, title="First model's cost a month")
def first_model_monthly_cost(pool_monthly_cost, first_model_share):
    """Dollars a month of the pool that the first model's share of it costs."""
    return pool_monthly_cost * first_model_share


@formula(unit="usd/month", source=_NODES, title="Second model's cost a month")
def second_model_monthly_cost(pool_monthly_cost, second_model_share):
    """Dollars a month of the pool that the second model's share of it costs."""
    return pool_monthly_cost * second_model_share


@formula(unit="usd/month", source=_NODES, title="Third model's cost a month")
def third_model_monthly_cost(pool_monthly_cost, third_model_share):
    """Dollars a month of the pool that the third model's share of it costs."""
    return pool_monthly_cost * third_model_share


@formula(unit="usd/month", source=_NODES, title="Other nodes' cost a month")
def other_nodes_monthly_cost(pool_monthly_cost, other_nodes_share):
    """Dollars a month of the pool that what else is on it costs."""
    return pool_monthly_cost * other_nodes_share


# ---- models on the same devices


@formula(
    unit="replica",
    source=SAME_DEVICES,
    checks=("demand_is_given", "models_fit"),
    title="Replicas that all models keep busy",
)
def coresident_busy_replicas(coresident_utilization, replicas, target_utilization):
    """Fewest replicas with all models on each at which their load is within the target utilization; at least one."""
    return max(1, math.ceil(coresident_utilization * replicas / target_utilization * (1 - ROUNDING)))


@formula(unit="replica", source=SPARE, cell=_MODELS,
         title="Replicas for models on the same devices")  # fmt: skip
def coresident_replicas_needed(
    spare_replicas, online=at("online_replicas", busy_replicas="coresident_busy_replicas")
):
    """Replicas that take the load of all models on each of them, spares included; latencies: CORESIDENT_TARGETS_HOLD."""
    return online + spare_replicas
