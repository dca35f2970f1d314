"""The configuration that tests check programs under."""

from __future__ import annotations

from pathlib import Path

from seqlint.config import Config

# Above the tests lies what seqlint itself asks for, which says a Keras.
_NOWHERE = Path("/no/such/folder")


def undeclared(keras: str = "") -> Config:
    """That of a project which declares nothing: the Keras is unknown unless it is given. All that rules can say is asked for."""
    return Config(_NOWHERE, keras=keras, extend_select=("ALL",))
