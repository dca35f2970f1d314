"""The tree that is made from Python's own is the one that libcst's parser makes: the same nodes, values, brackets and places."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from seqlint.model import UnreadableSource
from seqlint.sources import Source
from seqlint.trees import children, grow

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
FILES = [
    *sorted((ROOT / "fixtures").rglob("*.py")),
    *sorted((ROOT / "rules").glob("*.py")),
    *sorted((ROOT / "seqlint/trees").glob("*.py")),
]
TRICKY = {
    "nothing": "",
    "a comment": "# only this",
    "two in a line": "a = 1; b = 2\nc = 3;\nd = 4 ; \\\ne = 5\n",
    "semicolons at the end of blocks": "if a:\n    b ; \\\n\nelse: c;\nd\ntry: e ;\nfinally:\n    for f in g:\n        h; # i\nj = (k);\n",
    "decorators": "# head\n\n# above\n@one\n# between\n@two(1,\n     2)\n# below\ndef f(): pass\nx = 1\n",
    "a decorator below its sign": "a = 1  # \\\n@\\\none\ndef f(x):\n    match x:\n        case 1: pass\n",
    "comments at the end of a block": "if a:\n    b\n    # inside\n# outside\nc = (d)\n",
    "no newline at the end": "class A:\n    x = 'ä'  # ö\nprint(A)",
    "carriage returns": "a = 1\r\n\r\nif a:\r\n\tb = '''x\r\ny'''\r\nc\r\n",
    "a form feed": "a = 1\n\x0c\nb = 2\n",
    "a line that goes on": "a = 1 + \\\n    2\nb = a\nif a: \\\n  b\n",
    "a string over lines": 'a = """\n# no comment (\n"""\nb = (a)\n',
    "strings in a row": "a = ('x' \"y\" # (\n  r'''z''', f'{a}' 'b')\n",
    "async": "@d\nasync def f():\n    async with a as b, (c): pass\n    async for x in await g(): ...\n    return [y async for y in z]\n",
    "brackets": "a = (((b)) + (c)) * -(d)\n(e, f), (g) = ((1), 2), (3,)\n(h)(i)\nj\n(k)\nnot(l) and(m)or(n)\n",
    "brackets and comments": "a = ( # one (\n  # two )\n  b # three\n) + ( c )\nd = (  # e\n    1,\n    2,  # f\n)\n",
    "generators": "f(x for x in y)\nf((x for x in y))\nf(a, (x for x in (y) if (z)))\n{**a, (b): (c)}\n{*d, e}\n",
    "arguments": "f(a, *b, c=1, *d, **e)\nf((a), (b)=1) if False else f(k=(2), *(x), **(y))\n",
    "types": "def f(a):\n  b: int = (a)\n  self.c: (list[d]) = e\n  g: int\n  class H:\n    if i: j: k = (l)\n    def m(n): o: p = q\nr: s = yield\n",
    "classes": "class A((B), *C, k=1, **d): ...\nclass D: x: int; y: (str) = (2)\n",
    "parameters": "def f(a, b: int = 1, /, c=(2), *args: x, d, e=3, **kw) -> (y): return\ng = lambda *, a=1: (a)\n",
    "subscripts": "a[1]\na[(1, 2)]\na[1, 2:3, ::4, *b]\na[()]\na[b,]\na[(b)]\n",
    "branches": "if a: b\nelif (c): d\nelse:\n    if e: f\nfor a in b:\n  c\nelse: # else:\n  d\nwhile x: y\n",
    "errors": "try:\n  a\nexcept (A, B) as e: b\nexcept: c\nelse:\n  d\nfinally:\n  raise (x) from (y)\n",
    "imports": "import a.b . c as d, e\nfrom . import f\nfrom .. g.h import (i as j, k,) # l\nfrom m import *\n",
    "comparisons": "a < (b) <= c != d\ne not  in f is  not g\nx = a if (b) else c or d or e and f\n",
    "small statements": "del a, (b)\ndel (c, d)\nglobal e, f\nassert (a), b\na @= b\nx = y = yield\ndef g():\n  yield from (z)\n",
    "plain f-strings": "a = f'{b}c{d.e}{x:.3f}' + (F\"\") + f'' + f'ä{b}ü{c:>5}' + f'{if_}{b:}' + f\"it's {a}\" + f'say \"{b}\"'\n",
    "pieces of f-strings": "a = f'{(b)!r:>{c}}' + (f'''{d}\n''')\n",
    "names that are not ASCII": "größe = maß.größe(höhe=1)\nimport ä.ö as ü\ndef ñ(é): pass\n",
    "one name in two spellings": "ﬁ = 1\nprint(ﬁ.ﬁ, a(ﬁ=2))\n",
    "a match": "match (a):\n  case [1, (2)]: b\n  case _: (c)\nd = (e)\n",
    "a newer Python": "type A = int\nb = A\n",
}  # fmt: skip


def of_libcst(text: str) -> cst.Module | None:
    """The tree of a text by libcst's parser; None if one of the two parsers can't read it."""
    try:
        ast.parse(text)
        return cst.parse_module(text)
    except (SyntaxError, ValueError, cst.ParserSyntaxError):
        return None


@dataclass(frozen=True)
class Expected:
    """A node of libcst's tree, what it is called in the tree that grows, and whether a type stands below it that it knows nothing of."""

    like: cst.CSTNode
    name: str
    typed: bool = False


def below(node: cst.CSTNode, fields: bool = False) -> Iterator[Expected]:
    """A node with all below it: `x: int = 1` is told as `x = 1`, but in a class."""
    if isinstance(node, cst.AnnAssign) and node.value is not None and not fields:
        yield Expected(node, "Assign", typed=True)
        yield from below(node.annotation)
        yield from below(node.value)
        yield Expected(node.target, "AssignTarget")
        yield from below(node.target)
        return
    yield Expected(node, type(node).__name__)
    inside = isinstance(node, cst.ClassDef) or (fields and not isinstance(node, cst.FunctionDef))
    for child in children(node):
        yield from below(child, inside)


# Libcst gives these a place with the white space or the words round them, or only a part of what they are.
_PLACED_OTHERWISE = (
    cst.Module, cst.Parameters, cst.ComparisonTarget, cst.CompFor, cst.CompIf, cst.AsName, cst.Annotation, cst.Slice,
    cst.Index, cst.SubscriptElement, cst.Dot, cst.Asynchronous, cst.ImportStar, cst.ParamStar, cst.ParamSlash, cst.Else,
    cst.Finally, cst.From, cst.BaseBinaryOp, cst.BaseUnaryOp, cst.BaseBooleanOp, cst.BaseCompOp, cst.BaseAugOp,
)  # fmt: skip


def agrees(source: Source, module: cst.Module) -> None:
    grown = grow(source)
    expected = list(below(module))
    assert [type(node).__name__ for node in grown.nodes] == [each.name for each in expected]
    inside: dict[int, list[cst.CSTNode]] = defaultdict(list)
    for node, up in zip(grown.nodes, grown.above, strict=True):
        inside[up].append(node)
    places = MetadataWrapper(module, unsafe_skip_copy=True).resolve(ByteSpanPositionProvider)
    for number, (node, each) in enumerate(zip(grown.nodes, expected, strict=True)):
        like = each.like
        value = getattr(node, "value", "")
        assert value == getattr(like, "value", "") or not isinstance(value, str) or type(node) is not type(like)
        assert list(children(node)) == inside[number][each.typed :]
        if not isinstance(node, _PLACED_OTHERWISE):
            start = places[like].start
            assert grown.span(number) == (start, start + places[like].length), source.slice(*grown.span(number))
        if isinstance(node, cst.BaseExpression) and isinstance(like, cst.BaseExpression):
            assert len(node.lpar) == len(like.lpar)
            if like.lpar:
                last = places[like.rpar[-1]]
                assert grown.outer(number) == (places[like.lpar[0]].start, last.start + last.length)


@pytest.mark.parametrize("text", TRICKY.values(), ids=TRICKY)
def test_of_tricky_texts(text: str) -> None:
    module = of_libcst(text)
    if module is None:
        pytest.skip("one of the two parsers does not read it")
    agrees(Source("example.py", text), module)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_of_whole_programs(path: Path) -> None:
    try:
        source = Source.from_bytes(path.read_bytes(), path.name)
    except UnreadableSource:
        return  # there is nothing to place
    module = of_libcst(source.text)
    if module is not None and len(source.text) < 20_000:
        agrees(source, module)


_BLANK = st.sampled_from(["", "", " ", "  "])
_INSIDE = st.sampled_from(["", "", " ", "\n ", " # (\n"])
_ATOMS = st.sampled_from(["a", "1", "'('", "x.y", "f()", "g(a, b=c)", "d[0]", "[]", "()", "(a, b)", "(i for i in j)"])


def _deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({}{}{})".format, _INSIDE, inner, _INSIDE),
        st.builds("({}{},{})".format, _INSIDE, inner, _INSIDE),
        st.builds("({}{}+{}{})".format, _INSIDE, inner, _INSIDE, inner),
        st.builds("{}{}*{}{}".format, inner, _BLANK, _BLANK, inner),
        st.builds("[{}, {}]".format, inner, inner),
        st.builds("f({}{}, *{})".format, _INSIDE, inner, inner),
        st.builds("({}) if ({}) else {}".format, inner, inner, inner),
        st.builds("(lambda: {})".format, inner),
    )


@given(st.recursive(_ATOMS, _deeper, max_leaves=12))
def test_of_drawn_expressions(text: str) -> None:
    module = of_libcst(f"x = {text}\n")
    assert module is not None
    agrees(Source("example.py", f"x = {text}\n"), module)


def test_what_this_python_cannot_read_is_read_by_libcst() -> None:
    text = "def f():\n    print 'old'\n"
    with pytest.raises(cst.ParserSyntaxError):
        grow(Source("example.py", text))


def test_an_operator_has_a_place() -> None:
    source = Source("example.py", "a = b  **  (c)\na //= d\n")
    grown = grow(source)
    signs = [number for number, node in enumerate(grown.nodes) if isinstance(node, (cst.Power, cst.FloorDivideAssign))]
    assert [source.slice(*grown.span(number)) for number in signs] == ["**", "//="]
