"""What the validation rows of a fit are for its training rows."""

from __future__ import annotations

import pytest

from seqlint.domains.parts.fed import Feds
from tests.run.programs import ran

START = """
import numpy as np
import pandas as pd
import tensorflow as tf
from sklearn.model_selection import train_test_split

x = np.load("x.npy")
frame = pd.read_csv("frame.csv")
rows = tf.data.Dataset.from_tensor_slices(x)
net = tf.keras.Sequential([])
n = int(0.8 * len(x))
order = np.random.permutation(len(x))
"""
RELATIONS = {
    "net.fit(x[:n], validation_data=x[n:])": "disjoint",
    "net.fit(x[:-9], validation_data=x[-9:])": "disjoint",
    "net.fit(x[order[:n]], validation_data=x[order[n:]])": "disjoint",
    "net.fit(x[:n], validation_data=x[order[n:]])": "unknown",
    "net.fit(x[:80], validation_data=x[40:])": "overlap",
    "net.fit(x[20:80], validation_data=x[40:60])": "part",
    "net.fit(x[:n], validation_data=x[:n] / 255)": "same",
    "net.fit(x, validation_data=np.load('x.npy'))": "same",
    "net.fit(x, validation_data=np.load('y.npy'))": "unknown",
    "net.fit(x[:n], validation_data=x)": "whole",
    "a, b = train_test_split(x)\nnet.fit(a, validation_data=b)": "disjoint",
    "a, b = train_test_split(x)\nc, d = train_test_split(a)\nnet.fit(c, validation_data=b)": "disjoint",
    "a, b = train_test_split(x)\nc, d = train_test_split(a)\nnet.fit(a, validation_data=d)": "part",
    "net.fit(rows.skip(9).batch(3), validation_data=rows.take(9))": "disjoint",
    "net.fit(rows.shuffle(9).batch(3), validation_data=rows.take(9))": "part",
    "net.fit(frame[frame.a == 1], validation_data=frame[frame.a != 1])": "disjoint",
    "part = frame.sample(frac=0.5)\nnet.fit(frame.drop(part.index), validation_data=part)": "disjoint",
    "part = frame.sample(frac=0.5)\nnet.fit(frame.drop(columns=['a']), validation_data=part)": "part",
    "net.fit(x, validation_data=some(x))": "unknown",
    "y = np.load('y.npy')\nnet.fit(np.concatenate([x, y]), validation_data=y[:n])": "part",
    "y = np.load('y.npy')\nnet.fit(np.concatenate([x, y])[:n], validation_data=y)": "unknown",
    "a, b = tf.keras.utils.split_dataset(rows, left_size=0.8)\nnet.fit(a, validation_data=b)": "disjoint",
    "a, b = tf.keras.utils.split_dataset(rows, left_size=0.8)\nnet.fit(rows, validation_data=b)": "part",
}


@pytest.mark.parametrize("fit", RELATIONS)
def test_what_validation_is_for_training(fit: str) -> None:
    (found,) = [fed.relation for fed in ran(START + fit).domain(Feds).all]
    assert found == RELATIONS[fit]


def test_a_list_that_is_shuffled_between_two_cuts_has_other_rows_after_it() -> None:
    cuts = "a = x[:n]\nnp.random.shuffle(x)\nnet.fit(a, validation_data=x[n:])"
    (found,) = [fed.relation for fed in ran(START + cuts).domain(Feds).all]
    assert found == "unknown"


def test_sums_of_sums_are_followed_once() -> None:
    sums = "y = x\n" + "y = y + y\n" * 16 + "net.fit(x, validation_data=y)"
    (found,) = [fed.relation for fed in ran(START + sums).domain(Feds).all]
    assert found == "same"
