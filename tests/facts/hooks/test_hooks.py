"""Which hooks there are, what they do, and the place in the class where they do it."""

from __future__ import annotations

from tests.facts.reading import facts_of

INHERITED = """
import keras

count = 0


def bump():
    global count
    count += 1


class Base(keras.utils.Sequence):
    def on_epoch_end(self):
        self._tell()
        bump()

    def _tell(self):
        seen.append(1)


class Small(Base):
    pass


class Big(Base):
    def on_epoch_end(self):
        super().on_epoch_end()
        self.model.evaluate(self.x)


class Both(Base, keras.callbacks.Callback):
    def on_epoch_end(self, epoch=None, logs=None):
        seen.append(2)


class Watch(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        seen.append(3)


seen = []
"""


_FEEDS = """\
class Plain(keras.utils.PyDataset):
    def on_epoch_end(self): ...


class Mixed(keras.utils.PyDataset, Told):
    def on_epoch_end(self): ...


class Both(keras.utils.PyDataset, keras.callbacks.Callback):
    def on_epoch_end(self): ...
"""


def test_each_hook_is_there_once_and_callbacks_are_left_out() -> None:
    facts = facts_of(INHERITED)
    assert [hook.called for hook in facts.hooks.all] == ["Base.on_epoch_end", "Big.on_epoch_end"]


def test_a_base_out_of_sight_may_make_a_hook_that_of_a_callback() -> None:
    facts = facts_of("import keras\nfrom ours import Told\n\n\n" + _FEEDS)
    assert {hook.owner.name: hook.of_callback for hook in facts.hooks.all} == {"Plain": "no", "Mixed": "unknown"}


def test_a_deed_belongs_to_the_nearest_hook_and_to_the_statement_that_leads_to_it() -> None:
    facts = facts_of(INHERITED)
    found = [
        (deed.hook.called, facts.text(deed.node), facts.text(deed.step).strip(), deed.via)
        for deed in facts.hooks.writes
    ]
    assert found == [
        ("Base.on_epoch_end", "bump", "bump()", ("bump",)),
        ("Base.on_epoch_end", "seen.append(1)", "self._tell()", ("_tell",)),
    ]


def test_the_model_that_a_hook_runs_is_seen() -> None:
    facts = facts_of(INHERITED)
    assert [(deed.hook.called, deed.done.method) for deed in facts.hooks.runs] == [("Big.on_epoch_end", "evaluate")]
