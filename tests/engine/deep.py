"""Programs that are nested far deeper than a person would write them."""

from __future__ import annotations

LOADER = """\
import keras


class Deep(keras.utils.Sequence):
    def __init__(self, data):
        self.data = {}

    def __getitem__(self, index):
        return self.data[index]
"""


def _module(expression: str) -> str:
    return LOADER.format("data") + f"\n\nx = {expression}\n"


def _chain(links: int) -> str:
    return "data" + "".join(f".map(step_{link})" for link in range(links))


def _elifs(branches: int) -> str:
    return "if x == 0:\n    pass\n" + "".join(f"elif x == {number}:\n    pass\n" for number in range(1, branches))


# By the names of their files.
PROGRAMS: dict[str, str] = {
    "chain_5000": _module(_chain(5_000)),
    "chain_20000": _module(_chain(20_000)),
    "chain_in_a_sequence": LOADER.format(_chain(5_000)),
    "attributes": _module("data" + ".next" * 20_000),
    "subscripts": _module("data" + "[0]" * 5_000),
    "parentheses": _module("(" * 5_000 + "1" + ")" * 5_000),
    "never_closed": _module("(" * 5_000),
    "lists": _module("[" * 3_000 + "]" * 3_000),
    "dictionaries": _module("{1: " * 3_000 + "1" + "}" * 3_000),
    "calls": _module("step(" * 3_000 + "1" + ")" * 3_000),
    "a_sum": _module(" + ".join(f"a{number}" for number in range(5_000))),
    "a_long_or": _module(" or ".join(f"a{number}" for number in range(5_000))),
    "strings_in_a_row": _module("(" + "\n".join("'a'" for _ in range(5_000)) + ")"),
    "powers": _module(" ** ".join("a" for _ in range(5_000))),
    "not_not": _module("not " * 5_000 + "data"),
    "minus_minus": _module("-" * 5_000 + "1"),
    "conditions": _module("a if b else " * 3_000 + "c"),
    "lambdas": _module("lambda: " * 3_000 + "0"),
    "elifs": LOADER.format("data") + "\n\n" + _elifs(2_000),
    "patterns": LOADER.format("data") + "\n\nmatch x:\n    case " + "[" * 60 + "1" + "]" * 60 + ":\n        pass\n",
    "patterns_of_tuples": LOADER.format("data")
    + "\n\nmatch x:\n    case "
    + "(" * 20
    + "1"
    + ",)" * 20
    + ":\n        pass\n",
    "patterns_of_mappings": LOADER.format("data")
    + "\n\nmatch x:\n    case "
    + "{1: " * 20
    + "1"
    + "}" * 20
    + ":\n        pass\n",
    "patterns_of_classes": LOADER.format("data")
    + "\n\nmatch x:\n    case "
    + "A(b=" * 40
    + "1"
    + ")" * 40
    + ":\n        pass\n",
    "patterns_in_old_code": LOADER.format("data")
    + "\n\nprint 'x'\nmatch x:\n    case "
    + "(" * 20
    + "1"
    + ",)" * 20
    + ":\n        pass\n",
    "patterns_never_closed": LOADER.format("data") + "\n\nmatch x:\n" + "    case [[[[[[[(\n" * 2_000,
    "blocks": LOADER.format("data") + "\n\n" + "".join(f"{' ' * level}if x:\n" for level in range(400)),
}

# What people and their generators do write: it is read like any other file.
READABLE: dict[str, str] = {
    "short_chain": LOADER.format(_chain(150)),
    "long_list": _module("[" + ", ".join("1.5" for _ in range(5_000)) + "]"),
    "short_sum": _module(" + ".join(f"a{number}" for number in range(250))),
    "short_or": _module(" or ".join(f"a{number}" for number in range(250))),
    "some_patterns": LOADER.format("data")
    + "\n\nmatch x:\n    case A(b=[C(d={'e': (1, *_)})], f=3) | [[[[2]]]]:\n        pass\n",
    "some_strings": _module("(" + "\n".join("'a'" for _ in range(400)) + ")"),
    "many_statements": _module("1") + "x += 1\n" * 3_000,
}
