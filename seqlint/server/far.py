"""Checks of files that take long, in processes of their own: the thread of the server is for all others meanwhile."""

from __future__ import annotations

import asyncio
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from seqlint.runner import pool
from seqlint.server.analysis import Analysis, Analyst

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import ProcessPoolExecutor

    from seqlint.runner.plan import Request
    from seqlint.server.snapshot import Snapshot

_MOST = 2


@dataclass
class Far:
    """The processes of one server for files that take long. They start when there is one."""

    _pool: ProcessPoolExecutor | None = None
    _waiting: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def check(
        self, snapshot: Snapshot, request: Request, seconds: float, is_wanted: Callable[[], bool]
    ) -> Analysis | None:
        """The analysis of a snapshot; None where nobody wants it any more when its turn comes.

        Of one file there is one check at a time: who types would fill all processes with texts of old.

        Args:
            seconds: how long it may take.
        """
        async with self._waiting.setdefault(snapshot.uri, asyncio.Lock()):
            if not is_wanted():
                return None
            if self._pool is None:
                self._pool = pool.of_processes(_MOST)
            here = self._pool
            try:
                with pool.without_main():
                    found = here.submit(_checked, snapshot, request, seconds)
                return await asyncio.wrap_future(found)
            except BrokenProcessPool:
                if self._pool is here:
                    self._pool = None
                return Analysis(
                    snapshot, problem="the process that read this file died: it may need too much memory, or time"
                )

    def stop(self) -> None:
        """The editor goes, and waits for nothing."""
        if self._pool is not None:
            pool.end(self._pool)


def _checked(snapshot: Snapshot, request: Request, seconds: float) -> Analysis:
    """What a process does."""
    with pool.ended_after(seconds):
        _analyst().forget()  # who knows what has changed on the disk since the last one
        return _analyst().check(snapshot, request)


@cache
def _analyst() -> Analyst:
    return Analyst()
