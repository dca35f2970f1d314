"""Whether a Sequence is loaded by one thread, several, or processes: whoever says so, and wherever."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of

FEED = """
import os
import keras


class Feed(keras.utils.Sequence):
    def __init__(self, rows, **kwargs):
        super().__init__(**kwargs)
        self.rows = rows


"""
MODEL = "model = keras.Sequential()\nmodel.compile(loss='mse')\n"


def loaded(program: str, name: str = "Feed") -> tuple[str, str, str]:
    """Whether in processes, by several, by several threads."""
    facts = facts_of(program)
    owner = next(found for found in facts.classes if found.name == name)
    return facts.loading.processes(owner), facts.loading.several(owner), facts.loading.threads(owner)


@pytest.mark.parametrize(
    "uses",
    [
        "Feed(rows, workers=2, use_multiprocessing=True)",
        "ON = True\nFeed(rows, use_multiprocessing=ON)",
        "def feeds(processes=True):\n    return Feed(rows, use_multiprocessing=processes)",
        "def feeds(processes=False):\n    return Feed(rows, use_multiprocessing=processes)\nfeeds(True)",
        "feed = Feed(rows)\nfeed.use_multiprocessing = True",
        MODEL + "model.fit(Feed(rows), use_multiprocessing=True)",
        MODEL + "model.fit_generator(generator=Feed(rows), use_multiprocessing=True)",
        MODEL + "model.fit(Feed(rows[2:]), validation_data=Feed(rows), use_multiprocessing=True)",
        MODEL + "options = {'use_multiprocessing': True}\nmodel.fit(Feed(rows), **options)",
        "class Small(Feed): ...\nSmall(rows, use_multiprocessing=True)",
    ],
)
def test_in_processes(uses: str) -> None:
    assert loaded(FEED + uses) == ("yes", "yes", "no")


@pytest.mark.parametrize(
    "uses",
    [
        "Feed(rows, workers=4)",
        "Feed(rows, workers=os.cpu_count())",
        "feed = Feed(rows)\nfeed.workers = 3",
        MODEL + "model.fit(Feed(rows), workers=2)",
        MODEL + "model.fit(Feed(rows), workers=2, use_multiprocessing=False)",
        "def feeds(processes=False):\n    return Feed(rows, workers=2, use_multiprocessing=processes)",
    ],
)
def test_by_threads(uses: str) -> None:
    assert loaded(FEED + uses) == ("no", "yes", "yes")


@pytest.mark.parametrize(
    "uses",
    [
        "Feed(rows)",
        "Feed(rows, workers=1, use_multiprocessing=False)",
        MODEL + "model.fit(Feed(rows))",
        MODEL + "model.fit([1.0], [1.0], workers=4, use_multiprocessing=True)",
        "class Other(keras.utils.Sequence): ...\nOther(workers=4, use_multiprocessing=True)",
    ],
)
def test_by_one(uses: str) -> None:
    assert loaded(FEED + uses) == ("no", "no", "no")


@pytest.mark.parametrize(
    "uses",
    ["Feed(rows, use_multiprocessing=args.processes)", MODEL + "model.fit(made_by(rows), use_multiprocessing=True)"],
)
def test_nobody_knows(uses: str) -> None:
    assert loaded(FEED + uses) == ("unknown", "unknown", "unknown")


def test_what_the_class_hands_to_keras_counts() -> None:
    program = """
    import keras

    class Feed(keras.utils.PyDataset):
        def __init__(self, rows, workers=4, pool=2):
            super().__init__(workers=pool, use_multiprocessing=True)
            self.rows, self.threads = rows, workers
    """
    assert loaded(program) == ("yes", "yes", "no")


def test_a_parameter_of_the_class_that_keras_never_gets_does_not() -> None:
    program = """
    import keras

    class Feed(keras.utils.PyDataset):
        def __init__(self, rows, workers=1):
            super().__init__()
            self.pool = workers

    Feed([1], workers=8)
    """
    assert loaded(program) == ("no", "no", "no")
