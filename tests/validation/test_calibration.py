"""Calibration: a factor from one row, more from many, a band from what is left, and a table that loads."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tokensheet
from tests.validation.test_evaluating import ROW
from tests.validation.test_fitting import prepared, rows
from tokensheet.errors import RecordError
from tokensheet.planning import Planner
from tokensheet.validation import Measurement, evaluate
from tokensheet.validation.calibration import Calibrated, as_toml, calibrate


def measured(seconds: object) -> list[Measurement]:
    return [replace(r, value=float(v)) for r, v in zip(rows(), np.asarray(seconds), strict=True)]


def one(given: list[Measurement]) -> Calibrated:
    (found,) = calibrate(tokensheet.planner(), given)
    return found


@pytest.mark.parametrize("count", [1, 2])
def test_one_or_two_rows_give_a_factor(count: int) -> None:
    """Everything takes 1.3 times as long; nothing else moves."""
    slow = measured(1.3 * prepared().seconds({}))[5 : 5 + count]
    found = one(slow)
    assert found.moved == ("time_scale",)
    assert found.values["time_scale"] == pytest.approx(1.3, rel=1e-4)
    base = {k: v for k, v in found.values.items() if k not in ("time_scale", "measured") and "band" not in k}
    assert base == {k: v for k, v in found.base.values.items() if "band" not in k}
    assert found.before == pytest.approx(1 - 1 / 1.3, rel=1e-3)
    assert found.after < 1e-3


def test_many_rows_move_what_they_tell() -> None:
    """A stack whose layers take three times as long: the layer's time rises most, the error falls to a few percent."""
    values = tokensheet.planner().registry.record("profile", "vllm-2025").values  # type: ignore[attr-defined]
    found = one(measured(prepared().seconds({"layer_overhead": 3 * values["layer_overhead"]})))
    changes = {n: abs(math.log(found.values[n] / values[n])) for n in found.moved if n in values}
    assert max(changes, key=changes.__getitem__) == "layer_overhead"
    assert found.before > 0.1
    assert found.after < 0.05


def test_the_band_follows_the_rows() -> None:
    """Exact rows narrow the band, scattered ones widen it, and a single row changes it little."""
    exact = prepared().seconds({})
    scatter = np.exp(0.3 * np.where(np.arange(len(exact)) % 2, 1, -1))
    bands = [
        one(measured(seconds)[:count]).values["band_base"]
        for seconds, count in ((exact, 27), (exact, 1), (exact * scatter, 27))
    ]
    known = one(measured(exact)).base.values["band_base"]
    assert bands[0] < 0.7 * known < bands[1] < known < 1.5 * known < bands[2]


def test_the_machine_is_measured_afterwards() -> None:
    """Nobody has to give `measured`: the band of a calibrated profile is that of one's own machine."""
    for given in ([ROW], measured(prepared().seconds({}))):
        found = one(given)
        assert found.values["measured"] == 1
        assert found.measured == (ROW.page,)


def test_rows_of_two_engines_give_two_profiles() -> None:
    """Each engine its own."""
    both = [ROW, replace(ROW, engine="sglang", engine_version="0.5.9")]
    assert [c.base.id for c in calibrate(tokensheet.planner(), both)] == ["sglang-2025", "vllm-2025"]


def test_rows_that_cannot_be_evaluated_are_told() -> None:
    """All of them, with their ids."""
    with pytest.raises(RecordError) as caught:
        calibrate(
            tokensheet.planner(), [ROW, replace(ROW, id="a", model="x1"), replace(ROW, id="b", model="x2")]
        )
    text = str(caught.value)
    assert "a: no model named 'x1'" in text
    assert "b: no model named 'x2'" in text


def test_the_table_loads_and_predicts_the_same(tmp_path: Path) -> None:
    """Through --catalog, under its id, and as the profile of its engine."""
    given = measured(prepared().seconds({"layer_overhead": 100e-6}))
    found = one(given)
    path = tmp_path / "mine.toml"
    path.write_text(as_toml([found], "mine.csv", "house"), encoding="utf-8")
    planner = Planner.of(catalogs=[path])
    assert [p for p in planner.registry.problems if "mine" in p] == []
    record = planner.registry.record("profile", "house")
    assert record.values == pytest.approx(found.values)  # type: ignore[attr-defined]
    assert record.engines == ("vllm",)  # type: ignore[attr-defined]
    answered, _ = evaluate(planner, given, "house")
    wanted = prepared().seconds({n: found.values[n] for n in found.moved})
    assert [e.value for e in answered] == pytest.approx(wanted, rel=1e-9)
    assert evaluate(planner, given)[0][0].profile == "house"


def test_a_profile_of_a_person_goes_before_the_built_in_one() -> None:
    """Whatever its name: it was fitted to the stack at hand."""
    text = as_toml(calibrate(tokensheet.planner(), [ROW]), "mine.csv", "aaa")
    assert 'id = "aaa"' in text
    assert "calibrated_from" in text
