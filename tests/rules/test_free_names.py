"""What a fix binds is free: a program in which the name is taken already is fixed with another name, or not at all."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.config import Config
from seqlint.engine import fix
from seqlint.sources import Source
from tests.rules.casebook import pages
from tests.rules.takings import Bound, bindings, meanings, reads, taken, without_unused_imports

if TYPE_CHECKING:
    from seqlint.model import LoadedRule

RULES = {loaded.rule.code: loaded for loaded in registry.load()}
_EXAMPLES = [
    pytest.param(loaded, example.before, example.keras, id=f"{loaded.rule.code}-{number}")
    for loaded in RULES.values()
    for number, example in enumerate(loaded.rule.examples)
    if example.after is not None
]
_CASES = [
    pytest.param(RULES[case.code], case.plain, case.keras, id=str(case))
    for page in pages()
    for case in page
    if case.fixed and not case.others
]


def fixed(loaded: LoadedRule, text: str, keras: str) -> str:
    return fix(Source("example.py", text), [loaded], replace(Config.default(), keras=keras), unsafe=True).source.text


def new_names(before: str, after: str) -> list[Bound]:
    """What the fix binds in a function that was there before, or in the module."""
    known = {bound.path for bound in bindings(before)} | {()}
    return sorted(bound for bound in bindings(after) - bindings(before) if bound.path in known)


@pytest.mark.parametrize(("loaded", "text", "keras"), [*_EXAMPLES, *_CASES])
def test_a_name_that_is_taken_keeps_its_meaning(loaded: LoadedRule, text: str, keras: str) -> None:
    before = without_unused_imports(text)
    wrong = []
    for wanted in new_names(before, fixed(loaded, before, keras)):
        if bindings(before)[wanted]:  # the fix gives a variable of the program another value
            continue
        for title, program in taken(before, wanted):
            assert ast.parse(program)
            after = fixed(loaded, program, keras)
            ours = not wanted.path and "import" not in title  # what a fix adds to the module, it adds to read it
            complaint = _caught(program, after) or (_misread(program, after, wanted.name) if ours else "")
            wrong += [f"{wanted.name} is {title}: {complaint}\n{after}"] if complaint else []
    assert not wrong, "\n".join(wrong)


def _caught(before: str, after: str) -> str:
    """What the fix binds that was bound already, and what means something else now."""
    old, new = bindings(before), bindings(after)
    for bound in new - old:
        if old[bound]:
            return f"{bound.name} is bound once more in {bound.path}"
        if bound.path and new[Bound((), bound.name)] and bound.path in {each.path for each in old}:
            return f"{bound.name} of {bound.path} hides a name of the module"
    told = meanings(after)
    for path, names in meanings(before).items():
        changed = {name for name, meaning in names.items() if told.get(path, {}).get(name, meaning) != meaning}
        if changed:
            return f"{changed} mean something else in {path}"
    return ""


def _misread(before: str, after: str, name: str) -> str:
    """Where the fix reads the name and would get what it was taken for."""
    old = bindings(before)
    more = reads(after, name) - reads(before, name)
    return next((f"it is read in {bound.path}" for bound in more if old[bound] or old[Bound((), name)]), "")


def test_fixes_bind_names_of_every_sort() -> None:
    """What the test above tries: an example with variables, imports, parameters and classes that a fix makes."""
    made = {
        bound.name
        for loaded in RULES.values()
        for example in loaded.rule.examples
        if example.after is not None
        for bound in new_names(without_unused_imports(example.before), example.after)
    }
    assert {"rng", "error", "order", "row", "math", "kwargs", "ChainedSequence", "EvaluationCallback"} <= made
