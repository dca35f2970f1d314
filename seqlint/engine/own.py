"""The diagnostics of seqlint about itself: SEQ001 to SEQ006. They are documented like rules, but no rule file makes them."""

from __future__ import annotations

from pathlib import Path

from seqlint.model import Example, Levels, LoadedRule, Rule

ERROR = Levels.everywhere("error")
WARNING = Levels.everywhere("warning")


def _own(code: str, name: str, levels: Levels, doc: str, *examples: Example) -> LoadedRule:
    rule = Rule(code, name, "0.1.0", levels, examples=examples)
    return LoadedRule.of(rule, lambda facts: iter(()), doc, Path(__file__))


UNPARSABLE = _own(
    "SEQ001",
    "file-unreadable",
    ERROR,
    """A file, or a cell of a notebook, cannot be read as Python.

## Why
A file that can't be parsed can't be checked. The other files are checked, and the exit code is 2. The same holds for code that Python
parses but does not run, such as a `return` outside of a function. For a cell of a notebook it is a warning, and the other cells are
checked; magics, `!`, `?` and `await` are allowed there.

## Do this
Correct the syntax, the encoding or the permissions of the file, or exclude it.
""",
)

CRASHED = _own(
    "SEQ002",
    "rule-crashed",
    ERROR,
    """A rule crashed on this file; the other rules went on.

## Why
A crash is a bug in the rule, not in your code. The finding names the rule, its file and the version of seqlint, for a report. The exit
code is 2.

## Do this
Report it, with the file on which the rule crashed. Until it is corrected, ignore the rule for that file.
""",
)

UNUSED = _own(
    "SEQ003",
    "suppression-unused",
    WARNING,
    """A suppression comment hides nothing.

## Why
A suppression that hides nothing today will hide the next finding of its code at this place.

## Do this
Remove the comment, or the code in it that hides nothing.
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
    """A suppression comment is misspelt, or names no existing rule.

## Why
Somebody wanted to hide a finding, but the comment does not hide it.

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
Two rules disagree about this code, which is a bug in one of them. seqlint keeps the text of the last pass that made progress, and the
finding names the rules. The exit code is 2.

## Do this
Report it, and apply the fixes of one rule only, with `--select`.
""",
)

LATE = _own(
    "SEQ006",
    "file-too-slow",
    ERROR,
    """A file takes longer than its time, so it was not checked.

## Why
One file must not stop the others: they are checked, and the exit code is 2. Each file has 30 seconds of processor time.

## Do this
Exclude the file if it is data in the form of code. Or give it more time, with `--file-time-limit 120` or `file-time-limit = 120` in the
configuration; 0 means no limit. If a person wrote the file, the time is a bug in seqlint: report it.
""",
)

OWN = (UNPARSABLE, CRASHED, UNUSED, UNKNOWN, UNSETTLED, LATE)

FAULTS = frozenset(loaded.rule.code for loaded in (UNPARSABLE, CRASHED, UNSETTLED, LATE))
"""The codes that say that a file could not be checked or fixed as it should."""
