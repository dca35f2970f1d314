"""The range of Keras that a user writes down: `[tool.seqlint] keras = ">=3.10"`."""

from __future__ import annotations

import re
from difflib import get_close_matches

from seqlint.facts.keras.installed import INSTALLED
from seqlint.facts.keras.ranges import LEGACY, TENSORFLOW, Demand, Range, admits, lines
from seqlint.facts.keras.requirements import LONGEST
from seqlint.facts.keras.translate import poetry
from seqlint.model import ConfigError

_FORMS = "write it like '>=3.10', '3.3.3', '>=3,<3.10', '<3', 'tf-keras', 'tensorflow<2.16' or 'installed'"
_ITEM = re.compile(r"(?P<name>[a-z][a-z_-]*)?\s*(?P<demand>\S.*)?$")
_BARE = re.compile(r"\d+(\.\d+)*((a|b|rc|\.post|\.dev)\d+)?$")
_OPEN = re.compile(r"(\d+(?:\.\d+)*)\+$")
_SPAN = re.compile(r"(\d+(?:\.\d+)*)\s*-\s*(\d+(?:\.\d+)*)$")
_REPAIRS = (
    ("≥|=>", ">="), ("≤|=<", "<="), (r"(?<![<>=!~])=(?![=<>])", "=="), (r"\bv\.?(?=\d)", ""), (r"(?<=\d)\.(?=$|,)", ""),
    (r"['\"()]", ""), (r"\b(and|&&?)\b|;", ","), (r"(?<=\d)\s+(?=[<>=!])", ","), (r",\s*,", ","),
    ("^(latest|newest|stable)$", ">=3.10"), ("^legacy$", LEGACY),
)  # fmt: skip


def parse(text: str) -> Range:
    """A range as the configuration, an example or a report spells it; "" and "installed" are the empty range.

    Specifiers count for Keras unless a name stands before them; `3.3.3`, `3.10`, `3.x`, `3.10+`, `3.0-3.9` and `^3.1`
    are understood too, and ` or ` between alternatives.

    Raises:
        ConfigError: the text is no range, or no version can be in it. The message holds the nearest right form.
    """
    if text.strip() in ("", INSTALLED):
        return ()
    found = _parse(text)
    if found is None:
        raise ConfigError(f"{text!r} is no range of Keras versions{_hint(text)}")
    if not lines(found):
        raise ConfigError(f"{text!r} admits no version of Keras; {_FORMS}")
    return found


def _parse(text: str) -> Range | None:
    alternatives = [_alternative(part) for part in re.split(r"\s+or\s+|\|\|", text.strip().lower())]
    found = tuple(alternative for alternative in alternatives if alternative is not None)
    return found if len(found) == len(alternatives) else None


def _alternative(text: str) -> tuple[Demand, ...] | None:
    if len(text) > LONGEST:
        return None
    name, demands = "keras", []
    for item in text.split(","):
        found = _ITEM.match(item.strip())
        if found is None or not item.strip():
            return None
        name = (found["name"] or name).replace("_", "-")
        specifier = _specifier(name, found["demand"] or "")
        if specifier is None:
            return None
        demands.append((name, specifier))
    return tuple(demands)


def _specifier(name: str, demand: str) -> str | None:
    from packaging.specifiers import InvalidSpecifier

    if name not in ("keras", LEGACY) and name not in TENSORFLOW:
        return None
    if not demand:
        return "" if name == LEGACY else None
    specifier = _spelled(demand)
    try:
        admits(specifier, "0")
    except InvalidSpecifier:
        return None
    return specifier


def _spelled(demand: str) -> str:
    if (found := _SPAN.match(demand)) is not None:
        *head, last = found[2].split(".")
        return f">={found[1]},<{'.'.join((*head, str(int(last) + 1)))}"
    if (found := _OPEN.match(demand)) is not None:
        return f">={found[1]}"
    demand = re.sub(r"\.x$", ".*", demand)
    if _BARE.match(demand):
        return f"=={demand}.*" if demand.count(".") < 2 and demand.replace(".", "").isdigit() else f"=={demand}"
    if demand[0] == "=" and demand[1:2] != "=":
        return demand  # conda's or a slip: refused, with the right form
    return ",".join(poetry(demand))


def _hint(text: str) -> str:
    repaired = text.strip().lower()
    for wrong, right in _REPAIRS:
        repaired = re.sub(wrong, right, repaired)
    repaired = re.sub(r"[a-z][a-z_-]+", lambda word: _nearest(word[0]), repaired).strip(" ,")
    repaired = re.sub(r"\s*,\s*", ",", repaired)
    if repaired and _parse(repaired) is not None and lines(_parse(repaired) or ()):
        return f"; did you mean {repaired!r}?"
    return f"; {_FORMS}"


def _nearest(word: str) -> str:
    known = [*sorted(TENSORFLOW), LEGACY, "keras", "or"]
    return next(iter(get_close_matches(word, [*known, "tensorflow-keras"], 1)), word).replace(
        "tensorflow-keras", LEGACY
    )
