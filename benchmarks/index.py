"""What the index of a project costs, as a ratio to `ast.parse` of the same text: python benchmarks/index.py [MODULES].

With the cache it is measured in processes of their own: the first one reads all modules and fills the cache, the others
find all in it. The start of Python and of seqlint is not counted, that of sqlite is.

The project is generated: packages of modules of some 200 lines, the mean of public Keras code, in which each class
derives from one of another module, through re-exports. CPU time, the best of three.
"""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from seqlint.facts.project import Project
from seqlint.facts.project.modules import Modules

if TYPE_CHECKING:
    from collections.abc import Callable

HELPER = '''
def helper_{k}(paths, size=(128, 128), *, channels=3, normalise=True):
    """Reads images of one size."""
    batch = np.empty((len(paths), *size, channels), dtype="float32")
    for row, path in enumerate(paths):
        with open(path, "rb") as file:
            image = np.frombuffer(file.read(), dtype="uint8")
        if image.size == 0:
            raise ValueError(f"{{path}} holds no image")
        batch[row] = image[: size[0] * size[1] * channels].reshape((*size, channels))
    if normalise:
        batch = (batch - batch.mean(axis=0)) / (batch.std(axis=0) + 1e-7)
    return batch
'''

CLASS = '''
class Feed_{n}_{k}({base}):
    """Batches of part {k}."""

    def __init__(self, paths, labels, batch_size=32, shuffle=True, **kwargs):
        super().__init__(**kwargs)
        self.paths, self.labels = list(paths), np.asarray(labels)
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.order = np.arange(len(self.paths))

    def __len__(self):
        return math.ceil(len(self.paths) / self.batch_size)

    def __getitem__(self, index):
        rows = self.order[index * self.batch_size : (index + 1) * self.batch_size]
        try:
            batch = helper_{k}([self.paths[row] for row in rows])
        except OSError as error:
            raise RuntimeError(f"batch {{index}} can't be read") from error
        return batch, self.labels[rows]

    def on_epoch_end(self):
        if self.shuffle:
            np.random.shuffle(self.order)
'''

HEAD = """\
import math
import os

import numpy as np
from tensorflow.keras.utils import Sequence

try:
    import cv2
except ImportError:
    cv2 = None

"""


def generate(root: Path, modules: int) -> list[Path]:
    """A project of ten modules a package, and one re-export for each."""
    paths = []
    for number in range(modules):
        package = root / "big" / f"part{number // 10}"
        package.mkdir(parents=True, exist_ok=True)
        path = package / f"mod{number}.py"
        path.write_text(module(number))
        with open(package / "__init__.py", "a") as file:
            file.write(f"from .mod{number} import Feed_{number}_0\n")
        paths.append(path)
    (root / "big" / "__init__.py").write_text("")
    return paths


def module(number: int) -> str:
    """One module; every tenth class derives from Keras itself."""
    other = number - 1
    head = HEAD if number % 10 == 0 else HEAD + f"from big.part{other // 10} import Feed_{other}_0 as Base\n"
    base = "Sequence" if number % 10 == 0 else "Base"
    bodies = (HELPER.format(k=k) + CLASS.format(n=number, k=k, base=base) for k in range(5))
    return head + "\n".join(bodies)


def best(run: Callable[[], object]) -> float:
    """CPU seconds, the best of three."""
    times = []
    for _ in range(3):
        start = process_time()
        run()
        times.append(process_time() - start)
    return min(times)


def parse_all(texts: list[bytes]) -> None:
    """Parse each text and drop the tree, as the index does."""
    for text in texts:
        ast.parse(text)


def index(root: Path, paths: list[Path], modules: Modules | None = None) -> int:
    """Read all modules and follow every class to Keras; gives how many lead there."""
    project = Project(root, modules)
    names = [f"{project.module_name(path)}.Feed_{path.stem[3:]}_0" for path in paths]
    return sum("tensorflow.keras.utils.Sequence" in project.ancestors(name) for name in names)


def index_with_cache(root: Path) -> float:
    """CPU seconds of an index that reads and writes the cache, in this process."""
    paths = sorted(root.glob("big/*/mod*.py"))
    start = process_time()
    from seqlint.facts.project.kept import Kept
    from seqlint.sources.cache import Cache

    kept = Kept(Cache(root / ".seqlint_cache"))
    found = index(root, paths, Modules(root, kept.summarise))
    kept.cache.flush()
    spent = process_time() - start
    if found != len(paths):
        raise SystemExit(f"{len(paths) - found} of {len(paths)} classes were not followed to Keras")
    return spent


def in_new_process(root: Path) -> float:
    """The same in a new process."""
    command = (sys.executable, __file__, "--with-cache", str(root))
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def with_cache(root: Path) -> tuple[float, float]:
    """CPU seconds of a first run and of a later one, each the best of three."""
    first = []
    for _ in range(3):
        shutil.rmtree(root / ".seqlint_cache", ignore_errors=True)
        first.append(in_new_process(root))
    return min(first), min(in_new_process(root) for _ in range(3))


def main() -> None:
    if sys.argv[1:2] == ["--with-cache"]:
        print(index_with_cache(Path(sys.argv[2])))
        return
    modules = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        paths = generate(root, modules)
        (root / ".git").mkdir()
        texts = [path.read_bytes() for path in paths]
        found = index(root, paths)
        if found != modules:
            raise SystemExit(f"{modules - found} of {modules} classes were not followed to Keras")
        parse, whole = best(lambda: parse_all(texts)), best(lambda: index(root, paths))
        one = best(lambda: index(root, paths[-1:]))
        first, later = with_cache(root)
    size, lines = sum(map(len, texts)) / 1e6, sum(text.count(b"\n") for text in texts)
    print(f"{modules} modules, {size:.1f} MB, {lines} lines; CPU seconds\n")
    print(f"{'ast.parse of all':32}{parse:8.2f}{'1.00':>8}")
    print(f"{'index of all, every class followed':34}{whole:6.2f}{whole / parse:8.2f}")
    print(f"{'index for one class':32}{one:8.2f}{one / parse:8.2f}")
    print(f"{'the same of all, filling a cache':32}{first:8.2f}{first / parse:8.2f}")
    print(f"{'the same of all, from the cache':32}{later:8.2f}{later / parse:8.2f}")


if __name__ == "__main__":
    main()
