"""Where a value of `logs` is taken for a list, and which expression round it is the value itself."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of

CLASS = """import keras
import numpy as np
import statistics
import tensorflow as tf
from keras.callbacks import EarlyStopping


class Mine({base}):
    def on_epoch_end(self, epoch, logs=None):
        {body}
"""


def uses(body: str, base: str = "keras.callbacks.Callback", more: str = "") -> list[tuple[str, str | None]]:
    """What each use needs, and the text of the expression that is the value itself."""
    facts = facts_of(CLASS.format(base=base, body=body.replace("\n", "\n        ")) + more)
    found = facts.list_uses.all
    return [(use.needs, facts.text(use.whole) if use.whole is not None else None) for use in found]


@pytest.mark.parametrize(
    ("code", "needs", "whole"),
    [
        ("tf.reduce_mean([v for v in logs['loss']])", "iteration", "tf.reduce_mean([v for v in logs['loss']])"),
        (
            "tf.reduce_mean([v for v in logs['loss']]).numpy()",
            "iteration",
            "tf.reduce_mean([v for v in logs['loss']]).numpy()",
        ),
        ("tf.reduce_mean(tf.stack(list(logs['loss'])))", "iteration", "tf.reduce_mean(tf.stack(list(logs['loss'])))"),
        ("np.mean([float(v) for v in logs['loss']])", "iteration", "np.mean([float(v) for v in logs['loss']])"),
        ("np.array(list(logs['loss'])).mean()", "iteration", "np.array(list(logs['loss'])).mean()"),
        ("float(np.mean(list(logs['loss'])))", "iteration", "np.mean(list(logs['loss']))"),
        ("statistics.mean(logs['loss'])", "iteration", "statistics.mean(logs['loss'])"),
        ("sum(logs['loss']) / len(logs['loss'])", "iteration", "sum(logs['loss']) / len(logs['loss'])"),
        (
            "sum(v for v in logs['loss']) / len(logs['loss'])",
            "iteration",
            "sum(v for v in logs['loss']) / len(logs['loss'])",
        ),
        ("max(logs['loss'])", "iteration", "max(logs['loss'])"),
        ("sorted(logs['loss'])[0]", "iteration", "sorted(logs['loss'])[0]"),
        ("logs['loss'][0]", "index", "logs['loss'][0]"),
        ("logs['loss'][-1].item()", "index", "logs['loss'][-1].item()"),
        ("np.mean(logs['loss'][0])", "index", "np.mean(logs['loss'][0])"),
        ("logs['loss'][:2]", "index", None),
        ("len(logs['loss'])", "length", None),
        ("sum(logs['loss'])", "iteration", None),
        ("sum(logs['loss']) / 4", "iteration", None),
        ("[v * 2 for v in logs['loss']]", "iteration", None),
        ("np.mean([v for v in logs['loss'] if v])", "iteration", None),
        ("np.mean([v for v in logs['loss']], axis=0)", "iteration", None),
        ("[*logs['loss']]", "iteration", None),
        ("print(*logs['loss'])", "iteration", None),
    ],
)
def test_a_use(code: str, needs: str, whole: str | None) -> None:
    assert uses(f"found = {code}") == [(needs, whole)]


def test_loops_unpackings_and_names() -> None:
    assert uses("for v in logs['loss']:\n    print(v)") == [("iteration", None)]
    assert uses("first, second = logs['loss']") == [("iteration", None)]
    assert uses("values = logs['loss']\nprint(sum(values) / len(values))") == [
        ("iteration", "sum(values) / len(values)")
    ]


def test_a_helper_is_handed_the_value() -> None:
    helper = "\n    def _mean(self, values):\n        return sum(values) / len(values)\n"
    assert uses("print(self._mean(logs['loss']))", more=helper) == [("iteration", "sum(values) / len(values)")]


def test_the_value_that_early_stopping_monitors() -> None:
    body = "value = self.get_monitor_value(logs)\nvalue = np.mean(list(value))"
    assert uses(body, base="EarlyStopping", more="\n\nMine()\n") == [("iteration", "np.mean(list(value))")]


@pytest.mark.parametrize(
    "body",
    [
        "print(np.mean(logs['loss']), float(logs['loss']), f\"{logs['loss']:.3f}\")",
        "print(max(logs['loss'], 0.5), [logs['loss'], logs['accuracy']], len(logs))",
        "print([logs[key] for key in logs], sum(logs[key] for key in ('loss', 'val_loss')))",
        "for key, value in logs.items():\n    print(key, value)",
        "try:\n    print(logs['loss'][0])\nexcept TypeError:\n    print(logs['loss'])",
        "print(logs['loss'][0] if isinstance(logs['loss'], list) else logs['loss'])",
        "value = logs['loss']\nif np.ndim(value):\n    value = value[0]",
        "print(self.history['loss'][-1], self.model.history.history['loss'][0])",
    ],
)
def test_what_is_no_use(body: str) -> None:
    assert uses(body) == []


def test_a_hook_that_the_file_calls_itself_has_the_logs_of_the_file() -> None:
    assert uses("print(logs['loss'][0])", more="\n\nMine().on_epoch_end(0, {'loss': [1.0]})\n") == []


@pytest.mark.parametrize(
    ("body", "whole"),
    [
        ("v = [x for x in logs['loss']]\nmean = sum(v) / len(v)", "sum(v) / len(v)"),
        ("v = list(logs['loss'])\nif np.mean(v) > 1:\n    print(1)", "np.mean(v)"),
        ("v = np.array(list(logs['loss']))\nprint(v.mean())", None),
        ("v = [x for x in logs['loss']]\nprint(v, np.mean(v))", None),
        ("v = [x for x in logs['loss']]\nv.append(1)\nprint(np.mean(v))", None),
        ("now = logs['loss']\nv = list(now)\nnow = 0\nprint(np.mean(v))", None),
        ("v = list(logs['loss'])\nfor _ in range(2):\n    print(np.mean(v))", None),
    ],
)
def test_a_list_that_is_made_a_line_above_its_mean(body: str, whole: str | None) -> None:
    assert uses(body) == [("iteration", whole)]


@pytest.mark.parametrize(
    ("calls", "count"),
    [
        ("self.mean(logs['loss'])", 1),
        ("self.mean(logs['loss'])\nself.mean(logs['val_loss'])", 1),
        ("self.mean(logs['loss'])\nself.mean([1.0])", 0),
        ("self.mean(self.losses)", 0),
        ("if isinstance(logs['loss'], list):\n    self.mean(logs['loss'])", 0),
    ],
)
def test_a_helper_that_is_handed_a_value_of_logs(calls: str, count: int) -> None:
    helper = "\n    @staticmethod\n    def mean(values):\n        return sum(values) / len(values)\n"
    assert uses(calls, more=helper) == [("iteration", None)] * count
