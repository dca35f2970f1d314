"""`seqlint test-rules` says of the rules of a project whether they do what their examples say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

RULE = '''"""A seed is set by hand.

## Why
It is.

## Do this
Not that.
"""

from collections.abc import Iterator

from seqlint.api import Contract, Edit, Example, Facts, Finding, Levels, Rule

RULE = Rule(
    code="TST301",
    name="seed-by-hand",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(),
    examples=(
        Example(
            "import keras\\n\\nkeras.utils.set_random_seed(0)\\n",
            "import keras\\n\\nkeras.utils.set_random_seed(1)\\n",
        ),
        Example("import keras\\n\\nkeras.utils.set_random_seed(2)\\n"),
        Example.ok("import keras\\n\\nkeras.utils.set_random_seed(1)\\n"),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    for call in facts.calls("keras.utils.set_random_seed"):
        said = facts.text(call.args[0].value)
        found = facts.finding(call, "a seed is set")
        if said == "0":
            yield found.fixed_by("Take 1", Edit(*facts.span(call.args[0].value), "1"))
        elif said != "1":
            yield found
'''


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a rule in a project, which is the working directory."""
    folder = tmp_path / "tools"
    folder.mkdir()
    (tmp_path / "seqlint.toml").write_text('rules = ["tools"]\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEQLINT_TRUST_RULES", "1")
    return folder / "tst301_seed_by_hand.py"


@pytest.mark.parametrize("path", [(), ("tools",), (".",)])
def test_a_rule_that_does_as_its_examples_say_holds(rules: Path, cli: Cli, path: tuple[str, ...]) -> None:
    rules.write_text(RULE)
    done = cli("test-rules", *path)
    assert (done.code, done.err) == (0, "")
    assert done.out == "holds  TST301 seed-by-hand (3 examples)\n1 rule, 3 examples: all hold\n"


def test_the_rule_of_the_documentation_holds(rules: Path, cli: Cli) -> None:
    page = (Path(__file__).parents[2] / "docs/trust.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    rules.write_text(text)
    assert cli("test-rules").out == "holds  OUR101 loud-fit (2 examples)\n1 rule, 2 examples: all hold\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("set_random_seed(2)", "set_random_seed(1)", "example 2: it is not reported"),
        ("ok(\"import keras\\n\\nkeras.utils.set_random_seed(1)", "ok(\"import keras\\n\\nkeras.utils.set_random_seed(2)", "example 3: line 3 is reported"),
        ('            "import keras\\n\\nkeras.utils.set_random_seed(1)\\n",\n', "", "example 1: it is fixed (Take 1), and the example has no `after`"),
        ('"Take 1", Edit(*facts.span(call.args[0].value), "1")', '"Take 1", Edit(*facts.span(call.args[0].value), " 1")', "+keras.utils.set_random_seed( 1)"),
        ('"Take 1", Edit(*facts.span(call.args[0].value), "1")', '"Take 1", Edit(*facts.span(call.args[0].value), ")")', "example 1: "),
        ("## Why\nIt is.\n", "", "no section `## Why`"),
        ('said = facts', 'raise ZeroDivisionError\n        said = facts', "crashed with ZeroDivisionError"),
    ],
)  # fmt: skip
def test_what_is_not_as_the_examples_say_is_told(rules: Path, cli: Cli, old: str, new: str, told: str) -> None:
    text = RULE.replace(
        old.replace("\n", "\\n") if "import" in old else old, new.replace("\n", "\\n") if "import" in new else new, 1
    )
    text = text if text != RULE else RULE.replace(old, new, 1)
    assert text != RULE
    rules.write_text(text)
    done = cli("test-rules")
    assert done.code == 1
    assert told in done.out
    assert "1 failed" in done.out


def test_rules_that_are_not_trusted_do_not_run(rules: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SEQLINT_TRUST_RULES")
    rules.write_text(RULE.replace("RULE = Rule(", "open('ran', 'w').close()\nRULE = Rule(", 1))
    done = cli("test-rules")
    assert (done.code, done.out) == (2, "")
    assert "seqlint trust tools" in done.err
    assert not Path("ran").exists()


@pytest.mark.parametrize(
    ("arguments", "message"), [(("missing",), "not a folder"), (("--select", "TST999"), "no rules to test")]
)
def test_bad_input_is_named(rules: Path, cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    rules.write_text(RULE)
    done = cli("test-rules", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.tensorflow
def test_a_fix_that_changes_more_than_it_declares_fails_its_proof(rules: Path, cli: Cli) -> None:
    rules.write_text(
        RULE.replace('set_random_seed(0)\\n"', 'set_random_seed(0)\\nprint(keras.random.normal(()))\\n"').replace(
            'set_random_seed(1)\\n",\n        )',
            'set_random_seed(1)\\nprint(keras.random.normal(()))\\n",\n        )',
            1,
        )
    )
    assert cli("test-rules").code == 0
    done = cli("test-rules", "--verify")
    assert done.code == 1
    assert "example 1: its proof is" in done.out
