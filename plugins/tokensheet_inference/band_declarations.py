"""What profiles state of their errors, and of the machines, models and stacks that they were fitted on."""

from __future__ import annotations

from tokensheet.plugin import FLAG, NOT_NEGATIVE, UNLIMITED, Assumption, Declaration

_UNFITTED = "0: the profile was not fitted, its band says nothing"

DECLARATIONS: tuple[Declaration, ...] = (
    Assumption("band_base", "1", "logarithm of the band's factor", _UNFITTED, 0, NOT_NEGATIVE),
    Assumption("band_tpot", "1", "wider for the time of single decode steps", _UNFITTED, 0, NOT_NEGATIVE),
    Assumption("band_ttft", "1", "wider for prefill", _UNFITTED, 0, NOT_NEGATIVE),
    Assumption("band_experts", "1", "wider for models with experts", _UNFITTED, 0, NOT_NEGATIVE),
    Assumption(
        "band_unmeasured",
        "1",
        "wider by this share for machines and test set-ups other than those that the profile was fitted on",
        _UNFITTED,
        0,
        NOT_NEGATIVE,
    ),
    Assumption(
        "band_nearest",
        "1",
        "wider by this share for a stack, device or size that is far from all measurements",
        _UNFITTED,
        0,
        NOT_NEGATIVE,
    ),
    Assumption(
        "measured",
        "flag",
        "1: the profile was fitted on this machine and test set-up, as calibrated ones are",
        "0: on other people's, as all built-in profiles",
        0,
        FLAG,
    ),
    Assumption(
        "nearest",
        "flag",
        "1: the profile belongs to another engine, period or kind of device",
        "0: it is the stack's own",
        0,
        FLAG,
    ),
    Assumption(
        "first_maker_measured",
        "1",
        "number of the maker of most devices that the profile was fitted on; 0: of none in particular",
        _UNFITTED,
        0,
        NOT_NEGATIVE,
    ),
    Assumption(
        "second_maker_measured",
        "1",
        "number of a second maker whose devices the profile was fitted on; 0: there is none",
        _UNFITTED,
        0,
        NOT_NEGATIVE,
    ),
    Assumption(
        "least_bandwidth_measured",
        "byte/second",
        "smallest memory bandwidth among the devices that the profile was fitted on",
        _UNFITTED,
        0,
        NOT_NEGATIVE,
    ),
    Assumption(
        "most_bandwidth_measured",
        "byte/second",
        "largest memory bandwidth among the devices that the profile was fitted on",
        _UNFITTED,
        UNLIMITED,
        NOT_NEGATIVE,
    ),
    Assumption(
        "least_parameters_measured",
        "1",
        "parameters of the smallest model that the profile was fitted on",
        _UNFITTED,
        0,
        NOT_NEGATIVE,
    ),
    Assumption(
        "most_parameters_measured",
        "1",
        "parameters of the largest model that the profile was fitted on",
        _UNFITTED,
        UNLIMITED,
        NOT_NEGATIVE,
    ),
)
