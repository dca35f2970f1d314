"""Modules of Keras that are private: those that have moved from release to release, and those that are gone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from seqlint.facts.keras.own_copy import OWN_COPY

if TYPE_CHECKING:
    from seqlint.facts.code.mentions import Mention

SOURCES = ("keras.src", "tf_keras.src")
"""Where Keras has its code."""

_ROOTS = (OWN_COPY, *SOURCES, "keras.api")
_GONE = re.compile(
    r"keras\.(?:engine|objectives|legacy\.(?!saving\b)\w+|premade|optimizer_v[12]|optimizers\.(?:optimizer_v\d|optimizer_experimental)|saving\.\w*hdf5\w*"
    r"|wrappers\.scikit_learn"
    r"|backend\.(?:tensorflow|theano|cntk|common|load_backend)\w*"
    r"|utils\.(?:visualize_util|(?:np|generic|vis|data|layer|conv|io|tf|training|multi_gpu|test|losses|metrics|tf_inspect)_utils)"
    r"|layers\.(?:advanced_activations|attention|convolutional(?:_recurrent)?|core|cudnn_recurrent|embeddings|kernelized|local|merge|"
    r"merging|noise|normalization|pooling|preprocessing\.\w+|recurrent(?:_v2)?|regularization|reshaping|rnn|wrappers))(?:\.|$)"
)


def private_module(name: str) -> str:
    """The private module that a dotted name goes through, such as "keras.src"; empty for a public one."""
    for root in _ROOTS:
        if name == root or name.startswith(f"{root}."):
            return root
    found = _GONE.match(name)
    return found[0].rstrip(".") if found is not None else ""


def is_gone(name: str) -> bool:
    """Whether a dotted name is that of a private module of older versions, such as `keras.layers.core`."""
    return _GONE.fullmatch(name) is not None


def is_from_private(mention: Mention) -> bool:
    """Whether the module after `from` is private itself, not only what is taken from it."""
    return bool(private_module(mention.module if mention.binding is not None else mention.name))
