"""Arrays as they are kept: a digest of the bytes, and the numbers where there are not too many."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .recording import WeightRecord

MOST_VALUES = 1_000_000
"""Numbers are kept up to this many; above, only the digests are compared."""


def record(name: str, array: np.ndarray[Any, Any], keep: bool = True) -> WeightRecord:
    """An array under a name; `keep` false leaves the numbers out."""
    data = np.ascontiguousarray(array)
    keep = keep and data.size <= MOST_VALUES and data.dtype.kind in "fiub"
    numbers = data.astype("<f8").tobytes() if keep else b""
    plain = data.tobytes() if data.dtype != object else repr(data.tolist()).encode()
    digest = hashlib.blake2b(plain, digest_size=8).hexdigest()
    return {
        "name": name, "shape": list(array.shape), "digest": digest, "values": base64.b64encode(numbers).decode(),
    }  # fmt: skip
