"""Fixtures of Tokensheet: a planner, and no settings of the person who runs the tests."""

from tokensheet.testing.fixtures import *  # noqa: F403
