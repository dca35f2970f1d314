"""What a notebook shows below a cell: plain text, and the same as HTML for those that can."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from seqlint.output import text
from seqlint.output.frame import frame
from seqlint.output.links import page_of
from seqlint.output.paint import Paint
from seqlint.output.words import contract_of, safety

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from seqlint.model import Diagnostic, Level
    from seqlint.sources import Source

_COLOURS: Mapping[Level, str] = {"error": "#d13438", "warning": "#c27c0e", "advice": "#2a7ab0"}
_PLAIN = Paint()
_QUOTED = re.compile(r"`([^`]+)`")
_LINES: Mapping[str, str] = {"-": "color:#d13438", "+": "color:#2e8540"}


def findings(found: Sequence[Diagnostic], source: Source) -> dict[str, str]:
    """Findings by the types of what is shown."""
    return {
        "text/plain": "\n".join(text.finding(one, source, _PLAIN) for one in found),
        "text/html": "".join(_finding(one, source) for one in found),
    }


def diff(title: str, lines: str) -> dict[str, str]:
    """A unified diff below what it does, by the types of what is shown."""
    coloured = "\n".join(_coloured(line) for line in lines.splitlines())
    return {"text/plain": f"{title}\n{lines}", "text/html": f"{_pre(escape(title))}{_pre(coloured)}"}


def _finding(one: Diagnostic, source: Source) -> str:
    colour = _COLOURS[one.level]
    address = page_of(one.code)
    code = f'<a href="{escape(address)}" target="_blank">{escape(one.code)}</a>' if address else escape(one.code)
    head = f'<b style="color:{colour}">{one.level}</b> {code} <b>{escape(one.name)}</b>: {_prose(one.sentence)}'
    said = "".join(f"<div>{label}: {_prose(words)}</div>" for label, words in _said(one))
    shown = _pre(escape(frame(source, one.start, one.end, _PLAIN)))
    where = f'<span style="opacity:.7">{escape(str(one.start))}</span>'
    return f'<div style="border-left:3px solid {colour};padding-left:.6em;margin:.4em 0">{head}<div>{where}</div>{shown}{said}</div>'


def _said(one: Diagnostic) -> Iterator[tuple[str, str]]:
    texts = (("note", one.note), ("help", one.help), ("no fix", one.no_fix))
    yield from ((label, words) for label, words in texts if words)
    for number, fix in enumerate(one.fixes):
        yield f"{'or' if number else 'fix'} ({safety(contract_of(fix))})", fix.title


def _prose(words: str) -> str:
    return _QUOTED.sub(r"<code>\1</code>", escape(words))


def _pre(shown: str) -> str:
    return f'<pre style="margin:.2em 0">{shown}</pre>'


def _coloured(line: str) -> str:
    style = _LINES.get(line[:1])
    return f'<span style="{style}">{escape(line)}</span>' if style else escape(line)
