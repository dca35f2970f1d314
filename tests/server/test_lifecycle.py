"""What is answered before the editor has said who it is, and after it has said that it goes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NOT_INITIALIZED, INVALID = -32002, -32600
INITIALIZE = {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
INITIALIZED: dict[str, Any] = {"method": "initialized", "params": {}}
SHUTDOWN: dict[str, Any] = {"id": 2, "method": "shutdown"}
EXIT: dict[str, Any] = {"method": "exit"}
HOVER = {
    "id": 3,
    "method": "textDocument/hover",
    "params": {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}},
}
COMMAND = {
    "id": 4,
    "method": "workspace/executeCommand",
    "params": {"command": "seqlint.explain", "arguments": ["SEQ101"]},
}
OPENED = {
    "method": "textDocument/didOpen",
    "params": {"textDocument": {"uri": "file:///a.py", "languageId": "python", "version": 1, "text": "x = 1\n"}},
}


def talk(*messages: dict[str, Any]) -> tuple[dict[int, Any], int]:
    """The answers to messages, by the ids of these, and the exit code of the server."""
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    data = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
    done = subprocess.run(
        [sys.executable, "-m", "seqlint", "server"],
        input=data,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
        check=False,
    )
    found: dict[int, Any] = {}
    out = done.stdout
    while out:
        head, _, out = out.partition(b"\r\n\r\n")
        size = next(int(line.partition(b":")[2]) for line in head.splitlines() if line.startswith(b"Content-Length"))
        answer, out = json.loads(out[:size]), out[size:]
        if "method" not in answer:
            found[answer["id"]] = answer["error"]["code"] if "error" in answer else answer["result"]
    return found, done.returncode


def test_before_initialize() -> None:
    found, _ = talk(HOVER, COMMAND, OPENED, SHUTDOWN, EXIT)
    assert found == {3: NOT_INITIALIZED, 4: NOT_INITIALIZED, 2: NOT_INITIALIZED}


def test_after_shutdown() -> None:
    found, code = talk(INITIALIZE, INITIALIZED, SHUTDOWN, HOVER, OPENED, COMMAND, EXIT)
    assert found[2] is None
    assert (found[3], found[4]) == (INVALID, INVALID)
    assert code == 0


def test_a_second_initialize() -> None:
    found, code = talk(INITIALIZE, {**INITIALIZE, "id": 7}, SHUTDOWN, EXIT)
    assert found[7] == INVALID
    assert "capabilities" in found[1]
    assert code == 0
