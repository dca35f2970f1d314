"""Proves a fix by running its file before and after, in a process of its own that can be cancelled."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqlint.runner.process import own_path

_PATIENCE = 10  # seconds that a cancelled run has for its clean-up


@dataclass(frozen=True)
class Verified:
    """What the run of a fix gave.

    Attributes:
        held: whether the fix keeps its contract.
        text: one sentence for the user.
        report: the page that shows it; None where nothing was run.
    """

    held: bool
    text: str
    report: Path | None = None


# `-m` would look into the working directory first, for this module and for all that Python itself imports.
_BOOT = "import sys; sys.path[:] = {path!r}; from seqlint.cli import main; main()"


def command() -> tuple[str, ...]:
    """How another seqlint is started that imports what this one does, and nothing from the working directory."""
    safe = ("-P",) if sys.version_info >= (3, 11) else ()  # 3.13 imports a module before the first line runs
    return sys.executable, *safe, "-c", _BOOT.format(path=own_path(sys.path))


async def verify(path: str, code: str, line: int, cell: int | None, running: set[int]) -> Verified:
    """Run `seqlint verify` for the fixes of one rule in a file.

    Args:
        path: the file, as it is on the disk.
        code, line, cell: the finding whose fix is asked for.
        running: holds the id of the process while it runs.

    Raises:
        asyncio.CancelledError: the caller was cancelled; the run and all that it started are ended then.
    """
    report = Path(tempfile.mkdtemp(prefix="seqlint-")) / "proof.html"
    process = await asyncio.create_subprocess_exec(
        *command(), "verify", path, "--select", code, "--output-format", "json",
        "--report", str(report),
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        start_new_session=True, env={name: value for name, value in os.environ.items() if name != "SEQLINT_TRUST_RULES"},
    )  # fmt: skip
    running.add(process.pid)
    try:
        out, err = await process.communicate()
    except asyncio.CancelledError:
        await _end(process)
        raise
    finally:
        running.discard(process.pid)
    return _answer(out, err.decode("utf-8", "replace"), code, line, cell, report)


def end(running: set[int]) -> None:
    """End the processes of all proofs that go on; they clean up after themselves."""
    for process in running:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGTERM)


async def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), _PATIENCE)
    except asyncio.TimeoutError:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()


def _answer(out: bytes, err: str, code: str, line: int, cell: int | None, report: Path) -> Verified:
    try:
        proof: dict[str, Any] = json.loads(out)
    except ValueError:
        lines = [text for text in err.splitlines() if text.strip()]
        return Verified(False, f"{code} could not be proved: {lines[-1] if lines else 'seqlint verify said nothing'}")
    items = [item for item in proof["items"] if item["code"] == code]
    item = next((item for item in items if (item["line"], item["cell"]) == (line, cell)), items[0] if items else None)
    shown = report if report.is_file() else None
    if item is None:
        return Verified(False, f"{code} could not be proved: the fix is not offered for the file as it is saved", shown)
    return Verified(item["held"], f"{code}: {_outcome(item, proof)}", shown)


def _outcome(item: dict[str, Any], proof: dict[str, Any]) -> str:
    ran = next((proof["proofs"][place] for place in item["proofs"]), None)
    if ran is None or not (item["held"] or item["outcome"] == "DIFFERENT"):
        return str(item["answer"])
    different = next((seen for seen in ran["observables"] if seen["outcome"] == "DIFFERENT"), None)
    where = f"; {different['observable']}: {_place(different)}" if different else ""
    keras = ran["versions"].partition(",")[0]
    return f"{item['answer']} ({keras[:1].upper()}{keras[1:]}){where}"


def _place(seen: dict[str, Any]) -> str:
    """Where the runs first differ, and how."""
    found = seen["difference"]
    return f"{found['where']}, {found['before']} before and {found['after']} after" if found else str(seen["detail"])
