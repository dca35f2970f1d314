"""Arrays of pixels: what the common image readers give is uint8."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.values.values import Values

_ARRAYS = frozenset({"cv2.imread", "imageio.imread", "imageio.v2.imread", "imageio.v3.imread", "scipy.misc.imread"})
_IMAGES = frozenset({"PIL.Image.open", "keras.utils.load_img"})
_SAME_ARRAY = frozenset({"cv2.resize", "cv2.cvtColor", "cv2.flip", "numpy.array", "numpy.asarray", "numpy.fliplr", "numpy.flipud"})  # fmt: skip
_STACKS = frozenset({"numpy.array", "numpy.asarray", "numpy.stack"})
_SAME_IMAGE = frozenset({"resize", "crop", "rotate", "transpose"})
_MODES = frozenset({"L", "RGB", "RGBA", "P"})
_MAX_STEPS = 8


class Pixels:
    """The images of one file."""

    def __init__(self, names: Names, values: Values) -> None:
        self._names = names
        self._values = values

    def dtype(self, node: cst.BaseExpression) -> str | None:
        """ "uint8" for an array that surely holds the pixels of an image as they were read; None if unsure."""
        return "uint8" if self._is_array(node, _MAX_STEPS) else None

    def _is_array(self, node: cst.BaseExpression, steps: int) -> bool:
        value = self._values.only(node) if steps else None
        if isinstance(value, cst.Subscript):
            return _is_cut(value) and self._is_array(value.value, steps - 1)
        if not isinstance(value, cst.Call) or not value.args:
            return False
        name = self._names.qualified(value.func)
        if name in _ARRAYS:
            return len(value.args) == 1 or name != "cv2.imread"
        if name not in _SAME_ARRAY | _STACKS or any(a.star or _is_dtype(a) for a in value.args):
            return False
        first = value.args[0].value
        many = self._values.only(first) if name in _STACKS else None
        if isinstance(many, cst.ListComp):  # `np.array([cv2.imread(path) for path in paths])`
            return self._is_array(many.elt, steps - 1)
        converts = name in ("numpy.array", "numpy.asarray") and len(value.args) == 1
        return self._is_array(first, steps - 1) or (converts and self._is_image(first, steps - 1))

    def _is_image(self, node: cst.BaseExpression, steps: int) -> bool:
        value = self._values.only(node) if steps else None
        if not isinstance(value, cst.Call):
            return False
        if self._names.qualified(value.func) in _IMAGES:
            return True
        func = value.func
        if not isinstance(func, cst.Attribute):
            return False
        if func.attr.value == "convert":
            mode = self._values.constant(value.args[0].value) if len(value.args) == 1 else None
            return mode is not None and mode.value in _MODES
        return func.attr.value in _SAME_IMAGE and self._is_image(func.value, steps - 1)


def _is_cut(part: cst.Subscript) -> bool:
    """A window of an image, or its colours the other way round: `image[8:72, 8:72]`, `image[..., ::-1]`."""
    return any(
        isinstance(item.slice, cst.Slice)
        or (isinstance(item.slice, cst.Index) and isinstance(item.slice.value, cst.Ellipsis))
        for item in part.slice
    )


def _is_dtype(argument: cst.Arg) -> bool:
    return argument.keyword is not None and argument.keyword.value == "dtype"
