"""Lists of callbacks: one that watches `val_loss` is found in each spelling; where it is not in the list, nothing is said."""

from __future__ import annotations

import textwrap

import pytest

from tests.run.spellings import codes

STOP = 'stop = keras.callbacks.EarlyStopping(monitor="val_loss")\nnan = keras.callbacks.TerminateOnNaN()\n'
GIVEN = {
    "a counted loop": "given = []\nn = 0\nwhile n < 1:\n    given.append(stop)\n    n += 1",
    "inserted": "given = [nan]\ngiven.insert(0, stop)\ngiven.pop()",
    "a generator": "def each():\n    yield nan\n    yield from [stop]\ngiven = list(each())",
    "merged": 'given = ({"a": [nan]} | {"a": [stop]})["a"]',
    "reduced": "given = functools.reduce(lambda a, b: a + b, [[stop], [nan]])",
    "filtered": "given = list(filter(lambda each: each is not None, [stop, None]))",
    "a setter": """
        class Plan:
            @property
            def given(self):
                return self._given
            @given.setter
            def given(self, given):
                self._given = [*given, stop]
        plan = Plan()
        plan.given = []
        given = plan.given
    """,
    "a context": "@contextmanager\ndef plan():\n    yield [stop]\nwith plan() as given:\n    pass",
    "an object": "class Plan:\n    def __iter__(self):\n        yield stop\ngiven = [*Plan()]",
    "before a break": "given = []\nfor each in (stop, None, nan):\n    if each is None:\n        break\n    given.append(each)",
}
NOT_GIVEN = {
    "popped": "given = [nan, stop]\ngiven.pop()",
    "cleared": "given = [stop]\ngiven.clear()",
    "deleted": "given = [stop, nan]\ndel given[0]",
    "replaced": "given = [stop]\ngiven[0:1] = [nan]",
    "after a break": "given = []\nfor each in (None, stop):\n    if each is None:\n        break\n    given.append(each)",
    "another case": """
        def pick(kind):
            match kind:
                case "stop":
                    return stop
                case _:
                    return nan
        given = [pick("nan")]
    """,
    "the else of a loop": "given = [nan]\nfor n in (1, 2):\n    if n == 2:\n        break\nelse:\n    given = [stop]",
    "a key that is deleted": 'options = {"given": [stop]}\ndel options["given"]\ngiven = options.get("given")',
}


def _of(text: str) -> set[str]:
    fit = "model.fit(x, y, epochs=9, callbacks=given)\n"
    return codes("SEQ501", STOP + textwrap.dedent(text).strip() + "\n" + fit)


@pytest.mark.parametrize("name", GIVEN)
def test_a_callback_that_is_given(name: str) -> None:
    assert _of(GIVEN[name]) == {"SEQ501"}


@pytest.mark.parametrize("name", NOT_GIVEN)
def test_a_callback_that_is_not_given(name: str) -> None:
    assert _of(NOT_GIVEN[name]) == set()
