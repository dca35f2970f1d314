"""Programs as the tests of rules check them. What several tests ask is worked out once: those of one rule run one after the other.

The programs of the pages lie on the disk, each in a project of its own, which no test changes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING

from seqlint import registry
from seqlint.config import Config
from seqlint.engine import Checked, check
from seqlint.sources import Source
from tests.configs import undeclared
from tests.rules.casebook import Case, codes, pages

if TYPE_CHECKING:
    from seqlint.model import LoadedRule

RULES = {loaded.rule.code: loaded for loaded in registry.load()}
_PAGES = {page[0].code: page for page in pages()}
_PROJECTS = TemporaryDirectory(prefix="seqlint-cases-")
_OF_A_RULE = 1024
"""Texts that the tests of one rule ask about, and more."""


@lru_cache(maxsize=_OF_A_RULE)
def checked(code: str, text: str, keras: str) -> Checked:
    """What a rule says of a program of a project that declares nothing but, perhaps, a range of Keras."""
    return check(Source("example.py", text), [RULES[code]], undeclared(keras))


@lru_cache(maxsize=_OF_A_RULE)
def checked_case(case: Case) -> Checked:
    """What the rules of a page say of one of its programs."""
    source, config = project(case)
    return check(source, rules_of(case.code), config)


@cache
def rules_of(code: str) -> tuple[LoadedRule, ...]:
    """The rules that the page of a rule is about."""
    return tuple(RULES[one] for one in sorted(codes(_PAGES[code])))


@cache
def project(case: Case) -> tuple[Source, Config]:
    """The project of a case: its files, and what it declares."""
    folder = Path(mkdtemp(dir=_PROJECTS.name))
    (folder / ".git").mkdir()  # a search for what the project declares ends here, as it does for its user
    for name, text in (*case.others, ("main.py", case.text)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "pyproject.toml").write_text('[project]\nname = "shown"\nversion = "1"\n', encoding="utf-8")
    return Source(str(folder / "main.py"), case.text), replace(
        Config.default(), root=folder, keras=case.keras, extend_select=("ALL",)
    )
