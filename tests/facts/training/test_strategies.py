"""Which strategy holds where a model is made and where it is fitted, and what runs in one process alone."""

from __future__ import annotations

import libcst as cst
import pytest

from seqlint.facts import Condition
from tests.facts.reading import facts_of, last

HEAD = """import keras
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
"""


def held(text: str) -> list[str]:
    """The strategies of the only fit, sorted."""
    facts = facts_of(HEAD + text)
    (call,) = (call for call in facts.training.calls if call.method == "fit")
    return sorted((one.name if one is not None else "?") for one in facts.strategies.of_fit(call))


BUILT = {
    "in the scope": "with strategy.scope():\n    model = keras.Sequential()\nmodel.fit(x)",
    "fit in the scope too": "with strategy.scope():\n    model = keras.Sequential()\n    model.fit(x)",
    "several items": "with tf.device('/cpu:0'), strategy.scope():\n    model = keras.Sequential()\nmodel.fit(x)",
    "scope in a name": "scope = strategy.scope()\nwith scope:\n    model = keras.Sequential()\nmodel.fit(x)",
    "scope or nothing": """
from contextlib import nullcontext

scope = strategy.scope() if many else nullcontext()
with scope:
    model = keras.Sequential()
model.fit(x)
""",
    "without a name": "with tf.distribute.MirroredStrategy().scope():\n    model = keras.Sequential()\nmodel.fit(x)",
    "set for all": "tf.distribute.experimental_set_strategy(strategy)\nmodel = keras.Sequential()\nmodel.fit(x)",
    "helper called in the scope": """
def make():
    return keras.Sequential()


with strategy.scope():
    model = make()
model.fit(x)
""",
    "helper that opens the scope": """
def make():
    with strategy.scope():
        built = keras.Sequential()
        built.compile("sgd", "mse")
    return built


model = make()
model.fit(x)
""",
    "a function that runs in the scope": """
def main():
    model = keras.Sequential()
    model.fit(x)


with strategy.scope():
    main()
""",
    "model handed to a function": """
def train(net):
    net.fit(x)


with strategy.scope():
    model = keras.Sequential()
train(model)
""",
    "a class": """
class Runner:
    def __init__(self):
        self.strategy = tf.distribute.MirroredStrategy()

    def build(self):
        with self.strategy.scope():
            self.model = keras.Sequential()

    def run(self, x):
        self.model.fit(x)
""",
    "a model from elsewhere": "from mine import make\nwith strategy.scope():\n    model = make()\nmodel.fit(x)",
    "a model that is handed in": """
def train(model, x):
    with strategy.scope():
        model.fit(x)
""",
}


@pytest.mark.parametrize("code", BUILT.values(), ids=BUILT)
def test_a_fit_under_a_strategy(code: str) -> None:
    assert held(code) == ["MirroredStrategy"]


@pytest.mark.parametrize(
    "code",
    [
        "model = keras.Sequential()\nmodel.fit(x)",
        "with strategy.scope():\n    other = keras.Sequential()\nmodel = keras.Sequential()\nmodel.fit(x)",
        "model = keras.Sequential()\nwith strategy.scope():\n    model.fit(x)",  # Keras refuses that: it is no such fit
        "with name.scope():\n    model = keras.Sequential()\nmodel.fit(x)\nname = open('x')",
    ],
)
def test_a_fit_under_no_strategy_of_the_file(code: str) -> None:
    assert "MirroredStrategy" not in held(code)


def test_a_helper_that_is_used_in_and_out_of_the_scope() -> None:
    code = """
def make():
    return keras.Sequential()


with strategy.scope():
    spread = make()
model = make()
model.fit(x)
"""
    assert held(code) == []


def test_a_choice_gives_every_strategy() -> None:
    code = """
chosen = tf.distribute.MirroredStrategy() if many else tf.distribute.OneDeviceStrategy("/gpu:0")
with chosen.scope():
    model = keras.Sequential()
model.fit(x)
"""
    assert held(code) == ["MirroredStrategy", "OneDeviceStrategy"]


@pytest.mark.parametrize(
    ("made", "mirrors"),
    [
        ("tf.distribute.MirroredStrategy()", True),
        ("tf.distribute.MirroredStrategy(['/gpu:0', '/gpu:1'])", True),
        ("tf.distribute.MirroredStrategy(devices=names)", True),
        ("tf.distribute.MirroredStrategy(devices=['/gpu:0'])", False),
        ("tf.distribute.OneDeviceStrategy('/gpu:0')", False),
        ("tf.distribute.experimental.CentralStorageStrategy()", False),
        ("tf.distribute.experimental.MultiWorkerMirroredStrategy()", False),
    ],
)
def test_which_strategies_keep_several_replicas_here(made: str, mirrors: bool) -> None:
    (found,) = facts_of("import tensorflow as tf\n" + made).strategies.made
    assert found.mirrors is mirrors


def alone(test: str, branch: int = 1) -> bool | None:
    text = f"""import json
import os
import horovod.tensorflow.keras as hvd

hvd.init()
config = json.loads(os.environ["TF_CONFIG"])
rank = hvd.rank()
first = hvd.rank() == 0
index = config["task"]["index"]


def _is_chief(kind, number):
    return kind == "chief" or (kind == "worker" and number == 0)


def leads():
    return hvd.rank() == 0


if {test}:
    pass
"""
    facts = facts_of(text)
    (found,) = facts.tree.all(cst.If)
    return facts.workers.alone(Condition(found, branch, found.test))


@pytest.mark.parametrize(
    "test",
    [
        "hvd.rank() == 0",
        "0 == hvd.rank()",
        "hvd.local_rank() == 0",
        "not hvd.rank()",
        "rank == 0",
        "first",
        "leads()",
        "index == 0",
        "hvd.rank() == 0 and save",
        "not (hvd.rank() != 0)",
        "resolver.task_type == 'chief'",
        "strategy.cluster_resolver.task_id == 0",
        "_is_chief(kind, number)",
        "is_chief",
        "self.is_master",
    ],
)
def test_a_test_that_holds_in_one_process_alone(test: str) -> None:
    assert alone(test) is True
    assert alone(test, branch=0) is False


@pytest.mark.parametrize("test", ["hvd.rank() != 0", "hvd.rank() > 0", "rank", "not is_chief"])
def test_a_test_that_holds_in_all_others(test: str) -> None:
    assert alone(test) is False


@pytest.mark.parametrize(
    "test",
    ["save", "hvd.size() > 1", "hvd.rank() == 0 or save", "hvd.rank() == hvd.size() - 1", "rank < 4", "epoch == 0"],
)
def test_a_test_that_is_about_something_else(test: str) -> None:
    assert alone(test) is None


def test_horovod_is_in_use_where_it_is_started() -> None:
    assert facts_of("import horovod.keras as hvd\nhvd.init()").workers.horovod
    assert facts_of("import horovod.keras as hvd\nhvd.DistributedOptimizer(plain)").workers.horovod
    assert facts_of("import horovod.keras as hvd\nhvd.callbacks.MetricAverageCallback()").workers.horovod
    assert not facts_of("import horovod.keras as hvd\nprint(hvd.size)").workers.horovod
    assert not facts_of("import other as hvd\nhvd.init()").workers.horovod


@pytest.mark.parametrize(
    ("text", "optional"),
    [
        ("hvd.init()\nplace()", False),
        ("def main():\n    hvd.init()\n    place()\nif __name__ == '__main__':\n    main()", False),
        ("if __name__ == '__main__':\n    hvd.init()\n    place()", False),
        ("if many:\n    hvd.init()\n    place()", False),
        ("if many:\n    hvd.init()\nplace()", True),
        ("try:\n    hvd.init()\nexcept ImportError:\n    pass\nplace()", True),
        ("optimizer = hvd.DistributedOptimizer(plain) if many else plain\nplace()", True),
    ],
)
def test_where_horovod_is_optional(text: str, optional: bool) -> None:
    facts = facts_of("import horovod.keras as hvd\n" + text)
    assert facts.workers.may_lack_horovod(last(facts, "place()")) is optional


def test_several_workers() -> None:
    text = "import tensorflow as tf\nplan = tf.distribute.MultiWorkerMirroredStrategy()"
    assert facts_of(text).workers.multi_worker
    assert not facts_of(HEAD).workers.multi_worker
