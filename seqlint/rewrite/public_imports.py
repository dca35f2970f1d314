"""Imports from private modules of Keras, rewritten to the public ones that hand out the same names on every line of Keras."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts import dotted
from seqlint.facts.keras.own_copy import OWN_COPY
from seqlint.facts.keras.private import SOURCES, is_from_private, private_module
from seqlint.facts.keras.public import PUBLIC, homes
from seqlint.rewrite.layout.statements import replace

if TYPE_CHECKING:
    from seqlint.facts import Facts, Mention
    from seqlint.model import Edit

_OTHER_NAMES = {"keras.objectives": "losses"}
"""Modules that had a second name, from which all of the first could be had."""


def public_instead(facts: Facts, mention: Mention, private: str) -> tuple[Edit, ...] | str:
    """Edits that import the same from a public module, or why there are none, in words for the reader of a finding.

    Args:
        private: the private module that the import goes through.
    """
    statement = mention.statement
    if private in SOURCES:
        return "what is private may have no public twin"
    if not isinstance(statement, cst.ImportFrom):
        return "other code may use the module that is imported as a whole"
    if not is_from_private(mention):
        mixed = "the file asks the module for a name that is not public, or has that name for something else"
        return _other_module(facts, mention) or names_instead_of_module(facts, mention) or mixed
    if private == OWN_COPY and not _all_can_move(facts):
        return "an import from TensorFlow's copy has no public twin, and the two must not mix"
    root = "tensorflow.keras" if private == OWN_COPY else "keras"
    return public_import(facts, statement, root) or "no single public module has all these names"


def _all_can_move(facts: Facts) -> bool:
    """Whether every import from TensorFlow's copy has a public twin: half of them moved would mix the two."""
    found = [mention for mention in facts.mentions.imported if private_module(mention.name) == OWN_COPY]
    statements = {mention.statement for mention in found}
    return all(isinstance(one, cst.ImportFrom) and public_import(facts, one, "tensorflow.keras") for one in statements)


def public_import(facts: Facts, statement: cst.ImportFrom, root: str) -> tuple[Edit, ...] | None:
    """Edits that make an import public; None where a name of it has no public home, or names have several.

    Args:
        root: the public package, such as "tensorflow.keras".
    """
    if statement.module is None or isinstance(statement.names, cst.ImportStar):
        return None
    names = [dotted(alias.name) for alias in statement.names]
    if all(name in PUBLIC for name in names):
        plain = all(_asks_for_public(facts, mention) for mention in _mentions(facts, statement))
        return (replace(facts, statement.module, root),) if plain else None
    home = _home(names, dotted(statement.module))
    return (replace(facts, statement.module, f"{root}.{home}"),) if home is not None else None


def _mentions(facts: Facts, statement: cst.ImportFrom) -> list[Mention]:
    return [mention for mention in facts.mentions.imported if mention.statement is statement]


def _asks_for_public(facts: Facts, mention: Mention) -> bool:
    """Whether every use of an imported module asks it for a public name."""
    module = mention.name.rpartition(".")[2]
    parents = [facts.tree.parents[use] for use in facts.mentions.uses(mention)]
    return all(isinstance(parent, cst.Attribute) and parent.attr.value in PUBLIC[module] for parent in parents)


def _home(names: list[str], module: str) -> str | None:
    """The one public module that has all the names; where several have, the one that the private path goes through."""
    shared = [home for home in PUBLIC if all(home in homes(name) for name in names)]
    through = [home for home in shared if home in module.split(".")]
    found = through or shared[:1]
    return found[0] if found else None


def public_name(facts: Facts, asked: cst.Attribute, private: str) -> str | None:
    """`keras.layers.LeakyReLU` for `keras.layers.advanced_activations.LeakyReLU`, in the spelling of the file.

    None where no public module has the name, several have it, or the file does not reach the one that has.
    """
    name = asked.attr.value
    package = private.split(".")[1]
    found = [package] if name in PUBLIC.get(package, ()) else list(homes(name))
    module = asked.value.value if isinstance(asked.value, cst.Attribute) else None
    if len(found) != 1 or module is None:
        return None
    if facts.names.origins(module) == {f"keras.{found[0]}"}:
        return f"{facts.text(module)}.{name}"
    while isinstance(module, cst.Attribute):
        module = module.value
    root = facts.names.origins(module) == {"keras"}
    return f"{facts.text(module)}.{found[0]}.{name}" if root else None


def names_instead_of_module(facts: Facts, mention: Mention) -> tuple[Edit, ...] | None:
    """`from keras.utils import np_utils` becomes `from keras.utils import to_categorical`, and so do its uses.

    None where a use asks for something that `keras.utils` does not have, or the file has the name for another thing.
    """
    package = mention.module.rpartition(".")[2]
    alias = mention.node
    if package not in PUBLIC or not isinstance(alias, cst.ImportAlias) or mention.binding is None:
        return None
    uses = [facts.tree.parents[use] for use in facts.mentions.uses(mention)]
    asked = [use for use in uses if isinstance(use, cst.Attribute) and use.attr.value in PUBLIC[package]]
    wanted = list(dict.fromkeys(use.attr.value for use in asked))
    if not asked or len(asked) != len(uses) or any(_is_taken(facts, name, mention.name) for name in wanted):
        return None
    edits = [replace(facts, alias, ", ".join(name for name in wanted if not _has_already(facts, name, package)))]
    if not edits[0].text:
        return None
    return (*edits, *(replace(facts, use, use.attr.value) for use in asked))


def _is_taken(facts: Facts, name: str, private: str) -> bool:
    """Whether the file binds the name anywhere to something else than the public function."""
    public = f"{private.rpartition('.')[0]}.{name}"
    scopes = facts.names.scopes.all
    return any(binding.origin != public for scope in scopes for binding in scope.bindings.get(name, ()))


def _other_module(facts: Facts, mention: Mention) -> tuple[Edit, ...] | None:
    """`from keras import losses as objectives`, where every use asks for what the public module has."""
    public, alias = _OTHER_NAMES.get(mention.name, ""), mention.node
    if not public or not isinstance(alias, cst.ImportAlias):
        return None
    uses = [facts.tree.parents[use] for use in facts.mentions.uses(mention)]
    if not uses or not all(isinstance(use, cst.Attribute) and use.attr.value in PUBLIC[public] for use in uses):
        return None
    return (replace(facts, alias, f"{public} as {alias.evaluated_alias or dotted(alias.name)}"),)


def _has_already(facts: Facts, name: str, package: str) -> bool:
    bindings = facts.names.scopes.module.bindings.get(name, ())
    return any((binding.origin or "").endswith(f"{package}.{name}") for binding in bindings)
