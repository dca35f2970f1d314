"""Structures: lists of inputs, targets or weights in a batch; never a list of samples or numbers."""

from __future__ import annotations

import pytest

from tests.facts.feed import generator, sequence

ROWS = "rows = slice(index * 4, index * 4 + 4)\n"
LISTS = {
    "literal": ("return [self.left[rows], self.right[rows]], self.labels[rows]", "[self.left[rows], self.right[rows]]"),
    "targets": ("return self.left[rows], [self.one[rows], self.two[rows]]", "[self.one[rows], self.two[rows]]"),
    "in a dict": ('return self.left[rows], {"heads": [self.one[rows]]}', "[self.one[rows]]"),
    "in an outer list": ("return [[self.left[rows]], self.labels[rows]]", "[self.left[rows]]"),
    "named": ("both = [self.left[rows], self.right[rows]]\nreturn both, self.labels[rows]", "[self.left[rows], self.right[rows]]"),
    "over an attribute": ("return [part[rows] for part in self.parts], self.labels[rows]", "[part[rows] for part in self.parts]"),
    "over names": (
        'return [self.data[name][rows] for name in ("a", "b")], self.labels[rows]', '[self.data[name][rows] for name in ("a", "b")]'
    ),
    "over columns": (
        "x = self.left[rows]\nreturn [x[:, k] for k in range(x.shape[1])], self.labels[rows]", "[x[:, k] for k in range(x.shape[1])]"
    ),
    "transposed": (
        "data = self.items[rows]\nreturn [np.stack(part) for part in zip(*data)], self.labels[rows]",
        "[np.stack(part) for part in zip(*data)]",
    ),
    "converted later": (
        "made = (answer[rows] for answer in self.answers)\nreturn self.left[rows], list(made)",
        "list(made)",
    ),
    "converted": ("return list((self.left[rows], self.right[rows])), self.labels[rows]", "list((self.left[rows], self.right[rows]))"),
    "split": ("return np.split(self.left[rows], 2, axis=1), self.labels[rows]", "np.split(self.left[rows], 2, axis=1)"),
    "added": ("return [self.left[rows]] + [self.right[rows]], self.labels[rows]", "[self.left[rows]] + [self.right[rows]]"),
    "repeated": ("return self.left[rows], [self.labels[rows]] * 2", "[self.labels[rows]] * 2"),
    "appended": ("x = []\nx.append(self.left[rows])\nx.append(self.right[rows])\nreturn x, self.labels[rows]", "[]"),
    "appended in a loop over inputs": ("x = []\nfor part in self.parts:\n    x.append(part[rows])\nreturn x, self.labels[rows]", "[]"),
    "collected arrays": (
        "left = np.array([self.read(p) for p in self.paths[rows]])\nreturn [left, left], self.labels[rows]", "[left, left]"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "made"), LISTS.values(), ids=LISTS)
def test_a_list_that_stands_for_a_structure_is_found(body: str, made: str) -> None:
    facts = sequence(ROWS + body)
    assert [facts.text(part.made) for part in facts.structures.lists] == [made]


OTHERS = {
    "outermost": "return [self.left[rows], self.labels[rows]]",
    "tuples": "return (self.left[rows], self.right[rows]), self.labels[rows]",
    "samples": "return [self.read(p) for p in self.paths[rows]], self.labels[rows]",
    "samples by number": "return [self.left[k] for k in self.order[rows]], self.labels[rows]",
    "samples appended": "x = []\nfor p in self.paths[rows]:\n    x.append(self.read(p))\nreturn x, self.labels[rows]",
    "numbers": "return self.left[rows], [1.0, 0.0]",
    "one number": "label = self.labels[index]\nreturn self.left[rows], [label]",
    "counted numbers": "for k in range(3):\n    one = self.labels[k]\nreturn self.left[rows], [one, one]",
    "stacked": "pair = [self.left[rows], self.right[rows]]\npair = np.stack(pair)\nreturn pair, self.labels[rows]",
    "unpacked": "left, right = np.split(self.left[rows], 2)\nreturn (left, right), self.labels[rows]",
    "not returned": "debug = [self.left[rows], self.right[rows]]\nself.log(debug)\nreturn self.left[rows], self.labels[rows]",
}


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_other_lists_are_none(body: str) -> None:
    assert not sequence(ROWS + body).structures.lists


def test_the_outermost_list_of_a_generator_counts() -> None:
    body = "while True:\n    yield [paths[0:size], labels[0:size]]"
    (part,) = generator(body).structures.lists
    assert part.outer
    assert not generator(body, "for batch in feed(PATHS, LABELS, 4):\n    print(batch)").structures.lists


@pytest.mark.parametrize(
    ("between", "movable"),
    [
        ("print(both[0])", True),
        ("size = len(both)", True),
        ("both.append(self.more[rows])", False),
        ("both[0] = both[0] / 255", False),
        ("both += [self.more[rows]]", False),
        ("self.augment(both)", False),
    ],
)
def test_a_list_can_be_made_a_tuple_where_it_is_only_read(between: str, movable: bool) -> None:
    facts = sequence(f"{ROWS}both = [self.left[rows], self.right[rows]]\n{between}\nreturn both, self.labels[rows]")
    assert facts.structures.lists[0].movable is movable


def test_a_helper_that_somebody_else_calls_keeps_its_list() -> None:
    helper = "def parts(self, rows):\n    return [self.left[rows], self.right[rows]]\n"
    other = "\ndef show(self):\n    return self.parts(slice(2)) + [1]\n"
    body = f"{ROWS}return self.parts(rows), self.labels[rows]"
    assert sequence(body, helper).structures.lists[0].movable
    assert not sequence(body, helper + other).structures.lists[0].movable


def test_a_list_of_what_unseen_code_returns_is_found_and_left_alone() -> None:
    helper = "def targets(self, rows):\n    found = self.compute(rows)\n    return list(found)\n"
    (part,) = sequence(f"{ROWS}return self.left[rows], self.targets(rows)", helper).structures.lists
    assert not part.movable
    assert not part.only
    assert not sequence(f"{ROWS}return self.left[rows], list(np.ones(4))").structures.lists
