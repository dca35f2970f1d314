"""Elements of HTML: text is escaped unless it is markup that was made here."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.proof.run import Outcome

_MARKS: dict[Outcome, tuple[str, str]] = {
    "SAME": ("same", "✓"), "CHANGED AS DECLARED": ("declared", "✓"), "NEW": ("new", "+"), "DIFFERENT": ("different", "✗"),
    "NOT RUN": ("notrun", "–"),
}  # fmt: skip


_UNSEEN = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127), "�")


class Html(str):
    """Markup."""

    __slots__ = ()


NOTHING = Html("")


def element(name: str, *children: str, **attributes: str) -> Html:
    """An element; an underscore in the name of an attribute is a hyphen, and one at its end is left out."""
    named = "".join(f' {key.rstrip("_").replace("_", "-")}="{_quoted(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{named}>{joined(children)}</{name}>")


def joined(parts: Iterable[str]) -> Html:
    """Text and markup, one after the other."""
    return Html("".join(part if isinstance(part, Html) else _escaped(part) for part in parts))


def _escaped(text: str) -> str:
    """Text that stands in a page: characters that HTML has no place for become visible marks."""
    return escape(text.translate(_UNSEEN).encode("utf-8", "replace").decode(), quote=False)


def _quoted(value: str) -> str:
    return _escaped(value).replace('"', "&quot;")


def prose(text: str) -> Html:
    """A sentence whose words between backquotes are code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return joined([text])
    return joined(element("code", part) if number % 2 else part for number, part in enumerate(parts))


def badge(outcome: Outcome, text: str = "") -> Html:
    """The answer as a coloured word, which may be another than that of the outcome."""
    kind, mark = _MARKS[outcome]
    return element("span", element("span", mark, aria_hidden="true"), f" {text or outcome}", class_=f"badge {kind}")


def hangs() -> Html:
    """The mark of a run that hung."""
    return element("span", element("span", "∞", aria_hidden="true"), " HANGS", class_="badge different")


def table(head: Iterable[str], rows: Iterable[Html], class_: str, caption: str = "") -> Html:
    """A table with a head, whose rows are made."""
    columns = element("tr", *(element("th", title, scope="col") for title in head))
    named = element("caption", caption) if caption else NOTHING
    return element("table", named, element("thead", columns), element("tbody", *rows), class_=class_)


def row(name: str, *cells: str, class_: str = "") -> Html:
    """A row of a table, whose first cell names it."""
    kind = {"class_": class_} if class_ else {}
    return element("tr", element("th", name, scope="row"), *(element("td", cell) for cell in cells), **kind)
