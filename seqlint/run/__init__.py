"""One abstract run of a program, for all rules: what it makes, what it calls, in which order and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.run.objects import (
    Bound,
    Class,
    Constant,
    Container,
    External,
    Function,
    Generator,
    Instance,
    Module,
    Object,
    Option,
    Result,
    Setting,
    Tuple,
    Unknown,
    Value,
    constant,
    is_setting,
)
from seqlint.run.trace import Batch, Call, Context, Loop, Phase, Read, Store

if TYPE_CHECKING:
    from seqlint.run.run import Run

__all__ = [
    "Batch",
    "Bound",
    "Call",
    "Class",
    "Constant",
    "Container",
    "Context",
    "External",
    "Function",
    "Generator",
    "Instance",
    "Loop",
    "Module",
    "Object",
    "Option",
    "Phase",
    "Read",
    "Result",
    "Run",
    "Setting",
    "Store",
    "Tuple",
    "Unknown",
    "Value",
    "constant",
    "is_setting",
]


def __getattr__(name: str) -> object:
    """`Run`, with all that runs a program, is imported by the first file that a rule wants to be run."""
    if name == "Run":
        from seqlint.run.run import Run

        return Run
    raise AttributeError(name)
