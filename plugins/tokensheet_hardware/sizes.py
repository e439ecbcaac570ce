"""Binary sizes in bytes: GB is 1e9 everywhere, GiB is 2**30."""

from __future__ import annotations

MIB = 2**20
GIB = 2**30
