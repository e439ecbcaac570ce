"""A replica with continuous batching, step by step, as a discrete-event simulation: what the closed forms are held against."""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import simpy


@dataclass
class Request:
    """One request: what it brings, and when its tokens came."""

    arrival: float
    prompt: int
    output: int
    left: int = 0
    first: float = 0.0
    last: float = 0.0

    @property
    def ttft(self) -> float:
        return self.first - self.arrival

    @property
    def tpot(self) -> float:
        return (self.last - self.first) / (self.output - 1)

    @property
    def time(self) -> float:
        return self.last - self.arrival


@dataclass
class Replica:
    """What a replica can do.

    Attributes:
        step: seconds of a decode step by its number of sequences
        prefill_token: seconds of one prompt token
        slots: most sequences at once, those in prefill included
        budget: most tokens in a step
        chunked: prompts are cut into chunks that share steps with decoding; else a prompt stops decoding
    """

    step: Callable[[float], float]
    prefill_token: float
    slots: int
    budget: int
    chunked: bool
    gaps: list[float] = field(default_factory=list)
    """Length of each step in which sequences were decoded."""


def run(
    replica: Replica,
    rate: float,
    requests: int,
    draw: Callable[[random.Random], tuple[int, int]],
    seed: int,
) -> list[Request]:
    """Finished requests of a run with Poisson arrivals; the first tenth, while the replica fills, is left out.

    Args:
        replica: what serves
        rate: arrivals a second
        requests: how many
        draw: prompt and output tokens of the next request
        seed: of the random numbers
    """
    env, rng = simpy.Environment(), random.Random(seed)
    waiting: deque[Request] = deque()
    done: list[Request] = []
    wake = [env.event()]

    def arrive() -> Iterator[Any]:
        for _ in range(requests):
            yield env.timeout(rng.expovariate(rate))
            prompt, output = draw(rng)
            waiting.append(Request(env.now, prompt, output, prompt))
            if not wake[0].triggered:
                wake[0].succeed()

    def serve() -> Iterator[Any]:
        prefilling: deque[Request] = deque()
        decoding: list[tuple[int, int, Request]] = []
        steps = number = 0
        while len(done) < requests:
            while waiting and len(decoding) + len(prefilling) < replica.slots:
                prefilling.append(waiting.popleft())
            if not prefilling and not decoding:
                wake[0] = env.event()
                if not waiting:
                    yield wake[0]
                continue
            mixed = replica.chunked or not prefilling
            sequences = len(decoding) if mixed else 0
            tokens, ready = chunks(prefilling, replica.budget - sequences, replica.chunked)
            length = tokens * replica.prefill_token + (replica.step(sequences) if sequences else 0.0)
            yield env.timeout(length)
            if decoding:
                replica.gaps.append(length)
            if sequences:
                steps += 1
            while decoding and decoding[0][0] <= steps:
                request = heapq.heappop(decoding)[2]
                request.last = env.now
                done.append(request)
            for request in ready:
                request.first = env.now
                number += 1
                heapq.heappush(decoding, (steps + request.output - 1, number, request))

    env.process(arrive())
    env.run(env.process(serve()))
    done.sort(key=lambda r: r.arrival)
    return done[requests // 10 :]


def chunks(prefilling: deque[Request], room: int, chunked: bool) -> tuple[int, list[Request]]:
    """Prompt tokens of one step, first come first served, and the prompts that are done with it."""
    tokens, ready = 0, []
    while prefilling and (room > 0 if chunked else not ready or prefilling[0].left <= room):
        request = prefilling[0]
        part = min(request.left, room) if chunked else request.left
        request.left -= part
        tokens += part
        room -= part
        if request.left == 0:
            ready.append(prefilling.popleft())
    return tokens, ready


def share(values: list[float], percentile: float) -> float:
    """The value that a share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(percentile * len(ordered)))]
