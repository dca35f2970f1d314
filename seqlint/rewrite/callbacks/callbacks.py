"""Adds a callback to the list of a fit, and writes the text of a Callback class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.arguments import add_argument
from seqlint.rewrite.layout.statements import indent_unit

if TYPE_CHECKING:
    from seqlint.facts import Facts, TrainerCall

_WIDTH = 120


def add_callbacks(facts: Facts, fit: TrainerCall, texts: tuple[str, ...], after: cst.CSTNode) -> Edit | None:
    """Give a fit more callbacks; None where its callbacks can't be edited.

    A list literal gets them as its last elements, at the call or where a variable is assigned the list. A list that other
    code uses too, or that a function returns, is unpacked at the call.

    Args:
        texts: one expression for each.
        after: a definition that must have run before the expressions are valid.
    """
    if any(argument.star for argument in fit.node.args):
        return None
    given = fit.value("callbacks")
    together = ", ".join(texts)
    if given is None:
        return add_argument(facts, fit.node, _argument(facts, fit.node, texts))
    if isinstance(given, cst.Name) and given.value == "None":
        return Edit(*facts.span(given), f"[{together}]")
    if isinstance(given, cst.List):
        return add_element(facts, given, together)
    held = isinstance(given, (cst.Name, cst.Attribute, cst.Call))
    if not held or not all(isinstance(value, cst.List) for value in facts.values.of(given)):
        return None
    made = _only_use(facts, given) if isinstance(given, cst.Name) else None
    if made is not None and facts.tree.order.precedes(after, made) and all(text.endswith("()") for text in texts):
        return add_element(facts, made, together)
    return Edit(*facts.span(given), f"[*{facts.text(given)}, {together}]")


def _argument(facts: Facts, call: cst.Call, texts: tuple[str, ...]) -> str:
    """The argument on one line, or with one line for each callback where that would be too long."""
    source = facts.source
    end = facts.span(call)[1]
    line = source.utf8[source.utf8.rfind(b"\n", 0, end - 1) + 1 : end].decode()
    short = f"callbacks=[{', '.join(texts)}]"
    own_line = not line.strip(" \t)")  # the bracket closes the call on a line of its own
    lead = line[: len(line) - len(line.lstrip())] + (indent_unit(facts) if own_line else "")
    if len(lead if own_line else line) + len(short) + 2 <= _WIDTH:
        return short
    newline = f"{source.newline}{lead}"
    return f"callbacks=[{''.join(f'{newline}{indent_unit(facts)}{text},' for text in texts)}{newline}]"


def add_element(facts: Facts, node: cst.List, text: str) -> Edit:
    """Add an element at the end of a list literal, on a line of its own where the others have one."""
    source = facts.source
    close = facts.span(node)[1] - 1
    if not node.elements:
        return Edit(close, close, text)
    last = node.elements[-1]
    end = facts.tree.outer_span(last.value)[1]
    start = facts.span(last)[0]
    tail = source.utf8[end:close]
    comma = end + tail.index(b",") + 1 if tail.lstrip().startswith(b",") else None
    lead = source.utf8[source.utf8.rfind(b"\n", 0, start) + 1 : start].decode()
    if lead.strip():  # other elements are on its line
        return Edit(end, comma or end, f", {text}{',' if comma else ''}")
    if comma is None:
        kept = tail.split(b"\n", 1)[0].rstrip(b"\r")
        return Edit(end, end + len(kept), f",{kept.decode()}{source.newline}{lead}{text}")
    stop = comma + len(source.utf8[comma:close].split(b"\n", 1)[0].rstrip(b"\r"))  # after a comment
    return Edit(stop, stop, f"{source.newline}{lead}{text},")


def _only_use(facts: Facts, given: cst.Name) -> cst.List | None:
    """The list of a variable that is bound once in this scope and used only by this call and `append`."""
    bindings = facts.names.bindings(given)
    if (
        len(bindings) != 1
        or not isinstance(bindings[0].value, cst.List)
        or not facts.names.same_frame(given, bindings[0].scope)
    ):
        return None
    uses = [n for n in facts.tree.all(cst.Name) if n.value == given.value and n not in (given, bindings[0].node)]
    if not all(_is_appended_to(facts, use) for use in uses if facts.names.bindings(use) == bindings):
        return None
    inside = facts.tree.enclosing(given, cst.For, cst.While)
    if inside is not None and not facts.tree.holds(inside, bindings[0].node):  # all iterations would share one callback
        return None
    return bindings[0].value


def _is_appended_to(facts: Facts, use: cst.Name) -> bool:
    method = facts.tree.parents[use]
    return (
        isinstance(method, cst.Attribute)
        and method.value is use
        and method.attr.value in ("append", "extend", "insert")
    )


def callback_class(
    name: str, base: str, indents: tuple[str, str, str], methods: tuple[str, ...], needs: tuple[str, ...], starts: str
) -> str:
    """The text of a Callback class, with line feeds.

    Args:
        indents: those of the class, its methods, and their bodies.
        methods: texts with their indentation.
        needs: names of the attributes that its constructor gets.
        starts: further lines of its `__init__`, with their indentation.
    """
    outer, inner, body = indents
    parts = list(methods)
    if needs or starts:
        given = "".join(f", {parameter(need)}" for need in needs)
        lines = [f"{inner}def __init__(self{given}):", f"{body}super().__init__()"]
        lines += [f"{body}self.{need} = {parameter(need)}" for need in needs]
        parts.insert(0, "\n".join([*lines, *starts.rstrip("\n").split("\n")]).rstrip("\n") + "\n")
    return f"{outer}class {name}({base}):\n" + "\n".join(parts)


def parameter(attribute: str) -> str:
    """The constructor parameter for an attribute."""
    return attribute.lstrip("_") or attribute
