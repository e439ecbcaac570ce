"""Queues in closed form, against Erlang's exact formula, textbook cases and a simulation."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from statistics import NormalDist, fmean
from typing import Any

import pytest
import simpy

import tokensheet
from tests.cells import number
from tests.tools.serving_simulator import share


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **given))


def exact_erlang_c(servers: int, load: float) -> float:
    """Erlang's formula by its recursion over servers."""
    blocked = 1.0
    for count in range(1, servers + 1):
        blocked = load * blocked / (count + load * blocked)
    return blocked / (1 - load / servers * (1 - blocked))


@pytest.mark.parametrize(
    ("servers", "error"),
    [(1, 0.0), (2, 0.04), (4, 0.02), (8, 0.01), (16, 0.005), (32, 0.0025), (128, 0.001), (1024, 1e-4)],
)
def test_erlang_c_within_its_stated_error(servers: int, error: float) -> None:
    """At every load at which one in a hundred waits; below, both are under one in a hundred."""
    for percent in range(2, 100):
        load = percent / 100 * servers
        wanted, found = exact_erlang_c(servers, load), number(f"=ERLANG_C({servers},{load!r})")
        if wanted >= 0.01:
            assert found == pytest.approx(wanted, rel=max(error, 1e-12)), percent
        else:
            assert 0 <= found < 0.0105


def test_one_server_by_hand() -> None:
    """Service 0.25 s: 0.625 s in the system at 60 %, 2.5 s at 90 %, no answer at 100 %."""
    assert number("=QUEUE_TIME(1,2.4,0.25)") == pytest.approx(0.625, rel=1e-12)
    assert number("=QUEUE_TIME(1,3.6,0.25)") == pytest.approx(2.5, rel=1e-12)
    assert tokensheet.why("queue_time", servers=1, arrival_rate=4, service_time=0.25) == (
        "unstable: 1 of 1 servers would be busy, so the queue grows without end; use more servers, a shorter service or "
        "fewer arrivals"
    )


def test_nobody_waits_without_arrivals() -> None:
    assert number("=QUEUE_WAIT(4,0,1)") == pytest.approx(0, abs=1e-200)
    assert number("=QUEUE_TIME(4,0,1)") == 1


def test_constant_service_halves_the_wait() -> None:
    """Pollaczek and Khinchine: at 50 % of one server 0.5 s with constant, 1 s with exponential service."""
    assert number('=QUEUE_WAIT(1,0.5,1,"service_cv=0")') == pytest.approx(0.5, rel=1e-12)
    assert number("=QUEUE_WAIT(1,0.5,1)") == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("percentile", [0.01, 0.1, 0.5, 0.75, 0.95, 0.99, 0.999])
def test_normal_quantile_within_its_stated_error(percentile: float) -> None:
    assert ask("normal_quantile", percentile=percentile) == pytest.approx(
        NormalDist().inv_cdf(percentile), abs=4.5e-4
    )


@pytest.mark.parametrize(("percentile", "exact"), [(0.5, 0.6931), (0.95, 2.9957), (0.99, 4.6052)])
def test_percentiles_of_an_exponential_time(percentile: float, exact: float) -> None:
    """The time in the system of one server is exponential: the gamma percentile is within 2 %."""
    given = {"servers": 1, "arrival_rate": 0.5, "service_time": 1}
    assert ask("queue_time", **given, percentile=percentile) == pytest.approx(2 * exact, rel=0.02)


def simulate(
    servers: int, load: float, draw: Callable[[random.Random], float], customers: int = 60_000
) -> list[float]:
    """Times in the system of customers after the first tenth, service of mean 1 s."""
    env, rng = simpy.Environment(), random.Random(11)
    desk = simpy.Resource(env, servers)
    times: list[float] = []

    def customer() -> Iterator[Any]:
        came = env.now
        with desk.request() as turn:
            yield turn
            yield env.timeout(draw(rng))
        times.append(env.now - came)

    def arrivals() -> Iterator[Any]:
        for _ in range(customers):
            yield env.timeout(rng.expovariate(load * servers))
            env.process(customer())

    env.process(arrivals())
    env.run()
    return times[customers // 10 :]


@pytest.mark.slow
@pytest.mark.parametrize("load", [0.5, 0.7, 0.8])
@pytest.mark.parametrize(
    ("servers", "cv", "draw"),
    [
        (1, 1.0, lambda rng: rng.expovariate(1)),
        (4, 1.0, lambda rng: rng.expovariate(1)),
        (16, 1.0, lambda rng: rng.expovariate(1)),
        (4, 0.0, lambda rng: 1.0),
        # half are nothing, half exponential of mean 2: second moment 4, variance 3
        (4, 3.0**0.5, lambda rng: rng.expovariate(0.5) if rng.random() < 0.5 else 0.0),
    ],
)
def test_waits_agree_with_a_simulation(
    servers: int, cv: float, draw: Callable[[random.Random], float], load: float
) -> None:
    """Mean and 95th percentile within 10 %, the simulation's own noise included, for exponential, constant and more variable service."""
    times = simulate(servers, load, draw)
    given = {"servers": servers, "arrival_rate": load * servers, "service_time": 1, "service_cv": cv}
    assert ask("queue_time", **given) == pytest.approx(fmean(times), rel=0.10)
    assert ask("queue_time", **given, percentile=0.95) == pytest.approx(share(times, 0.95), rel=0.10)
