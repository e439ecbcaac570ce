"""For plugin authors: a formula's function, tree, compiled code and spreadsheet text give one answer.

from tokensheet.testing import check_formula

def test_my_formula_is_one_in_all_its_readings(planner):
    check_formula(planner, "my_formula")
"""

from __future__ import annotations

from tokensheet.testing.agreement import Report
from tokensheet.testing.check import check_formula, judged, proof_of
from tokensheet.testing.plugin_check import Checked, check_plugin
from tokensheet.testing.sampling import samples

__all__ = ["Checked", "Report", "check_formula", "check_plugin", "judged", "proof_of", "samples"]
