"""Calls of the Linux kernel that Python has no function for."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from typing import Any


@cache
def libc() -> Any:
    """The C library of this process.

    Raises:
        OSError: the system is not Linux.
    """
    if sys.platform != "linux":
        raise OSError("not Linux")
    return ctypes.CDLL(None, use_errno=True)


def asked(result: int, what: str) -> int:
    """The result of a call.

    Raises:
        OSError: the kernel refused it.
    """
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
