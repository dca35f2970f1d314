"""A file that is opened once and read by several workers at the same time.

## Why
`__init__` opens the file, and every worker reads the same open file: threads share it, and forked processes share its position.
One worker seeks, another reads, and the bytes belong to another sample. Nothing fails.

## Measured
- Keras 3: one open file that batches seek and read, 24 batches: 10 of them held the wrong bytes with four threads, 11 with processes.
  With one worker all were right.
- Keras 2: 13 of 24 with four threads, 12 of 24 with processes.
- Every Keras: one `h5py.File`: right in 96 of 96 batches with threads, because h5py locks, and right with forked processes in a small
  file; h5py warns of that use. Where processes are spawned (macOS, Windows, Python 3.14) it can't be pickled.

## Do this
Open the file where it is read: `with open(self.path, "rb") as file:` in `__getitem__`. For HDF5 it is enough that each process opens its
own: keep None in `__init__` and open the file for the first batch.

## Silent when
There is one worker; the file is opened or replaced on the way to the batch; only threads read an archive, or the file is read under a
lock.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    ClassFacts,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    OpenHandle,
    Rule,
    Sometimes,
    a_sequence,
    as_template_method,
    if_by_several,
    if_in_processes,
    open_per_call,
)

_REELS = """
import os
import tempfile

import keras
import numpy as np


class Reels(keras.utils.PyDataset):
    def __init__(self, path, count, **kwargs):
        super().__init__(**kwargs)
        self.reel = open(path, "rb")
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        self.reel.seek(index * 32)
        frames = np.frombuffer(self.reel.read(32), "float32")
        return frames.reshape(2, 4), np.ones((2, 1), "float32")


folder = tempfile.mkdtemp()
path = os.path.join(folder, "reels.bin")
np.arange(64, dtype="float32").tofile(path)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Reels(path, 8, workers=2), epochs=2, verbose=0)
"""
_SCANS = """
import os
import tempfile

import h5py
import keras
import numpy as np


class Scans(keras.utils.PyDataset):
    def __init__(self, path, size, **kwargs):
        super().__init__(**kwargs)
        self.size = size
        self.store = h5py.File(path, "r")
        self.count = self.store["scan"].shape[0]

    def __len__(self):
        return self.count // self.size

    def __getitem__(self, index):
        low = index * self.size
        high = low + self.size
        return self.store["scan"][low:high], self.store["dose"][low:high]


if __name__ == "__main__":
    path = os.path.join(tempfile.mkdtemp(), "scans.h5")
    with h5py.File(path, "w") as made:
        made["scan"] = np.ones((8, 3), "float32")
        made["dose"] = np.ones((8, 1), "float32")
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(Scans(path, 2, workers=2, use_multiprocessing=True), epochs=1, verbose=0)
"""

RULE = Rule(
    code="SEQ225",
    name="handle-shared",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes.everywhere("warning"),
    contract=Contract(),
    needs=(a_sequence,),
    examples=(
        Example(
            _REELS,
            _REELS.replace('self.reel = open(path, "rb")', "self.path = path").replace(
                """\
        self.reel.seek(index * 32)
        frames = np.frombuffer(self.reel.read(32), "float32")
""",
                """\
        with open(self.path, "rb") as reel:
            reel.seek(index * 32)
            frames = np.frombuffer(reel.read(32), "float32")
""",
            ),
            contract=Contract(
                changes=frozenset({"samples", "order", "grouping", "history", "weights"}),
                holds=frozenset({"epochs equal"}),
            ),
        ),
        Example(
            _SCANS,
            _SCANS.replace(
                """\
        self.store = h5py.File(path, "r")
        self.count = self.store["scan"].shape[0]
""",
                """\
        self.path = path
        with h5py.File(path, "r") as store:
            self.count = store["scan"].shape[0]
""",
            ).replace(
                """\
        return self.store["scan"][low:high], self.store["dose"][low:high]
""",
                """\
        with h5py.File(self.path, "r") as store:
            return store["scan"][low:high], store["dose"][low:high]
""",
            ),
        ),
        Example.ok(_REELS.replace("8, workers=2", "8")),
        Example.ok(_SCANS.replace(", use_multiprocessing=True", "")),
        Example.where_unknown(_REELS.replace("workers=2", "workers=int(os.environ['LOADERS'])")),
        Example.ok(
            """
import keras
import h5py


class Scans(keras.utils.PyDataset):
    def __init__(self, path, **kwargs):
        super().__init__(**kwargs)
        self.path, self.store = path, None

    def __getitem__(self, index):
        if self.store is None:
            self.store = h5py.File(self.path, "r")
        return self.store["scan"][index], self.store["dose"][index]


scans = Scans("scans.h5", workers=4, use_multiprocessing=True)
"""
        ),
    ),
    sources=("keras-team/keras#11101",),
)

# Samples that were mixed up are themselves again.
_READ = Contract(frozenset({"samples", "order", "grouping", "history", "weights"}), holds=frozenset({"epochs equal"}))
_MILD = Levels.everywhere("warning")
_MIXED = Note.on_keras_3(
    "with four workers 10 of 24 batches held bytes of other samples",
    "with four workers 13 of 24 batches held bytes of other samples",
)
_SHARED = "the processes share one open file, which its library warns of; spawned processes can't pickle it"


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for owner in facts.sequences:
        for handle in facts.handles.of(owner):
            if handle.node in seen or not _matters(facts, owner, handle):
                continue
            seen.add(handle.node)
            yield as_template_method(handle.template_method, _finding(facts, owner, handle))


def _matters(facts: Facts, owner: ClassFacts, handle: OpenHandle) -> bool:
    """An archive locks for threads, as a lock of the class does; neither does so for processes."""
    loading = facts.loading
    threads = handle.kind == "file" and not handle.locked
    return (loading.several(owner) if threads else loading.processes(owner)) != "no"


def _finding(facts: Facts, owner: ClassFacts, handle: OpenHandle) -> Finding:
    attribute = f"`self.{handle.attribute}`"
    if handle.kind == "file":
        message = f"all workers of `{owner.name}` share the open file {attribute} and its position"
        finding = _fixed(facts, handle, facts.finding(handle.node, message, _MIXED), _READ)
        return if_by_several(facts, owner, finding, RULE.levels)
    opened = f"the open file of {attribute}" if handle.is_part else attribute
    message = f"{opened} is opened before the worker processes of `{owner.name}` start"
    finding = but(facts.finding(handle.node, message, _SHARED), levels=_MILD)
    return if_in_processes(facts, owner, _fixed(facts, handle, finding, None), _MILD)


def _fixed(facts: Facts, handle: OpenHandle, finding: Finding, contract: Contract | None) -> Finding:
    if edits := open_per_call(facts, handle):
        return finding.fixed_by("Open the file where it is read", *edits, contract=contract)
    once = ", or once in each process" if handle.kind != "file" else ""
    return but(finding, help=f"open the file where it is read{once}", no_fix=_reason(facts, handle))


def _reason(facts: Facts, handle: OpenHandle) -> str:
    if handle.is_part:
        return "the attribute holds a part of the file"
    own = {handle.owner.methods.get(name) for name in ("__init__", "__getitem__")}
    if {facts.tree.function(use) for use in facts.members.all(handle.attribute)} <= own:
        return "`__getitem__` lacks what the file is opened with, or keeps it open after reading"
    return f"other methods use `self.{handle.attribute}` too"
