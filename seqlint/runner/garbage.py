"""When to look for garbage: trees hold themselves alive, and to look for them is a quarter of the work if it is done often."""

import gc

_MANY = 500_000  # objects: some 60 MB, which half a megabyte of source code leaves


def seldom() -> None:
    """Look for garbage seldom from here on, and never among what is there already."""
    gc.freeze()
    gc.set_threshold(_MANY, 5, 5)


def no_more() -> None:
    """Leave all garbage to the end of the process, which is near."""
    gc.freeze()
    gc.disable()
