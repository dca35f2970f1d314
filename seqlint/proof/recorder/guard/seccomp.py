"""Has calls that change the times, owners and rights of a file by its path do nothing, for one process and its children: Landlock allows them.

By the number of an open file they still work: who can open a file to write it may change these, too.
"""

from __future__ import annotations

import ctypes
import platform
import struct
from typing import TYPE_CHECKING

from .kernel import asked, libc

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_ALLOW, _SUCCEED = 0x7FFF0000, 0x00050000
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_NUMBER, _MACHINE, _SECOND = 0, 4, 24
"""Where a filter finds the number of the call, the kind of machine, and the second argument."""
_UTIMENSAT = {"x86_64": 280, "aarch64": 88}
_OTHERS = {
    "x86_64": (90, 92, 94, 132, 188, 189, 197, 198, 235, 260, 261, 268, 452),
    "aarch64": (5, 6, 14, 15, 53, 54, 452),
}
"""chmod, chown, utime, setxattr and removexattr in all their kinds that take a path."""
_KIND = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def enter() -> None:
    """Put this process under the filter.

    Raises:
        OSError: the kernel has no such filters, or the machine is of another kind.
    """
    machine = platform.machine()
    if machine not in _KIND:
        raise OSError(f"no filter is known for {machine}")
    code = b"".join(_code(machine))
    kept = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.cast(kept, ctypes.c_void_p))
    asked(libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "prctl")
    asked(libc().prctl(_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0), "seccomp")


def _code(machine: str) -> Iterator[bytes]:
    """The filter: of each step, which it is, how far it jumps where it holds and where not, and its number."""
    yield _step(_LOAD, 0, 0, _MACHINE)
    yield _step(_EQUAL, 1, 0, _KIND[machine])
    yield _step(_RETURN, 0, 0, _ALLOW)
    yield _step(_LOAD, 0, 0, _NUMBER)
    for number in _OTHERS[machine]:
        yield _step(_EQUAL, 0, 1, number)
        yield _step(_RETURN, 0, 0, _SUCCEED)
    yield _step(_EQUAL, 1, 0, _UTIMENSAT[machine])
    yield _step(_RETURN, 0, 0, _ALLOW)
    for half in (_SECOND, _SECOND + 4):  # without a path, it is the times of an open file
        yield _step(_LOAD, 0, 0, half)
        yield _step(_EQUAL, 1, 0, 0)
        yield _step(_RETURN, 0, 0, _SUCCEED)
    yield _step(_RETURN, 0, 0, _ALLOW)


def _step(kind: int, holds: int, fails: int, number: int) -> bytes:
    return struct.pack("=HBBI", kind, holds, fails, number)
