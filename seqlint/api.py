"""All that a rule file may import, and nothing else."""

from seqlint.facts import Facts
from seqlint.model import Contract, Edit, Example, Finding, Fix, Levels, Rule

__all__ = ["Contract", "Edit", "Example", "Facts", "Finding", "Fix", "Levels", "Rule"]
