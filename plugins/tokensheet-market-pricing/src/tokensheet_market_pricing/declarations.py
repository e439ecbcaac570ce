"""What market prices are asked with: three records of prices, and how a spot machine is lost and replaced."""

from __future__ import annotations

from tokensheet.plugin import NOT_NEGATIVE, SHARE, Assumption, Declaration, Range, Role

_GIVEN = "stated by the plan"

DECLARATIONS: tuple[Declaration, ...] = (
    Role("on_demand", "price", "rent by the hour, ended at any time", prefix="on_demand_", example="p079"),
    Role("reserved", "price", "rent for a term, paid around the clock", prefix="reserved_", example="p080"),
    Role("spot", "price", "rent of machines that may be taken back", prefix="spot_", example="p027"),
    Assumption(
        "market",
        "1",
        "how the machines are had: 0 as without this plugin, 1 on demand, 2 reserved, 3 spot with spare "
        "machines, 4 spot with on-demand machines while they are gone",
        _GIVEN,
        0,
        Range(minimum=0, maximum=4, whole=True),
    ),
    Assumption(
        "needed_share",
        "1",
        "share of the hours in which the replica is needed",
        _GIVEN,
        1,
        SHARE,
    ),
    Assumption(
        "spot_interruptions_per_hour",
        "1/hour",
        "how often a spot replica is taken back",
        "providers' interruption bands: under 5 to over 20 percent of machines a month; 0.0003 an hour is 20",
        0.0003,
        NOT_NEGATIVE,
    ),
    Assumption(
        "spot_recovery_time",
        "hour",
        "from an interruption until a replacement serves: finding a machine, loading the weights",
        _GIVEN,
        0.25,
        NOT_NEGATIVE,
    ),
)
