"""All functions in cells as Python functions: the module that Excel's setting `UDF MODULES` names.

On every system they can be called: `KV_BYTES("llama-2-70b", 4096, 8)`. An answer that is an error value
in a cell is a text here, `#TS!N/A reason`.
"""

from __future__ import annotations

from tokensheet.functions import Functions
from tokensheet.planning import shared
from tokensheet.udf.module import Answers, excel, made

ANSWERS = Answers(Functions(shared()))
"""What answers all of them; renewed when the catalogue is read again."""

globals().update(made(ANSWERS.functions, excel(), ANSWERS))
