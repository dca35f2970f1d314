"""Shapes and types are those that NumPy gives when the program runs."""

from __future__ import annotations

import pytest

from seqlint.facts.batches.forms import described
from seqlint.facts.numbers.arrays import UNKNOWN
from tests.facts.asking import asked, run
from tests.facts.reading import facts_of

KNOWN = [
    "np.zeros((4, 3))",
    "np.zeros((4, 3), dtype='float32')",
    "np.zeros(5, np.uint8)",
    "np.ones((4, 3), dtype=np.float32)",
    "np.empty([2, 2], dtype=bool)",
    "np.full((2, 3), 7)",
    "np.full((2, 3), 7.0)",
    "np.full((2, 3), 0, dtype='uint8')",
    "np.zeros((n, *size, 3), dtype='f4')",
    "np.zeros((n,) + size)",
    "np.zeros(n * 2)",
    "np.random.rand(10, 4)",
    "np.random.randn(10)",
    "np.random.random((10, 2))",
    "np.random.random(size=(10, 2))",
    "np.random.normal(size=(8, 2))",
    "np.random.uniform(0, 1, (8, 2))",
    "np.random.randint(0, 10, size=20)",
    "np.random.randint(0, 2, (20, 1), dtype='int32')",
    "np.random.default_rng(0).normal(size=(4, 4))",
    "np.random.default_rng(0).random((3,), dtype='float32')",
    "np.random.default_rng(0).integers(0, 10, 20)",
    "rng.standard_normal((2, 2))",
    "np.random.RandomState(0).rand(5, 3)",
    "np.arange(12)",
    "np.arange(2, 12, 3)",
    "np.arange(10, dtype='float32')",
    "np.arange(12).reshape(3, 4)",
    "np.arange(12).reshape((3, 4))",
    "np.arange(12).reshape(-1, 2, 2)",
    "np.reshape(np.arange(12), (3, -1))",
    "np.linspace(0, 1, 7)",
    "np.eye(3)",
    "np.array([1, 2, 3])",
    "np.array([1, 2.0, 3])",
    "np.array([[1, 2], [3, 4]], dtype=np.float32)",
    "np.array([True, False])",
    "np.array([np.zeros(3), np.ones(3)])",
    "np.array(range(5))",
    "np.stack([np.zeros((2, 2), 'float32'), np.ones((2, 2), 'float32')])",
    "np.concatenate([np.zeros((2, 3)), np.ones((4, 3))])",
    "np.zeros_like(x)",
    "np.zeros_like(x, dtype='uint8')",
    "np.full_like(x, 1.0)",
    "np.asarray(x)",
    "np.random.permutation(9)",
    "np.random.permutation(x)",
    "x.astype('float32')",
    "x.astype(np.float64) / 255.0",
    "np.float32(x)",
    "x / 255.0",
    "x * 2",
    "x.astype('float32') / 255",
    "2.0 * x",
    "x + np.zeros((6, 1))",
    "x.astype('float32') + np.zeros(8, 'uint8')",
    "-x.astype('float64')",
    "x[:2]",
    "x[1]",
    "x[1, 2]",
    "x[:, 0]",
    "x[..., np.newaxis]",
    "x[:, None]",
    "x[1:5:2, :3]",
    "x[-1:]",
    "np.expand_dims(x, -1)",
    "np.expand_dims(x, axis=0)",
    "x.T",
    "x.flatten()",
    "x.reshape(-1)",
    "x.copy()",
    "np.zeros(x.shape)",
    "np.zeros(len(x))",
    "np.zeros(x.shape[0])",
]
AROUND = """
import numpy as np
n, size = 3, (5, 4)
rng = np.random.default_rng(1)
x = np.zeros((6, 8), dtype="uint8")
y = {form}
use(y)
"""


@pytest.mark.parametrize("form", KNOWN)
def test_an_array_is_what_numpy_makes(form: str) -> None:
    pytest.importorskip("numpy")
    program = AROUND.format(form=form)
    facts, arguments = asked(program)
    found = facts.shapes.of(arguments[0])
    made = run(program)[0]
    assert (found.shape, found.dtype) == (made.shape, str(made.dtype))  # type: ignore[attr-defined]


SILENT = [
    "np.load('x.npy')",
    "np.zeros(shape)",
    "np.zeros((2, *shape))",
    "np.array(images)",
    "np.array([load(p) for p in paths])",
    "np.stack([load(p) for p in paths])",
    "load('x')",
    "x[index]",
    "x[mask, 0]",
    "x @ x.T",
    "np.mean(x, axis=0)",
]


@pytest.mark.parametrize("form", SILENT)
def test_what_is_not_written_out_has_no_shape(form: str) -> None:
    program = "import numpy as np\ndef f(shape, images, paths, load, index, mask, x):\n    use({})"
    facts, arguments = asked(program.format(form))
    assert facts.shapes.of(arguments[0]).shape is None


PARTLY = {
    "np.zeros((len(paths), 32, 32, 3), dtype='float32')": ((None, 32, 32, 3), "float32"),
    "np.zeros((size, 4))": ((None, 4), "float64"),
    "np.array([np.zeros((2, 2)) for p in paths])": ((None, 2, 2), "float64"),
    "np.array([len(p) for p in paths])": (None, None),
    "np.zeros((4, 3))[start:stop]": ((None, 3), "float64"),
    "np.zeros((4, 3))[rows]": (None, "float64"),
    "np.zeros((4, 3)) / scale": (None, None),
    "np.zeros((4, 3) if size else (4, 5))": ((4, None), "float64"),
    "np.zeros((4, 3), 'uint8') if size else np.zeros((4, 3))": ((4, 3), None),
    "np.random.rand(size, 10)": ((None, 10), "float64"),
    "np.zeros((4, 3), dtype=kind)": ((4, 3), None),
    "np.concatenate([np.zeros((4, 3)), np.zeros((size, 3))])": ((None, 3), "float64"),
    "np.concatenate([np.zeros((4, 3)), np.zeros((4, 3))], axis=1)": (None, None),
    "np.stack([np.zeros(3), np.zeros(3)], axis=-1)": (None, "float64"),
    "np.zeros((size, 4)).reshape(-1, 2)": ((None, 2), "float64"),
}


@pytest.mark.parametrize("form", PARTLY)
def test_what_is_known_in_part_is_told_in_part(form: str) -> None:
    program = "import numpy as np\ndef f(paths, size, start, stop, rows, scale, kind):\n    use({})"
    facts, arguments = asked(program.format(form))
    found = facts.shapes.of(arguments[0])
    assert (found.shape, found.dtype) == PARTLY[form]


def test_an_operation_in_place_keeps_the_type() -> None:
    facts, arguments = asked("import numpy as np\nx = np.zeros((4, 3), 'float32')\nx /= 255.0\nuse(x)")
    assert facts.shapes.of(arguments[0]).dtype == "float32"


def test_an_array_is_followed_through_methods() -> None:
    facts, arguments = asked(
        """
        import numpy as np

        class Feed:
            def __init__(self, size=4):
                self.size = size

            def blank(self):
                return np.zeros((self.size, 28, 28, 1), dtype=np.float32)

            def batch(self):
                batch = self.blank()
                batch[0] = 1
                use(batch)

        Feed(8).batch()
        """
    )
    found = facts.shapes.of(arguments[0])
    assert (found.shape, found.dtype) == ((8, 28, 28, 1), "float32")


def test_a_list_that_is_filled_later_has_no_size() -> None:
    facts, arguments = asked(
        "import numpy as np\nrows = []\nfor i in range(3):\n    rows.append(i)\nuse(np.array(rows))"
    )
    assert facts.shapes.of(arguments[0]) == UNKNOWN


@pytest.mark.parametrize(("keras", "dtype"), [(">=3.10", "float64"), ("<3", "float32"), ("", None)])
def test_one_hot_labels_have_the_type_of_their_keras(keras: str, dtype: str | None) -> None:
    from dataclasses import replace

    from seqlint.facts import Facts
    from seqlint.facts.keras import parse_range

    text = "import keras\nimport numpy as np\ny = np.zeros((20, 1), 'int64')\nuse(keras.utils.to_categorical(y, num_classes=10))"
    facts, arguments = asked(text)
    under = Facts(facts.source, facts.grown, replace(parse_range(keras)))
    found = under.shapes.of(arguments[0])
    assert (found.shape, found.dtype) == ((20, 10), dtype)


def test_a_batch_is_told_place_by_place() -> None:
    facts = facts_of(
        """
        import keras
        import numpy as np

        class Feed(keras.utils.PyDataset):
            def __init__(self, size=4):
                super().__init__()
                self.size = size

            def __len__(self):
                return 3

            def __getitem__(self, index):
                x, y = self._load(index)
                if index == 2:
                    return x, y, np.ones(self.size, "float32")
                if index == 3:
                    return {"a": x, "b": [x for _ in range(2)]}, None
                return [x, x], y

            def _load(self, index):
                return np.zeros((self.size, 28, 28), dtype="float32"), np.arange(4)

        model.fit(Feed(4))
        """
    )
    (maker,) = facts.batches.makers
    found = [
        (facts.source.position(facts.span(batch.statement)[0]).line, [described(form) for form in forms])
        for batch, forms in facts.forms.made(maker)
    ]
    image = "array(4, 28, 28) float32"
    assert found == [
        (15, [f"tuple({image}, array(4) int64, array(4) float32)"]),
        (17, [f"tuple(dict(a: {image}, b: list({image}...)), None)"]),
        (18, [f"tuple(list({image}, {image}), array(4) int64)"]),
    ]


def test_a_function_that_can_run_off_its_end_returns_none_there() -> None:
    facts = facts_of("def pick(flag, x):\n    if flag:\n        return x, 1\n")
    function = facts.names.definition(facts.module.body[0].name)  # type: ignore[union-attr]
    assert function is not None
    found = facts.forms.returned(function)  # type: ignore[arg-type]
    assert [[described(form) for form in forms] for _, forms in found] == [["tuple(?, array() int64)"], ["None"]]
