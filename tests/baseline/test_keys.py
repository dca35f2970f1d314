"""A finding is known again where the code around it has moved, and not where it has become another."""

from __future__ import annotations

from collections import Counter

import pytest

from seqlint.baseline import Baseline, Key, key_of, read, written
from seqlint.model import ConfigError
from tests.output.samples import diagnostic

CODE = """\
class Loader:
    def load(self):
        for path in self.paths:
            «read(path,
                 2)»

    class Inner:
        async def again(self):
            pass
"""


@pytest.mark.parametrize(
    "moved",
    [
        "import os\n\n\n" + CODE,
        CODE.replace("        for", "        first = 1\n        for"),
        CODE.replace("read(path,", "read( path,").replace("read( ", "read("),
        CODE.replace("                 2", "  2"),
        CODE.replace("    def load", "    # why\n    @cached\n    def load"),
    ],
)
def test_moved_code_has_the_same_key(moved: str) -> None:
    assert key_of(*diagnostic(moved)) == Key("SEQ999", "Loader.load", "read(path,")


def test_the_scope_is_all_that_is_around() -> None:
    code = CODE.replace("«", "").replace("»", "").replace("            pass", "            «pass»")
    assert key_of(*diagnostic(code)) == Key("SEQ999", "Loader.Inner.again", "pass")


def test_what_is_at_the_top_of_a_file_has_no_scope() -> None:
    assert key_of(*diagnostic("def f():\n    pass\n\n\n«f()»\n")) == Key("SEQ999", "", "f()")


def test_a_baseline_is_read_as_it_was_written(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("project") / "seqlint-baseline.json"
    keys = {Key("SEQ201", "Loader.__getitem__", 'except "é":'): 2, Key("SEQ101", "", ""): 1}
    baseline = Baseline(file, {"a/b.py": Counter(keys)})
    text = written(baseline)
    assert read(file, text) == baseline
    assert sum(b'"rule"' in line for line in text.splitlines()) == len(keys)
    assert written(Baseline(file, {})) == written(read(file, written(Baseline(file, {}))))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "not JSON"),
        (b"[]", "not a baseline"),
        (b'{"format": 9, "findings": []}', "format 9"),
        (b'{"format": 1, "findings": [{"path": "a.py"}]}', "entry 1"),
        (b'{"format": 1, "findings": [{"path": "a.py", "rule": "X", "scope": "", "text": "", "count": 0}]}', "entry 1"),
        (b'{"format": 1, "findings": [{"path": "a.py", "rule": "X", "scope": "", "text": 3}]}', "entry 1"),
    ],
)
def test_what_is_no_baseline_is_named(data: bytes, message: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("project") / "seqlint-baseline.json"
    with pytest.raises(ConfigError, match=message):
        read(file, data)
