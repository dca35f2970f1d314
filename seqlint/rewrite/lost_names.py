"""Names that Keras 3 lost, written as what it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts import dotted
from seqlint.knowledge.keras_names import GONE
from seqlint.knowledge.keras_replacements import BY_HAND, EVERYWHERE, OF_TENSORFLOW, ON_KERAS_3, RAISES, SAME
from seqlint.model import KERAS_3_LINES, KERAS_LINES, Edit
from seqlint.rewrite.layout.imports import name_for
from seqlint.rewrite.layout.statements import replace

if TYPE_CHECKING:
    from seqlint.facts import Facts, Mention
    from seqlint.facts.keras.lost_names import LostName
    from seqlint.model import KerasLine

_SHORT = 60
_ATOMS = (cst.Name, cst.Attribute, cst.Call, cst.Subscript)


@dataclass(frozen=True)
class Instead:
    """What can stand in the place of a lost name.

    Attributes:
        title: an order, for the reader of a fix.
        lines: where the edits work.
    """

    title: str
    edits: tuple[Edit, ...]
    lines: tuple[KerasLine, ...] = KERAS_LINES


def instead_of(facts: Facts, one: LostName) -> tuple[Instead, ...]:
    """What can be written, the best first; empty where it is for a person to decide."""
    ways = _imported(facts, one) if one.mention.statement is not None else _reached(facts, one)
    return tuple(way for way in ways if way is not None)


def how_to_replace(facts: Facts, one: LostName) -> tuple[str, str]:
    """What to do by hand, and why there is no fix."""
    if told := BY_HAND.get(one.part):
        return told, "what takes its place is for you to write"
    name = same_name(one) or ON_KERAS_3.get(one.part, "").partition("(")[0]
    if name:
        return f"use `{one.root}.{name}`", "the import, or its arguments, would have to change too"
    if tensorflow_has(facts, one):
        return f"use `tf.keras.{one.part}`", "the file takes it from `keras` together with other names"
    if any(name.startswith(f"{one.part}.") for name in SAME):
        return "import the parts of it from the public module", "it is a whole module"
    return "it is gone, and no replacement is known", "no name of Keras 3 is known to do the same"


def same_name(one: LostName) -> str:
    """The name that does the same on every line, without its root; "" where there is none."""
    return (OF_TENSORFLOW.get(one.part, "") if one.root == "tf.keras" else "") or SAME.get(one.part, "")


# -- names that are reached -------------------------------------------------------------------------------------------


def _reached(facts: Facts, one: LostName) -> tuple[Instead | None, ...]:
    if name := same_name(one):
        return (_renamed(facts, one, name),)
    return (_written_out(facts, one), _on_keras_3(facts, one), _from_tensorflow(facts, one))


def _renamed(facts: Facts, one: LostName, name: str, lines: tuple[KerasLine, ...] = KERAS_LINES) -> Instead:
    text, edits = _spelled(facts, one, name)
    return Instead(f"Write `{text}`", (replace(facts, one.mention.node, text), *edits), lines)


def _spelled(facts: Facts, one: LostName, name: str) -> tuple[str, tuple[Edit, ...]]:
    """The new name as the file reaches it: from the longest part of the old one that the new one begins with."""
    node = one.mention.node
    while isinstance(node, cst.Attribute):
        node = node.value
        origins = facts.names.origins(node)
        origin = next(iter(origins)) if len(origins) == 1 else None
        if origin is not None and f"{one.package}.{name}".startswith(f"{origin}."):
            return f"{facts.text(node)}.{f'{one.package}.{name}'[len(origin) + 1 :]}", ()
    spelling = name_for(facts, f"keras.{name}", one.mention.node)
    return spelling.text, spelling.edits


def _call_of(facts: Facts, node: cst.CSTNode) -> cst.Call | None:
    """The call of a name, if all that it gets is written out."""
    call = facts.tree.parents.get(node)
    plain = isinstance(call, cst.Call) and call.func is node and not any(each.star for each in call.args)
    return call if isinstance(call, cst.Call) and plain else None


def _written_out(facts: Facts, one: LostName) -> Instead | None:
    """`tuple(x.shape)` for `K.int_shape(x)`."""
    form, call = EVERYWHERE.get(one.part), _call_of(facts, one.mention.node)
    if form is None or call is None or any(each.keyword is not None for each in call.args):
        return None
    if form.count("{") != len(call.args):
        return None
    first, *others = (each.value for each in call.args)
    if not isinstance(first, _ATOMS):
        return None
    text = facts.text(first).join(form.partition("{x}")[::2])
    for other in others:
        before, _, rest = text.rpartition("{")
        text = before + facts.text(other) + rest.partition("}")[2]
    return Instead(
        f"Write `{text}`" if len(text) < _SHORT else "Write what works on every line", (replace(facts, call, text),)
    )


def _on_keras_3(facts: Facts, one: LostName) -> Instead | None:
    """`keras.ops.sum(x)` for `K.sum(x)`, with the arguments under the names that it has there."""
    form = ON_KERAS_3.get(one.part)
    if form is None:
        return None
    name, _, listed = form.partition("(")
    if not listed:
        return _renamed(facts, one, name, KERAS_3_LINES)
    call = _call_of(facts, one.mention.node)
    arguments = renamed_arguments(facts, call, listed.rstrip(")")) if call is not None else None
    if arguments is None or call is None:
        return None
    text, edits = _spelled(facts, one, name)
    return Instead(f"Write `{text}`", (replace(facts, one.mention.node, text), *arguments, *edits), KERAS_3_LINES)


def renamed_arguments(facts: Facts, call: cst.Call, listed: str) -> tuple[Edit, ...] | None:
    """Edits of the arguments of a call; None where one is not among those that are listed."""
    order, new, needed, names = _parsed(listed)
    edits, given = list[Edit](), set[str]()
    for place, argument in enumerate(call.args):
        old = argument.keyword.value if argument.keyword is not None else order[place] if place < len(order) else ""
        if old not in new or old in given:
            return None
        given.add(old)
        by_name = argument.keyword is not None or old in names
        if argument.keyword is not None and new[old] != old:
            edits.append(replace(facts, argument.keyword, new[old]))
        elif argument.keyword is None and by_name:
            start, _ = facts.span(argument.value)
            edits.append(Edit(start, start, f"{new[old]}="))
    added = [f"{new[name]}={value}" for name, value in needed.items() if name not in given]
    if added and not call.args:
        return None
    if added:
        _, end = facts.span(call.args[-1].value)
        edits.append(Edit(end, end, f", {', '.join(added)}"))
    return tuple(edits)


def _parsed(listed: str) -> tuple[list[str], dict[str, str], dict[str, str], set[str]]:
    """The arguments in order, their new names, the defaults to write out, and those that are given by name."""
    order, new, needed, names = list[str](), dict[str, str](), dict[str, str](), set[str]()
    by_name = False
    for each in (one.strip() for one in listed.split(",")):
        if each == "*":
            by_name = True
            continue
        pair, _, default = each.partition("=")
        old, _, other = pair.partition(">")
        order.append(old)
        new[old] = other or old
        needed |= {old: default} if default else {}
        names |= {old} if by_name else set()
    return order, new, needed, names


# -- names that TensorFlow still has ----------------------------------------------------------------------------------


def _from_tensorflow(facts: Facts, one: LostName) -> Instead | None:
    """`from tensorflow.keras import backend as K`: one edit for all that the file takes from there."""
    if not tensorflow_has(facts, one):
        return None
    name = _first(one.mention.node)
    # Whoever imports a module twice under one name gets it from the last of them.
    brought = [
        mention
        for mention in facts.mentions.imported
        if mention.name == "keras.backend" and mention.binding is not None and name in facts.mentions.uses(mention)
    ]
    if brought:
        edits = [edit for mention in brought if (edit := _moved(facts, mention)) is not None]
        moved = len(edits) == len(brought)
        return Instead("Import `backend` from `tensorflow.keras`", tuple(edits)) if moved else None
    node = one.mention.node
    if not isinstance(node, cst.Attribute) or facts.names.origins(name) != {"keras"} or not isinstance(name, cst.Name):
        return None
    text = tensorflow_name(facts, node)
    return Instead(f"Write `{text}.{one.part}`", (replace(facts, name, text),)) if text else None


def tensorflow_name(facts: Facts, node: cst.CSTNode) -> str:
    """`tf.keras` as the file has it where a node stands; "" where it does not import TensorFlow as a whole."""
    for mention in facts.mentions.imported:
        binding = mention.binding
        if mention.name != "tensorflow" or binding is None or not isinstance(mention.statement, cst.Import):
            continue
        if binding.scope.kind == "module" and facts.names.scope(node).home(binding.name) in (None, binding.scope):
            return f"{binding.name}.keras"
    return ""


def tensorflow_has(facts: Facts, one: LostName) -> bool:
    """Whether `tf.keras` has a function of the backend on every line, and hands out the same Keras as the file uses."""
    there = one.root == "keras" and one.part.startswith("backend.") and GONE[one.part] == ("", "3.0", "")
    return there and one.part not in RAISES and facts.runs_tensorflow and not facts.keras.legacy


def _moved(facts: Facts, mention: Mention) -> Edit | None:
    """The edit that takes a module from TensorFlow; None where other names of the import would change, too."""
    statement, alias = mention.statement, mention.node
    if isinstance(statement, cst.ImportFrom) and statement.module is not None:
        alone = not isinstance(statement.names, cst.ImportStar) and len(statement.names) == 1
        return replace(facts, statement.module, f"tensorflow.{dotted(statement.module)}") if alone else None
    if isinstance(alias, cst.ImportAlias) and alias.asname is not None:
        return replace(facts, alias.name, f"tensorflow.{dotted(alias.name)}")
    return None


def _first(node: cst.CSTNode) -> cst.CSTNode:
    while isinstance(node, cst.Attribute):
        node = node.value
    return node


# -- names that are imported ------------------------------------------------------------------------------------------


def _imported(facts: Facts, one: LostName) -> tuple[Instead | None, ...]:
    statement, alias = one.mention.statement, one.mention.node
    if not isinstance(statement, cst.ImportFrom) or not isinstance(alias, cst.ImportAlias) or statement.module is None:
        return ()
    if isinstance(statement.names, cst.ImportStar):
        return ()
    if (module := _module_instead(facts, one)) and len(statement.names) == 1:
        home, _, last = f"{one.package}.{module}".rpartition(".")
        bound = alias.evaluated_alias or dotted(alias.name)
        edits = (replace(facts, statement.module, home), replace(facts, alias, f"{last} as {bound}"))
        return (Instead(f"Import `{module}`", edits),)
    if name := same_name(one):
        return (_import_renamed(facts, one, statement, name),)
    form = ON_KERAS_3.get(one.part, "")
    if form and "(" not in form:
        return (_import_renamed(facts, one, statement, form, KERAS_3_LINES),)
    names = [f"{dotted(statement.module)}.{dotted(each.name)}" for each in statement.names]
    moves = tensorflow_has(facts, one) and all(name.startswith("keras.backend.") for name in names)
    if not moves or any(GONE.get(name[len("keras.") :], ("", "3.0", "")) != ("", "3.0", "") for name in names):
        return ()
    edit = replace(facts, statement.module, f"tensorflow.{dotted(statement.module)}")
    return (Instead("Import it from `tensorflow.keras`", (edit,)),)


def _module_instead(facts: Facts, one: LostName) -> str:
    """The module that has all that the file asks of a lost one; "" where there is none."""
    asked = facts.lost_names.asked_of(one)
    if not asked:
        return ""
    new = {SAME.get(f"{one.part}.{each.attr.value}", "") for each in asked}
    homes = {name.rpartition(".")[0] for name in new}
    last = {name.rpartition(".")[2] for name in new}
    return homes.pop() if len(homes) == 1 and last == {each.attr.value for each in asked} else ""


def _import_renamed(
    facts: Facts, one: LostName, statement: cst.ImportFrom, name: str, lines: tuple[KerasLine, ...] = KERAS_LINES
) -> Instead | None:
    """`from keras.optimizers import Adam as adam`; another module only where all names of the import move there."""
    alias, module = one.mention.node, statement.module
    if module is None or not isinstance(alias, cst.ImportAlias) or isinstance(statement.names, cst.ImportStar):
        return None
    home, _, last = f"{one.package}.{name}".rpartition(".")
    old = dotted(alias.name)
    edits = (
        []
        if last == old
        else [
            replace(
                facts,
                alias,
                last if alias.asname is None and last == old else f"{last} as {alias.evaluated_alias or old}",
            )
        ]
    )
    if home != dotted(module):
        others = (f"{dotted(module)}.{dotted(each.name)}" for each in statement.names)
        if len(statement.names) > 1 and not all(_moves_to(one, other, home) for other in others):
            return None
        edits.append(replace(facts, module, home))
    return Instead(f"Import `{name}`", tuple(edits), lines)


def _moves_to(one: LostName, name: str, home: str) -> bool:
    """Whether another name of the same import has the same last name in the new module."""
    part = name[len(one.package) + 1 :]
    forms = (
        OF_TENSORFLOW.get(part, "") if one.root == "tf.keras" else "",
        SAME.get(part, ""),
        ON_KERAS_3.get(part, ""),
    )
    new = next((form for form in forms if form), "")
    old = name.rpartition(".")[2]
    return f"{one.package}.{new}" == f"{home}.{old}"
