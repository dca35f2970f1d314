"""Which steps of a pipeline can fail for one row."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.domains.pipelines.pipelines import Pipelines
    from seqlint.run import Result, Run

_FAILING = (
    "tensorflow.io.", "tensorflow.audio.", "tensorflow.image.decode_", "tensorflow.debugging.", "tensorflow.strings.to_number",
    "tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.py_func", "tensorflow.ensure_shape", "tensorflow.gather",
    "tensorflow.image.random_crop", "tensorflow.image.crop_", "tensorflow.read_file",
)  # fmt: skip
_LIBRARIES = ("tensorflow.", "keras.", "numpy.", "builtins.", "math.", ".")


def may_fail(run: Run, pipelines: Pipelines, step: Result) -> bool:
    """Whether the function of a `map` reads, parses or checks something, or is code that is not seen."""
    if step.method != "map":
        return False
    inside = [call for call in run.calls if any(phase.owner is step for phase in call.context.phases)]
    if not inside and not run.returned(step):
        return pipelines.argument(step, "map_func") is not None
    return any(call.name.startswith(_FAILING) or not call.name.startswith(_LIBRARIES) for call in inside)
