"""Edits of other files: which rules may make them, and what the engine holds them to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint import engine
from seqlint.config import Config
from seqlint.model import Edit, Levels, LoadedRule, Rule
from seqlint.sources import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from seqlint.engine import Checked
    from seqlint.facts import Facts
    from seqlint.model import Finding

OWN = "from other import Feed\n\nfeed = Feed()\n"
OTHER = "class Feed:  # of rows\n    pass\n"
Edits = tuple[Edit, ...]


def rule(edits: Callable[[str], Edits], *, elsewhere: bool = True) -> LoadedRule:
    """A rule that finds each `feed`, and whose fix changes it to `rows`, and the other file as is said."""

    def check(facts: Facts) -> Iterator[Finding]:
        other = facts.files.defining("other.Feed")
        at = facts.source.utf8.find(b"feed =")
        if other is not None and at >= 0:
            finding = facts.finding_at((at, at + 4), "found")
            yield finding.fixed_by("Mend both", Edit(at, at + 4, "rows"), *edits(other.source.path))

    stated = Rule("TST900", "both", "0.1.0", Levels.everywhere("error"), edits_elsewhere=elsewhere)
    return LoadedRule.of(stated, check, "", Path("both.py"))


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    monkeypatch.chdir(tmp_path)
    Path("seqlint.toml").write_text("")
    Path("other.py").write_text(OTHER)
    Path("own.py").write_text(OWN)
    return Source("own.py", OWN)


def settings() -> Config:
    return replace(Config.default(), file=Path("seqlint.toml"))


def checked(source: Source, loaded: LoadedRule) -> Checked:
    return engine.guarded(engine.check(source, (loaded,), settings()), (loaded,), settings())


def test_a_rule_that_does_not_say_so_may_not_edit_other_files(source: Source) -> None:
    found = checked(source, rule(lambda path: (Edit(0, 0, "x = 1\n", path),), elsewhere=False))
    assert [each.code for each in found.diagnostics] == ["SEQ002"]
    assert "edits_elsewhere" in found.diagnostics[0].message


def test_a_file_that_nobody_has_read_can_not_be_edited(source: Source) -> None:
    found = checked(source, rule(lambda path: (Edit(0, 0, "x = 1\n", f"{path}x"),)))
    assert [each.code for each in found.diagnostics] == ["SEQ002"]


@pytest.mark.parametrize(
    ("edit", "offered"),
    [
        (Edit(0, 0, "x = 1\n\n\n"), True),
        (Edit(0, 5, "klass"), False),  # no Python any more
        (Edit(11, 22, ""), False),  # the comment would be gone
        (Edit(0, 10_000, ""), False),
    ],
    ids=["whole", "torn", "no comment", "out of the file"],
)
def test_the_other_file_is_guarded_as_the_own(source: Source, edit: Edit, *, offered: bool) -> None:
    loaded = rule(lambda path: (replace(edit, path=path),))
    (found,) = checked(source, loaded).diagnostics
    assert bool(found.fixes) == offered
    fixed = engine.fix(source, (loaded,), settings())
    assert (fixed.text == OWN.replace("feed =", "rows =")) == offered
    assert [other.after.text for other in fixed.others] == (["x = 1\n\n\n" + OTHER] if offered else [])
    assert Path("other.py").read_text() == OTHER


def test_what_is_found_says_where_in_the_other_file(source: Source) -> None:
    (found,) = checked(source, rule(lambda path: (Edit(27, 31, "x = 1", path),))).diagnostics
    (fix,) = found.fixes
    (other,) = fix.elsewhere
    assert (fix.edits, other.edits) == ((Edit(24, 28, "rows"),), (Edit(27, 31, "x = 1"),))
    assert (str(other.places[0][0]), Path(other.path).name) == ("2:5", "other.py")


def test_a_file_that_changes_while_it_is_checked_is_left_alone(source: Source) -> None:
    loaded = rule(lambda path: (Edit(0, 0, "x = 1\n\n\n", path),))
    found = engine.check(source, (loaded,), settings())
    Path("other.py").write_text("# mine\n" + OTHER)
    tried = engine.attempt(found, found.diagnostics[0], found.diagnostics[0].fixes[0], (loaded,), settings())
    assert tried.reason is not None
    assert "has changed since it was read" in tried.reason
