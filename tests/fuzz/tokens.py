"""Mutations of tokens: names, literals, brackets, and what may stand between them."""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

NAMES = (
    "self",
    "x",
    "i",
    "batch",
    "данные",
    "ﬁt",
    "_",
    "model",
    "keras",
    "tf",
    "np",
    "len",
    "range",
    "super",
    "__init__",
    "logs",
    "rng",
)
NUMBERS = (
    "0",
    "1",
    "-1",
    "1_000",
    "0x10",
    "1e-3",
    "2.5",
    "1j",
    "0b11",
    "10**400",
    "1" + 25 * "0",
    "1e999",
    "32",
    "True",
    "None",
    "''",
)
STRINGS = (
    '""',
    "'x'",
    'r"\\d"',
    'b"x"',
    'f"{x!r:>{10}}"',
    '"""a\nb"""',
    "'ü日𝔘'",
    'rb"\\x"',
    "u'x'",
    "'a' 'b'",
    "'\\N{DASH}'",
    "'val_loss'",
)
OPERATORS = (
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "@",
    "==",
    "!=",
    "<",
    "in",
    "not in",
    "is",
    "and",
    "or",
    ",",
    ":=",
    "=",
    ".",
    ":",
)

_Token = tuple[int, str, int, int]
"""Its type, its text, and where it starts and ends in the text."""


def tokens(text: str) -> list[_Token]:
    """The tokens of a text that have something written, as far as it can be read."""
    starts, here = [0], 0
    for line in io.StringIO(text, newline=""):
        here += len(line)
        starts.append(here)
    found: list[_Token] = []
    try:
        for one in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            if one.string.strip() and one.end[0] < len(starts):
                found.append(
                    (one.type, one.string, starts[one.start[0] - 1] + one.start[1], starts[one.end[0] - 1] + one.end[1])
                )
    except (tokenize.TokenError, SyntaxError):
        pass
    return found


def delete(text: str, random: Random) -> str:
    """A token is gone."""
    return _at_one(text, random, lambda token: "")


def duplicate(text: str, random: Random) -> str:
    """A token is there twice."""
    return _at_one(text, random, lambda token: f"{token[1]} {token[1]}")


def swap(text: str, random: Random) -> str:
    """Two neighbours change places."""
    found = tokens(text)
    if len(found) < 2:
        return text
    at = random.randrange(len(found) - 1)
    (_, one, start, end), (_, other, after, last) = found[at], found[at + 1]
    return text[:start] + other + text[end:after] + one + text[last:]


def other_name(text: str, random: Random) -> str:
    """A name is another of the file, in one place."""
    found = _names(tokens(text))
    return _at_one(text, random, lambda token: random.choice((*found, *NAMES)), tokenize.NAME)


def renamed(text: str, random: Random) -> str:
    """A name is another in all places."""
    found = sorted(set(_names(tokens(text))))
    if not found:
        return text
    old, new = random.choice(found), random.choice((*found, *NAMES))
    return re.sub(rf"\b{re.escape(old)}\b", new, text)


def number(text: str, random: Random) -> str:
    """A number is another."""
    return _at_one(text, random, lambda token: random.choice(NUMBERS), tokenize.NUMBER)


def string(text: str, random: Random) -> str:
    """A string is another, or has a prefix."""
    if random.random() < 0.5:
        return _at_one(
            text, random, lambda token: random.choice(("r", "b", "f", "u", "R", "Rb")) + token[1], tokenize.STRING
        )
    return _at_one(text, random, lambda token: random.choice(STRINGS), tokenize.STRING)


def operator(text: str, random: Random) -> str:
    """An operator is another."""
    return _at_one(text, random, lambda token: f" {random.choice(OPERATORS)} ", tokenize.OP)


def continued(text: str, random: Random) -> str:
    """Lines go on behind a backslash."""
    return _between(text, random, ("\\\n", " \\\n        ", "\\\n\\\n"), inside=False)


def spread(text: str, random: Random) -> str:
    """Inside of brackets there are new lines, comments and blanks."""
    return _between(
        text, random, ("\n", "\n        ", "  # in it\n    ", "\n\n", "\f", "\t", "   ", "\n# ü\n"), inside=True
    )


def trailing_comma(text: str, random: Random) -> str:
    """A comma stands before a closing bracket."""
    return _at_one(text, random, lambda token: "," + token[1] if token[1] in ")]}" else token[1], tokenize.OP, ")]}")


def starred(text: str, random: Random) -> str:
    """A call, a display or a signature takes *args or **kwargs."""
    star = random.choice(("*args, ", "**kwargs, ", "*[1, 2], ", "*, ", "**{'a': 1}, ", "workers=2, "))
    return _at_one(text, random, lambda token: token[1] + star, tokenize.OP, "([{")


def slashed(text: str, random: Random) -> str:
    """The first parameter of a method takes no argument by name, or there is none but *args."""
    heads = list(re.finditer(r"(def \w+)\((\w+)(,[^)]*)?\)", text))
    if not heads:
        return text
    head = random.choice(heads)
    first, rest = head[2], head[3] or ""
    new = random.choice((f"{first}, /{rest}", f"*{first}", ""))
    return f"{text[: head.end(1)]}({new}){text[head.end() :]}"


def asynchronous(text: str, random: Random) -> str:
    """A function is a coroutine, or a loop or a block in one."""
    return _at_one(text, random, lambda token: "async " + token[1], tokenize.NAME, ("def", "for", "with"))


def awaited(text: str, random: Random) -> str:
    """A name is awaited, yielded or negated."""
    word = random.choice(("await ", "yield ", "yield from ", "not ", "-", "lambda: ", "lambda *a, b=1: "))
    return _at_one(text, random, lambda token: word + token[1], tokenize.NAME)


def _names(found: Iterable[_Token]) -> list[str]:
    return [word for kind, word, _, _ in found if kind == tokenize.NAME and not keyword.iskeyword(word)]


def _at_one(
    text: str,
    random: Random,
    new: Callable[[_Token], str],
    kind: int | None = None,
    among: Iterable[str] = (),
) -> str:
    wanted = tuple(among)
    found = [one for one in tokens(text) if (kind is None or one[0] == kind) and (not wanted or one[1] in wanted)]
    if kind == tokenize.NAME and not wanted:
        found = [one for one in found if not keyword.iskeyword(one[1])]
    if not found:
        return text
    token = random.choice(found)
    return text[: token[2]] + new(token) + text[token[3] :]


def _between(text: str, random: Random, what: tuple[str, ...], *, inside: bool) -> str:
    """Something is written between neighbours of a line, inside of brackets or outside."""
    found, depth, places = tokens(text), 0, []
    for (_, word, _, end), (_, _, after, _) in pairwise(found):
        depth += (word in "([{") - (word in ")]}")
        if (depth > 0) is inside and not set(text[end:after]) & set("\n\r\\#"):
            places.append((end, after))
    chosen = sorted(random.sample(places, min(len(places), random.randint(1, 4))), reverse=True)
    for end, after in chosen:
        text = text[:end] + " " + random.choice(what) + text[after:]
    return text


ALL = (
    delete, duplicate, swap, other_name, other_name, renamed, renamed, number, number, string, string, operator, continued,
    continued, spread, spread, spread, trailing_comma, starred, slashed, asynchronous, awaited,
)  # fmt: skip
