"""Mutations of statements and expressions. They are made in the text, so that comments and layout stay."""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    _Change = Callable[[list[str], str], list[str]]

_WRAPS = (
    "if x:", "if __name__ == '__main__':", "for i in range(3):", "while True:", "try:", "with open('f') as f, g():", "def main():",
    "async def main():", "class Outer:", "match x:\n    case {'a': [*_]} | None:", "else:", "for batch, (x, y) in enumerate(data):",
    "def main(self, *args, **kwargs):", "with strategy.scope():", "if (n := len(x)) > 3:", "except* ValueError:",
)  # fmt: skip
_DECORATORS = (
    "@staticmethod",
    "@property",
    "@tf.function",
    "@tf.function(jit_compile=True)",
    "@classmethod",
    "@a.b(c)[0]",
    "@overload",
)
_EXPRESSIONS = (
    "({0})", "(({0}))", "(y := {0})", "[{0}][0]", "({0} if x else None)", "(lambda: {0})()", "{0}.copy()", "(not {0})", "*{0}",
    "[{0} for i in range(3)]", "{{'a': {0}}}['a']", "f'{{{0}}}'", "({0}, {0})", "{0}[...]", "({0}\n)", "(  # in\n{0})", "x[{0}:, None]",
    "{{*{0}}}", "({0} for _ in x)", "(await {0})", "(yield {0})", "{0} @ {0}", "x", "None", "0", "'a'", "...",
)  # fmt: skip
_STATEMENTS = (
    "pass", "return", "return None", "raise", "break", "continue", "del x", "global x", "nonlocal x", "import keras", "import numpy as np",
    "from keras import *", "x: int = 1", "x: int", "(x := 1)", "type X = int", "assert x, y", "x = y = z = 1", "x, *y = z", "model = None",
    "def super(): ...", "self.x = 1", "super().__init__()", "yield", "'''doc'''", "model.fit(x)", "import tensorflow as tf", "lambda: 0",
    "for x.y in z: pass", "keras = None", "data = None", "print(f'{x=}', end='')", "from . import data", "try: x\nexcept: pass",
    "from tensorflow.keras.utils import Sequence", "model.fit(data, epochs=2, callbacks=[])", "np.random.seed(0)", "x[i], self.y[j] = 1, 2",
)  # fmt: skip

_CIRCULAR = (
    "{0}", "{0}[0]", "{0}[{0}]", "{0}.map(f)", "[{0}]", "({0}, {0})", "{0} or None", "functools.partial({0}, 1)", "{0}({0})", "np.dtype({0})",
    "keras.Sequential([{0}])", "lambda: {0}", "{0} if {0} else {0}", "zip({0}, {0})", "list({0})", "np.array({0})", "{0}.{0}", "{0} + {0}",
    "tf.data.Dataset.zip(({0}, {0}))", "{0}.copy()", "dict(a={0})", "*{0}, 1", "{0}.batch(len({0}))", "next(iter({0}))", "{0} // {0}",
    "keras.Model({0}, {0})", "[x for x in {0}]", "{0}['a']", "{0} = {0}[0]",
    "~{0}", "-{0}", "not {0}", "{0} & {0}", "{0} % 2", "int({0})", "{0}.all()", "{0} == {0}", "{{'a': {0}}}", "[[{0}]]",
)  # fmt: skip


def parsed(text: str) -> ast.Module | None:
    """The tree of a text; None where it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def compiles(text: str) -> bool:
    """Whether Python takes a text for a program: more is refused than what has no tree, such as a `return` outside of a function."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "mutant.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def delete(text: str, random: Random) -> str:
    """A statement is gone; where it was alone, a `pass` stands."""
    return _with_one(text, random, lambda lines, indent: random.choice(([], [indent + "pass\n"])))


def duplicate(text: str, random: Random) -> str:
    """A statement is there twice."""
    return _with_one(text, random, lambda lines, indent: [*lines, *lines])


def inserted(text: str, random: Random) -> str:
    """A statement of another kind stands before or behind one."""
    new = random.choice(_STATEMENTS)

    def insert(lines: list[str], indent: str) -> list[str]:
        some = [f"{indent}{line}\n" for line in new.split("\n")]
        return [*some, *lines] if random.random() < 0.5 else [*lines, *some]

    return _with_one(text, random, insert)


def wrapped(text: str, random: Random) -> str:
    """A statement stands in a block of its own."""
    head = random.choice(_WRAPS)

    def wrap(lines: list[str], indent: str) -> list[str]:
        steps = 2 if "\n" in head else 1
        tail = [f"{indent}except Exception:\n", f"{indent}    pass\n"] if head == "try:" else []
        heads = [f"{indent}{line}\n" for line in head.split("\n")]
        return [*heads, *("    " * steps + line if line.strip() else line for line in lines), *tail]

    return _with_one(text, random, wrap)


def circular(text: str, random: Random) -> str:
    """What is stored is made of itself, or of what is made of it: once, in a loop, or without having been anything before."""
    tree = parsed(text)
    stores = (
        [node for node in ast.walk(tree) if isinstance(node, (ast.Name, ast.Attribute))] if tree is not None else []
    )
    names = sorted({ast.unparse(node) for node in stores if isinstance(node.ctx, ast.Store)})
    values = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.expr)] if tree is not None else []
    if not names:
        return text
    name, other, value = random.choice(names), random.choice(names), random.choice(values)
    forms = (
        *_CIRCULAR,
        value.replace(other, name),
        *(form.replace("{0}", "{1}") + "\n{1} = {0}" for form in _CIRCULAR[:4]),
    )
    new = random.choice(forms)
    new = f"{name} = {new}" if new == value.replace(other, name) else f"{{0}} = {new}".format(name, other)
    alone, again = random.random() < 0.3, random.random() < 0.3
    if again:
        new = "while x:\n    " + random.choice((new, f"{name} *= {other}\n{name} += {name}")).replace("\n", "\n    ")

    def insert(lines: list[str], indent: str) -> list[str]:
        return [*([] if alone else lines), *(f"{indent}{line}\n" for line in new.split("\n"))]

    return _with_one(text, random, insert, (ast.Assign, ast.AugAssign, ast.AnnAssign))


def decorated(text: str, random: Random) -> str:
    """A definition has one more decorator."""
    new = random.choice(_DECORATORS)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return _with_one(text, random, lambda lines, indent: [f"{indent}{new}\n", *lines], kinds)


def swapped(text: str, random: Random) -> str:
    """Two statements change places."""
    lines, places = text.splitlines(keepends=True), _places(text)
    if len(places) < 2:
        return text
    (first, end), (start, last) = sorted(random.sample(places, 2))
    if start <= end:
        return text
    one, other = lines[first - 1 : end], lines[start - 1 : last]
    other = _moved(other, _indent(one))
    one = _moved(one, _indent(lines[start - 1 : last]))
    return "".join([*lines[: first - 1], *other, *lines[end : start - 1], *one, *lines[last:]])


def spliced(text: str, random: Random, other: str) -> str:
    """Statements of another program stand among those of this one."""
    lines, places = text.splitlines(keepends=True), _places(text)
    others, theirs = other.splitlines(keepends=True), _places(other)
    if not places or not theirs:
        return text + other
    first, _ = random.choice(places)
    start, end = random.choice(theirs)
    some = _moved(others[start - 1 : end], _indent(lines[first - 1 : first]))
    return "".join([*lines[: first - 1], *some, *lines[first - 1 :]])


def expression(text: str, random: Random) -> str:
    """An expression is wrapped in another, or is another of the file."""
    found = list(_expressions(text))
    if not found:
        return text
    start, end = random.choice(found)
    data = text.encode()
    old = data[start:end].decode("utf-8", "replace")
    one, last = random.choice(found)
    new = (
        data[one:last].decode("utf-8", "replace") if random.random() < 0.4 else random.choice(_EXPRESSIONS).format(old)
    )
    return (data[:start] + new.encode() + data[end:]).decode("utf-8", "replace")


def _expressions(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each expression, in bytes."""
    tree = parsed(text)
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.expr):
            last, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
            if last < len(starts):
                yield starts[node.lineno - 1] + node.col_offset, starts[last - 1] + column


def _with_one(text: str, random: Random, change: _Change, kinds: tuple[type[ast.stmt], ...] = (ast.stmt,)) -> str:
    lines, places = text.splitlines(keepends=True), _places(text, kinds)
    if not places:
        return text
    first, last = random.choice(places)
    some = lines[first - 1 : last]
    new = change(some, _indent(some))
    return "".join([*lines[: first - 1], *new, *lines[last:]])


def _places(text: str, kinds: tuple[type[ast.stmt], ...] = (ast.stmt,)) -> list[tuple[int, int]]:
    """First and last line of each statement that has its lines for itself."""
    tree = parsed(text)
    if tree is None or "\r" in text or "\f" in text:
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, kinds) and isinstance(node, ast.stmt):
            above = [one.lineno for one in getattr(node, "decorator_list", ())]
            found.append((min([node.lineno, *above]), node.end_lineno or node.lineno))
    return sorted(set(found))


def _indent(lines: list[str]) -> str:
    return lines[0][: len(lines[0]) - len(lines[0].lstrip())] if lines else ""


def _moved(lines: list[str], indent: str) -> list[str]:
    """The lines with another indent."""
    old = _indent(lines)
    return [indent + line[len(old) :] if line.startswith(old) and line.strip() else line for line in lines]


ALL = (
    delete,
    duplicate,
    circular,
    circular,
    inserted,
    inserted,
    wrapped,
    wrapped,
    decorated,
    swapped,
    expression,
    expression,
    expression,
)
