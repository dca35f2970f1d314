"""Modules of classes: what is driven, with which inputs, and what to say where nothing can be."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from seqlint.model import Contract
from seqlint.proof import Pair, Settings, missing, prove_pair
from seqlint.proof.programs import Program
from tests.proof import loaders

if TYPE_CHECKING:
    from pathlib import Path

    from seqlint.proof import Proof, Worker

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
]
CLASSES = Program("classes")


def proved(
    child: Worker, before: str, after: str, contract: Contract | None = None, program: Program = CLASSES,
    folder: Path | None = None, script: str = "loaders.py", twice: bool = True,
) -> Proof:  # fmt: skip
    pair = Pair("module", before, after, contract or Contract(), folder, script, program)
    return prove_pair(pair, child, twice=twice)


def unchanged(child: Worker, text: str) -> Proof:
    # Without a second run nothing is taken for noise: what is driven must be the same to the bit.
    return proved(child, text, text + "\n\nDONE = None\n", twice=False)


def driven(proof: Proof) -> list[str]:
    return [note.removeprefix("driven: ") for note in proof.notes if note.startswith("driven: ")]


NEEDS_PANDAS = pytest.mark.skipif(find_spec("pandas") is None, reason="pandas is not installed")
STYLES = {
    loaders.PATHS: ["CanvasSequence(x_set=10 PNGs, y_set=10 ints of 3 classes, batch_size=4), 2 epochs"],
    loaders.IDS: ["VolumeGenerator(list_IDs=10 names, labels=a dict of 10, batch_size=4), 2 epochs"],
    loaders.WALKER: ["FolderWalker(root_dir=a folder of 10 JPEGs in two classes, batch_size=4), 2 epochs"],
    loaders.AUGMENTED: [
        (
            "Augmented(images=numbers 10×32×32×3, labels=10 ints of 3 classes, batch_size=4, augmentations=identity,"
            " num_classes=3), 2 epochs"
        ),
    ],
    loaders.TWO_HEADS: [
        (
            "TwoHeads(ages=numbers 10×8, images=numbers 10×32×32×3, prices=numbers 10×8, genders=numbers 10×8,"
            " batch_size=4), 2 epochs"
        ),
    ],
    loaders.MASKS: ["Lesions(image_paths=10 PNGs, mask_paths=10 PNGs, img_size=(32, 32), batch_size=4), 2 epochs"],
    loaders.WINDOWS: ["Windows(series=numbers 10, lookback=3, batch_size=4), 2 epochs"],
    loaders.TEXTS: [
        "Reviews(texts=10 texts, targets=10 ints of 3 classes, vocab_size=4, max_len=3, batch_size=4), 2 epochs"
    ],
    loaders.WEIGHTED: ["Weighted(x=numbers 10×8, y=10 ints of 3 classes, batch_size=4), 2 epochs"],
    loaders.STREAMS: [
        "batches(features=numbers 10×8, labels=10 ints of 3 classes, batch_size=4), 2 epochs",
        "make_dataset(image_paths=10 PNGs, labels=10 ints of 3 classes, batch_size=4), 2 epochs",
    ],
    loaders.CALLBACKS: [
        "Confusion(validation_data=[numbers 10×8, 10 ints of 3 classes]), in the fit of a tiny classifier",
        "Stopper(), in the fit of a tiny classifier",
    ],
}
NAMES = [expected[0].partition("(")[0] for expected in STYLES.values()]


@pytest.mark.parametrize(("text", "expected"), STYLES.items(), ids=NAMES)
def test_inputs_are_made_from_names_and_uses(child: Worker, text: str, expected: list[str]) -> None:
    proof = unchanged(child, text)
    assert driven(proof) == expected
    assert proof.outcome == "SAME", proof.obstacle
    assert proof.before.recording is not None
    assert proof.before.recording["error"] is None
    fits = [len(fit["epochs"]) for fit in proof.before.recording["fits"] if not fit["depth"]]
    assert fits == [2] * (len(expected) + sum(note.startswith("also driven: ") for note in proof.notes))


@NEEDS_PANDAS
def test_a_data_frame_has_the_columns_that_are_used(child: Worker) -> None:
    proof = unchanged(child, loaders.FRAME)
    frame = "df=a data frame with breed, x_col, importance"
    assert driven(proof) == [
        f"TableLoader({frame}, image_dir=a folder of 10 PNGs, x_col='x_col', batch_size=4), 2 epochs"
    ]
    assert proof.outcome == "SAME"


@NEEDS_PANDAS
def test_columns_that_a_parameter_names_make_rows_that_differ(child: Worker) -> None:
    proof = unchanged(child, loaders.COLUMNS)
    frame = "df=a data frame with target_col, class-0, class-1, class-2, feature_cols=3 texts, target_col='target_col'"
    assert driven(proof) == [f"TableRows({frame}, batch_size=4), 2 epochs"]
    assert proof.before.recording is not None
    rows = [row for step in proof.before.recording["steps"] if step["fit"] == 0 for row in step["rows"]]
    assert len(set(rows)) == 8


@pytest.mark.parametrize("text", [loaders.IDS, loaders.TWO_HEADS, loaders.STREAMS], ids=["ids", "dicts", "streams"])
def test_the_same_is_driven_on_tf_keras(legacy: Worker, text: str) -> None:
    proof = unchanged(legacy, text)
    assert driven(proof) == STYLES[text]
    assert proof.outcome == "SAME", proof.obstacle
    assert proof.before.recording is not None
    assert proof.before.recording["versions"].startswith("tf-keras")


def test_a_change_of_the_samples_is_seen(child: Worker) -> None:
    after = loaders.WINDOWS.replace("return x[..., None], y", "return 2 * x[..., None], y")
    proof = proved(child, loaders.WINDOWS, after)
    assert proof.outcome == "DIFFERENT"
    assert proof.verdict("samples").outcome == "DIFFERENT"
    assert proof.verdict("steps").outcome == "SAME"


def test_batches_that_come_out_even_are_driven_too(child: Worker) -> None:
    after = loaders.PATHS.replace("math.ceil(len(self.x) / self.batch_size)", "int(len(self.x) / self.batch_size) + 1")
    proof = proved(child, loaders.PATHS, after)
    assert any(note.startswith("also driven: CanvasSequence(") and "batch_size=5" in note for note in proof.notes)
    assert proof.outcome == "DIFFERENT"


def test_inputs_are_chosen_on_the_unchanged_module(child: Worker) -> None:
    """After the change the name tells something else, and the inputs stay."""
    after = loaders.WEIGHTED.replace("sample_weights=None, ", "").replace(
        "self.w = x, y, sample_weights", "self.w = x, y, None"
    )
    proof = proved(child, loaders.WEIGHTED, after)
    assert driven(proof) == STYLES[loaders.WEIGHTED]
    assert proof.outcome == "SAME"


def test_a_module_that_a_fix_makes_drivable(child: Worker) -> None:
    after = loaders.FLOAT_LENGTH.replace(
        "np.ceil(len(self.x) / self.batch_size)", "math.ceil(len(self.x) / self.batch_size)"
    )
    proof = proved(child, loaders.FLOAT_LENGTH, after, Contract(repairs=frozenset({"errors"})))
    assert proof.verdict("errors").outcome == "CHANGED AS DECLARED"
    assert proof.held


def test_what_nothing_is_known_of_is_named_and_a_factory_printed(child: Worker) -> None:
    proof = unchanged(child, loaders.DATABASE)
    assert proof.outcome == "NOT RUN"
    assert proof.obstacle == "Rows: nothing is known of what its parameter `store` may be"
    assert proof.factory == (
        "# seqlint_smoke.py\nfrom loaders import Rows\n\n\ndef rows():\n    return Rows(store=...)  # fill in: store\n"
    )


def test_a_place_that_seqlint_makes_up_is_left_to_fill_in(child: Worker) -> None:
    proof = unchanged(child, loaders.STORED)
    assert proof.outcome == "NOT RUN"
    assert "return Stored(h5_path=...)  # fill in: h5_path" in proof.factory


def test_a_class_that_a_function_makes_cannot_be_driven(child: Worker) -> None:
    proof = unchanged(child, loaders.MADE_INSIDE)
    assert proof.outcome == "NOT RUN"
    assert "Hidden: it is made inside make_sequence()" in proof.obstacle
    assert "return make_sequence(store=...)  # fill in: store" in proof.factory


def test_what_can_be_driven_is_and_the_rest_is_noted(child: Worker) -> None:
    text = loaders.WINDOWS + loaders.DATABASE.removeprefix(loaders.HEAD)
    proof = unchanged(child, text)
    assert proof.outcome == "SAME"
    assert proof.before.recording is not None
    assert proof.before.recording["driven"] == ["Windows"]
    assert "not driven: Rows: nothing is known of what its parameter `store` may be" in proof.notes


def test_a_change_in_a_class_that_is_not_driven_is_not_proved(child: Worker) -> None:
    text = loaders.WINDOWS + loaders.DATABASE.removeprefix(loaders.HEAD)
    proof = proved(child, text, text.replace("self.cursor.count() // self.batch_size", "2"))
    assert proof.outcome == "NOT RUN"
    assert "did not run" in proof.obstacle


def test_a_module_that_cannot_be_imported(child: Worker) -> None:
    proof = unchanged(child, "import nowhere\n" + loaders.WINDOWS)
    assert proof.outcome == "NOT RUN"
    assert proof.obstacle == "the module can't be imported: ModuleNotFoundError: No module named 'nowhere'"


def test_a_module_in_a_package_is_imported_under_its_own_name(child: Worker, tmp_path: Path) -> None:
    package = tmp_path / "project" / "feeds"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "sizes.py").write_text("LOOKBACK = 3\n")
    text = loaders.WINDOWS.replace("import os\n", "from .sizes import LOOKBACK\n") + "\nprint(__name__, LOOKBACK)\n"
    proof = proved(child, text, text + "# end\n", folder=tmp_path / "project", script="feeds/windows.py")
    assert proof.outcome == "SAME", proof.obstacle
    assert proof.before.output == "feeds.windows 3"


FACTORIES = """
import numpy as np
import tensorflow as tf
from tensorflow import keras
from loaders import Windows

SERIES = np.arange(20, dtype="float32")


def sequence():
    return Windows(SERIES, 4)


def dataset():
    return tf.data.Dataset.from_tensor_slices((SERIES[:, None], SERIES)).batch(4)


def arrays():
    return SERIES[:, None], SERIES


def generator():
    return ((SERIES[k:k + 4], SERIES[k:k + 4]) for k in range(0, 20, 4))


def model():
    found = keras.Sequential([keras.Input((4, 1)), keras.layers.Flatten(), keras.layers.Dense(1)])
    found.compile("sgd", "mse")
    return found


def with_model():
    return model(), Windows(SERIES / 20, 4)


def arguments():
    return {"x": Windows(SERIES / 20, 4), "model": model(), "epochs": 1, "validation_data": Windows(SERIES / 20, 4)}


def by_itself():
    model().fit(Windows(SERIES / 20, 4), verbose=0)


def number():
    return 7


def nothing():
    return None


def needs(path):
    return path
"""
GIVEN = {
    "sequence": "Windows, 2 epochs",
    "arrays": "ndarray, 2 epochs",
    "generator": "generator, 1 epoch",
    "with_model": "Windows, 2 epochs",
    "arguments": "Windows, 1 epoch",
    "by_itself": "it trained by itself",
}


@pytest.mark.parametrize(("function", "text"), GIVEN.items())
def test_what_a_factory_may_give(child: Worker, tmp_path: Path, function: str, text: str) -> None:
    (tmp_path / "feeds.py").write_text(FACTORIES)
    program = Program("classes", factory=f"feeds:{function}")
    proof = proved(child, loaders.WINDOWS, loaders.WINDOWS + "# end\n", program=program, folder=tmp_path)
    assert proof.outcome == "SAME", proof.obstacle
    assert driven(proof) == [f"feeds:{function}: {text}"]


@pytest.mark.parametrize(
    ("factory", "reason"),
    [
        ("nowhere:sequence", "there is no module nowhere, neither next to the file nor installed"),
        ("feeds:missing", "feeds:missing: the module has no such function"),
        ("feeds:SERIES", "feeds:SERIES is ndarray, and no function"),
        ("feeds:needs", "feeds:needs must be callable without arguments, and it needs path"),
        ("feeds:number", "feeds:number gave int; it should give a Sequence"),
        ("feeds:nothing", "feeds:nothing gave None, and trained nothing"),
    ],
)
def test_a_factory_that_cannot_be_used(child: Worker, tmp_path: Path, factory: str, reason: str) -> None:
    (tmp_path / "feeds.py").write_text(FACTORIES)
    program = Program("classes", factory=factory)
    proof = proved(child, loaders.WINDOWS, loaders.WINDOWS + "# end\n", program=program, folder=tmp_path)
    assert proof.outcome == "NOT RUN"
    assert proof.obstacle.startswith(reason)


def test_each_public_function_of_a_smoke_file_is_a_factory(child: Worker, tmp_path: Path) -> None:
    smoke = "from loaders import Windows\n\n\ndef short():\n    return Windows(list(range(9)), 2)\n\n\n"
    smoke += "def long():\n    return Windows(list(range(20)), 5)\n\n\ndef _private():\n    raise ValueError\n"
    (tmp_path / "seqlint_smoke.py").write_text(smoke)
    program = Program("classes", factory="seqlint_smoke")
    proof = proved(child, loaders.WINDOWS, loaders.WINDOWS + "# end\n", program=program, folder=tmp_path)
    assert proof.outcome == "SAME", proof.obstacle
    assert driven(proof) == ["seqlint_smoke:short: Windows, 2 epochs", "seqlint_smoke:long: Windows, 2 epochs"]
    assert proof.before.recording is not None
    assert proof.before.recording["driven"] == ["Windows"]
