"""Which rules must have a measurement behind their page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint import registry

if TYPE_CHECKING:
    from seqlint.model import LoadedRule

# What they find ends in an AttributeError of Python itself: no Keras has a part in it.
NOT_OF_KERAS = {"SEQ224"}
MEASURED = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_seq*.py"))


def is_silent(loaded: LoadedRule) -> bool:
    """Whether the fault shows in no error that the proof of a fix would see: the fix changes a working program, or there is none."""
    fixed = any(example.after is not None for example in loaded.rule.examples)
    return (not fixed or not loaded.rule.contract.safe) and loaded.rule.code not in NOT_OF_KERAS


@pytest.mark.parametrize("loaded", [*filter(is_silent, registry.load())], ids=lambda loaded: str(loaded.rule.code))
def test_a_fault_that_is_silent_is_measured(loaded: LoadedRule) -> None:
    assert f'"{loaded.rule.code}"' in MEASURED
