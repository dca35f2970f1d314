"""Which loss two replicas log, where one of them alone has next to none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.replicas import on_two

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

# The first half of each batch, which is that of replica 0, has errors of 0.001, and the second half of 0.549.
_PROGRAM = """
errors = np.tile(np.repeat([0.001, 0.549], 4), 4).astype("float32").reshape(32, 1)
x = np.ones((32, 1), "float32")
y = x + np.sqrt(errors)
with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=keras.optimizers.SGD(0.0), loss="mse")
history = model.fit(x, y, batch_size=8, epochs=1, shuffle=False, verbose=0, validation_data=(x, y))
found = history.history["val_loss"][0]
"""


def test_the_loss_that_is_logged(line: Line) -> None:
    loss = on_two(line, _PROGRAM)
    if not line.is_early:
        assert f"{loss:.3f}" == "0.275"
        line.says("SEQ301", "0.275")
        return
    assert f"{loss:.3f}" == ("0.001" if line.version < (3, 7) else "0.282")
    line.says("SEQ301", "3.0 to 3.6 log 0.001, that of replica 0")
    line.says("SEQ301", "0.282 here")
