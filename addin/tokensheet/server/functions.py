"""All functions for an xlwings Server of your own; its `custom_functions` imports * from here.

xlwings Server is under PolyForm Noncommercial 1.0.0 or a paid licence. `tokensheet server run` does without it.
"""

from __future__ import annotations

from tokensheet.functions import Functions
from tokensheet.planning import shared
from tokensheet.server.licensed import declared, office_rows

_made = declared(Functions(shared()), office_rows)
globals().update(_made)
__all__ = list(_made)
