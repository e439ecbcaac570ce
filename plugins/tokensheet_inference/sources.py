"""Sources that formulas and declarations of several modules share."""

from __future__ import annotations

PROFILE = "stated by profiles"
PLAN = "stated by the plan"
FULLEST = "the device with the most to hold decides"
MIX = "mean over kinds of requests, weighed by their shares"
LOGNORMAL = "lengths are lognormal"
INTERACTIVE = "Little 1961; the interactive response time law, Lazowska et al. 1984"
EXPONENTIAL = "a wait is exponential when there is one: M/M/c, Erlang 1917"
BELOW_CAPACITY = "a queue has a mean only below 100 % load"
LINES = "a step is the larger of two lines of the batch, reading and computing; experts read bend one of them"
SAME_DEVICES = "loads of models on the same devices add up"
