"""A text that begins and ends as the last one of its file did gives the tree that it would give by itself."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqlint.sources import Source
from seqlint.trees import grow, remember

if TYPE_CHECKING:
    from seqlint.trees import Grown

TEXT = """\
import keras; import numpy as np

SCALE = (1 + 2) * 3


@keras.saving.register_keras_serializable()
class Feed(keras.utils.PyDataset):
    def __init__(self, rows, **kwargs):
        super().__init__(**kwargs)
        self.name = f"{len(rows)} rows in {rows!r:>{SCALE}}"

    def __len__(self):
        return (len(self.rows)
                // 2)


if SCALE:
    print(f"{SCALE!r:>{SCALE}}", [x for x in (1, 2)])
else:
    SCALE = -1
names = {"é": (1,), **{}}
while True: break
"""
PIECES = (
    "",
    "x",
    "\n",
    "    ",
    "else:\n    pass\n",
    "# é\n",
    "(",
    ")",
    ";",
    "import os\n",
    "\\\n",
    "'''",
    'f"{SCALE!r:>{SCALE}}"\n',
    "type Rows = list[int]\n",
)
EDITS = st.lists(
    st.tuples(st.integers(0, len(TEXT)), st.integers(0, 12), st.sampled_from(PIECES)), min_size=1, max_size=4
)
PLACED = ("Name", "Call", "BinaryOperation", "FormattedStringExpression", "If")

NUMBERS = count()

remember()


def seen(grown: Grown) -> list[object]:
    """All that a tree says: the nodes, whose they are, where they stand, and that each is another."""
    kinds = [type(node).__name__ for node in grown.nodes]
    spans = [grown.outer(number) for number, kind in enumerate(kinds) if kind in PLACED]
    return [kinds, grown.above, grown.ends, spans, grown.nodes[0].code, len({*map(id, grown.nodes)})]


def outcome(text: str, path: str) -> list[object]:
    try:
        return seen(grow(Source(path, text)))
    except Exception as error:
        return [type(error)]


def alone(text: str) -> list[object]:
    """What comes of a text of which no other one is known."""
    return outcome(text, f"{next(NUMBERS)}.py")


@given(edits=EDITS)
def test_after_any_edit_the_tree_is_that_of_the_text(edits: list[tuple[int, int, str]]) -> None:
    text = TEXT
    outcome(text, "rows.py")
    for place, taken, given_ in edits:
        text = text[:place] + given_ + text[place + taken :]
        assert outcome(text, "rows.py") == alone(text)


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("names =", "named =", [True, True, True, True, False, True]),
        ("SCALE = (1", "# how much\n\nSCALE = (10", [True, False, True, True, True, True]),
        ("import keras; ", "", [False, True, True, True, True, True]),
        ("while True: break", "while True: continue", [True, True, True, True, True, False]),
    ],
)
def test_what_stands_above_and_below_an_edit_is_the_same_tree(old: str, new: str, same: list[bool]) -> None:
    first = grow(Source("rows.py", TEXT)).nodes[0].body
    second = grow(Source("rows.py", TEXT.replace(old, new))).nodes[0].body
    assert [one is other for one, other in zip(first, second, strict=True)] == same


def test_an_f_string_like_one_further_down_is_another_one() -> None:
    shown = 'print(f"{SCALE!r:>{SCALE}}")\n'
    above = TEXT.index("SCALE = (1")
    for text in (TEXT, *(TEXT[:above] + shown * times + TEXT[above:] for times in (1, 3, 2, 0, 4))):
        assert outcome(text, "rows.py") == alone(text)


def test_a_class_that_lost_its_decorator_grows_anew() -> None:
    for changed in (TEXT.replace("3\n\n\n@keras", "keras"), TEXT.replace("@keras.", "@\\\nkeras."), TEXT):
        assert outcome(changed, "rows.py") == alone(changed)


def test_a_statement_that_goes_on_below_grows_anew() -> None:
    longer = f"{TEXT}else:\n    pass\n"
    outcome(TEXT, "rows.py")
    assert outcome(longer, "rows.py") == alone(longer)


def test_a_statement_that_went_on_below_grows_anew() -> None:
    outcome(f"{TEXT}else:\n    pass\n", "rows.py")
    shorter = f"{TEXT}x = 1\n"
    assert outcome(shorter, "rows.py") == alone(shorter)


def test_a_text_that_newer_python_reads_is_read_below_others() -> None:
    for text in (TEXT, TEXT.replace("SCALE = (1", "type Rows = int\nSCALE = (1"), f"{TEXT}type Rows = (\nint)\n"):
        assert outcome(text, "rows.py") == alone(text)
        assert len(alone(text)) > 1


@pytest.mark.parametrize("broken", ["x = (\n", 'x = """\n', "else:\n", "x ==\n", "  x\n", "@keras\n"])
@pytest.mark.parametrize("above", ["import keras", "SCALE =", "@keras", "class Feed", "if SCALE", "names =", "while"])
def test_a_text_that_breaks_and_is_mended(above: str, broken: str) -> None:
    place = TEXT.index(above)
    for text in (TEXT, TEXT[:place] + broken + TEXT[place:], TEXT):
        assert outcome(text, "rows.py") == alone(text)
