"""The diagnostics of seqlint about itself: SEQ001 to SEQ006. They are documented like rules, but no rule file makes them."""

from __future__ import annotations

from pathlib import Path

from seqlint.model import Example, Levels, LoadedRule, Rule

ERROR = Levels.everywhere("error")
WARNING = Levels.everywhere("warning")


def _own(code: str, name: str, levels: Levels, doc: str, *examples: Example) -> LoadedRule:
    rule = Rule(code, name, "0.1.0", levels, examples=examples)
    return LoadedRule(rule, lambda facts: iter(()), doc, Path(__file__))


UNPARSABLE = _own(
    "SEQ001",
    "file-unreadable",
    ERROR,
    """A file, or a cell of a notebook, cannot be read as Python.

## Why
What can't be parsed can't be checked: the other files go on, and the exit code is 2. So it is for what Python parses and does not run, such as
a `return` outside of a function. A cell of a notebook is a warning, and the other cells are checked; magics, `!`, `?` and `await` are no fault there.

## Do this
Mend the syntax, the encoding or the rights of the file, or exclude it.
""",
)

CRASHED = _own(
    "SEQ002",
    "rule-crashed",
    ERROR,
    """A rule crashed on this file; the other rules went on.

## Why
The finding names the rule, its file and the version of seqlint, so that it can be reported. The exit code is 2.

## Do this
Report it with the file that it crashed on, or ignore the rule for that file.
""",
)

UNUSED = _own(
    "SEQ003",
    "suppression-unused",
    WARNING,
    """A suppression comment hides nothing.

## Why
A dead suppression hides the next finding of its code in this place.

## Do this
Remove it; the fix does.
""",
    Example(
        "import keras\n\nkeras.utils.set_random_seed(7)  # seqlint: ignore[SEQ102]\n",
        "import keras\n\nkeras.utils.set_random_seed(7)\n",
    ),
)

UNKNOWN = _own(
    "SEQ004",
    "suppression-unknown",
    WARNING,
    """A suppression comment that is misspelt, or names a code or name no rule has.

## Why
It was meant to hide something and does not.

## Do this
Write the code or the name of a rule; `seqlint rules` lists them.
""",
    Example("import keras\n\nkeras.utils.set_random_seed(7)  # seqlint: ignore[SEQ1O2]\n"),
)

UNSETTLED = _own(
    "SEQ005",
    "fixes-unsettled",
    ERROR,
    """Fixes undo each other: after ten passes the file still changes.

## Why
The text of the last pass that made progress is kept; the finding names the rules.

## Do this
Report it, and fix one of the rules alone with `--select`.
""",
)

LATE = _own(
    "SEQ006",
    "file-too-slow",
    ERROR,
    """A file takes longer than its time, so it was not checked.

## Why
One file must not hold up all others: they go on, and the exit code is 2. What counts is the time of the processor, 30 seconds for each file.

## Instead
Exclude the file, if it is data in the form of code; or give it more time, with `--file-time-limit 120` or `file-time-limit = 120` in the
configuration. 0 is no limit. A file that a person wrote and that takes so long is a fault of seqlint: report it.
""",
)

OWN = (UNPARSABLE, CRASHED, UNUSED, UNKNOWN, UNSETTLED, LATE)

FAULTS = frozenset(loaded.rule.code for loaded in (UNPARSABLE, CRASHED, UNSETTLED, LATE))
"""The codes that say that a file could not be checked or fixed as it should."""
