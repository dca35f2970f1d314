"""From a keystroke to its diagnostics, through the protocol, in a project whose base class stands in another file.

    python benchmarks/server.py [FILE...]

Without files, a module of 600 lines is made: Sequences with findings, a callback, models and a training script. Types a comment and a
line of code into the middle of a method, one key after the other, and prints percentiles of the time until the diagnostics of
that version arrive; beside them one parse of the same text with libcst, in the same run.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

import libcst as cst

from tests.server.editor import Editor

LINES, KEYS, PAUSE = 600, 120, 0.12  # a fast typist: eight keys a second
BASE = '''"""Rows that are read in batches."""

import keras
import numpy as np


class Rows(keras.utils.PyDataset):
    """Rows of a table."""

    def __len__(self):
        return int(np.ceil(len(self.rows) / self.batch_size))
'''
HEAD = '''"""Levels of tides: what is read, and the models that are trained on it."""

import argparse

import keras
import numpy as np
from base import Rows
'''
SEQUENCE = '''

class Levels{n}(Rows):
    """Levels at one harbour, batch by batch."""

    def __init__(self, rows, targets, batch_size=32, shuffle=True):
        self.rows = rows
        self.targets = targets
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.order = np.arange(len(rows))

    def __getitem__(self, index):
        chosen = self.order[index * self.batch_size : (index + 1) * self.batch_size]
        rows = np.stack([self.scaled(self.rows[row]) for row in chosen])
        return rows, self.targets[chosen]

    def scaled(self, row):
        """One row between 0 and 1."""
        low, high = row.min(), row.max()
        if high == low:
            return np.zeros_like(row)
        return (row - low) / (high - low)

    def on_epoch_end(self):
        if self.shuffle:
            np.random.shuffle(self.order)
'''
MODEL = '''

def harbour{n}(width, depth=3, rate=0.1, name="harbour{n}"):
    """A model of one harbour.

    Args:
        width: units of each layer.
        depth: how many there are.
    """
    inputs = keras.Input((48,), name=f"{{name}}_in")
    x = keras.layers.LayerNormalization()(inputs)
    for level in range(depth):
        skipped = x
        x = keras.layers.Dense(width, activation="relu", name=f"{{name}}_{{level}}")(x)
        x = keras.layers.Dropout(rate)(x)
        if level:
            x = keras.layers.Add()([x, skipped])
    outputs = keras.layers.Dense(1, name=f"{{name}}_out")(x)
    model = keras.Model(inputs, outputs, name=name)
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mse", metrics=["mae"])
    return model
'''
PLAIN = '''

def summary{n}(history, names=("loss", "val_loss"), digits=4):
    """The best epoch of each curve, as text."""
    lines = []
    for name in names:
        values = history.get(name, [])
        if not values:
            continue
        best = int(np.argmin(values))
        lines.append(f"{{name:>12}}: {{values[best]:.{{digits}}f}} in epoch {{best + 1}} of {{len(values)}}")
    return "\\n".join(lines)
'''
SCRIPT = """

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    arguments = parser.parse_args()
    rows = np.random.default_rng(7).normal(size=(640, 48)).astype("float32")
    targets = rows.mean(axis=1)
    model = harbour0(32)
    history = model.fit(Levels0(rows, targets), epochs=arguments.epochs, validation_data=Levels0(rows, targets))
    print(summary0(history.history))


if __name__ == "__main__":
    main()
"""


def made() -> str:
    """A module of about 600 lines."""
    text, number = HEAD, 0
    while text.count("\n") < LINES - SCRIPT.count("\n"):
        parts = (SEQUENCE, MODEL, PLAIN, MODEL, PLAIN, MODEL, PLAIN)
        text += (
            parts[number % len(parts)].replace("{n}", str(number // len(parts))).replace("{{", "{").replace("}}", "}")
        )
        number += 1
    return text + SCRIPT


async def typed(editor: Editor, name: str, text: str) -> list[float]:
    """Seconds from each key to its diagnostics."""
    uri = editor.open(name, text)
    await editor.diagnostics(uri)
    place = inside_a_method(text)
    indent = " " * (len(text[place:]) - len(text[place:].lstrip(" ")))
    place -= 1  # behind the line above, as somebody who presses Enter there
    keys = f"\n{indent}# what is written here takes a while\n{indent}width = len(indent) * 2" * 3
    times = []
    for offset, key in enumerate(keys[:KEYS]):
        await asyncio.sleep(PAUSE)
        start = time.perf_counter()
        editor.type(uri, place + offset, place + offset, key)
        await editor.diagnostics(uri)
        times.append(time.perf_counter() - start)
    editor.close(uri)
    return times[10:]


def inside_a_method(text: str) -> int:
    """The start of a line in the middle of a file, in a method or function."""
    lines = text.splitlines(keepends=True)
    middle = len(lines) // 2
    inner = (
        number
        for number in range(middle, len(lines))
        if lines[number].startswith("        ") and lines[number - 1].rstrip().endswith(":")
    )
    return sum(map(len, lines[: next(inner, middle)]))


def parse_time(text: str) -> float:
    """Seconds of one parse with libcst: the median of five."""
    runs = []
    for _ in range(5):
        start = time.perf_counter()
        cst.parse_module(text)
        runs.append(time.perf_counter() - start)
    return statistics.median(runs)


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder).resolve()
        (project / "base.py").write_text(BASE)
        texts = {Path(path).name: Path(path).read_text(encoding="utf-8") for path in sys.argv[1:]} or {
            "data.py": made()
        }
        editor = await Editor.start("neovim", project)
        print(f"{'file':24} {'lines':>5} {'p50':>7} {'p95':>7} {'max':>7} {'parse':>7}   milliseconds")
        for name, text in texts.items():
            times = sorted(await typed(editor, name, text))
            shown = (times[len(times) // 2], times[int(len(times) * 0.95)], times[-1], parse_time(text))
            print(f"{name:24} {text.count(chr(10)):5} " + " ".join(f"{1000 * value:7.1f}" for value in shown))
        await editor.stop()


if __name__ == "__main__":
    asyncio.run(main())
