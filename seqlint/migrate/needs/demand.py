"""One demand on a distribution, as the project asks for it on Keras 3."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.facts.keras.ranges import LEGACY, TENSORFLOW, admits, lines

if TYPE_CHECKING:
    from packaging.specifiers import Specifier

KERAS, TENSORFLOW_FIRST = "3", "2.16"
"""The first Keras 3, and the first TensorFlow that brings it."""

_GPU = "tensorflow-gpu"
_NARROWED = frozenset({"keras", "tensorflow", "tensorflow-cpu"})
_NUMPY_OF_TENSORFLOW = ("1.23.5", "")


@dataclass(frozen=True, slots=True)
class Demand:
    """A demand.

    Attributes:
        name: the distribution, normalised.
        specifier: PEP 440; empty for any version.
    """

    name: str
    specifier: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What is to become of a demand.

    Attributes:
        name: the distribution to ask for, with its extras; empty: it goes away.
        specifier: PEP 440.
        refused: why a person has to decide, and what to write; nothing is changed then.
    """

    name: str = ""
    specifier: str = ""
    refused: str = ""


def answer(demand: Demand, *, keep_tf_keras: bool) -> Answer | None:
    """What is to become of a demand; None: it stays.

    Args:
        keep_tf_keras: whether code still uses `tf_keras`.
    """
    if demand.name == LEGACY:
        return None if keep_tf_keras else Answer()
    if demand.name == "numpy":
        return _numpy(demand)
    if demand.name != "keras" and demand.name not in TENSORFLOW:
        return None
    if "2" not in lines((((demand.name, demand.specifier),),)):
        return Answer("tensorflow[and-cuda]", demand.specifier) if demand.name == _GPU else None
    if demand.name == _GPU:
        return Answer("tensorflow[and-cuda]", narrowed(demand.specifier, TENSORFLOW_FIRST))
    if demand.name not in _NARROWED:
        return Answer(refused=f"ask for `tensorflow>={TENSORFLOW_FIRST}` where it has a build for your machines")
    first = KERAS if demand.name == "keras" else TENSORFLOW_FIRST
    return Answer(demand.name, narrowed(demand.specifier, first))


def _numpy(demand: Demand) -> Answer | None:
    if not demand.specifier or admits(demand.specifier, *_NUMPY_OF_TENSORFLOW):
        return None
    return Answer(refused=f"TensorFlow {TENSORFLOW_FIRST} asks for `numpy>=1.23.5`, and newer ones for 1.26: allow it")


def narrowed(specifier: str, first: str) -> str:
    """The same demand without the versions before `first`; what it says about later ones stays.

    Args:
        specifier: PEP 440, such as ">=2.4,<3"; empty for any version.
        first: the first version that is to be admitted.
    """
    from packaging.specifiers import SpecifierSet

    parts = sorted(SpecifierSet(specifier), key=lambda part: specifier.find(str(part)))
    compatible = next((part for part in parts if _is_compatible(part, first)), None)
    lower = f"~={first}" if compatible is not None else f">={first}"
    kept = [str(part) for part in parts if _says_of_later(part, first)]
    found = ",".join((lower, *kept))
    return found if admits(found, first) else f">={first}"


def _is_compatible(part: Specifier, first: str) -> bool:
    """Whether a demand such as `~=2.12` means every later 2, of which `first` is one."""
    release = part.version.split(".")
    return part.operator == "~=" and len(release) == len(first.split(".")) == 2 and release[0] == first.split(".")[0]


def _says_of_later(part: Specifier, first: str) -> bool:
    """Whether an upper end, or an exception, is about versions from `first` on."""
    from packaging.version import Version

    if part.operator in ("<", "<=") or (part.operator == "==" and part.version.endswith(".*")):
        return admits(str(part), first)
    return part.operator == "!=" and Version(part.version.removesuffix(".*")) >= Version(first)


def spaced(specifier: str, old: str) -> str:
    """A specifier with blanks where the old one had them: `>= 3, < 4`."""
    inner = re.search(r"[=<>~]\s+\S", old) is not None
    text = re.sub(r"(===|==|~=|!=|<=|>=|<|>)", r"\1 ", specifier) if inner else specifier
    return text.replace(",", ", ") if re.search(r",\s", old) else text
