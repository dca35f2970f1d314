"""One editor's session: its texts, its settings, and analyses that are never older than what they are asked for."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from seqlint.server.analysis import Analysis, Analyst
from seqlint.server.documents import Documents, path_of
from seqlint.server.far import Far
from seqlint.server.settings import Settings
from seqlint.server.snapshot import snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")

REST = 0.02
"""Seconds after a check before what it left is cleaned up: that holds up the answer otherwise."""

TURN = 2.0
"""Seconds of the processor after which a check gives way to those of other files, and goes on in a process of its own."""

_MOST_UNRESTED = 20


@dataclass
class Session:
    """What the server knows of one editor. All methods are called on the event loop.

    Attributes:
        folders: the workspace folders, as paths.
        settings: those of the editor as a whole.
        by_folder: those of single workspace folders, where the editor distinguishes them.
        shows_pages: whether the editor itself shows the page that `seqlint.explain` answers.
        hover_alone: whether the editor shows nothing of a finding together with the hover over it.
    """

    documents: Documents = field(default_factory=Documents)
    folders: list[str] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)
    by_folder: dict[str, Settings] = field(default_factory=dict)
    shows_pages: bool = False
    hover_alone: bool = False
    _generation: int = 0
    _resting: asyncio.TimerHandle | None = None
    _unrested: int = 0
    _saved: dict[str, tuple[int, ...]] = field(default_factory=dict)
    _analyst: Analyst = field(default_factory=Analyst)
    _worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "seqlint"))
    _latest: dict[str, Analysis] = field(default_factory=dict)
    _late: dict[str, Analysis] = field(default_factory=dict)
    _far: Far = field(default_factory=Far)
    _running: dict[str, tuple[tuple[int, ...], asyncio.Future[Analysis | None]]] = field(default_factory=dict)

    def folder_of(self, uri: str) -> str:
        """The workspace folder that a text is in, the innermost; empty for one outside of all."""
        path = path_of(uri)
        inside = [folder for folder in self.folders if Path(path).is_relative_to(folder)]
        return max(inside, key=len, default="")

    def settings_of(self, uri: str) -> Settings:
        """The settings that hold for a text."""
        return self.by_folder.get(self.folder_of(uri), self.settings)

    async def analysis(self, uri: str) -> Analysis | None:
        """The analysis of a file or notebook as it is when this returns; None where it is not open, or not checked."""
        while True:
            version, generation = self.documents.version(uri), self._generation
            done = self._latest.get(uri)
            if done is not None and version and done.snapshot.version == version:
                return done
            found = await self._run(uri, version)
            if version == self.documents.version(uri) and generation == self._generation:
                return found

    async def work(self, job: Callable[[Analyst], Result]) -> Result:
        """Something else that takes its time, on the thread where the checks run."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, job, self._analyst)

    def forget(self) -> None:
        """Something has changed on the disk, or in the settings: all is to be checked anew."""
        self._generation += 1
        self._latest.clear()
        self._running.clear()
        self._worker.submit(self._analyst.forget)

    def saved(self, uri: str) -> None:
        """A file or notebook was saved; what it says to others may be another."""
        self._saved[uri] = self.documents.version(uri)
        self.forget()

    def waits_for_save(self, uri: str) -> bool:
        """Whether a text that has changed is not to be checked before it is saved."""
        version = self.documents.version(uri)
        return self.settings_of(uri).run == "onSave" and self._saved.get(uri, version) != version

    def result_id(self, uri: str) -> str:
        """A name of what was found in a text: it changes with the text and with what is around it."""
        return f"{self._generation}:{'.'.join(map(str, self.documents.version(uri)))}"

    def closed(self, uri: str) -> None:
        """A file or notebook is not open any more."""
        for kept in (self._latest, self._saved, self._late):
            kept.pop(uri, None)
        self._running.pop(uri, None)

    def stop(self) -> None:
        """The editor goes."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        self._far.stop()

    async def _run(self, uri: str, version: tuple[int, ...]) -> Analysis | None:
        running = self._running.get(uri)
        if running is None or running[0] != version:
            running = version, asyncio.ensure_future(self._check(uri))
            self._running[uri] = running
        # Who waits may be cancelled by the editor; others wait for the same check.
        return await asyncio.shield(running[1])

    def _rest_soon(self) -> None:
        """Clean up once the answer is out, and not while keys come fast, unless there have been many of them."""
        if self._resting is not None:
            self._resting.cancel()
        self._unrested += 1
        wait = REST if self._unrested < _MOST_UNRESTED else 0.0
        self._resting = asyncio.get_running_loop().call_later(wait, self._rest)

    def _rest(self) -> None:
        self._resting, self._unrested = None, 0
        with suppress(RuntimeError):  # the editor has gone in between
            self._worker.submit(self._analyst.rest)

    async def _check(self, uri: str) -> Analysis | None:
        found, generation = snapshot(self.documents, uri), self._generation
        settings = self.settings_of(uri)
        if found is None or not settings.enable:
            return None
        folder = self.folder_of(uri)
        request = settings.request(Path(folder) if folder else None)

        def is_current() -> bool:
            return self.documents.version(uri) == found.version

        def check(analyst: Analyst) -> Analysis | None:
            # While it waited for the thread, the text may have gone on.
            return analyst.check(found, request, TURN) if is_current() else None

        analysis = self._late.get(uri) or await self.work(check)
        self._rest_soon()
        if analysis is not None and analysis.late:
            self._late[uri] = analysis
            seconds = analysis.config.time_limit if analysis.config is not None else 0.0
            analysis = await self._far.check(found, request, seconds, is_current)
        if analysis is not None and generation == self._generation:  # else it was made under settings of old
            self._latest[uri] = analysis
        return analysis
