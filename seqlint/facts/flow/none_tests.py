"""Whether a value can be None where code tests for it, and the handler that makes it None."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.flow.call_frames import Traced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.flow.call_frames import Flow, Frame
    from seqlint.facts.flow.handlers import Handler, Handlers

_NEVER = ("numpy.", "keras.", "tensorflow.", "builtins.", "PIL.", "imageio.", "skimage.")
_AT_TIMES = frozenset({"cv2.imread", "re.match", "re.search"})


class Nones:
    """Questions about None."""

    def __init__(self, flow: Flow, handlers: Handlers) -> None:
        self._flow = flow
        self._handlers = handlers

    def can_hold(self, test: cst.BaseExpression, frame: Frame) -> bool:
        """Whether `image is None` can be true: not where a helper of this file never returns None. True for other tests."""
        subject = none_tested(test)
        if subject is None:
            return True
        leaves = self._flow.trace(Traced(subject, frame))
        return any(self._can_be(one, frame) for leaf in leaves for one in self._items(leaf))

    def _items(self, leaf: Traced) -> tuple[Traced, ...]:
        """For the variable of a loop over a list comprehension, what that puts into the list; else the value itself."""
        if not isinstance(leaf.node, cst.Name):
            return (leaf,)
        bindings = self._flow.names.reaching(leaf.node)
        if len(bindings) != 1 or bindings[0].kind != "for" or bindings[0].value is None:
            return (leaf,)
        lists = self._flow.trace(Traced(bindings[0].value, leaf.frame))
        if not all(isinstance(one.node, cst.ListComp) for one in lists):
            return (leaf,)
        made = (Traced(one.node.elt, one.frame) for one in lists if isinstance(one.node, cst.ListComp))
        return tuple(item for one in made for item in self._flow.trace(one))

    def _can_be(self, leaf: Traced, frame: Frame) -> bool:
        node = leaf.node
        if node is None or (isinstance(node, cst.Name) and node.value == "None"):
            return True
        if isinstance(node, cst.Call):
            name = self._flow.names.qualified(node.func) or ""
            known = name in _AT_TIMES or (isinstance(node.func, cst.Attribute) and node.func.attr.value == "get")
            return known or (leaf.frame is frame and not name.startswith(_NEVER))
        return leaf.frame is frame and isinstance(node, (cst.Name, cst.Subscript, cst.Attribute))

    def cause(self, test: cst.BaseExpression, frame: Frame) -> Handler | None:
        """The broad handler because of which a tested value can be None."""
        return next(self._causes(test, frame), None)

    def _causes(self, test: cst.BaseExpression, frame: Frame) -> Iterator[Handler]:
        frames = dict.fromkeys(traced.frame for traced in self._flow.mentioned(Traced(test, frame)))
        for other in frames:
            if other is not frame:
                yield from (h for h in self._broad(other) if h.end == "nothing" or h.nothing)
        subject = none_tested(test)
        if isinstance(subject, cst.Name):
            yield from (h for h in self._broad(frame) if self._leaves_none(h, subject))

    def _broad(self, frame: Frame) -> tuple[Handler, ...]:
        if frame.function is None:
            return ()
        return tuple(h for h in self._handlers.of(frame.function) if h.broad and h.swallows)

    def _leaves_none(self, handler: Handler, name: cst.Name) -> bool:
        if name.value in handler.nothing:
            return True
        tree, bindings = self._flow.tree, self._flow.names.reaching(name)
        inside = any(tree.holds(handler.guarded.body, binding.node) for binding in bindings)
        return inside and handler.end == "on" and name.value not in handler.given


def none_tested(test: cst.BaseExpression) -> cst.BaseExpression | None:
    """What `x is None` and `x is not None` test."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    part = test.comparisons[0]
    asks = isinstance(part.operator, (cst.Is, cst.IsNot)) and isinstance(part.comparator, cst.Name)
    return test.left if asks and isinstance(part.comparator, cst.Name) and part.comparator.value == "None" else None
