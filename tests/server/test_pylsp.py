"""seqlint inside a running python-lsp-server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import seqlint
from seqlint.output.links import page_of
from tests.cli.conftest import SAFE
from tests.server.editor import documentation, installed
from tests.server.test_notes import CODE, TEXT, expected
from tests.server.test_server import BARE

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


class Pylsp:
    """A server, and the messages to and from it."""

    def __init__(self, folder: Path, capabilities: dict[str, Any] | None = None) -> None:
        self.folder = folder
        self.number = 0
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(plugin(folder)), str(installed())))}
        self.process = subprocess.Popen(
            (sys.executable, "-m", "pylsp"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, cwd=folder
        )
        self.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities or {}})
        self.notify("initialized", {})

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        self.number += 1
        self._send({"id": self.number, "method": method, "params": params})
        while (message := self.receive()).get("id") != self.number:
            pass
        return message["result"]

    def published(self) -> list[dict[str, Any]]:
        while (message := self.receive()).get("method") != "textDocument/publishDiagnostics":
            pass
        found: list[dict[str, Any]] = message["params"]["diagnostics"]
        return found

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        assert length, "the server has ended"
        found: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return found

    def open(self, name: str, text: str) -> str:
        """Open a file; it need not be on the disk."""
        uri = (self.folder / name).as_uri()
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def plugin(folder: Path) -> Path:
    """Where the entry point of the plugin is found, as an installation would put it there; a checkout need not be installed."""
    site = folder / "site"
    info = site / "seqlint_of_the_checkout-0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: seqlint-of-the-checkout\nVersion: 0\n")
    stated = re.search(
        r'entry-points\.pylsp\]\nseqlint = "(.+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    )
    assert stated is not None
    (info / "entry_points.txt").write_text(f"[pylsp]\nseqlint = {stated[1]}\n")
    return site


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Pylsp]:
    found = Pylsp(tmp_path)
    yield found
    found.end()


def test_diagnostics_and_fixes(server: Pylsp) -> None:
    text = BARE.replace("class Tides", "wave = '🌊'; x = 1\n\n\nclass Tides")
    uri = (server.folder / "bare.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    server.notify("textDocument/didOpen", {"textDocument": document})
    (found,) = server.published()
    assert (found["code"], found["source"], found["severity"]) == ("SEQ221", "seqlint", 2)
    asked = {"textDocument": {"uri": uri}, "range": found["range"], "context": {"diagnostics": [found]}}
    actions = server.ask("textDocument/codeAction", asked)
    (fix,) = (action for action in actions if action["title"].startswith("Safe: ") and "(SEQ221)" in action["title"])
    lines = text.splitlines(keepends=True)
    for edit in reversed(fix["edit"]["changes"][uri]):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]]
        lines[start["line"]] = line[: start["character"]] + edit["newText"] + line[end["character"] :]
    assert "".join(lines) == seqlint.fix_source(text).source.text


SHOWS_NOTHING: dict[str, Any] = {}
SHOWS_NOTES = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}
SHOWS_LINKS = {"textDocument": {"publishDiagnostics": {"codeDescriptionSupport": True}}}
SAYS_NONSENSE: dict[str, Any] = {"textDocument": {"publishDiagnostics": 3}}


@pytest.mark.parametrize("capabilities", [SHOWS_NOTHING, SHOWS_NOTES, SHOWS_LINKS, SAYS_NONSENSE])
def test_notes_and_links_come_where_the_editor_shows_them(tmp_path: Path, capabilities: dict[str, Any]) -> None:
    (tmp_path / "seqlint.toml").write_text('keras = ">=3.10"\n')
    server = Pylsp(tmp_path, capabilities)
    try:
        server.open("notes.py", TEXT)
        (found,) = (one for one in server.published() if one["code"] == CODE)
    finally:
        server.end()
    notes = [one["message"] for one in found.get("relatedInformation", ())]
    link = found.get("codeDescription", {}).get("href", "")
    assert notes == (list(expected().notes) if capabilities is SHOWS_NOTES else [])
    assert link == (page_of(CODE, documentation()) if capabilities is SHOWS_LINKS else "")


def test_settings_of_the_plugin_hold(server: Pylsp) -> None:
    settings = {"pylsp": {"plugins": {"seqlint": {"ignore": ["SEQ221"]}}}}
    server.notify("workspace/didChangeConfiguration", {"settings": settings})
    uri = (server.folder / "bare.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": BARE}
    server.notify("textDocument/didOpen", {"textDocument": document})
    assert server.published() == []


def test_rules_that_nobody_trusts_do_not_run_and_it_says_so_once(server: Pylsp) -> None:
    (server.folder / "house").mkdir()
    mark = server.folder / "ran"
    (server.folder / "house/tst101_seed_set.py").write_text(f"open({str(mark)!r}, 'w')\n{SAFE}")
    (server.folder / "seqlint.toml").write_text('rules = ["house"]\n')
    said = [message for name in ("a.py", "b.py") for message in told(server, name)]
    (warning,) = (message for message in said if "these rules are not trusted" in message["message"])
    assert (warning["type"], mark.exists()) == (2, False)


def told(server: Pylsp, name: str) -> list[dict[str, Any]]:
    """What the user is told before the diagnostics of a file come."""
    document = {"uri": (server.folder / name).as_uri(), "languageId": "python", "version": 1, "text": BARE}
    server.notify("textDocument/didOpen", {"textDocument": document})
    said: list[dict[str, Any]] = []
    while (message := server.receive()).get("method") != "textDocument/publishDiagnostics":
        if message.get("method") == "window/showMessage":
            said.append(message["params"])
    return said
