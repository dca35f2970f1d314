"""Worker arguments find their way from a call to the data that it is given, or stay where they are."""

from __future__ import annotations

import pytest

from seqlint.engine.compose import apply
from seqlint.facts import Facts
from seqlint.facts.keras import parse_range
from seqlint.rewrite import forward_keywords, give_workers
from tests.facts.reading import facts_of

HEAD = "import keras\n"
HANDED = "    def __init__(self, rows, **options):\n        super().__init__(**options)\n        self.rows = rows\n"
MODEL = "model = keras.Sequential([])\n"


def feed(body: str = HANDED, base: str = "keras.utils.Sequence") -> str:
    return f"class Feed({base}):\n{body}    def __len__(self):\n        return 1\n"


def moved(text: str, keras: str = "") -> str | None:
    """The text with the workers of its last trainer call given to the data; None where that is refused."""
    facts = facts_of(text)
    facts = Facts(facts.source, facts.grown, parse_range(keras))
    given = give_workers(facts, facts.training.calls[-1])
    return None if given is None else apply(facts.source.utf8, given.edits)


def lines(text: str, keras: str = "") -> tuple[str, ...]:
    """Where the last trainer call of a text loses nothing when its workers are moved."""
    facts = facts_of(text)
    facts = Facts(facts.source, facts.grown, parse_range(keras))
    given = give_workers(facts, facts.training.calls[-1])
    assert given is not None
    return given.lines


def test_every_sequence_of_a_call_gets_them() -> None:
    text = HEAD + feed() + MODEL + "a, b = Feed(1), Feed(2)\nmodel.fit(a, validation_data=b, workers=3)\n"
    assert moved(text) == text.replace("Feed(1), Feed(2)", "Feed(1, workers=3), Feed(2, workers=3)")


@pytest.mark.parametrize("data", ["stream()", "rows, labels", "tf.data.Dataset.range(3).batch(2)", "(r for r in rows)"])
def test_other_data_get_nothing(data: str) -> None:
    text = f"{HEAD}import tensorflow as tf\ndef stream():\n    yield 1\n{MODEL}model.fit({data}, workers=3)\n"
    assert moved(text) == text


@pytest.mark.parametrize(
    "calls",
    [
        "def train(feed):\n    model.fit(feed, workers=3)\n",
        "a = Feed(1)\ndef train(other):\n    model.fit(a, validation_data=other, workers=3)\n",
        "a = Feed(1, workers=2)\nmodel.fit(a, workers=3)\n",
        "def train(feed=None):\n    feed = feed or Feed(1)\n    model.fit(feed, workers=n)\n",
        "a = Feed(1)\nif model.fit(a, workers=n()):\n    print(a)\n",
    ],
)
def test_in_doubt_nothing_moves(calls: str) -> None:
    assert moved(HEAD + feed() + MODEL + calls) is None


@pytest.mark.parametrize(
    ("calls", "settings"),
    [
        ("a = Feed(1, **given)\nmodel.fit(a, workers=3)\n", "a.workers = 3\n"),
        ("a = Feed(1)\nmodel.fit(a, workers=2)\nhistory = model.fit(a, workers=3)\n", "a.workers = 3\n"),
        (
            "n = 2\na, b = Feed(1), Feed(2)\nn = 3\nmodel.fit(a, validation_data=b, workers=n)\n",
            "a.workers = n\nb.workers = n\n",
        ),
        ("a = Feed(*rows)\ndef train(n):\n    model.fit(a, max_queue_size=n)\n", "    a.max_queue_size = n\n"),
    ],
)
def test_what_can_not_be_said_where_the_data_are_made_is_said_above_the_call(calls: str, settings: str) -> None:
    text = HEAD + feed() + MODEL + calls
    last = text.rstrip("\n").rindex("\n") + 1
    assert moved(text) == text[:last] + settings + text[last:]


def test_arguments_in_a_row_of_others_are_none_of_the_class() -> None:
    text = HEAD + feed() + MODEL + "a = Feed(*load())\nmodel.fit(a, workers=3)\n"
    assert moved(text) == text.replace("*load()", "*load(), workers=3")
    own = text.replace("self, rows, **options", "self, rows, workers=1, **options")
    assert moved(own) == own.replace("model.fit(a", "a.workers = 3\nmodel.fit(a")


def test_a_name_that_means_the_same_moves() -> None:
    text = HEAD + feed() + MODEL + "def main(n=2):\n    a = Feed(1)\n    model.fit(a, workers=max(n, 1))\n"
    assert moved(text) == text.replace("Feed(1)", "Feed(1, workers=max(n, 1))")


ON_3 = ("3.0-3.9", "3.10+")


@pytest.mark.parametrize("keras", ["", ">=2.15", ">=3"])
@pytest.mark.parametrize("made", ["a = Feed(1)", "a = Feed(1, **options)"])
def test_where_keras_2_takes_them_from_the_call_alone_moving_them_is_for_keras_3(made: str, keras: str) -> None:
    text = HEAD + feed() + MODEL + made + "\nmodel.fit(a, workers=3)\n"
    assert moved(text, keras) not in (None, text)
    assert lines(text, keras) == ON_3


@pytest.mark.parametrize("given", ["workers=1", "max_queue_size=10, use_multiprocessing=False"])
@pytest.mark.parametrize("data", ["a", "Feed(1)"])
def test_what_every_keras_takes_by_itself_goes_nowhere(data: str, given: str) -> None:
    text = HEAD + feed() + MODEL + f"a = Feed(1)\nmodel.fit({data}, {given})\n"
    assert moved(text) == text == moved(text, ">=3")
    assert lines(text) == ("2", *ON_3)
    own = text.replace("self.rows = rows", "self.rows = rows\n        self.workers = rows")
    assert moved(own) is None or moved(own) != own


@pytest.mark.parametrize("keras", ["", ">=3"])
def test_of_data_from_elsewhere_a_default_goes_and_another_setting_stays(keras: str) -> None:
    text = f"{HEAD}{MODEL}def learn(rows):\n    model.fit(rows, workers=1, use_multiprocessing=False)\n"
    assert moved(text, keras) == text
    assert moved(text.replace("workers=1", "workers=2"), keras) is None
    assert moved(text.replace("workers=1", "workers=rows.n"), keras) is None


@pytest.mark.parametrize(
    "change",
    [
        ("Feed(1)", "Feed(1, workers=4)"),
        ("rows, **options", "rows, workers=4"),
        ("super().__init__(**options)", "super().__init__(workers=4, **options)"),
        ("model.fit", "model.fit(a, workers=4)\nmodel.fit"),
    ],
)
def test_a_default_is_a_setting_where_the_sequence_has_another(change: tuple[str, str]) -> None:
    text = (HEAD + feed() + MODEL + "a = Feed(1)\nmodel.fit(a, workers=1)\n").replace(*change)
    after = moved(text, ">=3")
    assert after is None or after != text


def test_generators_lose_nothing_but_processes() -> None:
    text = f"{HEAD}def stream():\n    yield 1\n{MODEL}model.fit(stream(), workers=2)\n"
    assert lines(text) == ("2", *ON_3)
    assert lines(text.replace("workers=2", "use_multiprocessing=True")) == ON_3


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (HANDED, HANDED),
        ("", ""),
        (
            "    def __init__(self, rows):\n        self.rows = rows\n",
            "    def __init__(self, rows, **kwargs):\n        super().__init__(**kwargs)\n        self.rows = rows\n",
        ),
        (
            "    def __init__(self):\n        super().__init__()\n",
            "    def __init__(self, **kwargs):\n        super().__init__(**kwargs)\n",
        ),
        (
            "    def __init__(self, workers=1):\n        super().__init__(workers=workers)\n",
            "    def __init__(self, workers=1):\n        super().__init__(workers=workers)\n",
        ),
    ],
)
def test_an_init_is_made_to_hand_keywords_on(before: str, after: str) -> None:
    facts = facts_of(HEAD + feed(before))
    edits = forward_keywords(facts, facts.sequences[0], ("workers",))
    assert edits is not None
    assert apply(facts.source.utf8, edits) == HEAD + feed(after)


@pytest.mark.parametrize(
    "init",
    [
        "    def __init__(self, workers=1):\n        self.pool = workers\n",
        "    def __init__(self, **options):\n        self.options = options\n",
        "    def __init__(self, **options):\n        n = options.pop('workers')\n        super().__init__(**options)\n",
    ],
)
def test_an_init_with_plans_of_its_own_is_left_alone(init: str) -> None:
    facts = facts_of(HEAD + feed(init))
    assert forward_keywords(facts, facts.sequences[0], ("workers",)) is None


def test_every_init_on_the_way_up_hands_them_on() -> None:
    text = (
        HEAD
        + feed("    def __init__(self, rows):\n        self.rows = rows\n")
        + "class Small(Feed):\n    def __init__(self):\n        super().__init__([1])\n"
    )
    facts = facts_of(text)
    edits = forward_keywords(facts, facts.sequences[1], ("workers",))
    assert edits is not None
    after = apply(facts.source.utf8, edits)
    assert "def __init__(self, rows, **kwargs):\n        super().__init__(**kwargs)" in after
    assert "def __init__(self, **kwargs):\n        super().__init__([1], **kwargs)" in after
