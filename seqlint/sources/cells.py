"""The cells of a notebook in its JSON text, with their places, so that one can be changed and all else stays as it is."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

from seqlint.model import UnreadableSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_DIGITS = 4_000  # Python makes no number of more than 4,300


def _number(text: str) -> int | float:
    """A whole number; one that is too long to be one is somewhere near."""
    return int(text) if len(text) < _DIGITS else float(text)


_DECODER = json.JSONDecoder(parse_int=_number)
_WHITE = re.compile(r"[ \t\n\r]*")
_ESCAPE = "\\u"
_BEYOND_ASCII = re.compile(r"\\u(?!00[0-7])[0-9a-fA-F]{4}")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_OLDEST = 4


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell.

    Attributes:
        number: from 1; cells of text count, too.
        text: the code.
        start, end: the JSON value of its source, in characters of the document.
    """

    number: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Value:
    """A JSON value and its place. The items and members of what is walked through are such values themselves."""

    value: Any
    start: int
    end: int


def code_cells(document: str) -> tuple[Cell, ...]:
    """The code cells of a notebook; none where its language is another than Python.

    Raises:
        UnreadableSource: the text is no JSON, no notebook, or one of before 2014.
    """
    try:
        notebook = _whole(document)
    except JSONDecodeError as error:
        what, place = error.msg.removesuffix(" at"), f"line {error.lineno}, column {error.colno}"
        raise UnreadableSource(f"the notebook is no JSON: {what} at {place}") from error
    except RecursionError as error:
        raise UnreadableSource("the notebook is nested too deep to be read") from error
    _check_format(notebook)
    return tuple(_code(notebook)) if _is_python(_plain(notebook, "metadata")) else ()


def with_source(document: str, start: int, end: int, text: str) -> str:
    """The JSON of the source of a cell with another text, written as the one at this place is: a string, or a list of lines.

    Lines that stay keep their spelling.
    """
    if document[start] != "[":
        return _dumped(document, text)
    items: list[_Value] = _array(document, start, _decoded).value
    first, last, middle = _kept(items, text)
    written = [document[item.start : item.end] for item in items]
    lines = [*written[:first], *(_dumped(document, line) for line in _LINE.findall(middle)), *written[last:]]
    if not lines or not items:
        return f"[{', '.join(lines)}]"
    opening, closing = document[start + 1 : items[0].start], document[items[-1].end : end - 1]
    between = "," + (opening or (" " if '": ' in document else ""))
    if len(items) > 1:
        between = document[items[0].end : items[1].start]
    return f"[{opening}{between.join(lines)}{closing}]"


def _kept(items: list[_Value], text: str) -> tuple[int, int, str]:
    """The items before and from which on all stay, and the text between them."""
    first, last = 0, len(items)
    while first < last and items[first].value.endswith("\n") and text.startswith(items[first].value):
        text = text[len(items[first].value) :]
        first += 1
    while last > first and (end := items[last - 1].value) and text.endswith(end):
        before = text[: -len(end)]
        if before and not before.endswith("\n"):
            break
        text, last = before, last - 1
    return first, last, text


def _dumped(document: str, text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isascii() and document.isascii() and _escapes(document))


def _escapes(document: str) -> bool:
    """Whether characters beyond ASCII are spelt as escapes. No place is looked at twice: outputs have megabytes."""
    at = document.find(_ESCAPE)
    while at >= 0:
        start = at
        while document[start - 1] == "\\":  # one that is itself escaped is one of the code, as in a literal "\\u00e9"
            start -= 1
        if (at - start) % 2 == 0 and _BEYOND_ASCII.match(document, at):
            return True
        at = document.find(_ESCAPE, at + len(_ESCAPE))
    return False


# -- what a notebook is ---------------------------------------------------------------------------------------------


def _check_format(notebook: Mapping[str, _Value]) -> None:
    """See that there are cells.

    Raises:
        UnreadableSource: there are none, or they are those of an older format.
    """
    form = _plain(notebook, "nbformat")
    if (isinstance(form, int) and form < _OLDEST) or "worksheets" in notebook:
        raise UnreadableSource("this notebook has a format of before 2014; `jupyter nbconvert --to notebook` renews it")
    if not isinstance(_plain(notebook, "cells"), list):
        raise UnreadableSource("this is no notebook: it has no list of cells")


def _code(notebook: Mapping[str, _Value]) -> Iterator[Cell]:
    for number, cell in enumerate(notebook["cells"].value, 1):
        if not isinstance(cell.value, dict):
            raise UnreadableSource(f"cell {number} of the notebook is none")
        if _plain(cell.value, "cell_type") != "code" or "source" not in cell.value:
            continue
        source = cell.value["source"]
        lines = [source.value] if isinstance(source.value, str) else source.value
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise UnreadableSource(f"the source of cell {number} of the notebook is no text")
        text = "".join(lines)
        if _is_in_python(cell.value) and _is_whole(text):
            yield Cell(number, text, source.start, source.end)


def _plain(found: Mapping[str, _Value], key: str) -> Any:
    return found[key].value if key in found else None


def _is_python(metadata: Any) -> bool:
    """Whether nothing says that the kernel speaks another language."""
    said = (_under(metadata, "kernelspec", "language"), _under(metadata, "language_info", "name"))
    return all(name.lower() in ("python", "ipython") for name in said if isinstance(name, str))


def _is_in_python(cell: Mapping[str, _Value]) -> bool:
    """Whether a cell is in the language of its notebook; editors can give it another."""
    said = _under(_plain(cell, "metadata"), "vscode", "languageId")
    return not isinstance(said, str) or said.lower() == "python"


def _under(metadata: Any, *keys: str) -> Any:
    for key in keys:
        metadata = metadata.get(key) if isinstance(metadata, dict) else None
    return metadata


def _is_whole(text: str) -> bool:
    """Whether a text is Unicode: JSON can hold half of a character."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


# -- JSON with places -----------------------------------------------------------------------------------------------


def _whole(document: str) -> Mapping[str, _Value]:
    found = _object(document, _blank(document, 0), _top)
    end = _blank(document, found.end)
    if end < len(document):
        raise JSONDecodeError("Extra data", document, end)
    value: Mapping[str, _Value] = found.value
    return value


def _top(document: str, at: int, key: str) -> _Value:
    return _array(document, at, _cell) if key == "cells" and document[at : at + 1] == "[" else _decoded(document, at)


def _cell(document: str, at: int, key: str = "") -> _Value:
    return _object(document, at, _decoded) if document[at : at + 1] == "{" else _decoded(document, at)


def _decoded(document: str, at: int, key: str = "") -> _Value:
    value, end = _DECODER.raw_decode(document, at)
    return _Value(value, at, end)


def _object(document: str, start: int, read: Callable[[str, int, str], _Value]) -> _Value:
    found: dict[str, _Value] = {}
    at = _after(document, start, "{")
    while not (document[at : at + 1] == "}" and not found):
        if document[at : at + 1] != '"':
            raise JSONDecodeError("Expecting property name enclosed in double quotes", document, at)
        key = _decoded(document, at)
        value = read(document, _after(document, _blank(document, key.end), ":"), key.value)
        found[key.value] = value  # of two with one name, the last counts
        at = _blank(document, value.end)
        if document[at : at + 1] == "}":
            break
        at = _after(document, at, ",")
    return _Value(found, start, at + 1)


def _array(document: str, start: int, read: Callable[[str, int, str], _Value]) -> _Value:
    found: list[_Value] = []
    at = _after(document, start, "[")
    while not (document[at : at + 1] == "]" and not found):
        found.append(read(document, at, ""))
        at = _blank(document, found[-1].end)
        if document[at : at + 1] == "]":
            break
        at = _after(document, at, ",")
    return _Value(found, start, at + 1)


def _after(document: str, at: int, mark: str) -> int:
    """The place of what follows a mark."""
    if document[at : at + 1] != mark:
        raise JSONDecodeError(f"Expecting '{mark}'", document, at)
    return _blank(document, at + 1)


def _blank(document: str, at: int) -> int:
    found = _WHITE.match(document, at)
    return found.end() if found is not None else at
