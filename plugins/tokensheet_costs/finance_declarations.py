"""What fleets and money are asked with: spares, nodes and racks, terms of rent and purchase, interest, carbon."""

from __future__ import annotations

from tokensheet.plugin import (
    CHANGE,
    COUNT,
    COUNT_OR_NONE,
    FLAG,
    NOT_NEGATIVE,
    SHARE,
    SHARE_OR_NONE,
    Assumption,
    Declaration,
    Input,
    Role,
)
from tokensheet_inference.sources import PLAN

ROLES = (
    Role("api", "price", "price of an API that serves the same requests", prefix="api_", example="p329"),
)

INPUTS = (
    Input("plan_years", "1", "years of the plan", range=COUNT, example=3),
    Input("plan_year", "1", "year of the plan; 0 is the purchase", range=COUNT_OR_NONE, example=1),
)

FLEET = (
    Assumption("spare_replicas", "replica", "replicas beyond those that the load needs", "N+1: one may fail", 1,
               COUNT_OR_NONE),
    Assumption("replica_availability", "share", "share of the time in which a replica is able to serve", PLAN, 1,
               SHARE),
    Assumption("update_share", "share", "share of the replicas that an update takes out at once", PLAN, 0,
               SHARE_OR_NONE),
    Assumption("node_gpus", "gpu", "devices of a node, bought together", "nodes of eight are the most common", 8, COUNT),
    Assumption("nodes_per_rack", "node", "nodes of a rack", "four of 10 kW in a rack of 40 kW", 4, COUNT),
    Assumption("other_nodes", "node", "nodes that other models of the same fleet fill, parts of a node included", PLAN, 0,
               NOT_NEGATIVE),
    Assumption("least_replicas", "replica", "replicas that stay on at the quietest hour", PLAN, 1,
               COUNT_OR_NONE),
    Assumption("autoscaling", "flag", "1: replicas follow the hours of the day; 0: those for the peak stay on", PLAN, 0,
               FLAG),
    Assumption("start_up_time", "hour", "from the start of a replica until it serves: a machine, the weights", PLAN, 0.25,
               NOT_NEGATIVE),
)  # fmt: skip

MONEY = (
    Assumption("residual_share", "share", "share of the purchase price that is left at the end", "0 by default, shown", 0,
               SHARE_OR_NONE),
    Assumption("discount_rate", "1", "interest or discount rate of a year", "0 by default, shown", 0, CHANGE),
    Assumption("running_cost_growth", "1", "growth of running costs in a year", "0 by default, shown", 0, CHANGE),
    Assumption("support_share_per_year", "1", "support and maintenance of a year over the purchase price",
               "0 by default, shown", 0, NOT_NEGATIVE),
    Assumption("network_per_month", "usd/month", "network and traffic of the fleet", "0 by default, shown", 0, NOT_NEGATIVE),
    Assumption("storage_per_month", "usd/month", "storage of the fleet", "0 by default, shown", 0, NOT_NEGATIVE),
    Assumption("staff_per_month", "usd/month", "people who run the fleet", "0 by default, shown", 0, NOT_NEGATIVE),
    Assumption("idle_power_share", "share", "power of an idle machine over its full power",
               "1: full power is paid all the time; servers of accelerators idle at 0.2 to 0.4", 1, SHARE_OR_NONE),
    Assumption("grid_carbon", "gram/(kilowatt*hour)", "carbon dioxide of a kilowatt hour",
               "Ember 2024, Global Electricity Review: 480 on average of the world in 2023", 480, NOT_NEGATIVE),
)  # fmt: skip

DECLARATIONS: tuple[Declaration, ...] = (*ROLES, *INPUTS, *FLEET, *MONEY)
