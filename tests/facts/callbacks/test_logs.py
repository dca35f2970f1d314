"""Where hooks read `logs`, and under which keys."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of, last

CLASS = """import keras
from keras.callbacks import EarlyStopping


class Mine(keras.callbacks.Callback):
    def __init__(self, monitor="val_loss", other=None):
        self.monitor = monitor
        self.other = other

    def on_epoch_end(self, epoch, logs=None):
        {body}
"""


def reads(body: str, more: str = "") -> dict[str, frozenset[str | None]]:
    facts = facts_of(CLASS.format(body=body) + more)
    return {facts.text(read.node): read.keys for read in facts.logs.reads}


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("print(logs['loss'])", "logs['loss']"),
        ("print(logs.get('loss', 0))", "logs.get('loss', 0)"),
        ("logs = logs or {}\n        print(logs['loss'])", "logs['loss']"),
        ("if logs is None:\n            logs = {}\n        print(logs['loss'])", "logs['loss']"),
        ("values = logs\n        print(values['loss'])", "values['loss']"),
        ("key = 'loss'\n        print(logs[key])", "logs[key]"),
        ("self._show(logs)\n\n    def _show(self, given):\n        print(given['loss'])", "given['loss']"),
    ],
)
def test_a_value_that_is_taken_out(body: str, read: str) -> None:
    assert reads(body) == {read: frozenset({"loss"})}


@pytest.mark.parametrize(
    "body",
    [
        "print(self.logs['loss'])",
        "logs['loss'] = 1",
        "print(epoch['loss'])",
        "print(self.model.history.history['loss'])",
        "logs = self.read()\n        print(logs['loss'])",
    ],
)
def test_what_is_no_log(body: str) -> None:
    assert reads(body) == {}


def test_the_second_parameter_is_the_logs_whatever_its_name() -> None:
    text = CLASS.format(body="pass").replace(
        "epoch, logs=None):\n        pass", "number, values):\n        print(values['loss'])"
    )
    facts = facts_of(text)
    assert [facts.text(read.node) for read in facts.logs.reads] == ["values['loss']"]


@pytest.mark.parametrize(
    ("hook", "found"),
    [
        ("on_train_end(self, logs=None)", 1),
        ("on_train_batch_end(self, batch, logs=None)", 1),
        ("report(self, logs)", 0),
    ],
)
def test_logs_of_other_hooks(hook: str, found: int) -> None:
    text = CLASS.format(body="print(logs['loss'])").replace("on_epoch_end(self, epoch, logs=None)", hook)
    assert len(facts_of(text).logs.reads) == found


def test_a_function_handed_to_lambda_callback() -> None:
    text = "import keras\nkeras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: print(logs['loss']))"
    assert [read.owner for read in facts_of(text).logs.reads] == [None]


@pytest.mark.parametrize(
    ("body", "more", "keys"),
    [
        ("logs[self.monitor]", "", {"val_loss"}),
        ("logs[self.monitor]", "Mine('val_accuracy')", {"val_loss", "val_accuracy"}),
        ("logs[self.monitor]", "Mine(monitor=args.monitor)", {"val_loss", None}),
        ("logs[self.other]", "", {None}),
        ("logs[self.unknown]", "", {None}),
        ("logs[name]", "", {None}),
    ],
)
def test_the_keys(body: str, more: str, keys: set[str | None]) -> None:
    (found,) = reads(f"print({body})", more).values()
    assert found == keys


def test_a_class_made_from_early_stopping_has_its_monitor() -> None:
    text = """
from keras.callbacks import EarlyStopping


class Mine(EarlyStopping):
    def on_epoch_end(self, epoch, logs=None):
        print(self.get_monitor_value(logs), logs[self.monitor])


Mine()
Mine(monitor="val_accuracy")
"""
    assert [read.keys for read in facts_of(text).logs.reads] == [frozenset({"val_loss", "val_accuracy"})] * 2


def test_a_name_that_holds_a_read() -> None:
    facts = facts_of(CLASS.format(body="value = logs['loss']\n        print(value)"))
    found = facts.logs.read(last(facts, "value"))
    assert found is not None
    assert found.keys == {"loss"}


def test_a_name_that_can_hold_something_else_is_no_read() -> None:
    body = "value = logs['loss']\n        if epoch:\n            value = [1]\n        print(value)"
    facts = facts_of(CLASS.format(body=body))
    assert facts.logs.read(last(facts, "value")) is None
