"""What is known of a file, of one of its lines, and of the Keras in use, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from seqlint.model import KERAS_LINES
from seqlint.output.words import LINES, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from seqlint.facts.keras import KerasInUse
    from seqlint.facts.shown.line import DatasetKnown, LineKnown, TermKnown, ValueKnown
    from seqlint.facts.shown.overview import CallKnown, ClassKnown, DataKnown, FileKnown, MakerKnown
    from seqlint.facts.shown.spoken import Spoken, Way
    from seqlint.output.paint import Paint

FORMAT = 1
"""The version of the format; it grows when a key changes its meaning or goes away."""


def document(known: FileKnown | LineKnown, keras: KerasInUse) -> str:
    """What is known as JSON; "?" stands for all that is unknown, and lines count from 1."""
    return _dumped({"keras": _keras(keras), **asdict(known)})


def keras_document(path: str, keras: KerasInUse) -> str:
    """The Keras in use as JSON."""
    return _dumped({"path": path, "keras": _keras(keras)})


def keras(path: str, found: KerasInUse, paint: Paint) -> str:
    """The Keras in use of a file or folder."""
    return _lines(paint.bold(path), *(f"  {line}" for line in _keras_lines(found)))


def file(known: FileKnown, found: KerasInUse, paint: Paint) -> str:
    """All that is known of a file."""
    head = f"{known.path}{f', imported as {known.module}' if known.module else ''}"
    parts = [
        _lines(paint.bold(head), *(f"  {line}" for line in _keras_lines(found))),
        *(_class(each, paint) for each in known.classes),
        *(_maker(each, paint) for each in known.makers),
        *(_call(each, paint) for each in known.calls),
        _strategies(known, paint),
    ]
    return "\n".join(part for part in parts if part)


def line(known: LineKnown, found: KerasInUse, paint: Paint) -> str:
    """What is known of a line."""
    inside = " > ".join(f"{each.name} {each.text} (line {each.line})" for each in known.inside)
    head = [
        f"{known.path}:{known.line}: {known.text}",
        f"  Keras: {_range(found)}",
        f"  inside {inside}" if inside else "  inside no class or function",
        *(f"  runs with {_path(way)}" for way in known.reached),
        *([f"  strategy: {' or '.join(known.strategies)}"] if known.strategies else []),
    ]
    parts = [
        _lines(paint.bold(head[0]), *head[1:]),
        *(_term(term, paint) for term in known.terms),
        *(_class(each, paint) for each in known.classes),
        *(_call(each, paint) for each in known.calls),
        *(_value(each, paint) for each in known.run if each.datasets or each.values != (each.text,)),
    ]
    return "\n".join(parts)


# -- parts ----------------------------------------------------------------------------------------------------------


def _class(known: ClassKnown, paint: Paint) -> str:
    kinds = (f"{each.kind}: {each.answer}{_through(each.through)}" for each in known.kinds)
    bases = (f"{each.text}{f' is {each.name}' if each.name != each.text else ''}" for each in known.bases)
    rows = [f"bases: {', '.join(bases)}" if known.bases else "bases: none", *kinds]
    rows += [f"made: {_code(each)}" for each in known.made]
    rows += [f"{_path(way)}, line {way.line}" for way in known.ways]
    return _lines(paint.bold(f"class {known.name}, line {known.line}"), *(f"  {row}" for row in rows))


def _value(known: ValueKnown, paint: Paint) -> str:
    head = paint.bold(f"when it runs, {known.text}, column {known.column}: {' or '.join(known.values)}")
    rows = [row for each in known.datasets for row in _dataset(each)]
    return _lines(head, *(f"  {row}" for row in (*rows, *known.rows)))


def _dataset(known: DatasetKnown) -> Iterator[str]:
    yield from (f"{step.text}{f', line {step.line}' if step.line else ''}" for step in known.steps)
    yield f"reader gets: {'; '.join(known.more)}"


def _maker(known: MakerKnown, paint: Paint) -> str:
    what = "batches" if known.kind != "piece" or known.batches else "pieces of batches"
    head = paint.bold(f"{what} of {known.name}, line {known.line}")
    return _lines(head, *(f"  line {each.line}: {' or '.join(each.forms)}" for each in known.batches))


def _call(known: CallKnown, paint: Paint) -> str:
    rows = [f"model: {known.model}", *(_data(each) for each in known.data)]
    rows += [f"argument {each.parameter}: {each.text}" for each in known.arguments]
    rows += [f"callback {each.name}: {_code(each.made)}{_under(each.conditions)}" for each in known.callbacks]
    rows += [] if known.complete else ["callbacks: others are possible"]
    rows += [f"strategy: {' or '.join(known.strategies)}"] if known.strategies else []
    return _lines(paint.bold(f"{known.text}, line {known.line}"), *(f"  {row}" for row in rows))


def _data(known: DataKnown) -> str:
    can_be = ", or ".join(_code(value) for value in known.values if value.text != known.text)
    classes = f", of class {' or '.join(known.classes)}" if known.classes else ""
    return f"{known.role}: {known.text}{f' = {can_be}' if can_be else ''}; kind: {known.kind}{classes}"


def _strategies(known: FileKnown, paint: Paint) -> str:
    rows = (f"  {each.name}, line {each.line}, {_devices(each.devices)}" for each in known.strategies)
    return _lines(paint.bold("strategies"), *rows) if known.strategies else ""


def _term(known: TermKnown, paint: Paint) -> str:
    origins = "" if set(known.origins) <= {known.names, "?"} else f", imported as {listed(known.origins)}"
    rows = [f"names {known.names}{origins}"] if known.names not in ("", "?") else []
    rows += [f"{each.text} on line {each.line}" for each in known.bound]
    rows += [f"value: {_code(value)}" for value in known.values]
    rows += [f"{each.about}: {each.text}" for each in known.more]
    return _lines(f"  {paint.bold(known.text)}", *(f"    {row}" for row in rows or ["nothing is known"]))


# -- words ----------------------------------------------------------------------------------------------------------


def _keras_lines(found: KerasInUse) -> Iterator[str]:
    yield f"Keras: {_range(found)}"
    yield f"lines: {listed([LINES[each] for each in KERAS_LINES if each in found.lines])}"
    yield f"source: {found.source}"
    if found.legacy:
        yield "tf.keras is tf_keras here"


def _range(found: KerasInUse) -> str:
    return found.range if found.known else "unknown, so every line counts"


def _keras(found: KerasInUse) -> dict[str, object]:
    lines = [each for each in KERAS_LINES if each in found.lines]
    return {"known": found.known, "range": found.range, "lines": lines, "source": found.source, "legacy": found.legacy}


def _code(known: Spoken) -> str:
    return f"{known.text} (line {known.line})" if known.line else "something that can't be followed"


def _path(way: Way) -> str:
    return " > ".join(way.path)


def _through(path: Sequence[str]) -> str:
    return f", through {' > '.join(path)}" if path else ""


def _under(conditions: Sequence[int]) -> str:
    lines = listed([str(each) for each in dict.fromkeys(conditions)]) if conditions else ""
    many = "s" if len(set(conditions)) > 1 else ""
    return f", under the condition{many} on line{many} {lines}" if lines else ""


def _devices(devices: int | None) -> str:
    return "all devices, or unknown" if devices is None else f"{devices} device{'' if devices == 1 else 's'}"


def _lines(*lines: str) -> str:
    return "".join(f"{each}\n" for each in lines)


def _dumped(value: Mapping[str, object]) -> str:
    return json.dumps({"format": FORMAT, **value}, indent=2, ensure_ascii=True) + "\n"
