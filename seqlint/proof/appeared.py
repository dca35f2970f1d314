"""What a change may add to the state of a program, and hide in it: names that the unchanged code does not read, private attributes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from seqlint.proof.recorder.recording import DATA

if TYPE_CHECKING:
    from seqlint.proof.observables import Observed

_ENVIRONMENT = "environ["
_OF_FITS = ("the callback ", DATA)
"""Objects of the last fit, which need no name of the program."""
_ROOT = re.compile(r"(?:len\()?(?P<root>[^.\[\])]+)(?:\.(?P<attribute>\w+))?")
_ITEM = re.compile(r"(?:len\()?(?P<whole>.*)\[[^\[\]]*\]\)?$")


def counts(name: str, before: Observed) -> bool:
    """Whether a name that only the changed program has can be seen by what both have.

    A variable of the environment is seen by all that is started or loaded later. A global or an attribute counts where the unchanged code
    reads it and did not find it. An item counts where the unchanged program has other items of the same.
    """
    if name.startswith(_ENVIRONMENT):
        return True
    found = _ROOT.match(name)
    if found is None or name.startswith(_OF_FITS):
        return False
    root, attribute = found["root"], found["attribute"]
    if root not in before.bound:
        return root in before.reads
    if attribute and f"{root}.{attribute}" not in before.bound and f".{attribute}" in before.reads:
        return True
    item = _ITEM.match(name)
    return item is not None and any(other.startswith(f"{item['whole']}[") for other, _ in before.entries)


def is_private(name: str, seen: Observed) -> bool:
    """Whether a value is in a private attribute of an object, or in any of data: another form of the same code may have others."""
    if name.removeprefix("len(").startswith(DATA):
        return True
    found = _ROOT.match(name)
    if found is None or not (found["attribute"] or "").startswith("_"):
        return False
    return name.removeprefix("len(").startswith(_OF_FITS) or f"{found['root']}.{found['attribute']}" in seen.bound
