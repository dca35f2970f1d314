"""What a call may have changed that is too long, or too deep, to be followed to its end."""

from __future__ import annotations

import pytest

from seqlint.domains.models.heads import Heads
from tests.run.programs import ran, said

_MANY = "".join(f"    x{number} = {number} + 1\n" for number in range(3000))
_METHOD = _MANY.replace("    x", "        x")


@pytest.mark.parametrize(
    "program",
    [
        f"rows = [1]\ndef f(to):\n{_MANY}    to.append(2)\nf(rows)\nprint(len(rows))",
        f"rows = [1]\ndef f():\n{_MANY}    rows.append(2)\nf()\nprint(len(rows))",
        f"rows = 1\ndef f():\n    global rows\n{_MANY}    rows = 2\nf()\nprint(rows)",
        f"class A:\n    def __init__(self):\n        self.rows = []\n        self.f()\n    def f(self):\n{_METHOD}        self.rows += [1, 2]\nprint(len(A().rows))",
        f"class A:\n    def f(self):\n        self.x = 1\n{_METHOD}        self.x = 2\na = A()\na.f()\nprint(a.x)",
        f"class A:\n    x = 1\n    def f(self):\n{_METHOD}        self.x = 2\na = A()\na.f()\nprint(a.x)",
    ],
)
def test_is_unknown(program: str) -> None:
    (seen,) = said(ran(program))
    assert not seen.isdigit()
    (whole,) = said(ran(program.replace(_MANY, "").replace(_METHOD, "")))
    assert whole == "2"


@pytest.mark.parametrize(
    "program",
    [
        f"class A:\n    def __init__(self):\n        self.size = 32\n{_METHOD}        self.other = 2\nprint(A().size)",
        f"rows = [1]\ndef f(to):\n    size = 3\n{_MANY}\nf(7)\nprint(len(rows) + 31)",
    ],
)
def test_what_it_surely_leaves_alone_is_known(program: str) -> None:
    assert said(ran(program)) == ["32"]


_MODEL = "import keras\nmodel = keras.Sequential()\nmodel.add(keras.layers.Dense(8, activation='relu'))\n"


@pytest.mark.parametrize(
    "program",
    [
        f"import stranger\n{_MODEL}stranger.finish(model)\n",
        f"import stranger\n{_MODEL}stranger.finish([model])\n",
        f"{_MODEL}def f(to):\n{_MANY}    to.add(keras.layers.Dense(3))\nf(model)\n",
        f"{_MODEL}def f():\n{_MANY}    model.add(keras.layers.Dense(3))\nf()\n",
        f"import stranger\n{_MODEL}class A:\n    def __init__(self):\n        self.net = model\nstranger.finish(A())\n",
    ],
)
def test_a_model_that_it_got_may_have_more_layers(program: str) -> None:
    assert not _ends(program)
    assert _ends(program + "model.pop\n".replace("model.pop", "model = keras.Sequential([keras.layers.Dense(3)])"))


def _ends(program: str) -> bool:
    """Whether the last layer of the model is known where it is compiled."""
    run = ran(program + "model.compile('sgd', 'mse')\n")
    (call,) = run.methods("compile")
    assert call.result.receiver is not None
    return run.domain(Heads).of(call.result.receiver, call.context) is not None
