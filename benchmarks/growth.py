"""How time and memory grow with each thing that a project can have many of: one line for each, on made files.

Close to 1 the exponent says that twice as much takes twice as long, and 2 that it takes four times as long. It is that
between the two biggest sizes, without what a file that only imports Keras takes.
"""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

from benchmarks.index import CLASS, HEAD, HELPER
from benchmarks.timed import cost_and_peak

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_TRAIN = """
def train(x, y):
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(x, y, epochs=2)
"""


def files(folder: Path, count: int) -> None:
    """Modules with a Sequence each, and a function that trains."""
    for number in range(count):
        package = folder / f"part{number // 100}"
        package.mkdir(exist_ok=True)
        text = HEAD + "import keras\n" + CLASS.format(n=number, k=0, base="Sequence") + _TRAIN
        (package / f"mod{number}.py").write_text(text)


def modules_in_a_row(folder: Path, count: int) -> None:
    """Modules of which each derives its class from that of the one before."""
    for number in range(count):
        first = number == 0
        head = HEAD if first else f"from mod{number - 1} import Feed_{number - 1}_0\nimport math\nimport numpy as np\n"
        base = "Sequence" if first else f"Feed_{number - 1}_0"
        (folder / f"mod{number}.py").write_text(head + CLASS.format(n=number, k=0, base=base))


def lines(count: int) -> str:
    """Functions of twenty lines, and a function that trains."""
    helpers = (HELPER.format(k=number) for number in range(count // 15))
    return HEAD + "import keras\n" + "\n".join(helpers) + _TRAIN


def functions_with_data(count: int) -> str:
    """Functions that train, each on a dataset of its own."""
    text = """
def train_{n}(x, y):
    rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(32)
    model = keras.Sequential([keras.layers.Dense({n})])
    model.compile("sgd", "mse")
    model.fit(rows, epochs=2)
"""
    return "import keras\nimport tensorflow as tf\n" + "\n".join(text.format(n=number) for number in range(count))


def findings(count: int) -> str:
    """Optimizers with an argument that Keras 3 lost."""
    return "import keras\n" + "\n".join(f"optimizer_{n} = keras.optimizers.Adam(lr=0.{n + 1})" for n in range(count))


def findings_in_a_function(count: int) -> str:
    """The same in one function."""
    body = "\n".join(f"    optimizer_{n} = keras.optimizers.Adam(lr=0.{n + 1})" for n in range(count))
    return f"import keras\n\n\ndef all_of_them():\n{body}\n"


def imports(count: int) -> str:
    """Imports of modules that are not there, and as many names of Keras."""
    rows = (f"import package{n}.module\nfrom keras.layers import Dense as Dense{n}" for n in range(count // 2))
    return "import keras\n" + "\n".join(rows) + _TRAIN


def links(count: int) -> str:
    """Steps of one dataset in one expression."""
    steps = "".join(f"\n    .map(lambda x, y: (x + {n}, y))" for n in range(count))
    return f"import keras\nimport tensorflow as tf\n\nrows = (\n    tf.data.Dataset.range(10){steps}\n)\n{_TRAIN}train(rows, None)\n"


def steps(count: int) -> str:
    """Steps of one dataset, each a statement."""
    text = "\n".join(f"rows = rows.map(lambda x, y: (x + {n}, y))" for n in range(count))
    return f"import keras\nimport tensorflow as tf\n\nrows = tf.data.Dataset.range(10)\n{text}\n{_TRAIN}train(rows, None)\n"


def assignments(count: int) -> str:
    """Names that hang on the name before."""
    text = "\n".join(f"    x{n + 1} = x{n} + {n}" for n in range(count))
    return f"import keras\n\n\ndef rows(x0):\n{text}\n    return x{count}\n\n{_TRAIN}train(rows(1), rows(2))\n"


def classes(count: int) -> str:
    """Sequences."""
    return HEAD + "".join(CLASS.format(n=number, k=0, base="Sequence") for number in range(count))


def classes_in_a_row(count: int) -> str:
    """Sequences of which each derives from the one before."""
    made = (CLASS.format(n=n, k=0, base=f"Feed_{n - 1}_0" if n else "Sequence") for n in range(count))
    return HEAD + "".join(made)


def methods(count: int) -> str:
    """One Sequence with methods that call each other."""
    more = "".join(f"\n    def part_{n}(self, index):\n        return self.part_{n + 1}(index)\n" for n in range(count))
    return (
        HEAD
        + CLASS.format(n=0, k=0, base="Sequence")
        + more
        + f"\n    def part_{count}(self, index):\n        return index\n"
    )


_ONE = {
    lines: (100, 1_000, 5_000, 20_000),
    functions_with_data: (10, 100, 1_000),
    findings: (10, 100, 1_000, 5_000),
    findings_in_a_function: (10, 100, 1_000, 5_000),
    imports: (10, 100, 1_000, 5_000),
    links: (10, 100, 400),
    steps: (10, 100, 1_000),
    assignments: (10, 100, 1_000, 5_000),
    classes: (10, 100, 500),
    classes_in_a_row: (10, 100, 500),
    methods: (10, 100, 1_000),
}
_MANY = {files: (100, 1_000, 10_000), modules_in_a_row: (10, 100, 500)}


def table(place: Path, runs: int, wanted: str = "") -> Iterator[str]:
    """The lines of the table.

    Args:
        place: an empty folder.
        runs: of which the medians are taken.
        wanted: the name of one thing that grows; empty: all.
    """
    yield "| what there is more of | CPU | exponent | peak of the main process |"
    yield "| --- | --- | --- | --- |"
    empty = place / "empty"
    empty.mkdir(parents=True)
    (empty / "empty.py").write_text("import keras\n")
    start = statistics.median(_run(empty)[0] for _ in range(max(runs, 3)))
    for make, sizes in {**_MANY, **_ONE}.items():
        if wanted in ("", make.__name__):
            yield _line(make, sizes, place / make.__name__, runs, start)


def _line(make: Callable[..., object], sizes: tuple[int, ...], place: Path, runs: int, start: float) -> str:
    shown, peaks, seconds = [], [], []
    for size in sizes:
        folder = place / str(size)
        folder.mkdir(parents=True)
        if make in _MANY:
            make(folder, size)
        else:
            (folder / "made.py").write_text(str(make(size)))
        found = [_run(folder) for _ in range(runs if size < 1_000 else 1)]
        seconds.append(statistics.median(cpu for cpu, _ in found))
        peaks.append(max(peak for _, peak in found))
        shown.append(f"{size:,}: {seconds[-1]:.2f} s")
    last, before = (max(one - start, 0.01) for one in seconds[:-3:-1])
    exponent = math.log(last / before) / math.log(sizes[-1] / sizes[-2])
    name = make.__name__.replace("_", " ")
    return f"| {name} | {', '.join(shown)} | {exponent:.2f} | {peaks[0]:.0f} to {peaks[-1]:.0f} MB |"


def _run(folder: Path) -> tuple[float, float]:
    """CPU seconds without a cache, and the peak of the main process in MB."""
    spent, peak = cost_and_peak(("check", "--no-cache", "."), folder)
    return spent.cpu, peak
