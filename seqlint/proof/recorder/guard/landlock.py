"""Has the Linux kernel refuse all writing outside of some folders, for one process and its children. It takes no rights of root.

What it does not refuse: times, owners and rights of files, and what is written through files that are open already.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from .kernel import asked, libc

if TYPE_CHECKING:
    from collections.abc import Iterable

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION, _BELOW_PATH, _NO_NEW_PRIVILEGES = 1, 1, 38
_WRITE_FILE, _TRUNCATE = 1 << 1, 1 << 14
_WRITES = (_WRITE_FILE, *(1 << bit for bit in range(4, 13)), 1 << 13, _TRUNCATE)
"""Rights: to write a file; to remove and to make each kind of file; to move one to another folder; to truncate one."""
_SINCE = {1 << 13: 2, _TRUNCATE: 3}
"""The version of Landlock that knows a right; the others are known to all."""


class _Below(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("rights", ctypes.c_uint64), ("folder", ctypes.c_int32))


def version() -> int:
    """The version of Landlock in the kernel; 0 where it has none."""
    with suppress(OSError):
        return asked(libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION), "landlock")
    return 0


def enter(places: Iterable[str]) -> None:
    """Allow this process to write in some folders, and nowhere else.

    Args:
        places: the folders, and files such as devices.

    Raises:
        OSError: the kernel has no Landlock.
    """
    known = version()
    if not known:
        raise OSError("the kernel has no Landlock")
    rights = sum(right for right in _WRITES if _SINCE.get(right, 1) <= known)
    handled = ctypes.c_uint64(rights)
    call = libc().syscall
    rules = asked(call(_CREATE_RULESET, ctypes.byref(handled), ctypes.c_size_t(8), 0), "landlock")
    try:
        for place in places:
            with suppress(FileNotFoundError):
                _allow(rules, place, rights)
        asked(libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "prctl")
        asked(call(_RESTRICT_SELF, rules, 0), "landlock")
    finally:
        os.close(rules)


def _allow(rules: int, place: str, rights: int) -> None:
    folder = os.open(place, os.O_PATH | os.O_CLOEXEC)
    try:
        wanted = rights if os.path.isdir(place) else rights & (_WRITE_FILE | _TRUNCATE)
        rule = _Below(wanted, folder)
        asked(libc().syscall(_ADD_RULE, rules, _BELOW_PATH, ctypes.byref(rule), 0), f"landlock {place}")
    finally:
        os.close(folder)
