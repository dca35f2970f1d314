"""The names of Keras that a project uses, that Keras 3 lacks, and of which no rule says anything."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from seqlint.engine import facts_of
from seqlint.facts.keras.code import usage
from seqlint.knowledge.canonical_names import canonical
from seqlint.knowledge.keras_names import GONE
from seqlint.knowledge.keras_replacements import RAISES
from seqlint.migrate.values import Row
from seqlint.model import UnreadableSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts import Facts
    from seqlint.facts.code.mentions import Mention
    from seqlint.migrate.code import File

_KERAS = re.compile(r"(?:tensorflow\.(?:compat\.v[12]\.|python\.)?keras|tf_keras|keras)\b")


def bound_to_keras_2(file: File) -> Iterator[Row]:
    """Where a file says that it is on Keras 2 whatever is installed."""
    with _read(file) as (facts, mentions):
        first = next((one for one in mentions if one.name.split(".")[0] == "tf_keras"), None)
        if facts is not None and first is not None:
            place = str(file.source.position(facts.span(first.node)[0]))
            todo = "import `keras` in its place, and migrate again"
            yield Row(file.path, place, "`tf_keras` is Keras 2, whatever is installed", todo)
    if usage(file.source.text).legacy:
        what, todo = "it sets TF_USE_LEGACY_KERAS, so that `tf.keras` is Keras 2", "leave that out, and migrate again"
        yield Row(file.path, "", what, todo)


def lacking_rows(file: File) -> Iterator[Row]:
    """The names that Keras 3 lacks and no finding is about, each once."""
    with _read(file) as (facts, mentions):
        if facts is not None:
            yield from _lacking(file, facts, mentions)


@contextmanager
def _read(file: File) -> Iterator[tuple[Facts | None, tuple[Mention, ...]]]:
    """The facts of a file, and the names of libraries in it; none where the check has said already why there are none."""
    try:
        facts = facts_of(file.source, file.config)
        mentions = (*facts.mentions.imported, *facts.mentions.reached)
    except (UnreadableSource, RecursionError):
        yield None, ()
        return
    try:
        yield facts, mentions
    finally:
        facts.end()


def _lacking(file: File, facts: Facts, mentions: tuple[Mention, ...]) -> Iterator[Row]:
    told = _Told(file)
    seen = set[str]()
    for one in mentions:
        name = lacking(one.name)
        start, end = facts.span(one.node)
        if not name or name in seen or facts.mentions.optional(one.node):
            continue
        if any(first < end and start < last for first, last in told.places) or name.rpartition(".")[2] in told.words:
            continue
        seen.add(name)
        place = str(file.source.position(start))
        yield Row(file.path, place, f"`{one.name}`", "Keras 3 does not have this name, or not in each of its versions")


class _Told:
    """What the findings of a file are about: places, and words between backquotes."""

    def __init__(self, file: File) -> None:
        found = [one for one in file.checked.diagnostics if one.migration] if file.checked is not None else []
        self.places = [(one.start.offset, one.end.offset) for one in found]
        quoted = (text for one in found for text in re.findall(r"`([^`]*)`", one.message))
        self.words = frozenset(word for text in quoted for word in re.findall(r"\w+", text))


def lacking(name: str) -> str:
    """The public name of Keras 2, such as "backend.mean", that some Keras 3 lacks; empty for every other dotted name."""
    if _KERAS.match(name) is None:
        return ""
    root, _, part = canonical(name).partition(".")
    if root != "keras" or part not in GONE:
        return ""
    _, of_keras, of_tensorflow = GONE[part]
    if not name.startswith("tensorflow"):
        return part if of_keras else ""
    return part if of_tensorflow or part in RAISES else ""
