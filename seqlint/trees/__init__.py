"""libcst's nodes, made from Python's own tree.

libcst's parser takes some ten times what Python's takes, most of it for layout that no rule reads, and its positions take longer still. So the tree of
a file is made from `ast`: the same nodes with the same meaning, each with its place, and with the layout that libcst gives to new code.
What stands between the nodes is asked of the text.
"""

from seqlint.trees.grow import drop, grow, remember
from seqlint.trees.grown import Grown, children
from seqlint.trees.plain import make_plain

make_plain()

__all__ = ["Grown", "children", "drop", "grow", "remember"]
