"""Which handlers hide the failure of a fit, and which do something about it."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of

HEAD = """import gc
import logging
import os
import sys
import traceback

import keras

logger = logging.getLogger(__name__)
model = keras.Sequential()
model.compile("sgd", "mse")


def build():
    made = keras.Sequential()
    made.compile("sgd", "mse")
    return made


"""


def heads(text: str, path: str = "example.py") -> list[str]:
    facts = facts_of(HEAD + text, path)
    return [facts.text(found.call.func) for found in facts.hidden_fits.all]


def handled(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"try:\n    model.fit(x)\nexcept Exception as error:\n{lines}model.save('a.keras')\n"


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "...",
        "print(error)",
        "print(f'failed: {error}', type(error).__name__)",
        "traceback.print_exc()",
        "logging.exception('failed')",
        "logger.error('failed: %s', error)\nsys.stdout.flush()",
        "logging.getLogger('a').warning(str(error))",
        "message = f'failed: {error}'\nprint(message)",
        "if verbose:\n    traceback.print_exc()\nelse:\n    print(error)",
        "print(error)\ngc.collect()\nkeras.backend.clear_session()",
    ],
)
def test_a_handler_that_says_something_at_most(body: str) -> None:
    assert heads(handled(body)) == ["model.fit"]


@pytest.mark.parametrize(
    "body",
    [
        "raise",
        "print(error)\nraise RuntimeError('failed') from error",
        "print(error)\nsys.exit(1)",
        "os._exit(1)",
        "raise SystemExit(1)",
        "failed.append(error)",
        "status = 'failed'",
        "model.load_weights('best.weights.h5')",
        "logger.error(undo())",
        "if strict:\n    raise",
        "notify(error)",
        "self.fail(str(error))",
    ],
)
def test_a_handler_that_does_something(body: str) -> None:
    assert heads(handled(body)) == []


@pytest.mark.parametrize(
    ("read", "count"),
    [("model.save('a.keras')", 1), ("return done", 0), ("return lambda: done", 0), ("print(done)", 0)],
)
def test_a_flag_of_a_function_counts_where_it_is_read(read: str, count: int) -> None:
    text = f"""
def train():
    done = True
    try:
        model.fit(x)
    except Exception as error:
        done = False
        print(error)
    {read}
"""
    assert len(heads(text)) == count


@pytest.mark.parametrize(
    ("caught", "count"),
    [
        ("except", 1),
        ("except BaseException", 1),
        ("except (KeyboardInterrupt, Exception)", 1),
        ("except KeyboardInterrupt", 0),
        ("except ValueError", 0),
        ("except (OSError, ValueError)", 0),
    ],
)
def test_only_broad_handlers_count(caught: str, count: int) -> None:
    assert len(heads(f"try:\n    model.fit(x)\n{caught}:\n    print('failed')\n")) == count


FITS = {
    "in a block": "with open(p) as file:\n        model.fit(file)",
    "in a function": "train()",
    "two functions down": "main()",
    "by an old name": "model.fit_generator(x, 3)",
}


@pytest.mark.parametrize("body", FITS.values(), ids=FITS)
def test_where_the_fit_is(body: str) -> None:
    functions = "def train():\n    model.fit(x)\n\n\ndef main():\n    train()\n\n\n"
    assert len(heads(f"{functions}try:\n    {body}\nexcept Exception:\n    print('failed')\n")) == 1


@pytest.mark.parametrize(
    "body", ["model.evaluate(x)", "later = lambda: model.fit(x)", "other.fit(x)", "Ridge().fit(x, y)"]
)
def test_where_there_is_no_fit_of_keras(body: str) -> None:
    head = "from sklearn.linear_model import Ridge\n\nother = Ridge()\n"
    assert heads(f"{head}try:\n    {body}\nexcept Exception:\n    print('failed')\n") == []


def test_inner_and_outer_handlers() -> None:
    text = """
try:
    model.fit(x)
    try:
        model.fit(y)
    except Exception:
        print("inner")
except Exception:
    print("outer")
"""
    assert heads(text) == ["model.fit", "model.fit"]


def test_what_an_inner_handler_answers_does_not_reach_the_outer_one() -> None:
    text = """
def train():
    try:
        model.fit(x)
    except Exception as error:
        return {"error": str(error)}
    return {}


try:
    print(train())
except Exception:
    print("outer")
"""
    assert heads(text) == []


ANSWERED = {
    "a name is asked about": """
done = False
try:
    model.fit(x)
    done = True
except Exception as error:
    print(error)
if not done:
    sys.exit(1)
""",
    "the rest is for success": """
try:
    model.fit(x)
except Exception as error:
    print(error)
else:
    model.save("a.keras")
""",
    "nothing is returned": """
def score():
    try:
        model.fit(x)
        return model.evaluate(x)
    except Exception as error:
        print(error)
""",
    "it ends anyway": """
try:
    model.fit(x)
except Exception as error:
    print(error)
finally:
    sys.exit(2)
""",
    "it tries again": """
for size in (64, 32, 16):
    try:
        model.fit(x, batch_size=size)
        break
    except Exception as error:
        print(error)
""",
    "a new model each round": """
for size in (64, 32, 16):
    net = build()
    try:
        net.fit(x, batch_size=size)
    except Exception as error:
        print(error)
        continue
    net.save(f"{size}.keras")
""",
    "a new model in the try": """
for size in (64, 32, 16):
    try:
        net = build()
        net.fit(x, batch_size=size)
        net.save(f"{size}.keras")
    except Exception as error:
        print(error)
""",
    "new data each round": """
for name in names:
    try:
        rows = load(name)
        model.fit(rows)
    except Exception as error:
        print(name, error)
""",
}


@pytest.mark.parametrize("text", ANSWERED.values(), ids=ANSWERED)
def test_code_that_knows_that_the_fit_may_have_failed(text: str) -> None:
    assert heads(text) == []


HIDDEN = {
    "the same model each round": """
for epoch in range(9):
    try:
        model.fit(x)
    except Exception as error:
        print(error)
        continue
""",
    "a new model each round, used anyway": """
for size in (64, 32, 16):
    net = build()
    try:
        net.fit(x, batch_size=size)
    except Exception as error:
        print(error)
    net.save(f"{size}.keras")
""",
    "the model is returned": """
def train():
    try:
        model.fit(x)
    except Exception as error:
        print(error)
        return model
    return model
""",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_code_that_goes_on_with_the_model(text: str) -> None:
    assert heads(text) == ["net.fit" if "net" in text else "model.fit"]


def test_tests_are_left_alone() -> None:
    assert heads(handled("print(error)"), "test_model.py") == []
    assert heads("def test_it():\n    try:\n        model.fit(x)\n    except Exception:\n        print(1)\n") == []
