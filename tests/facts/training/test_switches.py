"""Whether code on the way to a batch runs for the instances that are loaded in processes."""

from __future__ import annotations

import libcst as cst
import pytest

from tests.facts.reading import facts_of

PROGRAM = """
import keras


class Feed(keras.utils.PyDataset):
    def __init__(self, rows, train=True, mode="train", **kwargs):
        super().__init__(**kwargs)
        self.rows, self.train, self.mode = rows, train, mode

    def __getitem__(self, index):
        {body}
        return self.rows[index], self.rows[index]

    def _helped(self):
        draw()


{made}
"""
OFF = "Feed(ROWS), Feed(ROWS, train=False, mode='check', use_multiprocessing=True)"
ON = "Feed(ROWS, train=False, mode='check'), Feed(ROWS, use_multiprocessing=True)"
BODIES = [
    "if self.train: draw()",
    "if not (not self.train): draw()",
    "if self.mode == 'train': draw()",
    "if self.train and self.rows: self._helped()",
    "self.noise = draw() if self.train else 0",
    "if not self.train: return self.rows[index], 0\n        draw()",
]


def runs(body: str, made: str) -> bool:
    facts = facts_of(PROGRAM.replace("{body}", body).replace("{made}", made))
    maker = facts.batches.makers[0]
    assert maker.owner is not None
    found = [
        (call, frame)
        for frame in facts.batches.frames(maker)
        if frame.function is not None
        for call in facts.tree.inside(frame.function.body, cst.Call)
        if isinstance(call.func, cst.Name) and call.func.value == "draw"
    ]
    call, frame = found[0]
    return facts.switches.in_processes(call, frame, maker.owner)


@pytest.mark.parametrize("body", BODIES)
def test_a_switch_of_the_instance_says_whether_it_runs(body: str) -> None:
    assert not runs(body, OFF)
    assert runs(body, ON)


@pytest.mark.parametrize(
    "made",
    [
        "def feeds(train): return Feed(ROWS, train=train, use_multiprocessing=True)\nfeeds(True), feeds(False)",
        "Feed(ROWS, train=False, **settings, use_multiprocessing=on)\nfeed = Feed(ROWS, use_multiprocessing=True)\nfeed.train = False",
        "class Own(Feed):\n    def __init__(self): super().__init__(ROWS, train=False, use_multiprocessing=True)\nOwn()",
    ],
    ids=["a factory of both", "set later", "by its own constructor"],
)
def test_where_it_can_not_be_told_it_may_run(made: str) -> None:
    assert runs(BODIES[0], made)
