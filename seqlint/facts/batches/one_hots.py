"""Labels that are made one-hot by what their own batch holds."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.batches.extents import OwnSize
from seqlint.facts.batches.kinds import Kinds
from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.values.values import Constant, bound

if TYPE_CHECKING:
    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.batches.varying import Varying
    from seqlint.facts.flow.call_frames import Frame

_TO_CATEGORICAL = ("keras.utils.to_categorical", "keras.utils.np_utils.to_categorical")
_ENCODERS = frozenset({
    "sklearn.preprocessing.LabelBinarizer", "sklearn.preprocessing.MultiLabelBinarizer", "sklearn.preprocessing.OneHotEncoder",
})  # fmt: skip
_COUNTED = {
    "tensorflow.one_hot": ("indices", "depth"),
    **dict.fromkeys(("keras.ops.one_hot", *_TO_CATEGORICAL), ("x", "num_classes")),
}
_JOINED = frozenset({"numpy.append", "numpy.concatenate", "numpy.hstack"})
_TOLD = ("categories", "classes")
_NO_COUNT = (Constant(None), Constant("auto"))


class OneHots:
    """The one-hot labels of one file."""

    def __init__(self, batches: Batches, varying: Varying) -> None:
        self._batches = batches
        self._varying = varying
        self._flow = batches.flow
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._values = batches.flow.values
        self._kinds = Kinds(batches.flow.names)

    @cached_property
    def all(self) -> tuple[OwnSize, ...]:
        """Where the labels of a batch are made one-hot by what this batch holds, once for each place."""
        found: dict[cst.CSTNode, OwnSize] = {}
        for maker, frame, call in self._batches.calls:
            labels = self._encoded(call) or self._widened(call, frame)
            if labels is None or not self._varying.varies(Traced(labels, frame), maker):
                continue
            if not self._is_topped_up(Traced(labels, frame), maker):
                found.setdefault(call, OwnSize(maker, call))
        return tuple(found.values())

    def _is_topped_up(self, labels: Traced, maker: Maker) -> bool:
        """Whether the same label is added to those of every batch: `np.append(self.y[rows], CLASSES - 1)`."""
        joined = ((part, part.frame) for part in self._flow.trace(labels))
        parts = [
            Traced(each, frame) for part, frame in joined if part.node is not None for each in self._joined(part.node)
        ]
        return any(not self._varying.varies(part, maker) for part in parts)

    def _joined(self, node: cst.BaseExpression) -> tuple[cst.BaseExpression, ...]:
        """What is put together to one list of labels."""
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
            sides = (node.left, node.right)
            return sides if any(isinstance(side, (cst.List, cst.Tuple)) for side in sides) else ()
        if not isinstance(node, cst.Call) or self._names.qualified(node.func) not in _JOINED or not node.args:
            return ()
        given = tuple(argument.value for argument in node.args if argument.keyword is None and not argument.star)
        first = given[0] if given else None
        return tuple(e.value for e in first.elements) if isinstance(first, (cst.List, cst.Tuple)) else given[:2]

    def _widened(self, call: cst.Call, frame: Frame) -> cst.BaseExpression | None:
        """The labels whose own maximum or number of kinds is the width: `np.eye(labels.max() + 1)[labels]`."""
        parameters = _COUNTED.get(self._names.qualified(call.func) or "", ())
        width = bound(call, parameters).get(parameters[1]) if parameters else None
        parent = self._tree.parents[call]
        if isinstance(parent, cst.Subscript) and parent.value is call and len(call.args) == 1:
            width = call.args[0] if self._names.qualified(call.func) in ("numpy.eye", "numpy.identity") else None
        for size in self._flow.trace(Traced(width.value, frame)) if width is not None else ():
            labels = self._kinds.counted(size.node) if size.node is not None and size.frame is frame else None
            if labels is not None:
                return labels
        return None

    def _encoded(self, call: cst.Call) -> cst.BaseExpression | None:
        """The labels of which an encoder sees no others."""
        if not call.args or any(argument.star for argument in call.args):
            return None
        name = self._names.qualified(call.func)
        if name == "pandas.get_dummies":
            return None if self._speaks_of_categories or self._is_refilled(call) else call.args[0].value
        if name in _TO_CATEGORICAL:
            classes = bound(call, ("x", "num_classes")).get("num_classes")
            known = classes is not None and self._values.constant(classes.value) != Constant(None)
            return None if known else call.args[0].value
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "fit_transform":
            return None
        made = self._values.only(call.func.value)
        encoder = isinstance(made, cst.Call) and self._names.qualified(made.func) in _ENCODERS
        return call.args[0].value if encoder and not self._is_told(made) else None

    def _is_told(self, encoder: cst.BaseExpression | None) -> bool:
        """`OneHotEncoder(categories=[words])` and `MultiLabelBinarizer(classes=words)` know them all beforehand."""
        given = bound(encoder, ("categories",)) if isinstance(encoder, cst.Call) else {}
        return any(self._values.constant(given[name].value) not in _NO_COUNT for name in _TOLD if name in given)

    @cached_property
    def _speaks_of_categories(self) -> bool:
        """Whether there may be a column of pandas that keeps all of its categories in each of its parts."""
        if any(self._tree.attributes(name) for name in ("Categorical", "CategoricalDtype", "cat")):
            return True
        if any(node.value in ("Categorical", "CategoricalDtype") for node in self._tree.all(cst.Name)):
            return True
        return any(node.value[1:-1] == "category" for node in self._tree.all(cst.SimpleString))

    def _is_refilled(self, call: cst.Call) -> bool:
        """Whether `.reindex(columns=...)` adds the columns that a batch lacks, somewhere in the same function."""
        function = self._tree.function(call)
        again = (*self._tree.attributes("reindex"), *self._tree.attributes("align"))
        return any(self._tree.function(node) is function for node in again)
