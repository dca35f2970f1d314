"""Whether the receiver of a trainer call is a Keras model: what makes that sure, and what leaves it unknown."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of

FEED = "class Feed(keras.utils.Sequence): ...\n"
TRAIN = "def go(model, thing, trainer, x):\n    "


def answer(program: str, imports: str = "import keras") -> tuple[str, bool]:
    facts = facts_of(f"{imports}\n{program}\n")
    call = facts.training.calls[-1]
    return facts.evidence.model(call), facts.evidence.may_be_model(call)


@pytest.mark.parametrize(
    "program",
    [
        "model = keras.Sequential()\nmodel.fit(x)",
        "class Net(keras.Model):\n    def go(self):\n        self.fit(x)",
        "class Net(keras.Model):\n    def fit(self, x):\n        super().fit(x)",
        "own = make()\nown.compile(loss='mse')\nown.fit(x)",
        "from lib import Own\nown = Own()\nown.compile(optimizer='sgd')\nown.fit(x)",
        "def build():\n    own = make()\n    own.compile(metrics=[])\n    return own\nbuild().fit(x)",
        "class Job:\n    def build(self):\n        self.own.compile(loss='mse')\n    def go(self):\n        self.own.fit(x)",
        "for own in [keras.Sequential(), keras.Model()]:\n    own.fit(x)",
        TRAIN + "thing.fit_generator(x)",
        TRAIN + "thing.train_on_batch(x, x)",
        TRAIN + "thing.fit(x, use_multiprocessing=True)",
        TRAIN + "thing.fit(x, **{'max_queue_size': 3})",
        TRAIN + "thing.fit(x, callbacks=[keras.callbacks.History()])",
        "class Told(keras.callbacks.Callback): ...\n" + TRAIN + "thing.fit(x, callbacks=[Told()])",
        FEED + TRAIN + "thing.predict(Feed())",
        FEED + TRAIN + "thing.fit(x, validation_data=Feed())",
        FEED + TRAIN + "model.fit([Feed(), Feed()])",
        TRAIN + "model.fit(x, epochs=3)",
        TRAIN + "model.evaluate(x)",
        "class Own:\n    def fit(self, x): pass\n" + TRAIN + "model.fit(x, epochs=3)",
        "class Own:\n    def fit(self): pass\n" + TRAIN + "model.fit(x, steps_per_epoch=3)",
        "from lib import UNet\nmodel = UNet()\nmodel.fit_generator(x)",
        "from sklearn.metrics import f1_score\n" + TRAIN + "model.fit(x, epochs=3)",
    ],
)
def test_a_receiver_is_a_model(program: str) -> None:
    assert answer(program) == ("yes", True)


@pytest.mark.parametrize(
    ("program", "may_be"),
    [
        (TRAIN + "model.fit(x)", True),
        (TRAIN + "model.predict(x)", True),
        ("build_unet().fit(x)", True),
        (TRAIN + "thing.fit(x, epochs=3)", True),
        (TRAIN + "thing.fit(x, workers=3)", True),
        (FEED + TRAIN + "thing.fit([Feed(), Feed()])", True),
        (TRAIN + "trainer.fit_generator(x)", True),
        (TRAIN + "trainer.fit(x, workers=3)", False),
        (TRAIN + "trainer.fit(x, callbacks=[keras.callbacks.History()])", True),
        ("from lib import UNet\nmodel = UNet()\nmodel.fit(x, epochs=3)", True),
        ("import joblib\nmodel = joblib.load('m')\nmodel.fit(x, verbose=0)", True),
        ("from lib import Trainer\nt = Trainer()\nt.fit_generator(x)", False),
        ("from lib import Base\nclass Net(Base):\n    def go(self):\n        self.fit_generator(x)", False),
        ("class Own:\n    def fit(self, x, epochs): pass\n" + TRAIN + "model.fit(x, epochs=3)", False),
        ("class Own:\n    def fit(self, *data, **options): pass\n" + TRAIN + "model.fit(x, epochs=3)", False),
        ("from sklearn.svm import SVC\n" + TRAIN + "model.fit(x, verbose=0)", False),
        ("import poutyne\n" + TRAIN + "model.fit_generator(x, steps_per_epoch=3)", False),
        ("def one(own):\n    own.compile(loss='mse')\ndef two(own):\n    own.fit(x)", True),
        ("pattern = re.compile('a')\n" + TRAIN + "thing.fit(x)", True),
    ],
)
def test_what_a_receiver_is_stays_unknown(program: str, may_be: bool) -> None:
    assert answer(program) == ("unknown", may_be)


@pytest.mark.parametrize(
    "program",
    [
        "own.compile(loss='mse')\nown.fit(x)",
        TRAIN + "model.fit(x, epochs=3)",
        TRAIN + "thing.fit_generator(x, use_multiprocessing=True)",
    ],
)
def test_without_keras_in_the_file_nothing_is_sure(program: str) -> None:
    assert answer("own = make()\n" + program, imports="from ours import keras") == ("unknown", False)


@pytest.mark.parametrize(
    "program",
    [
        "class Own:\n    def fit(self, x): pass\nOwn().fit(x)",
        "class Net(keras.Model):\n    def fit(self, x): pass\nNet().fit(x)",
        "from sklearn.svm import SVC\nSVC().fit(x)",
        "class Own:\n    def fit(self, x): pass\nfor own in [Own(), Own()]:\n    own.compile(loss='mse')\nfor own in [Own()]:\n    own.fit(x)",
        "from rl.agents import DQNAgent\nagent = DQNAgent()\nagent.compile('sgd', metrics=['mae'])\nagent.fit(x)",
    ],
)
def test_a_receiver_is_no_model(program: str) -> None:
    facts = facts_of(f"import keras\n{program}\n")
    assert {facts.evidence.model(call) for call in facts.training.calls} <= {"no"}
