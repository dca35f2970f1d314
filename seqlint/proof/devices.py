"""Whether a run was where it was asked to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.proof.recorder.recording import Recording


def elsewhere(recording: Recording, kind: str) -> str:
    """Why a run counts as none on a kind of device ("GPU"); empty where every model lay and trained there."""
    if not recording["cards"]:
        return f"TensorFlow finds no {kind} here"
    if not recording["devices"]:
        return f"no model was trained by Keras, so nothing shows that it ran on a {kind}"
    for number, devices in enumerate(recording["devices"], 1):
        if not _all_on(devices["variables"], kind):
            return f"the variables of model {number} did not lie on a {kind}: {_listed(devices['variables'])}"
        if not any(_is(device, kind) for device in devices["steps"]):
            return f"the train step of model {number} did not run on a {kind}: {_listed(devices['steps'])}"
    return ""


def _all_on(devices: list[str], kind: str) -> bool:
    return bool(devices) and all(_is(device, kind) for device in devices)


def _is(device: str, kind: str) -> bool:
    return f"device:{kind}:" in device


def _listed(devices: list[str]) -> str:
    return ", ".join(device.rpartition("device:")[2] for device in devices) or "unknown"
