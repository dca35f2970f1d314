"""Code that is meant to fail: the body of `with pytest.raises(ValueError):`, of `with self.assertRaises(ValueError):`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import last_word

if TYPE_CHECKING:
    from seqlint.facts.code.tree import Tree

_EXPECTING = re.compile(r"\b(?:raises|assertRaises)")
_WORDS = frozenset({"raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp"})


def expected_errors(tree: Tree, text: str) -> tuple[tuple[int, int], ...]:
    """Where the bodies of such blocks start and end, as offsets."""
    if not _EXPECTING.search(text):
        return ()
    blocks = (block for block in tree.all(cst.With) if any(_expects(item.item) for item in block.items))
    return tuple(tree.span(block.body) for block in blocks)


def _expects(manager: cst.BaseExpression) -> bool:
    return isinstance(manager, cst.Call) and last_word(manager.func) in _WORDS
