"""Parameters of a function."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from seqlint.facts import parameters
from seqlint.model import Edit

if TYPE_CHECKING:
    import libcst as cst

    from seqlint.facts import Facts

_COMMENT = re.compile(rb"#[^\r\n]*")


def add_parameter(facts: Facts, function: cst.FunctionDef, text: str) -> Edit:
    """A parameter at the end of the signature: in front of `**kwargs`, or `**kwargs` itself after all others."""
    known = parameters(function.params)
    if not known:
        start = facts.source.utf8.index(b"(", facts.span(function.name)[1]) + 1
        return Edit(start, start, text)
    last = known[-1]
    if function.params.star_kwarg is not None and not text.startswith("**"):
        start = facts.span(last)[0]
        return Edit(start, start, f"{text}, ")
    return _after(facts, function, last, text)


def _after(facts: Facts, function: cst.FunctionDef, last: cst.Param, text: str) -> Edit:
    source = facts.source
    end = _param_end(facts, last)
    close = _closing(source.utf8, end)
    tail = source.utf8[end:close]
    if b"\n" not in tail:
        comma = tail.find(b",")
        return Edit(end, end + comma + 1, f", {text}") if comma >= 0 else Edit(end, end, f", {text}")
    line = source.utf8.rfind(b"\n", 0, facts.span(last)[0]) + 1
    lead = source.utf8[line : facts.span(last)[0]].decode()
    lead = lead[: len(lead) - len(lead.lstrip())]
    if tail.lstrip().startswith(b","):
        comma = end + tail.index(b",") + 1
        stop = comma + len(source.utf8[comma:close].split(b"\n", 1)[0].rstrip(b"\r"))
        return Edit(stop, stop, f"{source.newline}{lead}{text},")
    return Edit(end, end, f",{source.newline}{lead}{text}")


def _param_end(facts: Facts, param: cst.Param) -> int:
    end = facts.span(param)[1]
    if param.default is not None:
        end = max(end, facts.tree.outer_span(param.default)[1])
    if param.annotation is not None:
        end = max(end, facts.tree.outer_span(param.annotation.annotation)[1])
    return end


def _closing(text: bytes, start: int) -> int:
    """The bracket that closes the signature; only commas, white space, `/`, `*` and comments can stand before it."""
    here = start
    while text[here : here + 1] != b")":
        comment = _COMMENT.match(text, here)
        here = comment.end() if comment is not None else here + 1
    return here


def keep_parameters(facts: Facts, function: cst.FunctionDef, number: int) -> Edit:
    """Remove all parameters after the first few, with a `*` or `/` among them."""
    known = parameters(function.params)
    start = _param_end(facts, known[number - 1])
    return Edit(start, _closing(facts.source.utf8, _param_end(facts, known[-1])), "")


def remove_parameter(facts: Facts, function: cst.FunctionDef, param: cst.Param) -> Edit:
    """Take out one parameter that others follow."""
    known = parameters(function.params)
    following = known[known.index(param) + 1]
    return Edit(facts.span(param)[0], facts.span(following)[0], "")
