"""Which devices a program finds: no GPU, or as many as it has replicas, so that each machine gives the same number of them."""

from __future__ import annotations

from typing import Any

_SHARE_MIB = 4096
"""Memory of each part of a card that several replicas share: TensorFlow asks for a limit there."""


def choose(config: Any, device: str, replicas: int) -> int:
    """Show a program the devices of a run. Must come before TensorFlow does anything else.

    Args:
        config: `tf.config`.
        device: "cpu" hides the GPUs.
        replicas: how many a strategy that takes all GPUs shall have.

    Returns:
        How many logical CPUs stand for GPUs; 0 where there are GPUs, or there is one replica.
    """
    cards = config.list_physical_devices("GPU") if device != "cpu" else []
    config.set_visible_devices(cards[:replicas], "GPU")
    if cards:
        if replicas > len(cards):
            _split(config, cards[-1], replicas - len(cards) + 1, _SHARE_MIB)
        return 0
    if replicas < 2:
        return 0
    _split(config, config.list_physical_devices("CPU")[0], replicas)
    return replicas


def _split(config: Any, device: Any, parts: int, limit_mib: int | None = None) -> None:
    one = config.LogicalDeviceConfiguration(**({"memory_limit": limit_mib} if limit_mib else {}))
    config.set_logical_device_configuration(device, [one] * parts)
