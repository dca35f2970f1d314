"""Every fact is `yes`, `no` or `unknown`; `unknown` never becomes a finding above advice.

A finding above advice must be right whichever way the truth is. So where a fact is `unknown`, all that is reported above
advice must be reported as well were the fact `yes`, and were it `no`. That is asked of every rule, for every fact that it
asks on its way, in the examples of all rules: as the facts are, with each of them made unknown, and in programs of
which something can't be seen. A new rule, and a new fact, come under it by being there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.engine import check, facts_of
from seqlint.model import Levels, LoadedRule
from seqlint.sources import Source
from tests.configs import undeclared
from tests.rules import hiding
from tests.rules.answers import ATTRIBUTES, METHODS, WEIGHED, Instead, asking, other_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from seqlint.facts import Answer, Facts
    from seqlint.model import Example, Finding

RULES = registry.load()
# Of each rule the first ones, and those that rest on something unknown: each is asked a good many times.
FIRST = 3
EXAMPLES = [
    pytest.param(loaded, example, id=f"{loaded.rule.code}-{number}")
    for loaded in RULES
    for number, example in enumerate(loaded.rule.examples)
    if number < FIRST or example.unsure
]
OTHER: dict[Answer, Answer] = {"yes": "no", "no": "yes"}
LINES = ("keras2", "early", "keras3", "mixed")
WAYS: tuple[Callable[[str], Iterable[str]], ...] = (
    lambda text: (hiding.unseen_bases(text),),
    lambda text: (hiding.mixed(text),),
    hiding.handed_in,
)
"""Programs of which something can't be seen: a base, another base, what is handed in."""


@dataclass(frozen=True)
class Reported:
    """What a rule says at the places of a program: at which lines of Keras above advice, and whether with a fix."""

    above: frozenset[tuple[int, int, str]]
    places: frozenset[tuple[int, int]]
    fixed: frozenset[tuple[int, int]]


def reported(loaded: LoadedRule, text: str, keras: str, instead: Instead | None = None) -> Reported:
    facts = facts_of(Source("example.py", text), undeclared(keras))
    with asking(instead):
        findings = tuple(loaded.check(facts))
    above = (
        (finding.start, finding.end, line)
        for finding in findings
        for line in LINES
        if getattr(finding.levels or loaded.rule.levels, line) not in (None, "advice", "newest")
    )
    places = frozenset((finding.start, finding.end) for finding in findings)
    return Reported(frozenset(above), places, frozenset((f.start, f.end) for f in findings if f.fixes))


def given(loaded: LoadedRule, text: str, keras: str) -> dict[str, set[Answer]]:
    """What the rule asks in a program, and what it is told."""
    facts = facts_of(Source("example.py", text), undeclared(keras))
    with asking() as asked:
        tuple(loaded.check(facts))
    return asked.given


def objections(unknown: Reported, *known: Reported) -> set[tuple[int, int, str]]:
    """What is said of something unknown that would not be said of it either way."""
    sure = frozenset.intersection(*(one.above for one in known))
    places = frozenset.intersection(*(one.places for one in known))
    offered = {(start, end, "with a fix") for start, end in unknown.fixed - places}
    return {*(unknown.above - sure), *offered}


def objections_to(loaded: LoadedRule, text: str, keras: str) -> dict[str, set[tuple[int, int, str]]]:
    """What is said too loud in a program of which something is unknown, by the fact."""
    found = {}
    asked = given(loaded, text, keras)
    for truth, answers in asked.items():
        if "unknown" in answers and WEIGHED.get(truth) not in asked:
            known = [reported(loaded, text, keras, {(truth, "unknown"): answer}) for answer in OTHER]
            found[truth] = objections(reported(loaded, text, keras), *known)
    return {truth: said for truth, said in found.items() if said}


def objections_where_made_unknown(loaded: LoadedRule, text: str, keras: str) -> dict[str, set[tuple[int, int, str]]]:
    """What is said too loud in a program once a fact is made unknown that is known, by the fact."""
    found = {}
    base = reported(loaded, text, keras)
    for truth, answers in given(loaded, text, keras).items():
        for answer in answers - {"unknown"}:
            unknown = reported(loaded, text, keras, other_answer(truth, answer, "unknown"))
            other = reported(loaded, text, keras, other_answer(truth, answer, OTHER[answer]))
            found[f"{truth}: {answer}"] = objections(unknown, base, other)
    return {truth: said for truth, said in found.items() if said}


LOUD = """
import keras

def run(thing, x):
    thing.fit(x)

model = keras.Sequential()
model.fit(x)
"""


def reports_all_but_no(facts: Facts) -> Iterator[Finding]:
    for call in facts.training.calls:
        if facts.evidence.model(call) != "no":
            yield facts.finding(call.node, "it may be a model")


def test_a_rule_that_takes_unknown_for_yes_is_objected_to() -> None:
    rule = replace(RULES[0].rule, levels=Levels.everywhere("error"))
    made_up = LoadedRule.of(rule, reports_all_but_no, RULES[0].doc, RULES[0].path)
    assert list(objections_to(made_up, LOUD, "")) == ["a receiver is a Keras model"]
    assert "a receiver is a Keras model: yes" in objections_where_made_unknown(made_up, LOUD, "")


def test_the_facts_are_found() -> None:
    names = {f"{owner.__name__}.{name}" for owner, name in (*METHODS, *ATTRIBUTES)}
    assert {"ClassFacts.is_a", "Evidence.model", "FitBindings.trains", "State.shuffled", "Hook.of_callback"} <= names


@pytest.mark.parametrize(("loaded", "example"), EXAMPLES)
def test_what_is_made_unknown_becomes_advice_or_nothing(loaded: LoadedRule, example: Example) -> None:
    assert not objections_where_made_unknown(loaded, example.before, example.keras)


@pytest.mark.parametrize(("loaded", "example"), EXAMPLES)
def test_what_is_unknown_is_advice_or_nothing(loaded: LoadedRule, example: Example) -> None:
    assert not objections_to(loaded, example.before, example.keras)


@pytest.mark.parametrize(("loaded", "example"), EXAMPLES)
def test_what_can_not_be_seen_is_advice_or_nothing(loaded: LoadedRule, example: Example) -> None:
    for hidden in WAYS:
        for text in hidden(example.before):
            compile(text, "example.py", "exec")
            assert not objections_to(loaded, text, example.keras), text


@pytest.mark.parametrize(("loaded", "example"), EXAMPLES)
def test_nothing_above_advice_is_said_where_nothing_is_known_to_be_keras(loaded: LoadedRule, example: Example) -> None:
    text = hiding.unseen_libraries(example.before)
    assert "import keras\n" not in text.replace("from ours import keras\n", "")
    checked = check(Source("example.py", text), RULES, undeclared(example.keras))
    assert not checked.broken
    assert [found for found in checked.diagnostics if found.level != "advice" or found.fixes] == []
