"""A project with rules of its own, so that no test depends on the rules that seqlint ships."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from seqlint.cli import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

UNKNOWN = "Keras unknown (no requirement and no import tells; use --keras)"
"""What a run says at its end where nothing names a Keras."""

SKIPPED = "skipped: 1 folder excluded"
"""What it says of the project, whose rules are excluded."""

RULE = '''\
"""{summary}.

## Why
It is made up.

## Do this
Don't.
"""

from collections.abc import Iterator

from seqlint.api import Contract, Edit, Example, Facts, Finding, Levels, Rule

RULE = Rule(
    code="{code}",
    name="{name}",
    since="0.1.0",
    levels=Levels.everywhere("{level}"),
    contract=Contract(changes=frozenset({changes})),
    examples=(Example("import keras\\n\\n{call}\\n", {after}),),
)


def check(facts: Facts) -> Iterator[Finding]:
    for call in facts.calls("{function}"):
{body}
'''
FOUND = """\
        yield facts.finding(call, "`{function}` is called")"""
FIXED = FOUND + """.fixed_by("Call `{other}`", Edit(*facts.span(call.func), "{other}"))"""

SAFE = RULE.format(
    summary="A seed is set",
    code="TST101",
    name="seed-set",
    level="warning",
    changes="()",
    call="keras.utils.seed(0)",
    after='"import keras\\n\\nkeras.seed(0)\\n"',
    function="keras.utils.seed",
    body=FIXED.format(function="seed", other="keras.seed"),
)
UNSAFE = RULE.format(
    summary="A session is cleared",
    code="TST102",
    name="session-cleared",
    level="error",
    changes='{"state"}',
    call="keras.backend.clear()",
    after='"import keras\\n\\nkeras.clear()\\n"',
    function="keras.backend.clear",
    body=FIXED.format(function="clear", other="keras.clear"),
)
ADVICE = RULE.format(
    summary="Labels are spread",
    code="TST201",
    name="labels-spread",
    level="advice",
    changes="()",
    call="keras.utils.spread()",
    after="None",
    function="keras.utils.spread",
    body=FOUND.format(function="spread"),
)
CRASH = RULE.format(
    summary="A file is fetched",
    code="TST202",
    name="file-fetched",
    level="error",
    changes="()",
    call="keras.utils.fetch()",
    after="None",
    function="keras.utils.fetch",
    body='        raise RuntimeError("boom")\n        yield call',
)
RULES = {
    "tst101_seed_set.py": SAFE,
    "tst102_session_cleared.py": UNSAFE,
    "tst201_labels_spread.py": ADVICE,
    "tst202_file_fetched.py": CRASH,
}


@dataclass(frozen=True)
class Result:
    """What a run of the command line gave."""

    code: int
    out: str
    err: str
    raw: bytes


Cli = "Callable[..., Result]"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a project with four rules and no file yet."""
    rules = tmp_path / "tools/rules"
    rules.mkdir(parents=True)
    for name, text in RULES.items():
        (rules / name).write_text(text)
    (tmp_path / "seqlint.toml").write_text('rules = ["tools/rules"]\nselect = ["TST"]\nexclude = ["tools/"]\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("SEQLINT_TRUST_RULES", "1")
    return tmp_path


@pytest.fixture
def cli(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run the command line in this process: `cli("check", "a.py", stdin=b"")`."""

    def call(*arguments: str, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsysbinary.readouterr()
        code = run(arguments)
        out, err = capsysbinary.readouterr()
        return Result(code, out.decode("utf-8", "surrogateescape"), err.decode(), out)

    return call
