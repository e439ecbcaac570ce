"""Load over the day and the week: the mean, busiest and any hour of 24, the busiest of seven days.

Hours and days are written out: each is an input with a cell of its own, and no word of the language takes a list.
"""

from __future__ import annotations

import math

from tokensheet.plugin import HOURS_PER_DAY, NOT_NEGATIVE, Constant, Declaration, Input, Range, check, formula

_DAY = "largest over mean of the day's 24 hours"
_WEEK = "largest over mean of the week's seven days"

HOURS = tuple(f"{hour:02}" for hour in range(24))
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WATCH = Constant("WATCH", 3.0, "1", "hours of an eighth of a day")
QUARTER = Constant("QUARTER", 6.0, "1", "hours of a quarter of a day")
HALF_DAY = Constant("HALF_DAY", 12.0, "1", "hours of half a day")
DAYS_PER_WEEK = Constant("DAYS_PER_WEEK", 7.0, "1", "days in a week")

DECLARATIONS: tuple[Declaration, ...] = (
    *(
        Input(f"load_at_{hour}", "1", f"load in the hour from {hour}:00, in any unit", 1, NOT_NEGATIVE)
        for hour in HOURS
    ),
    *(
        Input(f"load_on_{day}", "1", f"load of {day.capitalize()}, in any unit", 1, NOT_NEGATIVE)
        for day in DAYS
    ),
    Input(
        "hour",
        "1",
        "hour of a mean day that is looked at, from 0 to 23",
        range=Range(0, None, 23, True),
        example=14,
    ),
)


# fmt: off
@formula(unit="1", source=_DAY, title="Mean hour of the day")
def mean_hour_load(
    load_at_00, load_at_01, load_at_02, load_at_03, load_at_04, load_at_05,
    load_at_06, load_at_07, load_at_08, load_at_09, load_at_10, load_at_11,
    load_at_12, load_at_13, load_at_14, load_at_15, load_at_16, load_at_17,
    load_at_18, load_at_19, load_at_20, load_at_21, load_at_22, load_at_23,
):
    """Load of a mean hour, in the unit of the 24 values."""
    night = load_at_00 + load_at_01 + load_at_02 + load_at_03 + load_at_04 + load_at_05
    morning = load_at_06 + load_at_07 + load_at_08 + load_at_09 + load_at_10 + load_at_11
    afternoon = load_at_12 + load_at_13 + load_at_14 + load_at_15 + load_at_16 + load_at_17
    evening = load_at_18 + load_at_19 + load_at_20 + load_at_21 + load_at_22 + load_at_23
    return (night + morning + afternoon + evening) / HOURS_PER_DAY


@formula(unit="1", source=_DAY, title="Busiest hour of the day")
def busiest_hour_load(
    load_at_00, load_at_01, load_at_02, load_at_03, load_at_04, load_at_05,
    load_at_06, load_at_07, load_at_08, load_at_09, load_at_10, load_at_11,
    load_at_12, load_at_13, load_at_14, load_at_15, load_at_16, load_at_17,
    load_at_18, load_at_19, load_at_20, load_at_21, load_at_22, load_at_23,
):
    """Load of the busiest hour, in the unit of the 24 values."""
    night = max(load_at_00, load_at_01, load_at_02, load_at_03, load_at_04, load_at_05)
    morning = max(load_at_06, load_at_07, load_at_08, load_at_09, load_at_10, load_at_11)
    afternoon = max(load_at_12, load_at_13, load_at_14, load_at_15, load_at_16, load_at_17)
    evening = max(load_at_18, load_at_19, load_at_20, load_at_21, load_at_22, load_at_23)
    return max(night, morning, afternoon, evening)


@formula(unit="1", source="the value of that hour", title="Load in an hour")
def hour_load(
    hour,
    load_at_00, load_at_01, load_at_02, load_at_03, load_at_04, load_at_05,
    load_at_06, load_at_07, load_at_08, load_at_09, load_at_10, load_at_11,
    load_at_12, load_at_13, load_at_14, load_at_15, load_at_16, load_at_17,
    load_at_18, load_at_19, load_at_20, load_at_21, load_at_22, load_at_23,
):
    """Load of the hour that is looked at, in the unit of the 24 values."""
    place = hour - WATCH * math.floor(hour / WATCH)
    midnight = load_at_00 if place < 1 else load_at_01 if place < 2 else load_at_02
    small_hours = load_at_03 if place < 1 else load_at_04 if place < 2 else load_at_05
    dawn = load_at_06 if place < 1 else load_at_07 if place < 2 else load_at_08
    morning = load_at_09 if place < 1 else load_at_10 if place < 2 else load_at_11
    noon = load_at_12 if place < 1 else load_at_13 if place < 2 else load_at_14
    afternoon = load_at_15 if place < 1 else load_at_16 if place < 2 else load_at_17
    evening = load_at_18 if place < 1 else load_at_19 if place < 2 else load_at_20
    night = load_at_21 if place < 1 else load_at_22 if place < 2 else load_at_23
    second_watch = math.floor(hour / WATCH) - 2 * math.floor(hour / QUARTER)
    second_quarter = math.floor(hour / QUARTER) - 2 * math.floor(hour / HALF_DAY)
    early = small_hours if second_watch == 1 else midnight
    forenoon = morning if second_watch == 1 else dawn
    past_noon = afternoon if second_watch == 1 else noon
    late = night if second_watch == 1 else evening
    first_half = forenoon if second_quarter == 1 else early
    second_half = late if second_quarter == 1 else past_noon
    return first_half if hour < HALF_DAY else second_half


@formula(unit="1", source=_WEEK, title="Busiest day over a mean day")
def busiest_day_factor(
    load_on_monday, load_on_tuesday, load_on_wednesday, load_on_thursday,
    load_on_friday, load_on_saturday, load_on_sunday,
):
    """Load of the busiest day over a mean day: of the seven days of a week, unless it is given."""
    working = load_on_monday + load_on_tuesday + load_on_wednesday + load_on_thursday + load_on_friday
    mean = (working + load_on_saturday + load_on_sunday) / DAYS_PER_WEEK
    early = max(load_on_monday, load_on_tuesday, load_on_wednesday, load_on_thursday)
    return max(early, load_on_friday, load_on_saturday, load_on_sunday) / mean
# fmt: on


@check(
    message="busiest_day_factor is {busiest_day_factor}; the busiest day has at least the load of a mean day: give 1 or more",
    source=_WEEK,
    title="Busiest day is no less than a mean day",
)
def busiest_day_is_busy(busiest_day_factor):
    """1 when the busiest day is not below the mean."""
    return busiest_day_factor >= 1


@formula(
    unit="1",
    source=_DAY + "; times the busiest day and the bursts within an hour",
    checks=("busiest_day_is_busy",),
    title="Peak over average",
)
def peak_to_average(busiest_hour_load, mean_hour_load, busiest_day_factor, burst_factor):
    """Load at the peak over the mean of all days: busiest hour, busiest day, busiest minutes."""
    return busiest_hour_load / mean_hour_load * busiest_day_factor * burst_factor
