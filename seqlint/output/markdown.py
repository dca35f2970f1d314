"""The page of a rule. All of it comes from the rule's own file, so that no page can say something else."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import TYPE_CHECKING

from seqlint.output.diff import diff
from seqlint.output.prose import DO_THIS, sections, summary
from seqlint.output.words import LINES, changed_sometimes, contract_sentence, fixability, said, said_by_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.model import LoadedRule, Rule
    from seqlint.output.paint import Paint

_ISSUE = re.compile(r"(?P<repository>[\w.-]+/[\w.-]+)#(?P<number>\d+)")
_WHERE_UNKNOWN = "Where a finding depends on something unknown, such as whether a name holds a Keras model, it is advice, names the condition, and has no fix."
_WHOLE = 1_000_000  # lines of context: the diff of an example shows all of it


def page(loaded: LoadedRule) -> str:
    """What is found, what to do with a program before and after, why, what was measured, levels, contract, as Markdown."""
    return "\n\n".join(part for part in _parts(loaded) if part) + "\n"


def painted(text: str, paint: Paint) -> str:
    """The same Markdown with headings and diffs that stand out in a terminal."""
    fenced = False
    lines = []
    for line in text.splitlines(keepends=True):
        fenced ^= line.startswith("```")
        lines.append(_painted(line, paint, fenced=fenced))
    return "".join(lines)


def _painted(line: str, paint: Paint, *, fenced: bool) -> str:
    body = line.rstrip("\n")
    if line.startswith("```"):
        return paint.dim(body) + "\n"
    if fenced:
        return paint.diff(line)
    return paint.bold(body) + "\n" if line.startswith("#") else line


def _parts(loaded: LoadedRule) -> Iterator[str]:
    yield f"# {loaded.rule.code} {loaded.rule.name}"
    yield summary(loaded)
    texts = dict(sections(loaded))
    if DO_THIS in texts:
        yield f"## {DO_THIS}\n\n{texts.pop(DO_THIS)}"
    yield from _example(loaded.rule)
    yield from (f"## {heading}\n\n{text}" for heading, text in texts.items())
    yield from _generated(loaded.rule)


def _generated(rule: Rule) -> Iterator[str]:
    yield f"## Level\n\n{_levels(rule)}"
    if any(example.unsure for example in rule.examples):
        yield _WHERE_UNKNOWN
    if rule.examples:
        yield f"## Fix\n\n{_fix(rule)}"
    if rule.sources:
        yield "## Sources\n\n" + "\n".join(f"- {_source(source)}" for source in rule.sources)


def _example(rule: Rule) -> Iterator[str]:
    reported = [example for example in rule.examples if not example.silent]
    fixed = next((example for example in reported if example.after is not None), None)
    if fixed is not None:
        changed = diff(_code(fixed.before), _code(fixed.after or ""), "example.py", context=_WHOLE)
        # The header of a diff is noise where there is no file.
        yield "## Before and after\n\n```diff\n" + changed.split("@@\n", 1)[-1] + "```"
    elif reported:
        yield f"## Example\n\n```python\n{_code(reported[0].before)}```"


def _code(text: str) -> str:
    return cleandoc(text).strip("\n") + "\n"


def _levels(rule: Rule) -> str:
    levels, silent = rule.levels, "silent"
    mixed = levels.keras3 if levels.mixed == "newest" else levels.mixed
    rows = [(LINES[line], level) for line, level in said_by_line(rule, silent).items()]
    rows.append(("more than one of them, or unknown", said(mixed, rule.sometimes.keras3, silent)))
    return "| Keras in use | Level |\n| --- | --- |\n" + "\n".join(f"| {name} | {level} |" for name, level in rows)


def _fix(rule: Rule) -> str:
    kind = fixability(rule)
    if kind == "none":
        return "No fix is offered."
    often = " It is offered where the code is simple enough." if kind.endswith("sometimes") else ""
    return contract_sentence(rule.contract, changed_sometimes(rule)) + often


def _source(source: str) -> str:
    """A public report as a link, where it names an issue."""
    return _ISSUE.sub(
        lambda match: f"[{match[0]}](https://github.com/{match['repository']}/issues/{match['number']})", source
    )
