"""The tables of names are what the installed Keras says."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pytest

from seqlint.knowledge import keras_arguments, keras_names, keras_replacements
from tests.names import made

if TYPE_CHECKING:
    from collections.abc import Mapping

LAST = made.RELEASES[-1]


@pytest.fixture(scope="module")
def found() -> Mapping[str, Any]:
    """What tf-keras and the newest Keras say."""
    for package in ("tensorflow", "keras", "tf_keras"):
        pytest.importorskip(package)
    if version("keras") != LAST:
        pytest.skip(f"the tables end with Keras {LAST}: `scripts/names` makes them anew")
    of_2 = made.ask(sys.executable, ["tf_keras"])["tf_keras"]
    tries = made.wanted(of_2)
    asked = made.ask(sys.executable, ["tf_keras", "keras", "tf.keras"], tries=tries)
    return {"2": asked["tf_keras"], "3": {LAST: asked}}


@pytest.mark.tensorflow
def test_every_name_that_is_gone_is_in_the_table(found: Mapping[str, Any]) -> None:
    now = made.gone([], found["2"], found["3"])
    for name, (_, on_3, of_tensorflow) in now.items():
        was = keras_names.GONE[name]
        assert [bool(each) and "-" not in each for each in was[1:]] == [bool(on_3), bool(of_tensorflow)], name
    there = {
        name
        for name, row in keras_names.GONE.items()
        if not row[0] and any("-" not in each for each in row[1:] if each)
    }
    assert there == {*now}


@pytest.mark.tensorflow
def test_attributes_and_new_names_are_those_of_the_table(found: Mapping[str, Any]) -> None:
    table = keras_names.MEMBERS_GONE
    # The table tells once of what every layer lost, in the middle of Keras 3 too, which the last release alone does not show.
    above = {name.rpartition(".")[2] for name in table if name.startswith("layers.Layer.")}
    now = {name for name in made.members_gone([], found["2"], found["3"]) if made.is_told(name, above)}
    assert now == {name for name, row in table.items() if not row[0] and "-" not in row[1]}
    assert {*made.new(found["2"], found["3"])} == {*keras_names.NEW}
    there = made.kept(found["2"], found["3"])
    for home, names in keras_names.KEPT.items():  # the last release alone may have more: an earlier one lacks it
        more = {each for each in there[home] if each not in names}
        assert {*names} <= {*there[home]}
        assert all("-" in keras_names.GONE[f"{home}.{each}"][1] for each in more), more


@pytest.mark.tensorflow
def test_arguments_are_those_of_the_table(found: Mapping[str, Any]) -> None:
    last = found["3"][LAST]["keras"]
    as_text = json.dumps
    assert as_text(made.arguments(found["2"], found["3"])) == as_text(keras_arguments.LOST)
    assert as_text(made.defaults(found["2"], last)) == as_text(keras_arguments.DEFAULTS)
    assert as_text(made.orders(found["2"], last)) == as_text(keras_arguments.ORDERS)


def test_what_is_written_by_hand_is_about_names_that_are_gone() -> None:
    tables = (
        keras_replacements.SAME,
        keras_replacements.OF_TENSORFLOW,
        keras_replacements.ON_KERAS_3,
        keras_replacements.EVERYWHERE,
        keras_replacements.BY_HAND,
    )
    assert {name for table in tables for name in table} <= {*keras_names.GONE}
