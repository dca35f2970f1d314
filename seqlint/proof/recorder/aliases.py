"""On the line of Keras 2 `import keras` gets tf-keras, as it gets Keras 2 where that is installed."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

_NAME, _LEGACY = "keras", "tf_keras"


def install() -> None:
    """Forget Keras 3, and have its name stand for tf-keras, for the rest of this process."""
    for name in [name for name in sys.modules if name == _NAME or name.startswith(f"{_NAME}.")]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Finder())


class _Finder(importlib.abc.MetaPathFinder):
    """Gives a module of tf-keras to whoever imports that of Keras."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> Any:
        first, _, rest = fullname.partition(".")
        if first != _NAME:
            return None
        try:
            module = _module(rest)
        except ModuleNotFoundError:
            return None
        return importlib.machinery.ModuleSpec(fullname, _Loader(module), is_package=hasattr(module, "__path__"))


class _Loader(importlib.abc.Loader):
    """Loads what is there already."""

    def __init__(self, module: ModuleType) -> None:
        self._module, self._spec = module, module.__spec__

    def create_module(self, spec: Any) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec


def _module(name: str) -> ModuleType:
    """A module of tf-keras; some of them are there under the names of attributes alone.

    Raises:
        ModuleNotFoundError: there is none of this name.
    """
    found = importlib.import_module(_LEGACY)
    for part in name.split(".") if name else ():
        inner = getattr(found, part, None)
        found = inner if isinstance(inner, type(sys)) else importlib.import_module(f"{found.__name__}.{part}")
    return found
