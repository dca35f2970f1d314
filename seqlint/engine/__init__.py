"""Rules times facts gives diagnostics; edits are composed, guarded and repeated until nothing changes."""

from seqlint.engine.check import Checked, check, facts_of, forget, late, level_for, unreadable
from seqlint.engine.elsewhere import Other, texts
from seqlint.engine.examples import faults_of_example, faults_of_rule
from seqlint.engine.fix import Alone, Applied, Fixed, Refused, alone, attempt, fix, together
from seqlint.engine.hide import hide
from seqlint.engine.limit import within
from seqlint.engine.offers import guarded
from seqlint.engine.own import FAULTS, OWN
from seqlint.engine.trial import Tried

__all__ = [
    "FAULTS",
    "OWN",
    "Alone",
    "Applied",
    "Checked",
    "Fixed",
    "Other",
    "Refused",
    "Tried",
    "alone",
    "attempt",
    "check",
    "facts_of",
    "faults_of_example",
    "faults_of_rule",
    "fix",
    "forget",
    "guarded",
    "hide",
    "late",
    "level_for",
    "texts",
    "together",
    "unreadable",
    "within",
]  # fmt: skip
