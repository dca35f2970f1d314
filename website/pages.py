"""The pages that are made for the site: one a rule, one a family, the commands' options, and the reference of the Python API.

A page is Markdown with links relative to its own place, and its place is a path under docs/, such as "rules/SEQ204.md".
"""

from __future__ import annotations

import io
import re
import textwrap
from contextlib import redirect_stdout
from inspect import cleandoc
from itertools import groupby
from typing import TYPE_CHECKING

from seqlint import cli
from seqlint.output import markdown
from seqlint.output.diff import diff
from seqlint.output.prose import summary
from seqlint.output.words import family, fixability
from seqlint.runner.rules import known

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from seqlint.model import Example, LoadedRule

COMMANDS = ("check", "fix", "verify", "migrate", "explain", "facts", "rules", "trust", "merge", "server")
_WHOLE = 1_000_000  # lines of context
_CODE = re.compile(r"\bSEQ\d\d\d\b")
_REFERENCE = """
# Python reference

What a program may use, from the docstrings. [How to use it](python.md).

## Check and fix

::: seqlint.check_source
::: seqlint.fix_source

## What they return

::: seqlint.checked.Checked
::: seqlint.engine.Fixed
::: seqlint.model.Diagnostic
::: seqlint.model.Fix
::: seqlint.model.Edit
::: seqlint.model.Contract

## Settings

::: seqlint.config.load_config
::: seqlint.config.Config

## Errors

::: seqlint.model.SeqlintError
::: seqlint.model.ConfigError
::: seqlint.model.RuleError
"""


def made() -> Mapping[str, str]:
    """All made pages by their places under docs/."""
    rules = known(())
    return {
        **{f"rules/{loaded.rule.code}.md": rule_page(loaded, rules) for loaded in rules},
        **{f"rules/{digit}.md": family_page(members) for digit, members in families(rules).items()},
        "reference.md": _REFERENCE,
    }


def families(rules: Sequence[LoadedRule]) -> Mapping[str, list[LoadedRule]]:
    """The rules by the beginning of their codes, such as "SEQ2"."""
    return {digit: list(members) for digit, members in groupby(rules, key=lambda loaded: loaded.rule.code[:4])}


def navigation(rules: Sequence[LoadedRule]) -> list[dict[str, list[str]]]:
    """The pages of the rules, by family."""
    return [
        {_title(digit): [f"rules/{digit}.md", *(f"rules/{loaded.rule.code}.md" for loaded in members)]}
        for digit, members in families(rules).items()
    ]


def rule_page(loaded: LoadedRule, rules: Sequence[LoadedRule]) -> str:
    """The page that `seqlint explain` prints, with the other examples, and with links to the rules that it names."""
    code = loaded.rule.code
    others = {rule.rule.code for rule in rules} - {code}
    text = linked(markdown.page(loaded), others, folder="")
    head = f"---\ntitle: {code} {loaded.rule.name}\ndescription: {summary(loaded)}\n---\n"
    parts = [head, text, *_more(loaded), f"Family: [{family(code)}]({code[:4]}.md)\n"]
    return "\n".join(parts)


def family_page(members: Sequence[LoadedRule]) -> str:
    """The rules of a family, each with its level and the first line of its page."""
    digit = members[0].rule.code[:4]
    rows = (
        f"| [{loaded.rule.code}]({loaded.rule.code}.md) | {loaded.rule.name} | {_cell(summary(loaded))} | {fixability(loaded.rule)} |"
        for loaded in members
    )
    table = "\n".join(("| Code | Name | What it finds | Fix |", "| --- | --- | --- | --- |", *rows))
    return f"# {_title(digit)}\n\n{table}\n\n[All rules](../rules.md), with their levels.\n"


def folder_page(folder: str, members: Sequence[str]) -> str:
    """The files of a folder of the repository that a page links to."""
    return f"# {folder}\n\n" + "".join(f"- [{name}]({name})\n" for name in members)


def linked(text: str, codes: set[str], folder: str) -> str:
    """Markdown whose prose links the codes of rules to their pages; code, headings and links stay as they are.

    Args:
        codes: the codes that have a page.
        folder: the way to the folder of these pages, such as "rules/".
    """
    fenced, lines = False, []
    for line in text.splitlines(keepends=True):
        fenced ^= line.startswith("```")
        plain = not fenced and not line.startswith(("```", "#")) and "](" not in line
        lines.append(_linked(line, codes, folder) if plain else line)
    return "".join(lines)


def options() -> str:
    """What `--help` says of each command."""
    return "\n".join(f"### seqlint {command}\n\n```text\n{_help(command)}```\n" for command in COMMANDS)


def _title(digit: str) -> str:
    return f"{digit}xx {family(digit)}"


def _linked(line: str, codes: set[str], folder: str) -> str:
    """A line with links, but for what stands in backticks."""
    pieces = line.split("`")
    pieces[::2] = (
        _CODE.sub(lambda found: f"[{found[0]}]({folder}{found[0]}.md)" if found[0] in codes else found[0], piece)
        for piece in pieces[::2]
    )
    return "`".join(pieces)


def _help(command: str) -> str:
    said = io.StringIO()
    with redirect_stdout(said):
        cli.run([command, "--help"])
    return said.getvalue()


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _more(loaded: LoadedRule) -> Iterator[str]:
    """The examples that the page does not show, folded."""
    first = next((example for example in loaded.rule.examples if example.after is not None), None) or next(
        (example for example in loaded.rule.examples if not example.silent), None
    )
    folded = [_folded(example) for example in loaded.rule.examples if example is not first]
    if folded:
        yield "## More examples\n"
        yield from folded


def _folded(example: Example) -> str:
    before = _code(example.before)
    if example.after is not None:
        changed = diff(before, _code(example.after), "example.py", context=_WHOLE).split("@@\n", 1)[-1]
        return _box("Found and fixed", "diff", changed)
    if example.silent:
        return _box("Not reported", "python", before)
    return _box(
        "Found where the Keras model is not known" if example.unsure else "Found, without a fix", "python", before
    )


def _box(title: str, language: str, code: str) -> str:
    return f'??? example "{title}"\n\n' + textwrap.indent(f"```{language}\n{code}```\n", "    ")


def _code(text: str) -> str:
    return cleandoc(text).strip("\n") + "\n"
