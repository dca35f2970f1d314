"""Programs that read files while they train, with one of these files truncated or gone."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.config import Config
from seqlint.engine import check
from seqlint.engine.compose import apply
from seqlint.model import Contract
from seqlint.proof import Pair, Proof, Settings, missing, prove_pair, render
from seqlint.proof.corrupt import choose, prove_corrupt
from seqlint.sources import Source

if TYPE_CHECKING:
    from pathlib import Path

    from seqlint.proof import Worker

needs_tensorflow = pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed")
RULES = [loaded for loaded in registry.load() if loaded.rule.code in ("SEQ201", "SEQ202")]
ERRORS = Contract(changes=frozenset({"errors"}))
PAIRS = Contract(changes=frozenset({"samples", "history", "weights"}), repairs=frozenset({"errors", "spec"}))

SKIP = """\
            try:
                images.append(read(path))
            except Exception:
                continue
"""
RAISE = """\
            try:
                images.append(read(path))
            except Exception as error:
                raise RuntimeError(f"could not load {path}") from error
"""
READ = "                images.append(read(path))\n"
PNG = "tf.io.decode_png(tf.io.read_file(path)).numpy() / 255"

PROGRAM = """\
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras


def read(path):
    return READING


class Plates(keras.utils.Sequence):
    def __init__(self, paths, labels):
        if keras.__name__ == "keras":
            super().__init__()
        self.paths, self.labels = paths, labels

    def __len__(self):
        return len(self.paths) // 2

    def __getitem__(self, index):
        start, stop = 2 * index, 2 * index + 2
        images = []
        for path in self.paths[start:stop]:
            try:
                images.append(read(path))
            except Exception:
                continue
        return np.array(images), self.labels[start:stop]


PATHS
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(Plates(paths, np.arange(float(len(paths)))), epochs=2, shuffle=False, verbose=0)
"""
LISTED = 'paths = sorted(os.path.join("plates", name) for name in os.listdir("plates"))'
MADE = """\
paths = [os.path.join(tempfile.gettempdir(), f"plate{number}.npy") for number in range(6)]
for number, path in enumerate(paths):
    np.save(path, np.full(3, number))
"""


def program(reading: str = PNG, paths: str = LISTED) -> str:
    return PROGRAM.replace("READING", reading).replace("PATHS", paths)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Ten images beside the program, the first one is `plates/p0.png`."""
    (tmp_path / "plates").mkdir()
    for number in range(10):
        (tmp_path / f"plates/p{number}.png").write_bytes(png(number))
    return tmp_path


def png(number: int) -> bytes:
    """An image of two by two grey pixels."""
    head, rows = struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0), bytes([0, number, 7 * number, 0, 9, 11 * number])
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def content(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def fixed(text: str, title: str, code: str = "SEQ201") -> tuple[str, Contract]:
    """The program after the fix of a rule that has this in its title, and the contract of that fix."""
    source = Source.from_bytes(text.encode(), "train.py")
    found = [one for one in check(source, RULES, Config.default()).diagnostics if one.code == code]
    fix = next(fix for one in found for fix in one.fixes if title in fix.title)
    assert fix.contract
    return apply(source.utf8, fix.edits), fix.contract


def proved(child: Worker, before: str, after: str, contract: Contract, folder: Path | None = None) -> Proof:
    """The proof on bad input, beside a proof on good input of which only the run before is there."""
    pair = Pair("train", before, after, contract, folder, "train.py")
    run = child.run(before, pair.script, folder)
    found = prove_corrupt(pair, child, Proof("train", contract, child.settings, run, run))
    assert found
    return found


def proved_twice(child: Worker, before: str, after: str, contract: Contract, folder: Path) -> Proof:
    """The proof on bad input that follows the one on good input."""
    pair = Pair("train", before, after, contract, folder, "train.py")
    found = prove_corrupt(pair, child, prove_pair(pair, child))
    assert found
    return found


def note(proof: Proof, start: str) -> str:
    return next(text for text in proof.notes if text.startswith(start))


def raised_with_its_name(proof: Proof, file: str) -> bool:
    after = note(proof, "after: ")
    return proof.changed >= {"errors"} and after.endswith("which names the file") and file in after


@pytest.mark.tensorflow
@needs_tensorflow
@pytest.mark.parametrize("line", ["child", "legacy"])
def test_what_was_lost_in_silence_is_raised_with_its_name(
    line: str, folder: Path, request: pytest.FixtureRequest
) -> None:
    mine = content(folder)
    child: Worker = request.getfixturevalue(line)
    proof = proved_twice(child, program(), *fixed(program(), "Raise"), folder)
    assert proof.outcome == "CHANGED AS DECLARED", render(proof)
    assert proof.notes[0].startswith("bad input: plates/p5.png was truncated from ")
    assert proof.notes[1] == "on its own input nothing has changed"
    assert note(proof, "before: ").startswith(
        "before: nothing was raised; 1 of 10 samples never comes to a train step; "
        "each of 2 rows holds a label and no sample, the first in fit 1, epoch 1, step 3, row 2"
    )
    assert raised_with_its_name(proof, "plates/p5.png")
    assert content(folder) == mine


@pytest.mark.tensorflow
@needs_tensorflow
def test_what_was_lost_alone_is_lost_with_its_label(folder: Path, child: Worker) -> None:
    proof = proved(child, program(), *fixed(program(), "Leave out"), folder)
    assert proof.outcome == "CHANGED AS DECLARED", render(proof)
    assert proof.changed >= {"samples", "weights"}
    assert note(proof, "after: ").endswith("was dropped with its label, and 9 samples came, each with its own label")


TABLE = """\
with open("plates.csv") as table:
    paths = [line.strip() for line in table]
"""
WAYS = {
    "arrays that the script makes": ("np.load(path)", MADE),
    "bytes": ("np.frombuffer(open(path, 'rb').read(), dtype='uint8', count=60) / 255", LISTED),
    "a table of paths": (PNG, TABLE),
}


@pytest.mark.tensorflow
@needs_tensorflow
@pytest.mark.parametrize("way", WAYS)
def test_files_are_found_however_they_are_read(way: str, folder: Path, child: Worker) -> None:
    (folder / "plates.csv").write_text("".join(f"plates/p{number}.png\n" for number in range(6)))
    before = program(*WAYS[way])
    proof = proved(child, before, *fixed(before, "Raise"), folder)
    assert raised_with_its_name(proof, "plate")
    assert proof.held


@pytest.mark.tensorflow
@needs_tensorflow
def test_a_map_of_tf_data_is_spoiled_as_well(folder: Path, child: Worker) -> None:
    before = """\
import tensorflow as tf
from tensorflow import keras

paths = sorted(tf.io.gfile.glob("plates/*.png"))
data = tf.data.Dataset.from_tensor_slices((paths, [float(number) for number in range(10)]))
data = data.map(lambda path, label: (tf.cast(tf.io.decode_png(tf.io.read_file(path)), "float32"), label))
data = data.ignore_errors().batch(2)
model = keras.Sequential([keras.Input((2, 2, 1)), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, epochs=2, verbose=0)
"""
    proof = proved(child, before, before.replace(".ignore_errors()", ""), ERRORS, folder)
    assert proof.changed == {"errors"}, render(proof)
    assert note(proof, "before: ").endswith("was dropped with its label, and 9 samples came, each with its own label")
    assert "which does not name the file" in note(proof, "after: ")


@pytest.mark.tensorflow
@needs_tensorflow
def test_a_loop_of_the_programs_own_is_spoiled_before_its_second_step(folder: Path, child: Worker) -> None:
    before = """\
import os
import tensorflow as tf
from tensorflow import keras

weight, optimizer = tf.Variable(1.0), keras.optimizers.SGD()
for name in sorted(os.listdir("plates")):
    try:
        image = tf.cast(tf.io.decode_png(tf.io.read_file(os.path.join("plates", name))), "float32") / 255
    except Exception:
        continue
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(weight * image)
    optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
"""
    proof = proved(child, before, before.replace("continue", "raise"), ERRORS, folder)
    assert proof.changed == {"errors"}, render(proof)
    assert note(proof, "before: ") == "before: nothing was raised"


@pytest.mark.tensorflow
@needs_tensorflow
def test_a_file_is_removed_where_truncating_it_changes_nothing(folder: Path, child: Worker) -> None:
    asked = (
        "            if not os.path.exists(path):\n                continue\n            images.append(read(path))\n"
    )
    before = program("[float(len(open(path, 'rb').read(10))), float(path[8])]").replace(SKIP, asked)
    proof = proved(child, before, *fixed(before, "Take each label", "SEQ202"), folder)
    assert proof.outcome == "CHANGED AS DECLARED", render(proof)
    assert proof.notes[0] == "bad input: plates/p5.png was removed before the first step"
    assert note(proof, "after: ").endswith("was dropped with its label, and 9 samples came, each with its own label")


WRONG = {
    "the sample alone": SKIP,
    "the whole batch": (
        "            try:\n"
        + READ
        + "            except Exception:\n                return self[(index + 1) % len(self)]\n"
    ),
}


@pytest.mark.tensorflow
@needs_tensorflow
@pytest.mark.parametrize("what", WRONG)
def test_a_fix_that_drops_more_or_less_than_the_pair_is_different(what: str, folder: Path, child: Worker) -> None:
    before = program().replace(SKIP, RAISE)
    proof = proved(child, before, before.replace(RAISE, WRONG[what]), ERRORS, folder)
    assert proof.outcome == "DIFFERENT", render(proof)
    assert proof.verdict("samples").outcome == "DIFFERENT"


@pytest.mark.tensorflow
@needs_tensorflow
def test_what_another_place_still_loses_is_not_the_work_of_the_fix(folder: Path, child: Worker) -> None:
    before = program()
    after = before.replace("                continue\n", "                print('lost')\n                continue\n")
    proof = proved(child, before, after, Contract(changes=frozenset({"errors", "output"})), folder)
    assert proof.verdict("samples").outcome == "SAME", render(proof)
    assert proof.changed == {"output"}


@pytest.mark.tensorflow
@needs_tensorflow
def test_draws_that_move_with_a_dropped_sample_are_no_fault(folder: Path, child: Worker) -> None:
    before = program(f"{PNG} + np.random.random((2, 2, 1))")
    proof = proved(child, before, *fixed(before, "Leave out"), folder)
    assert proof.outcome == "CHANGED AS DECLARED", render(proof)
    assert "can't be distinguished" in note(proof, "after: ")


@pytest.mark.tensorflow
@needs_tensorflow
def test_a_program_that_raises_already_proves_nothing_about_bad_input(folder: Path, child: Worker) -> None:
    before = program().replace(SKIP, "            images.append(read(path))\n")
    after = before.replace("        images = []\n", "        images = list()\n")
    proof = proved(child, before, after, ERRORS, folder)
    assert proof.outcome == "SAME", render(proof)
    assert proof.notes[-1] == "the bad input does the same before and after: nothing is proved about it"


@pytest.mark.tensorflow
@needs_tensorflow
def test_without_a_file_that_is_read_in_training_nothing_is_run(folder: Path, child: Worker) -> None:
    before = program("path", LISTED + f"\npaths = [{PNG} for path in paths]")
    proof = proved(child, before, *fixed(before, "Raise"), folder)
    assert proof.outcome == "NOT RUN"
    assert proof.obstacle == "no data file of the program's own is read while it trains, so that none can be spoiled"


@pytest.mark.tensorflow
@needs_tensorflow
def test_a_file_that_lies_elsewhere_is_left_alone(
    folder: Path, child: Worker, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "train.csv").write_text("1\n")
    linked = f"os.symlink({str(folder / 'plates')!r}, 'linked')\nos.mkdir('plates')\nfor number in range(10):\n"
    links = f"    os.symlink(os.path.join({str(folder / 'plates')!r}, f'p{{number}}.png'), f'plates/p{{number}}.png')\n"
    before = program(paths=linked + links + LISTED)
    mine = content(folder)
    proof = proved(child, before, *fixed(before, "Raise"), elsewhere)
    assert proof.obstacle.startswith("no data file of the program's own is read while it trains")
    assert content(folder) == mine


@pytest.mark.tensorflow
@needs_tensorflow
def test_input_that_is_bad_already_is_not_spoiled(folder: Path, child: Worker) -> None:
    (folder / "plates/p4.png").write_bytes(b"broken")
    proof = proved_twice(child, program(), *fixed(program(), "Raise"), folder)
    assert proof.changed == {"errors"}
    assert note(proof, "the program's own input is bad already")
    assert "plates/p4.png" in note(proof, "after: ")


@pytest.mark.tensorflow
@needs_tensorflow
def test_a_contract_of_good_input_asks_for_no_second_proof(child: Worker) -> None:
    pair = Pair("train", "print(1)\n", "print(1)\n", Contract(changes=frozenset({"history"})))
    assert prove_corrupt(pair, child, prove_pair(pair, child)) is None


def test_the_file_in_the_middle_of_the_largest_group_is_chosen() -> None:
    files = [
        "program/table.csv",
        *(f"program/masks/{k}.png" for k in range(3)),
        *(f"program/images/{k}.jpg" for k in range(5)),
    ]
    assert choose(files) == ("program/images/2.jpg", 5)
    assert choose(["temporary/one.npy"]) == ("temporary/one.npy", 1)
