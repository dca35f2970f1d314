"""CONTRIBUTING.md says what is so: the codes of today's rules, and what `Facts` can answer."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property
from inspect import getdoc, isfunction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint import registry
from seqlint.facts import Facts
from seqlint.facts.batch_facts import BatchFacts
from seqlint.facts.code_facts import CodeFacts
from seqlint.facts.training_facts import TrainingFacts
from seqlint.output.words import FAMILIES, family
from tests.rules.wording import stilted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "CONTRIBUTING.md"
GROUPS = {CodeFacts: "The code", TrainingFacts: "The training", BatchFacts: "The batches", Facts: "All of it"}


def made(text: str) -> str:
    """The page with its made parts as they are today."""
    for name, part in (("codes", codes()), ("facts", facts())):
        start, end = f"<!-- {name}: made by scripts/contributing -->", f"<!-- /{name} -->"
        head, _, rest = text.partition(start)
        _, _, tail = rest.partition(end)
        assert tail, f"CONTRIBUTING.md has no place for {name}"
        text = f"{head}{start}\n{part}{end}{tail}"
    return text


def codes() -> str:
    """The codes of each family that are taken, and the first that is free after them."""
    taken: dict[str, list[int]] = defaultdict(list)
    for loaded in registry.load():
        taken[loaded.rule.code[:4]].append(int(loaded.rule.code[3:]))
    lines = ["| family | about | taken | next |", "| --- | --- | --- | --- |"]
    for head in sorted({*FAMILIES, *taken} - {"SEQ0"}):
        numbers = taken[head]
        following = max(numbers, default=int(head[3:]) * 100) + 1
        lines.append(f"| {head} | {family(head)} | {ranges(numbers)} | SEQ{following} |")
    return "\n".join(lines) + "\n"


def ranges(numbers: Iterable[int]) -> str:
    """Numbers with those in a row as a range: "101 to 104, 106"."""
    found = sorted(numbers)
    ends = [one for one, after in pairwise([*found, -1]) if after != one + 1]
    starts = [one for before, one in pairwise([-1, *found]) if before != one - 1]
    return ", ".join(f"{a}" if a == b else f"{a} to {b}" for a, b in zip(starts, ends, strict=True)) or "none"


def facts() -> str:
    """The public attributes and methods of `Facts`, each with the first line of its docstring."""
    parts = []
    for owner, title in GROUPS.items():
        rows = "".join(f"| `facts.{name}` | {text.replace('|', '/')} |\n" for name, text in sorted(answers(owner)))
        parts.append(f"**{title}**\n\n| | |\n| --- | --- |\n{rows}")
    return "\n".join(parts)


def answers(owner: type) -> Iterator[tuple[str, str]]:
    for name, value in vars(owner).items():
        if name.startswith("_"):
            continue
        if isinstance(value, (cached_property, property)):
            yield name, first_line(value.func if isinstance(value, cached_property) else value.fget)
        elif isfunction(value):
            yield f"{name}()", first_line(value)


def first_line(function: object) -> str:
    return (getdoc(function) or "").split("\n")[0]


def test_the_made_parts_are_those_of_today() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == made(text), "run scripts/contributing"


def test_each_code_that_is_offered_is_free() -> None:
    offered = set(re.findall(r"\| (SEQ\d{3}) \|$", codes(), re.MULTILINE))
    assert len(offered) == len(set(FAMILIES) - {"SEQ0"})
    assert not offered & {loaded.rule.code for loaded in registry.load()}


def test_ranges() -> None:
    assert ranges([103, 101, 102, 105]) == "101 to 103, 105"
    assert ranges([]) == "none"


def test_every_fact_says_what_it_answers() -> None:
    silent = [name for owner in GROUPS for name, text in answers(owner) if not text.endswith((".", ":"))]
    assert silent == []


def test_the_page_is_in_plain_words() -> None:
    assert stilted(PAGE.read_text(encoding="utf-8")) == []


def test_the_commands_and_links_lead_somewhere() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for target in [*re.findall(r"\]\((?!https?:)([^)#]+)", text), *re.findall(r"(scripts/[a-z-]+)", text)]:
        assert (ROOT / target).exists(), target
