"""The test of the page's script needs node: it is one of the extras, as those of the server are."""

from __future__ import annotations

from tests.server.conftest import pytest_collection_modifyitems

__all__ = ["pytest_collection_modifyitems"]
