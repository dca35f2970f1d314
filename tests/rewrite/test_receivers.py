"""Fixes that write `self.x` know `self` where it stands before a `/`, and write nothing where a method has no such parameter."""

from __future__ import annotations

import pytest

from seqlint import check_source, fix_source

SHUFFLED = """
import keras
import numpy as np


class Rows(keras.utils.PyDataset):
    def __init__({self}x, **kwargs):
        super().__init__(**kwargs)
        self.x = x

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[self.order[index : index + 1]], self.x[self.order[index : index + 1]]

    def on_epoch_end(self):
        self.order = np.random.permutation(len(self.x))
"""
WRAPPED = """
import keras
import numpy as np


class Rows(keras.utils.PyDataset):
    def __init__(self, x):
        super().__init__()
        self.x = x

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index : index + 1], self.x[index : index + 1]

    def on_epoch_end(self):
        np.random.shuffle(self.x)


class Scaled(keras.utils.PyDataset):
    def __init__(self, x):
        super().__init__()
        self.rows = Rows(x)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        x, y = self.rows[index]
        return x / 255, y

    def on_epoch_end({self}):
        print("another epoch")
"""
COUNTED = """
import keras


class Rows(keras.utils.PyDataset):
    def __init__(self, x, size):
        super().__init__()
        self.x, self.size = x, size

    def __len__({self}):
        return len(self.x)

    def __getitem__(self, index):
        rows = slice(index * self.size, (index + 1) * self.size)
        return self.x[rows], self.x[rows]
"""
OPENED = """
import keras
import numpy as np


class Rows(keras.utils.PyDataset):
    def __init__({self}path, **kwargs):
        super().__init__(**kwargs)
        self.file = open(path, "rb")

    def __len__(self):
        return 4

    def __getitem__(self, index):
        self.file.seek(index * 4)
        rows = np.frombuffer(self.file.read(4), "uint8")
        return rows, rows


model.fit(Rows("rows", workers=2, use_multiprocessing=True))
"""
FIXES = {
    "SEQ104": (SHUFFLED, "self, /, ", "        self.on_epoch_end()"),
    "SEQ112": (WRAPPED, "self, /", "        self.rows.on_epoch_end()"),
    "SEQ220": (COUNTED, "self, /", "/ self.size)"),
    "SEQ225": (OPENED, "self, /, ", "        self.path = path"),
}


@pytest.mark.parametrize("code", FIXES)
def test_self_may_stand_before_a_slash(code: str) -> None:
    program, slashed, written = FIXES[code]
    plain = slashed.replace(", /", "")
    fixed = [
        fix_source(program.format(self=given), select=[code], keras=">=3.10", unsafe=True).source.text
        for given in (plain, slashed)
    ]
    assert written in fixed[0]
    assert fixed[1].replace(", /", "") == fixed[0]


@pytest.mark.parametrize(("code", "given"), [("SEQ104", "*self, "), ("SEQ112", "*self"), ("SEQ112", "")])
def test_nothing_is_written_without_a_parameter_for_self(code: str, given: str) -> None:
    program = FIXES[code][0].format(self=given).replace("*self, x", "*self")
    checked = check_source(program, select=[code], keras=">=3.10")
    assert not checked.broken
    assert [found.fixes for found in checked.diagnostics] == [()]
