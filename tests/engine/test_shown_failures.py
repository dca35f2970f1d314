"""A failure that a cell of a notebook is there to show is hidden from nobody (SEQ614)."""

from __future__ import annotations

import pytest

from seqlint import registry
from seqlint.config import Config
from seqlint.engine import check
from seqlint.sources import Source
from tests.notebooks import written

RULES = [loaded for loaded in registry.load() if loaded.rule.code == "SEQ614"]
MODEL = 'import keras\n\nmodel = keras.Sequential([keras.layers.Dense(1)])\nmodel.compile("sgd", "mse")\n'
TRY = "try:\n    model.fit(x, y)\nexcept Exception as error:\n    {}\n"


def found(*cells: str) -> int:
    source = Source.from_bytes(written(MODEL, *cells), "shown.ipynb")
    return len(check(source, RULES, Config.default()).diagnostics)


@pytest.mark.parametrize("shows", ["print(error)", 'print(f"as expected: {error}")', "traceback.print_exc()"])
def test_a_cell_that_ends_with_the_error_is_a_demonstration(shows: str) -> None:
    text = f"import traceback\n\n{TRY.format(shows)}"
    assert found(text, "model.fit(x[:, None], y)") == 0
    assert found(text) == 0


def test_a_cell_that_goes_on_or_says_nothing_of_the_error_hides_it() -> None:
    assert found(TRY.format("print(error)") + 'model.save("model.keras")\n') == 1
    assert found(TRY.format('print("failed")'), 'model.save("model.keras")') == 1
    assert found(TRY.format("pass"), 'model.save("model.keras")') == 1
