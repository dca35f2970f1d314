"""Which callbacks reach a fit, in which order, and under which conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.facts.reading import facts_of

if TYPE_CHECKING:
    from seqlint.facts import CallbackList, Listed

HEAD = "import keras\nfrom keras.callbacks import *\n"
MODEL = "model = keras.Sequential([keras.layers.Dense(1)])\n"


def only(text: str) -> CallbackList:
    (found,) = facts_of(HEAD + text).callback_lists.all
    return found


def word(member: Listed) -> str:
    """The class, with "?" for one that is not always there; "..." for what can't be seen."""
    if member.item.value is None:
        return "..."
    name = member.owner.name if member.owner is not None else (member.name or "unknown").rpartition(".")[2]
    return name + ("?" if member.conditions else "")


def words(text: str) -> list[str]:
    return [word(member) for member in only(text).members]


BUILT = {
    "literal": "model.fit(x, callbacks=[EarlyStopping(), TensorBoard()])",
    "tuple": "model.fit(x, callbacks=(EarlyStopping(), TensorBoard()))",
    "by position": "model.fit(x, None, 32, 1, 0, [EarlyStopping(), TensorBoard()])",
    "name of one": "stop = EarlyStopping()\nmodel.fit(x, callbacks=[stop, TensorBoard()])",
    "append": "chosen = [EarlyStopping()]\nchosen.append(TensorBoard())\nmodel.fit(x, callbacks=chosen)",
    "extend": """
chosen = []
chosen += [EarlyStopping()]
chosen.extend([TensorBoard()])
model.fit(x, callbacks=chosen)
""",
    "insert": "chosen = [TensorBoard()]\nchosen.insert(0, EarlyStopping())\nmodel.fit(x, callbacks=chosen)",
    "sum": "base = [EarlyStopping()]\nmodel.fit(x, callbacks=base + [TensorBoard()])",
    "star": "base = [EarlyStopping()]\nmodel.fit(x, callbacks=[*base, TensorBoard()])",
    "copy": """
base = [EarlyStopping()]
chosen = list(base)
chosen.append(TensorBoard())
model.fit(x, callbacks=chosen)
""",
    "bound again": "chosen = [EarlyStopping()]\nchosen = chosen + [TensorBoard()]\nmodel.fit(x, callbacks=chosen)",
    "helper": """
def make():
    made = [EarlyStopping()]
    made.append(TensorBoard())
    return made


model.fit(x, callbacks=make())
""",
    "helper for one": "def stopper():\n    return EarlyStopping()\nmodel.fit(x, callbacks=[stopper(), TensorBoard()])",
    "helper that adds": """
def add(found):
    found.append(TensorBoard())


mine = [EarlyStopping()]
add(mine)
model.fit(x, callbacks=mine)
""",
    "parameter": """
def train(model, extra):
    model.fit(x, callbacks=extra)


train(model, [EarlyStopping(), TensorBoard()])
""",
    "parameter with default": """
def train(model, extra=None):
    extra = extra or []
    extra.append(TensorBoard())
    model.fit(x, callbacks=extra)


train(model, [EarlyStopping()])
""",
    "unpacked": "options = {'callbacks': [EarlyStopping(), TensorBoard()]}\nmodel.fit(x, **options)",
    "unpacked dict()": "options = dict(epochs=2, callbacks=[EarlyStopping(), TensorBoard()])\nmodel.fit(x, **options)",
    "fit_generator": "model.fit_generator(x, 3, callbacks=[EarlyStopping(), TensorBoard()])",
}


@pytest.mark.parametrize("code", BUILT.values(), ids=BUILT)
def test_a_list_is_followed_however_it_was_built(code: str) -> None:
    found = only(MODEL + code)
    assert [word(member).rstrip("?") for member in found.members] == ["EarlyStopping", "TensorBoard"]
    assert found.complete


def test_a_class_keeps_its_list_in_an_attribute() -> None:
    code = """
class Runner:
    def __init__(self, model, extra):
        self.model = model
        self.callbacks = [EarlyStopping()]
        self.callbacks.append(extra)

    def run(self, x):
        self.model.fit(x, callbacks=self.callbacks)


Runner(model, TensorBoard()).run(x)
"""
    assert words(MODEL + code) == ["EarlyStopping", "TensorBoard"]


def test_a_list_comes_through_the_constructor_and_a_method() -> None:
    code = """
class Runner:
    def __init__(self, extra):
        self.extra = extra

    def _callbacks(self):
        return [CSVLogger("log.csv")] + self.extra

    def run(self, model, x):
        model.fit(x, callbacks=self._callbacks())


Runner([EarlyStopping()]).run(model, x)
"""
    assert words(MODEL + code) == ["CSVLogger", "EarlyStopping"]


def test_what_is_added_in_a_branch_is_conditional() -> None:
    code = """
chosen = [TensorBoard()]
if patience:
    chosen.append(EarlyStopping())
model.fit(x, callbacks=chosen)
"""
    found = only(MODEL + code)
    assert [word(member) for member in found.members] == ["TensorBoard", "EarlyStopping?"]
    (condition,) = found.members[1].conditions
    assert condition.branch == 1
    assert condition.test is not None
    assert found.complete


def test_two_branches_never_meet() -> None:
    code = """
if patience:
    chosen = [EarlyStopping(), CSVLogger("a.csv")]
else:
    chosen = [TensorBoard()]
model.fit(x, callbacks=chosen)
"""
    found = only(MODEL + code)
    stop, log, board = found.members
    assert found.before(log) == (stop,)
    assert found.before(board) == ()
    assert found.after(stop) == (log,)


def test_a_list_that_a_branch_replaces_does_not_meet_the_new_one() -> None:
    code = """
chosen = [TensorBoard()]
if patience:
    chosen = [EarlyStopping()]
    chosen.append(CSVLogger("a.csv"))
model.fit(x, callbacks=chosen)
"""
    found = only(MODEL + code)
    assert [word(member) for member in found.members] == ["TensorBoard?", "EarlyStopping?", "CSVLogger?"]
    assert found.before(found.members[2]) == (found.members[1],)


def test_a_callback_behind_a_choice_stands_once_for_each_way() -> None:
    code = "model.fit(x, callbacks=[EarlyStopping() if patience else TensorBoard(), CSVLogger('a.csv')])"
    assert words(MODEL + code) == ["EarlyStopping?", "TensorBoard?", "CSVLogger"]


def test_a_single_callback_is_a_list_of_one() -> None:
    assert words(MODEL + "model.fit(x, callbacks=EarlyStopping())") == ["EarlyStopping"]


@pytest.mark.parametrize(
    "code",
    [
        "def train(model, extra):\n    model.fit(x, callbacks=extra + [EarlyStopping()])",
        "from mine import base\nmodel.fit(x, callbacks=base() + [EarlyStopping()])",
        "chosen = [EarlyStopping()]\nfrom mine import add\nadd(chosen)\nmodel.fit(x, callbacks=chosen)",
        "chosen = [EarlyStopping()]\nchosen.insert(place, TensorBoard())\nmodel.fit(x, callbacks=chosen)",
        "chosen = [EarlyStopping()]\nfor n in names:\n    model.fit(x, callbacks=chosen)\n    chosen.append(made(n))",
    ],
)
def test_what_can_not_be_seen_is_said_to_stand_first(code: str) -> None:
    found = only(MODEL + code)
    assert not found.complete
    assert word(found.members[0]) == "..."


def test_a_list_that_loses_something_is_unknown() -> None:
    code = "chosen = [EarlyStopping()]\nchosen.pop()\nmodel.fit(x, callbacks=chosen)"
    assert words(MODEL + code) == ["..."]


def test_what_is_added_after_the_fit_is_not_in_it() -> None:
    code = "chosen = [EarlyStopping()]\nmodel.fit(x, callbacks=chosen)\nchosen.append(TensorBoard())"
    assert words(MODEL + code) == ["EarlyStopping"]


def test_two_lists_of_one_name_in_two_functions_are_two() -> None:
    code = """
def one(model):
    chosen = [EarlyStopping()]
    model.fit(x, callbacks=chosen)


def other(model):
    chosen = [TensorBoard()]
    model.fit(x, callbacks=chosen)
"""
    found = facts_of(HEAD + code).callback_lists.all
    assert [[word(member) for member in callbacks.members] for callbacks in found] == [
        ["EarlyStopping"],
        ["TensorBoard"],
    ]


def test_a_class_of_the_file_is_known_with_what_it_takes_from() -> None:
    code = """
class Patient(EarlyStopping):
    pass


class Named(Patient):
    pass


model.fit(x, callbacks=[Named()])
"""
    (member,) = only(MODEL + code).members
    assert member.owner is not None
    assert member.owner.name == "Named"
    assert "keras.callbacks.EarlyStopping" in member.bases
    assert member.made is not None
