"""Fits find what made the data, hold on to priors where there is none, and give the same numbers every time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tokensheet
from tests.validation.test_evaluating import ROW
from tokensheet.validation import Measurement, evaluate
from tokensheet.validation.fitting import Data, Free, fit, values_of
from tokensheet.validation.prepared import Prepared

TRUE = {"bandwidth_efficiency": 0.61, "layer_overhead": 77e-6, "sequence_overhead": 5e-6}
FREE = (
    Free("bandwidth_efficiency", 0.85, 1e3, 1),
    Free("layer_overhead", 20e-6, 1e3),
    Free("sequence_overhead", 20e-6, 1e3),
)


def rows() -> list[Measurement]:
    return [
        replace(ROW, model=model, batch=batch, tp=tp, gpus=tp, metric="e2e_s")
        for model in ("llama-3.1-8b", "llama-3.1-70b", "llama-2-13b")
        for batch in (1, 8, 64)
        for tp in (1, 2, 4)
    ]


def prepared() -> Prepared:
    _, asked = evaluate(tokensheet.planner(), rows())
    return Prepared(tokensheet.planner(), [q for q in asked if q is not None])


def data(factor: Any = 1.0) -> Data:
    ready = prepared()
    seconds = ready.seconds(TRUE) * factor
    return Data(ready, np.log(seconds), np.ones(len(seconds)))


def fitted(given: Data, free: tuple[Free, ...] = FREE) -> dict[str, float]:
    numbers, at = fit(free, {"vllm-2025": given}, ["vllm-2025"], {})
    return values_of(numbers, at, "vllm-2025")


def test_prepared_rows_answer_as_cells_do() -> None:
    """With the profile's own values, and with others."""
    found, _ = evaluate(tokensheet.planner(), rows())
    assert prepared().seconds({}) == pytest.approx([e.value for e in found], rel=1e-12)
    changed = {"layer_overhead": 1e-3, "message_latency_least": 1e-4, "kv_bandwidth_efficiency": 0.1}
    row = rows()[5]
    wanted = tokensheet.evaluate(
        "batch_run_time", model=row.model, gpu=row.accelerator, gpus=row.gpus, prompt=row.prompt,
        output=row.output, batch=row.batch, profile="vllm-2025", one_request_fits=1, **changed,
    )  # fmt: skip
    assert prepared().seconds(changed)[5] == pytest.approx(wanted, rel=1e-12)


def test_a_fit_finds_what_made_the_data() -> None:
    """Three unknowns from exact rows."""
    assert fitted(data()) == pytest.approx(TRUE, rel=1e-3)


def test_a_fit_is_robust() -> None:
    """Two rows of 27 that are ten times too long move little."""
    factor = np.ones(27)
    factor[[3, 11]] = 10
    found = fitted(data(factor))
    for name in ("bandwidth_efficiency", "layer_overhead"):
        assert found[name] == pytest.approx(TRUE[name], rel=0.1)


def test_a_prior_holds_what_no_row_tells() -> None:
    """No model with experts: their overhead stays where it was."""
    free = (*FREE, Free("moe_layer_overhead", 12e-6, 0.5))
    assert fitted(data(), free)["moe_layer_overhead"] == pytest.approx(12e-6, rel=1e-9)


def test_bounds_hold() -> None:
    """A share does not exceed 1 however fast the rows are."""
    found = fitted(data(0.2))
    assert found["bandwidth_efficiency"] <= 1 + 1e-12


def test_a_number_of_one_profile_and_a_shared_one() -> None:
    """Two profiles share the bandwidth and have a layer's time each; the second profile's rows count for both."""
    other = data(1.0)
    slower = prepared().seconds({**TRUE, "layer_overhead": 300e-6})
    both = {"a": other, "b": replace(other, logs=np.log(slower))}
    free = (FREE[0], replace(FREE[1], shared=False), FREE[2])
    numbers, at = fit(free, both, ["a", "b"], {})
    found = [values_of(numbers, at, p) for p in ("a", "b")]
    assert (
        found[0]["bandwidth_efficiency"] == found[1]["bandwidth_efficiency"] == pytest.approx(0.61, rel=1e-2)
    )
    assert [f["layer_overhead"] for f in found] == pytest.approx([77e-6, 300e-6], rel=1e-2)


def other_profile(free: Free, slower: float = 300e-6) -> list[float]:
    """Layer's time of three profiles: two with rows, of 77 and of 300 µs, and one without."""
    ready = prepared()
    second = np.log(ready.seconds({**TRUE, "layer_overhead": slower}))
    both = {"a": data(), "b": Data(ready, second, np.ones(len(second)))}
    names = ["a", "b", "c"]
    numbers, at = fit((FREE[0], free, FREE[2]), both, names, {})
    return [values_of(numbers, at, p)["layer_overhead"] for p in names]


def test_a_profile_without_rows_lies_in_the_middle_of_the_others() -> None:
    """The middle moves from its prior of 20 µs to between those that rows tell."""
    known = Free("layer_overhead", 20e-6, 1e3, shared=False, pooled=0.01)
    a, b, c = other_profile(known)
    assert [a, b] == pytest.approx([77e-6, 300e-6], rel=0.05)
    assert c == pytest.approx((a * b) ** 0.5, rel=0.02)
    alone = Free("layer_overhead", 20e-6, 1e3, shared=False)
    assert other_profile(alone)[2] == pytest.approx(20e-6)


def test_the_nearer_engines_must_lie_the_less_they_part() -> None:
    """Of no spread about the middle they are one."""
    found = other_profile(Free("layer_overhead", 20e-6, 1e3, shared=False, pooled=1e-7))
    assert found == pytest.approx([found[0]] * 3, rel=1e-3)


def test_a_prior_lies_about_another_profiles_number() -> None:
    """Twice that of the profile that rows tell, where no row tells its own; an unknown one is an error."""
    free = (
        FREE[0],
        Free("layer_overhead", 20e-6, 1e3, profiles=("a",)),
        Free("layer_overhead", 2, 0.5, profiles=("b",), about="a"),
        FREE[2],
    )
    numbers, at = fit(free, {"a": data()}, ["a", "b"], {})
    assert values_of(numbers, at, "b")["layer_overhead"] == pytest.approx(2 * 77e-6, rel=1e-3)
    with pytest.raises(ValueError, match=r"layer_overhead: no number of z"):
        fit((replace(free[2], about="z"),), {"a": data()}, ["a", "b"], {})


def test_a_fit_is_the_same_every_time() -> None:
    """To the last digit."""
    assert fitted(data()) == fitted(data())


def test_a_missing_fact_is_not_a_number() -> None:
    """A device without a stated 16-bit peak leaves its row without an answer and the others with theirs."""
    device = tokensheet.planner().registry.catalog("accelerator").entries
    bare = next(k for k, e in sorted(device.items()) if e.record.number("peak_flops_16bit") is None)
    some = [ROW, replace(ROW, accelerator=bare)]
    found, asked = evaluate(tokensheet.planner(), some)
    assert found[0].reason == ""
    assert "states no" in found[1].reason
    seconds = Prepared(tokensheet.planner(), [q for q in asked if q is not None]).seconds({})
    assert seconds[0] == pytest.approx(found[0].value, rel=1e-12)
    assert np.isnan(seconds[1])
