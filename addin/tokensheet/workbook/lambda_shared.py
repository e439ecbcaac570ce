"""The LAMBDA names that all planning functions of a workbook share: options, ranges of numbers, facts.

Texts as Excel shows them; `{names}` and its like are columns of the Functions sheet.
"""

from __future__ import annotations

from collections.abc import Mapping

from tokensheet.ranges import NOT_NEGATIVE
from tokensheet.texts import say
from tokensheet.workbook.formula_rows import range_test
from tokensheet.workbook.lambda_functions import PART
from tokensheet.workbook.lambda_text import Lambda

PART_COMMENT = say("Part of other names; not to be called by itself.")

# What a row of options says for a name; empty where there is none. An error among the names is one.
OPTION = (
    'LAMBDA(options,name,IF(COLUMNS(options)<>2,"",LET('
    "place,SUMPRODUCT((INDEX(options,0,1)=name)*SEQUENCE(ROWS(options))),"
    'value,INDEX(options,MAX(place,1),2),IF(place=0,"",IF(value="","",value)))))'
)

# A number in the range that the Functions sheet states for its name, else #N/A; empty stays empty.
IN_RANGE = (
    "LAMBDA(name,value,LET(place,XMATCH(name,{names},0),above,INDEX({above},place),least,INDEX({least},place),"
    'most,INDEX({most},place),whole,INDEX({whole},place),IF(value="","",IF(AND(ISNUMBER(value),'
    'OR(above="",value>above),OR(least="",value>=least),OR(most="",value<=most),'
    "OR(whole<>1,value=INT(N(value)))),value,NA()))))"
)

# The number that options state for a name, else another; empty where neither does.
STATED = (
    "LAMBDA(options,name,otherwise,LET(value,{part}OPTION(options,name),"
    '{part}IN_RANGE(name,IF(value="",IF(otherwise="","",otherwise),value))))'
)

# The same, but an error where neither does.
GIVEN = (
    "LAMBDA(options,name,otherwise,LET(value,{part}STATED(options,name,otherwise),"
    "IF(ISNUMBER(value),value,NA())))"
)

# The first that is not empty. An empty cell becomes an empty text, so that it never counts as 0.
FIRST = 'LAMBDA(one,other,IF(one="",IF(other="","",other),one))'

# A fact of a record: an empty cell, a text or a negative number is none.
FACT = f"LAMBDA(value,IF({range_test('value', NOT_NEGATIVE)},value,NA()))"

# Whether options are two columns (or left out), each name known and there once, no value without a name,
# numbers in range and records in the catalogue, whether an answer reads them or not.
OPTIONS_HOLD = (
    'LAMBDA(options,IF(COLUMNS(options)<>2,IF(ROWS(options)*COLUMNS(options)=1,options="",FALSE),LET('
    'names,INDEX(options,0,1),values,INDEX(options,0,2),known,{names},units,{units},given,SUMPRODUCT(--(names<>"")),'
    'wrong,SUM(MAP(names,values,LAMBDA(name,value,IF(OR(name="",value=""),0,IF(INDEX(units,XMATCH(name,known,0))="id",'
    "0,IF(ISNUMBER({part}IN_RANGE(name,value)),0,1)))))),"
    'AND(wrong=0,SUMPRODUCT((names<>"")*(names=TRANSPOSE(known)))=given,'
    'SUMPRODUCT((names<>"")*(names=TRANSPOSE(names)))=given,SUMPRODUCT((names="")*(values<>""))=0{chosen}))))'
)

TEXTS = {
    "OPTION": OPTION,
    "IN_RANGE": IN_RANGE,
    "STATED": STATED,
    "GIVEN": GIVEN,
    "FIRST": FIRST,
    "FACT": FACT,
    "OPTIONS_HOLD": OPTIONS_HOLD,
}


def shared(areas: Mapping[str, str], roles: Mapping[str, str]) -> list[Lambda]:
    """The names.

    Args:
        areas: of the Functions sheet, by what stands in them: names, units, above, least, most, whole
        roles: that options may choose → where the ids of their records stand
    """
    chosen = "".join(f",{_in_catalogue(role, area)}" for role, area in sorted(roles.items()))
    texts = {name: text.format(part=PART, chosen=chosen, **areas) for name, text in TEXTS.items()}
    return [Lambda(f"{PART}{name}", text, PART_COMMENT) for name, text in texts.items()]


def _in_catalogue(role: str, area: str) -> str:
    stated = f'{PART}OPTION(options,"{role}")'
    return f'OR({stated}="",ISNUMBER(XMATCH({stated},{area},0)))'
