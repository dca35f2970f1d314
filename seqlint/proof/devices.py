"""Whether a run was where it was asked to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.proof.recorder.recording import Devices, Recording

NO_CARD = 'TensorFlow finds no {kind} here: on Linux, `pip install "tensorflow[and-cuda]"` adds what it needs in addition to the driver'


def elsewhere(recording: Recording, kind: str) -> str:
    """Why a run counts as none on a kind of device ("GPU"); empty where all that computed was there.

    A program that fails before its first step has computed nothing, and may be right to fail: that is no other device.
    """
    if not recording["cards"]:
        return NO_CARD.format(kind=kind)
    ended = recording["error"] is not None or recording["partial"]
    if not recording["devices"]:
        return "" if ended else f"no model ran, so nothing shows that it ran on a {kind}"
    reasons = (_reason(number, devices, kind, ended) for number, devices in enumerate(recording["devices"], 1))
    return next(filter(None, reasons), "")


def _reason(number: int, devices: Devices, kind: str, ended: bool) -> str:
    variables, steps = devices["variables"], devices["steps"]
    if ended and not steps:  # the error came first
        return ""
    if not all(_is(device, kind) for device in variables) or not (variables or steps):
        return f"the variables of model {number} did not lie on a {kind}: {_listed(variables)}"
    if not any(_is(device, kind) for device in steps):
        return f"the steps of model {number} did not run on a {kind}: {_listed(steps)}"
    return ""


def _is(device: str, kind: str) -> bool:
    return f"device:{kind}:" in device


def _listed(devices: list[str]) -> str:
    return ", ".join(device.rpartition("device:")[2] for device in devices) or "unknown"
