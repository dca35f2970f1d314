"""MetricAverageCallback in front of what decides, and callbacks lifted out of an `if`."""

from __future__ import annotations

from textwrap import dedent

import libcst as cst
import pytest

from seqlint.engine.compose import apply
from seqlint.rewrite import average_before, average_moved, lift
from tests.facts.reading import facts_of

HEAD = """import horovod.tensorflow.keras as hvd
from keras.callbacks import EarlyStopping, ModelCheckpoint, TensorBoard

"""
FIT = "model.fit(x, callbacks=chosen)\n"


def put_right(code: str, head: str = HEAD) -> str | None:
    """The code with an average before the first EarlyStopping, a new one or the one that is there."""
    facts = facts_of(head + dedent(code).lstrip("\n"))
    callbacks = facts.callback_lists.all[0]
    stop = next(member for member in callbacks.members if "keras.callbacks.EarlyStopping" in member.bases)
    late = [member for member in callbacks.members if "Average" in str(member.name)]
    edits = average_moved(facts, late[0], stop) if late else average_before(facts, stop)
    return apply(facts.source.utf8, edits).removeprefix(head) if edits is not None else None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "model.fit(x, callbacks=[EarlyStopping()])\n",
            "model.fit(x, callbacks=[hvd.callbacks.MetricAverageCallback(), EarlyStopping()])\n",
        ),
        (
            "model.fit(x, callbacks=EarlyStopping())\n",
            "model.fit(x, callbacks=[hvd.callbacks.MetricAverageCallback(), EarlyStopping()])\n",
        ),
        (
            "chosen = [\n    TensorBoard(),\n    # stop\n    EarlyStopping(),\n]\n" + FIT,
            "chosen = [\n    TensorBoard(),\n    hvd.callbacks.MetricAverageCallback(),\n    # stop\n    EarlyStopping(),\n]\n"
            + FIT,
        ),
        (
            "chosen = []\n# stop\nchosen.append(EarlyStopping())\n" + FIT,
            "chosen = []\nchosen.append(hvd.callbacks.MetricAverageCallback())\n# stop\nchosen.append(EarlyStopping())\n"
            + FIT,
        ),
        (
            "chosen = []\nif patience:\n    chosen.append(EarlyStopping())\n" + FIT,
            "chosen = []\nchosen.append(hvd.callbacks.MetricAverageCallback())\nif patience:\n    chosen.append(EarlyStopping())\n"
            + FIT,
        ),
        (
            "chosen = []\nif patience:\n    chosen += [EarlyStopping()]\n" + FIT,
            "chosen = []\nchosen.append(hvd.callbacks.MetricAverageCallback())\nif patience:\n    chosen += [EarlyStopping()]\n"
            + FIT,
        ),
        (
            "def make():\n    return [EarlyStopping()]\n\n\nmodel.fit(x, callbacks=make())\n",
            "def make():\n    return [hvd.callbacks.MetricAverageCallback(), EarlyStopping()]\n\n\nmodel.fit(x, callbacks=make())\n",
        ),
    ],
)
def test_an_average_is_put_in_front(before: str, after: str) -> None:
    assert put_right(before) == after


@pytest.mark.parametrize(
    "before",
    [
        "if patience:\n    chosen = []\n    chosen.append(EarlyStopping())\nelse:\n    chosen = []\n" + FIT,
        "chosen = [TensorBoard()]\nchosen.insert(0, EarlyStopping())\n" + FIT,
        "model.fit(x, callbacks=[EarlyStopping() if patience else TensorBoard()])\n",
        "chosen = []\nfor one in (1, 2):\n    chosen.append(EarlyStopping())\n" + FIT,
    ],
)
def test_a_list_that_can_not_be_edited_is_left_alone(before: str) -> None:
    assert put_right(before) is None


def test_the_import_that_is_there_takes_one_more_name() -> None:
    head = "from horovod.tensorflow.keras.callbacks import BroadcastGlobalVariablesCallback\n" + HEAD.split("\n", 1)[1]
    found = put_right("model.fit(x, callbacks=[EarlyStopping()])\n", head)
    assert found is not None
    assert "import BroadcastGlobalVariablesCallback, MetricAverageCallback\n" in found
    assert "callbacks=[MetricAverageCallback(), EarlyStopping()]" in found


def test_an_import_in_the_function_is_used() -> None:
    head = "from keras.callbacks import EarlyStopping\n\n"
    code = "def main():\n    import horovod.keras as h\n    model.fit(x, callbacks=[EarlyStopping()])\n"
    assert put_right(code, head) == code.replace("[Early", "[h.callbacks.MetricAverageCallback(), Early")


def test_without_an_import_of_horovod_nothing_is_added() -> None:
    assert (
        put_right("model.fit(x, callbacks=[EarlyStopping()])\n", "from keras.callbacks import EarlyStopping\n") is None
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "chosen = [EarlyStopping(), hvd.callbacks.MetricAverageCallback()]\n" + FIT,
            "chosen = [hvd.callbacks.MetricAverageCallback(), EarlyStopping()]\n" + FIT,
        ),
        (
            "chosen = [\n    EarlyStopping(),\n    TensorBoard(),\n    hvd.callbacks.MetricAverageCallback(),\n]\n"
            + FIT,
            "chosen = [\n    hvd.callbacks.MetricAverageCallback(),\n    EarlyStopping(),\n    TensorBoard(),\n]\n"
            + FIT,
        ),
        (
            "chosen = [\n    # stop\n    EarlyStopping(),  # early\n    hvd.callbacks.MetricAverageCallback()\n]\n"
            + FIT,
            "chosen = [\n    hvd.callbacks.MetricAverageCallback(),\n    # stop\n    EarlyStopping(),  # early\n]\n"
            + FIT,
        ),
        (
            "chosen = [EarlyStopping()]\nchosen.append(hvd.callbacks.MetricAverageCallback())\n" + FIT,
            "chosen = [hvd.callbacks.MetricAverageCallback(), EarlyStopping()]\n" + FIT,
        ),
        (
            "chosen = []\nchosen.append(EarlyStopping())\n# average\nchosen.append(hvd.callbacks.MetricAverageCallback())\n"
            + FIT,
            "chosen = []\n# average\nchosen.append(hvd.callbacks.MetricAverageCallback())\nchosen.append(EarlyStopping())\n"
            + FIT,
        ),
    ],
)
def test_the_average_is_moved_to_the_front(before: str, after: str) -> None:
    assert put_right(before) == after


@pytest.mark.parametrize(
    "before",
    [
        "chosen = [\n    EarlyStopping(),\n    # average\n    hvd.callbacks.MetricAverageCallback(),\n]\n" + FIT,
        "chosen = [\n    EarlyStopping(),\n    hvd.callbacks.MetricAverageCallback(),  # average\n]\n" + FIT,
        "chosen = [EarlyStopping()]\nif many:\n    chosen.append(hvd.callbacks.MetricAverageCallback())\n" + FIT,
        "chosen = [EarlyStopping()]\n# average\nchosen.append(hvd.callbacks.MetricAverageCallback())\n" + FIT,
    ],
)
def test_an_average_that_can_not_be_moved_stays(before: str) -> None:
    assert put_right(before) is None


def lifted(body: str) -> str | None:
    """What becomes of `if first:` when EarlyStopping is lifted out of it."""
    head = HEAD + "chosen = []\n"
    facts = facts_of(head + dedent(body).lstrip("\n") + FIT)
    (callbacks,) = facts.callback_lists.all
    stop = next(member for member in callbacks.members if "keras.callbacks.EarlyStopping" in member.bases)
    node = next(found.node for found in stop.conditions if isinstance(found.node, cst.If))
    assert isinstance(node, cst.If)
    edits = lift(facts, stop, node)
    return apply(facts.source.utf8, edits).removeprefix(head).removesuffix(FIT) if edits is not None else None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if first:\n    chosen.append(EarlyStopping())\n", "chosen.append(EarlyStopping())\n"),
        ("if first: chosen.append(EarlyStopping())\n", "chosen.append(EarlyStopping())\n"),
        ("if first:\n    chosen += [EarlyStopping()]\n", "chosen += [EarlyStopping()]\n"),
        (
            "# why\nif first:\n    # stop\n    chosen.append(EarlyStopping())  # at last\n",
            "# why\n# stop\nchosen.append(EarlyStopping())  # at last\n",
        ),
        (
            "if first:\n    chosen.append(TensorBoard())\n    chosen.append(EarlyStopping())\n",
            "if first:\n    chosen.append(TensorBoard())\nchosen.append(EarlyStopping())\n",
        ),
        (
            "if first:\n    chosen.append(EarlyStopping())\n    chosen.append(TensorBoard())\n",
            "chosen.append(EarlyStopping())\nif first:\n    chosen.append(TensorBoard())\n",
        ),
        (
            "if first:\n    stop = EarlyStopping()\n    chosen.append(stop)\n",
            "stop = EarlyStopping()\nchosen.append(stop)\n",
        ),
        (
            "if first:\n    chosen.extend([EarlyStopping(), TensorBoard()])\n",
            "chosen.append(EarlyStopping())\nif first:\n    chosen.extend([TensorBoard()])\n",
        ),
        (
            "if first:\n    chosen.append(EarlyStopping())\n    print(1)\nelse:\n    print(2)\n",
            "chosen.append(EarlyStopping())\nif first:\n    print(1)\nelse:\n    print(2)\n",
        ),
    ],
)
def test_a_callback_is_lifted_out(before: str, after: str) -> None:
    assert lifted(before) == after


@pytest.mark.parametrize(
    "before",
    [
        "if first:\n    chosen.append(EarlyStopping())\nelse:\n    print(2)\n",
        "if many:\n    print(1)\nelif first:\n    chosen.append(EarlyStopping())\n",
        "if first:\n    if best:\n        wait = 3\n    chosen.append(EarlyStopping(patience=wait))\n",
        "if first:  # only there\n    chosen.append(EarlyStopping())\n",
        "if first:\n    chosen = [EarlyStopping()]\n",
    ],
)
def test_what_hangs_on_the_if_stays(before: str) -> None:
    assert lifted(before) is None
