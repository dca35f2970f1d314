"""Whether a rule does what its examples say: for the rules of a project, which no test of seqlint knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.engine.check import check
from seqlint.engine.fix import fix
from seqlint.engine.own import FAULTS
from seqlint.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.config import Config
    from seqlint.model import Diagnostic, Example, LoadedRule

_SECTIONS = ("Why", "Do this")
NAME = "example.py"


def faults_of_rule(loaded: LoadedRule) -> Iterator[str]:
    """What is missing in the statement or the page of a rule."""
    lines = loaded.doc.strip().splitlines()
    if not lines or not lines[0].strip():
        yield "it has no docstring: the first line says what the rule finds"
    headings = {line[3:].strip() for line in lines if line.startswith("## ")}
    yield from (f"its page has no section `## {name}`" for name in _SECTIONS if name not in headings)
    if not any(not example.silent for example in loaded.rule.examples):
        yield "it has no example of what it reports"
    if not any(example.silent for example in loaded.rule.examples):
        yield "it has no example of what must stay silent: Example.ok(...)"


def faults_of_example(
    loaded: LoadedRule, example: Example, config: Config, known: Sequence[LoadedRule]
) -> Iterator[str]:
    """What is not as an example says.

    Args:
        config: turns the rule on, with the Keras of the example.
        known: the rules there are.
    """
    source = Source(NAME, example.before)
    checked = check(source, [loaded], config, known)
    if broken := [found for found in checked.diagnostics if found.code in FAULTS]:
        yield broken[0].message
        return
    found = [each for each in checked.diagnostics if each.code == loaded.rule.code]
    if example.silent:
        yield from (f"line {each.start.line} is reported, and must stay silent: {each.sentence}" for each in found)
        return
    if not found:
        yield "it is not reported"
        return
    yield from _unsure(example, found)
    yield from _unlike(loaded, example, config, known, found)


def _unsure(example: Example, found: Sequence[Diagnostic]) -> Iterator[str]:
    sure = [each for each in found if not each.condition]
    if example.unsure and sure:
        yield f"line {sure[0].start.line} is reported without a condition"


def _unlike(
    loaded: LoadedRule, example: Example, config: Config, known: Sequence[LoadedRule], found: Sequence[Diagnostic]
) -> Iterator[str]:
    """What the fix does otherwise than the example says."""
    fixed = fix(Source(NAME, example.before), [loaded], config, unsafe=True, known=known)
    if fixed.refused:
        yield f"its fix is refused: {fixed.refused[0].reason}"
    elif example.after is None and fixed.applied:
        yield f"it is fixed ({fixed.applied[0].title}), and the example has no `after`"
    elif example.after is not None and not fixed.applied:
        why = next((each.no_fix for each in found if each.no_fix), "")
        yield f"no fix is offered{why and f': {why}'}"
    elif example.after is not None and fixed.source.text != example.after:
        yield f"its fix writes something else than `after`:\n{_diff(example.after, fixed.source.text)}"
    elif example.after is not None and any(each.code == loaded.rule.code for each in fixed.checked.diagnostics):
        yield "it is still reported after the fix"


def _diff(wanted: str, got: str) -> str:
    from difflib import unified_diff

    return "".join(unified_diff(wanted.splitlines(True), got.splitlines(True), "after", "the fix", n=1)).rstrip("\n")
