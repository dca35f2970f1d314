"""The index of a project: what its modules are called, and what their names lead to. Made with `ast`, on demand."""

from seqlint.facts.project.project import Judge, Project
from seqlint.facts.project.summary import UNKNOWN, ClassSummary, ModuleSummary, Parameter

__all__ = ["UNKNOWN", "ClassSummary", "Judge", "ModuleSummary", "Parameter", "Project"]
