"""Proves a program across the line: what it did on Keras 2, and what its migrated text does on Keras 3."""

from seqlint.proof.across.values import Across, Crossing, Judged
from seqlint.proof.across.verify import prove_across

__all__ = ["Across", "Crossing", "Judged", "prove_across"]
