"""Makes the mutant of a number: the same each time, on every machine."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from random import Random

from tests import pages
from tests.fuzz import lines, tokens, trees
from tests.fuzz.subjects import Subject, python_seeds, seeds
from tests.notebooks import cell, notebook

_RANGES = ("", "<3", ">=3,<3.10", ">=3.10", "tf-keras", ">=2")
_MAGICS = (
    "%matplotlib inline\n",
    "!pip install keras==3.3\n",
    "%%time\n",
    "x = !ls\n",
    "?print\n",
    "# only a comment\n",
    "",
)
_MOST = 40_000
"""Characters of a mutant: what is longer says more of the fuzzer than of seqlint."""


def mutant(seed: int, number: int) -> Subject:
    """The mutant of a number.

    Args:
        seed: of the whole run.
        number: from 0.
    """
    random = Random(f"{seed} {number}")
    subject = random.choice(seeds())
    text = _mutated(subject.text, random)
    if subject.others and random.random() < 0.5:
        subject = replace(subject, others=tuple((name, _mutated(other, random)) for name, other in subject.others))
    if random.random() < 0.3:
        subject = replace(subject, keras=random.choice(_RANGES))
    if not subject.name.endswith(".py"):
        return replace(subject, data=text.encode())
    return _dressed(subject, text, random)


def _mutated(text: str, random: Random) -> str:
    """The text after up to six mutations; those that break its syntax are mostly taken back."""
    for _ in range(random.randint(1, 6)):
        new = _mutated_once(text, random)
        if len(new) <= _MOST and (random.random() < 0.04 or trees.compiles(new) or not trees.compiles(text)):
            text = new
    return text


def _mutated_once(text: str, random: Random) -> str:
    drawn = random.random()
    if drawn < 0.1:
        return trees.spliced(text, random, random.choice(python_seeds()).text)
    room = trees.ALL if drawn < 0.5 else tokens.ALL if drawn < 0.8 else lines.ALL
    return random.choice(room)(text, random)


def _dressed(subject: Subject, text: str, random: Random) -> Subject:
    """The text as a Python file, or sometimes as a notebook or a page, or in other bytes."""
    drawn = random.random()
    if drawn < 0.08:
        return replace(subject, name="main.ipynb", data=_notebook(text, random))
    if drawn < 0.16:
        return _page(subject, text, random)
    if drawn < 0.18:
        return replace(subject, data=b"\xef\xbb\xbf" + text.encode())
    if drawn < 0.2:
        coding = random.choice(
            ("latin-1", "utf-8", "ascii", "cp1252", "shift_jis", "utf-16", "idna", "klingon", "utf-8-sig")
        )
        return replace(subject, data=f"# coding: {coding}\n{text}".encode())
    return replace(subject, data=text.encode())


def _notebook(text: str, random: Random) -> bytes:
    """The text cut into cells between its statements, with magics here and there."""
    tree = trees.parsed(text)
    starts = [node.lineno - 1 for node in tree.body[1:] if random.random() < 0.5] if tree is not None else []
    written = text.splitlines(keepends=True)
    cuts = [0, *starts, len(written)]
    texts = ["".join(written[start:end]) for start, end in pairwise(cuts)]
    texts = [random.choice(_MAGICS) + one if random.random() < 0.2 else one for one in texts]
    texts = [one.rstrip("\n") if random.random() < 0.7 else one for one in texts]
    cells = [cell(one, lines=random.random() < 0.8) for one in texts]
    if random.random() < 0.5:
        cells.insert(random.randrange(len(cells) + 1), cell("# Text\n```python\nimport keras\n```", kind="markdown"))
    indent = random.choice((1, 2, None))
    return json.dumps(notebook(*cells), indent=indent, ensure_ascii=random.random() < 0.5).encode()


def _page(subject: Subject, text: str, random: Random) -> Subject:
    """The text in a block of a page; where it has no such form, it stays a Python file."""
    suffix, ways = random.choice(((".md", pages.MARKDOWN), (".rst", pages.REST)))
    way = ways[random.choice(sorted(ways))]
    try:
        page = way(text.replace("\r", ""))
        if random.random() < 0.3:
            page += "\nAnd then:\n\n" + way(random.choice(python_seeds()).text.replace("\r", ""))
    except (SyntaxError, ValueError):
        return replace(subject, data=text.encode())
    return replace(subject, name=f"page{suffix}", data=f"A title\n=======\n\n{page}".encode())
