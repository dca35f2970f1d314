"""Edits of paths: what is saved there gets a suffix that Keras 3 takes, and each line that names the path moves along."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from seqlint.domains.paths.custom_parts import CustomParts, Unloadable
from seqlint.domains.paths.endings import Endings
from seqlint.domains.paths.saves import Saved, Saves
from seqlint.facts.project.neighbours import neighbours
from seqlint.facts.project.project import BIGGEST
from seqlint.knowledge.saving import OLD_SUFFIXES
from seqlint.model import Edit
from seqlint.rewrite.pipelines import drop_argument, set_argument
from seqlint.sources import surroundings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from seqlint.facts import Facts
    from seqlint.run import Result, Value

_HARMLESS = frozenset({
    "builtins.print", "builtins.str", "os.path.exists", "os.path.isfile", "os.path.dirname", "os.path.getsize", "os.path.abspath",
    "os.path.join", "os.remove", "os.unlink", "pathlib.Path", "builtins.repr", "builtins.len", "os.fspath",
})  # fmt: skip
"""They do with a file of another name what they did with that of the old one."""
_HARMLESS_METHODS = frozenset({
    "exists", "is_file", "unlink", "info", "debug", "warning", "add_argument", "joinpath", "as_posix", "resolve", "absolute", "format",
    "parse_args", "append",
})  # fmt: skip
_JOINS = frozenset({"+", "f", "/", "%"})
_QUOTED = re.compile(r"[A-Za-z]*('''|\"\"\"|'|\")")


def with_suffix(facts: Facts, saves: Sequence[Saved]) -> tuple[Edit, ...] | str:
    """The edits that give the paths of saves the suffix that works, wherever this file names them; else why there are none."""
    edits: dict[Edit, None] = {}
    for saved in saves:
        made = _moved(facts, saved, saved.wanted) if saved.weights is not None else "nobody knows what is saved there"
        if isinstance(made, str):
            return made
        edits |= dict.fromkeys(made)
    return tuple(edits)


def _moved(facts: Facts, saved: Saved, suffix: str) -> tuple[Edit, ...] | str:
    places = {ending.place for ending in saved.endings}
    place = next(iter(places))
    if len(places) != 1 or place is None or not facts.run.complete:
        return "the path does not end with one text that is written out"
    if place not in _nodes(facts):
        return "another file writes the path"
    word = _word(saved)
    if not word:
        return "the path does not end with one text that is written out"
    reason = (
        _other_use(facts, saved, place, suffix)
        or _other_meaning(facts, place, word)
        or _other_text(facts, place, word)
        or _other_file(facts, word)
    )
    if reason:
        return reason
    edits = [_edit(facts, node, word, suffix) for node in (place, *_alike(facts, place))]
    found = tuple(edit for edit in edits if edit is not None)
    return found if len(found) == len(edits) else "the path is not written out plainly"


def without_arguments(facts: Facts, saved: Saved) -> tuple[Edit, ...] | str:
    """The edits that leave the arguments out which Keras 3 does not have, and end the path as it wants; else why there are none."""
    kept = [name for name in saved.removed if name in ("signatures", "options")]
    if kept:
        return f"`{kept[0]}` says how TensorFlow's folder is written, which Keras 3 does not save"
    if saved.kind == "save" and not saved.refused() and "save_format" in saved.removed:
        return "the path is not known"
    edits: list[Edit] = []
    for name in saved.removed:
        dropped = (
            drop_argument(facts, saved.call.result, name, "") if facts.run.written(saved.call, name) is not None else ()
        )
        if not dropped:
            return f"`{name}` is given in a dict, or in another file"
        edits += dropped
    moved = with_suffix(facts, [saved]) if saved.refused() else ()
    return moved if isinstance(moved, str) else (*edits, *moved)


def custom_objects(facts: Facts, found: Unloadable) -> tuple[Edit, ...] | str:
    """The edit that tells `load_model` of the own parts of a model; else why there is none."""
    parts = facts.run.domain(CustomParts)
    strange = next((part for part in found.parts if not parts.is_named_here(part)), None)
    if strange is not None:
        return f"`{strange.name}` is not defined at the top of this file"
    silent = next((part for part in found.parts if not parts.config_is_known(part)), None)
    if silent is not None:
        return f"`{silent.name}` has arguments and no `get_config`"
    listed = ", ".join(f'"{part.name}": {part.name}' for part in found.parts)
    return (
        set_argument(facts, found.load.call.result, "custom_objects", f"{{{listed}}}") or "the call is in another file"
    )


def renamed(word: str, suffix: str) -> str:
    """A name with another suffix: "fold_weights.h5" becomes "fold.weights.h5", and "wine-v1.2" keeps what it has."""
    old = next((each for each in OLD_SUFFIXES if word.lower().endswith(each)), "")
    stem = word[: len(word) - len(old)]
    if suffix.startswith(".weights") and re.search(r"[^/\\_.-][_-]weights$", stem):
        stem = stem[: -len("_weights")]
    return stem + suffix


def _word(saved: Saved) -> str:
    """The last part of the path, as far as the literal that it ends with says it."""
    ending = saved.endings[0]
    text = _said(ending.place) if ending.place is not None else ""
    word = re.split(r"[/\\]", text)[-1]
    return word if ending.text.endswith(word) else ""


def _said(place: ast.expr) -> str:
    """The text that a literal ends with: of an f-string, that after its last field."""
    if isinstance(place, ast.JoinedStr):
        place = place.values[-1]
    return place.value if isinstance(place, ast.Constant) and isinstance(place.value, str) else ""


def _nodes(facts: Facts) -> frozenset[ast.AST]:
    return frozenset(ast.walk(facts.run.tree))


def _texts(facts: Facts) -> Iterator[ast.expr]:
    """The literals of the file, each once: the parts of an f-string are its own."""
    inner: set[ast.AST] = set()
    for node in ast.walk(facts.run.tree):
        if isinstance(node, ast.JoinedStr):
            inner |= set(node.values)
            yield node
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inner:
            yield node


def _alike(facts: Facts, place: ast.expr) -> tuple[ast.expr, ...]:
    """Other literals that are spelled as one is."""
    return tuple(each for each in _texts(facts) if each is not place and _same(each, place))


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)


# -- why not ------------------------------------------------------------------------------------------------------------


def _other_use(facts: Facts, saved: Saved, place: ast.expr, suffix: str) -> str:
    """What is done with the path, other than to save, load and look for the file."""
    run, endings = facts.run, facts.run.domain(Endings)
    alike = {place, *_alike(facts, place)}
    moved = {other.call.result: other for other in run.domain(Saves).all}

    def is_path(value: Value) -> bool:
        return any(endings.of(each).place in alike for each in value)

    for result in run.results:
        given = [*result.args, *(value for _, value in result.keywords)]
        held = [value for value in given if is_path(value)]
        asked = result.receiver is not None and endings.of(result.receiver).place in alike
        if not held and not asked:
            continue
        if result in moved:
            if not _fits(moved[result], saved, suffix):
                return f"`{moved[result].call.result.method}` uses the same path in another way"
        elif not _is_harmless(result, is_path, asked=asked):
            return (
                f"`{result.method}` gets the path, too" if result.op == "call" else "other names are made from the path"
            )
    return ""


def _fits(other: Saved, saved: Saved, suffix: str) -> bool:
    """Whether a save or load works with the suffix, as well as on the old path."""
    if any(name == "by_name" for name, _ in other.call.result.keywords):
        return False
    if other.kind == "load_weights":
        return True
    return other.weights is saved.weights or (other.kind == "load_model" and not saved.weights)


def _is_harmless(result: Result, is_path: Callable[[Value], bool], *, asked: bool) -> bool:
    if result.op not in ("operator", "call"):
        return result.op == "attribute" and result.method in _HARMLESS_METHODS
    if result.name == "%":
        return is_path(result.args[0]) or not any(map(is_path, result.args[:-1]))
    if result.name in _JOINS or result.name == "os.path.join" or result.method == "joinpath":
        # The path may be the end of a longer one, and no part in front of something.
        return not asked and not any(map(is_path, result.args[:-1]))
    if result.op == "operator":
        return result.name in ("compare", "not", "format")
    return result.name in _HARMLESS or result.method in _HARMLESS_METHODS


def _other_meaning(facts: Facts, place: ast.expr, word: str) -> str:
    """A literal that is spelled like the path, and may be something else: the key of a dict, a name."""
    if any(word.lower().endswith(each) for each in OLD_SUFFIXES):
        return ""
    paths = {ending.place for saved in facts.run.domain(Saves).all for ending in saved.endings}
    others = [node for node in _alike(facts, place) if node not in paths]
    if others:
        return f"line {facts.run.position(others[0]).line} has `{word}`, too, perhaps for something else"
    names = {
        target.id
        for node in ast.walk(facts.run.tree)
        if isinstance(node, ast.Assign) and node.value is place
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    keys = (node.slice for node in ast.walk(facts.run.tree) if isinstance(node, ast.Subscript))
    used = any(isinstance(key, ast.Name) and key.id in names for key in keys)
    return "the path is a key, too" if used else ""


def _other_text(facts: Facts, place: ast.expr, word: str) -> str:
    """A literal that speaks of the file, or of its suffix, in other words."""
    old = next((each for each in OLD_SUFFIXES if word.endswith(each)), "")
    for node in _texts(facts):
        if node is place or _same(node, place):
            continue
        text = _whole(node)
        if re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w.-])", text):
            return f"{_shown(facts, node)} names `{word}`, too"
        if old and re.fullmatch(rf"[^\w]*{re.escape(old)}", text[-len(old) - 3 :]) and len(text) <= len(old) + 4:
            return f"{_shown(facts, node)} speaks of the suffix"
    return ""


def _whole(node: ast.expr) -> str:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(_said(part) if isinstance(part, ast.Constant) else "\0" for part in parts)


def _shown(facts: Facts, node: ast.expr) -> str:
    text = facts.run.text(node)
    return f"`{text}`" if len(text) <= 30 and "\n" not in text else f"line {facts.run.position(node).line}"


def _other_file(facts: Facts, word: str) -> str:
    """Another file of the project that names the path."""
    said = re.compile(rb"['\"/\\]" + re.escape(word.encode()) + rb"['\"]")
    for path in neighbours(facts.source.path, ".py", ".ipynb"):
        data = surroundings.mentioning(path, word.encode(), BIGGEST)
        if data is not None and said.search(data):
            return f"`{path.name}` names `{word}`, too"
    return ""


# -- the edit -----------------------------------------------------------------------------------------------------------


def _edit(facts: Facts, node: ast.expr, word: str, suffix: str) -> Edit | None:
    """The edit of one literal, right before its closing quotes."""
    start, end = facts.run.span(node)
    text = facts.run.slice(start, end)
    quote = next((each for each in ('"""', "'''", '"', "'") if text.endswith(each)), "")
    body = text[: len(text) - len(quote)]
    if not quote or not body.endswith(word) or _QUOTED.match(text) is None:
        return None
    new = renamed(word, suffix)
    kept = next(
        (number for number, pair in enumerate(zip(word, new, strict=False)) if pair[0] != pair[1]),
        min(len(word), len(new)),
    )
    last = end - len(quote)
    return Edit(last - len(word[kept:].encode()), last, new[kept:])
