"""Usual ranges of numbers, each named after what it lets through; an unusual one stays a `Range` where it is used."""

from __future__ import annotations

from tokensheet.declare import Range

NOT_NEGATIVE = Range(minimum=0)
"""0 or more: times, money, bytes."""
POSITIVE = Range(above=0)
"""Above 0: what is divided by."""
ONE_OR_MORE = Range(minimum=1)
"""1 or more: a ratio to the least there is."""
SHARE = Range(above=0, maximum=1)
"""Above 0, at most 1: a part that is never nothing, such as an efficiency."""
SHARE_OR_NONE = Range(minimum=0, maximum=1)
"""0 to 1: a part that may be nothing."""
SHARE_BELOW_ONE = Range(minimum=0, maximum=0.99)
"""0 to 0.99: a part after which something is left."""
COUNT = Range(minimum=1, whole=True)
"""1, 2, 3 …: how many there are."""
COUNT_OR_NONE = Range(minimum=0, whole=True)
"""0, 1, 2 …: how many there are, if any."""
FLAG = Range(minimum=0, maximum=1, whole=True)
"""0 or 1: no or yes."""
CHANGE = Range(above=-1)
"""Above -1: a change by a share, such as growth in a year; at -1 nothing would be left."""
