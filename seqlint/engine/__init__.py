"""Rules times facts gives diagnostics; edits are composed, guarded and repeated until nothing changes."""

from seqlint.engine.check import Checked, check, facts_of, level_for, unreadable
from seqlint.engine.fix import Applied, Fixed, Refused, fix
from seqlint.engine.own import FAULTS, OWN

__all__ = [
    "FAULTS", "OWN", "Applied", "Checked", "Fixed", "Refused", "check", "facts_of", "fix", "level_for", "unreadable",
]  # fmt: skip
