"""A reader that hangs is ended, and its stack shown."""

from __future__ import annotations

import faulthandler
from collections.abc import Iterator

import pytest

from tests.tools.hostile import ASKED

SECONDS = 300


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """Ends the whole process after minutes: what hangs in C hears no signal."""
    if not ASKED:
        faulthandler.dump_traceback_later(SECONDS, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()
