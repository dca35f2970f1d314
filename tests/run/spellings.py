"""What a rule says of a program that trains on two arrays, in one of many spellings."""

from __future__ import annotations

import textwrap

from tests.rules.checks import checked

START = """
import copy
import functools
import random
import sys
from collections import defaultdict, namedtuple
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from abc import ABC, abstractmethod
from pathlib import Path
from typing import NamedTuple

import keras
import numpy as np
import tensorflow as tf

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
x, y = np.load("x.npy"), np.load("y.npy")
"""


def codes(code: str, text: str) -> set[str]:
    """The codes of the findings of one rule."""
    found = checked(code, START + textwrap.dedent(text), "")
    assert not found.broken
    return {each.code for each in found.diagnostics}
