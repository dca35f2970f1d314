"""A kernel of Jupyter, asked as a notebook asks it; what comes is what a user sees below a cell."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jupyter_client.manager import KernelManager

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jupyter_client.blocking.client import BlockingKernelClient

_PATIENCE = 120  # seconds for one message; only a kernel that hangs needs them


@dataclass
class Below:
    """What stands below a cell: the text that was printed, what was displayed by its types, and what is to replace the cell."""

    status: str = ""
    printed: str = ""
    displayed: list[dict[str, str]] = field(default_factory=list)
    next_inputs: list[dict[str, Any]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def plain(self) -> str:
        """All that is displayed, as text."""
        return "\n".join(one["text/plain"] for one in self.displayed)

    @property
    def html(self) -> str:
        """All that is displayed, as HTML."""
        return "\n".join(one["text/html"] for one in self.displayed)


@dataclass(frozen=True)
class Kernel:
    """A running kernel."""

    client: BlockingKernelClient

    def run(self, code: str, cell: str = "") -> Below:
        """Run a cell to its end.

        Args:
            code: its text.
            cell: the name that the editor has for it; empty for one that names none.
        """
        content = {
            "code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False,
            "stop_on_error": True,
        }  # fmt: skip
        message = self.client.session.msg("execute_request", content, metadata={"cellId": cell} if cell else {})
        self.client.shell_channel.send(message)
        asked = message["header"]["msg_id"]
        below = Below()
        while not _ended(sent := self._next(asked, self.client.get_iopub_msg)):
            _take(below, sent)
        reply = self._next(asked, self.client.get_shell_msg)["content"]
        below.status = reply["status"]
        below.next_inputs = [one for one in reply.get("payload", ()) if one["source"] == "set_next_input"]
        return below

    def _next(self, asked: str, get: Any) -> dict[str, Any]:
        while True:
            sent: dict[str, Any] = get(timeout=_PATIENCE)
            if sent["parent_header"].get("msg_id") == asked:
                return sent


@contextmanager
def kernel(folder: Path, environment: dict[str, str]) -> Iterator[Kernel]:
    """A kernel that works in a folder; it is ended in any case."""
    manager = KernelManager()
    manager.start_kernel(cwd=str(folder), env=environment)
    client = manager.blocking_client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=_PATIENCE)
        yield Kernel(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def _ended(message: dict[str, Any]) -> bool:
    return bool(message["msg_type"] == "status" and message["content"]["execution_state"] == "idle")


def _take(below: Below, message: dict[str, Any]) -> None:
    content = message["content"]
    if message["msg_type"] == "stream":
        below.printed += content["text"]
    elif message["msg_type"] == "display_data":
        below.displayed.append(content["data"])
    elif message["msg_type"] == "error":
        below.errors.append(f"{content['ename']}: {content['evalue']}")
