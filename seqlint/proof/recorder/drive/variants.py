"""The same inputs in other sizes, where a class takes them: batches that come out even, and pictures with another number of channels.

With batches of four of ten samples the last one is short; what is wrong with whole batches alone does not show there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .choices import is_batch
from .made import COUNT
from .trials import works

if TYPE_CHECKING:
    from .made import Spec
    from .targets import Found
    from .trials import Trial

_EVEN = COUNT // 2
_PICTURED = frozenset({"paths", "folder", "file"})
_GREY, _COLOURED = 1, 3


def others(found: Found, trial: Trial) -> list[dict[str, Spec]]:
    """The arguments of one more call that works with inputs of other sizes; none where there are no such, or it fails."""
    if found.kind != "data":
        return []
    batches = {one.name for one in found.parameters if is_batch(one)}
    even = {name: _even(spec) if name in batches else spec for name, spec in trial.arguments.items()}
    both = {name: _recoloured(spec) for name, spec in even.items()}
    tried: list[dict[str, Spec]] = []
    for arguments in (both, even):
        if arguments == trial.arguments or arguments in tried:
            continue
        if works(found, replace(trial, arguments=arguments)):
            return [arguments]
        tried.append(arguments)
    return []


def _even(spec: Spec) -> Spec:
    size = spec.get("value")
    return {**spec, "value": _EVEN} if isinstance(size, int) and size > 1 and COUNT % size else spec


def _recoloured(spec: Spec) -> Spec:
    """Pictures in grey in place of colours, but for masks."""
    if spec["make"] not in _PICTURED or "channels" not in spec or spec.get("classes_of_pixels"):
        return spec
    return {**spec, "channels": _GREY if spec["channels"] != _GREY else _COLOURED}
