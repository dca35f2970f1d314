from __future__ import annotations

import json
from typing import Any

from seqlint.baseline import Key
from seqlint.model import Edit
from seqlint.output import json as output
from tests.output.samples import UNSAFE, diagnostic, fix, rule


def document(findings: Any, *args: Any) -> Any:
    return json.loads(output.document([output.finding(*found) for found in findings], *args))


def test_a_finding_has_places_in_lines_columns_and_bytes() -> None:
    code = "# é\nmodel.«fit»(x)\n"
    found = document([diagnostic(code, fix("Repair it", Edit(5, 10, "net"), Edit(15, 15, ", 1"), contract=UNSAFE))])
    assert found == {
        "format": 1,
        "findings": [
            {
                "code": "SEQ999",
                "name": "made-up",
                "level": "error",
                "keras": ["3.0-3.9", "3.10+"],
                "message": "this is wrong",
                "path": "a.py",
                "start": {"line": 2, "column": 7, "offset": 11},
                "end": {"line": 2, "column": 10, "offset": 14},
                "fingerprint": Key("SEQ999", "", "fit").digest,
                "fixes": [
                    {
                        "title": "Repair it",
                        "safe": False,
                        "changes": ["hooks", "history"],
                        "repairs": [],
                        "edits": [
                            {
                                "start": {"line": 2, "column": 1, "offset": 5},
                                "end": {"line": 2, "column": 6, "offset": 10},
                                "text": "net",
                            },
                            {
                                "start": {"line": 2, "column": 11, "offset": 15},
                                "end": {"line": 2, "column": 11, "offset": 15},
                                "text": ", 1",
                            },
                        ],
                    }
                ],
            }
        ],
        "errors": [],
    }


def test_what_could_not_be_looked_at_is_told() -> None:
    assert document([], [{"path": "b.py", "message": "gone"}])["errors"] == [{"path": "b.py", "message": "gone"}]


def test_any_text_gives_valid_ascii() -> None:
    text = output.document([output.finding(*diagnostic("«x»\n", message="'\ud800\u2028é' is odd"))])
    assert text.isascii()
    assert json.loads(text)["findings"][0]["message"] == "'\ud800\u2028é' is odd"


def test_the_list_of_rules() -> None:
    assert json.loads(output.rules([rule()])) == {
        "format": 1,
        "rules": [
            {
                "code": "SEQ999",
                "name": "made-up",
                "summary": "What it finds, with a | in it.",
                "since": "0.1.0",
                "default": True,
                "levels": {"2": None, "3.0-3.9": "error", "3.10+": "warning"},
                "sometimes": {"2": [], "3.0-3.9": [], "3.10+": []},
                "fix": "unsafe",
                "safe": False,
                "changes": ["hooks"],
                "repairs": ["errors"],
                "sources": ["someone/something#12", "A talk"],
            }
        ],
    }
