"""Samples that are decoded in Python one after the other on the way to a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.flow.call_frames import Frame

_DECODES = frozenset({
    "PIL.Image.open", "cv2.imread", "cv2.imdecode", "imageio.imread", "imageio.v2.imread", "imageio.v3.imread", "skimage.io.imread",
    "matplotlib.pyplot.imread", "keras.utils.load_img", "librosa.load", "librosa.core.load", "soundfile.read", "pydicom.dcmread",
    "pydicom.read_file", "nibabel.load", "SimpleITK.ReadImage", "tifffile.imread", "scipy.io.wavfile.read",
})  # fmt: skip
_OF_TENSORFLOW = ("tensorflow.io.decode_", "tensorflow.image.decode_", "tensorflow.audio.decode_")
_ROUNDS = (cst.For, cst.While, cst.ListComp, cst.GeneratorExp)
_POOLS = ("concurrent.futures.", "multiprocessing.", "joblib.", "threading.")


class Decodes:
    """The decoders of one file."""

    def __init__(self, batches: Batches) -> None:
        self._batches = batches
        self._tree = batches.flow.tree
        self._names = batches.flow.names

    def of(self, maker: Maker) -> tuple[cst.Call, ...]:
        """The calls that decode a file, in a loop or in a function that is called in one; none where a pool of its own does it."""
        calls = self.calls(maker)
        if any((self._names.qualified(call.func) or "").startswith(_POOLS) for call, _ in calls):
            return ()
        in_turn = maker.template_method is not None and maker.template_method.asked.in_turn
        found = {call for call, frame in calls if self._decodes(call) and (in_turn or self._in_turn(call, frame))}
        return self._tree.order.sorted(found)

    def calls(self, maker: Maker) -> tuple[tuple[cst.Call, Frame], ...]:
        """All calls on the way to a batch."""
        frames = self._batches.frames(maker)
        functions = ((frame, frame.function) for frame in frames)
        return tuple((call, fr) for fr, f in functions if f is not None for call in self._tree.inside(f.body, cst.Call))

    def _decodes(self, call: cst.Call) -> bool:
        name = self._names.qualified(call.func) or ""
        return name in _DECODES or name.startswith(_OF_TENSORFLOW)

    def _in_turn(self, call: cst.Call, frame: Frame | None) -> bool:
        here: cst.Call | None = call
        while frame is not None:
            if frame.handed is not None or (here is not None and self._in_round(here)):
                return True
            here, frame = frame.call, frame.caller
        return False

    def _in_round(self, call: cst.Call) -> bool:
        around = self._tree.enclosing(call, *_ROUNDS, cst.FunctionDef)
        return isinstance(around, _ROUNDS)
