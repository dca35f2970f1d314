"""Pages with code blocks, written in the ways in which people write them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def fence(code: str, info: str = "python", mark: str = "```", lead: str = "") -> str:
    """A fence; `lead` stands before each of its lines that has something on it."""
    body = "".join(f"{lead}{line}".rstrip(" ") if line == "\n" else f"{lead}{line}" for line in lines(code))
    return f"{lead}{mark}{info}\n{body}{lead}{mark}\n"


def indented(code: str, lead: str = "    ") -> str:
    return "".join(line if line == "\n" else lead + line for line in lines(code))


def session(code: str) -> str:
    """Code with prompts, as a person would have typed it: without empty lines."""
    inside: set[int] = set()
    for statement in ast.parse(code).body:
        first = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", ()))])
        inside |= set(range(first + 1, (statement.end_lineno or first) + 1))
    numbered = [(number, line) for number, line in enumerate(lines(code), 1) if line.strip()]
    return "".join(("... " if number in inside else ">>> ") + line for number, line in numbered)


def lines(text: str) -> list[str]:
    return [line + "\n" for line in text.removesuffix("\n").split("\n")] if text else []


MARKDOWN: dict[str, Callable[[str], str]] = {
    "fence": fence,
    "tildes": lambda code: fence(code, "py title='x'", "~~~~"),
    "list": lambda code: "1. First:\n\n" + fence(code, lead="   "),
    "list in a list": lambda code: "- One\n\n  * Two\n\n" + fence(code, lead="    "),
    "quote": lambda code: "> Said:\n>\n" + fence(code, lead="> ").replace("\n\n", "\n>\n"),
    "admonition": lambda code: "!!! note\n\n" + fence(code, "Python", lead="    "),
    "directive": lambda code: "````{note}\n" + fence(code, "{code-cell} ipython3\n:tags: [x]\n") + "````\n",
    "shell": lambda code: fence("!pip install keras\n" + code, "ipython"),
    "session": lambda code: fence(session(code), "pycon"),
}
REST: dict[str, Callable[[str], str]] = {
    "directive": lambda code: ".. code-block:: python\n   :linenos:\n\n" + indented(code, "   "),
    "code": lambda code: ".. code:: python3\n\n" + indented(code, "\t"),
    "note": lambda code: ".. note::\n\n   .. code-block:: python\n\n" + indented(code, "      "),
    "literal": lambda code: "So it is::\n\n" + indented(code, "  "),
    "list": lambda code: "* So it is::\n\n" + indented(code, "      "),
    "session": session,
    "doctest": lambda code: ".. doctest::\n\n" + indented(session(code), "   "),
}
