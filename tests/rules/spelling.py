"""The same program with its imports, its indentation and its newlines written in other ways."""

from __future__ import annotations

import re
from collections.abc import Callable

Respell = Callable[[str], str]

_IMPORT = re.compile(r"^import keras$", re.MULTILINE)
_CHAIN = re.compile(r"(?<![\w.])keras((?:\.[a-z_]+)*)\.([A-Z]\w*)")


def _keras(text: str) -> str:
    return text


def _from_tensorflow(text: str) -> str:
    return _IMPORT.sub("from tensorflow import keras", text)


def _tf_keras(text: str) -> str:
    line = "" if re.search(r"^import tensorflow as tf$", text, re.MULTILINE) else "import tensorflow as tf"
    text = _IMPORT.sub(line, text) if line else re.sub(r"^import keras\n", "", text, flags=re.MULTILINE)
    return re.sub(r"(?<![\w.])keras\.", "tf.keras.", text)


def _renamed_module(text: str) -> str:
    return re.sub(r"(?<![\w.])keras\.", "K.", _IMPORT.sub("import tensorflow.keras as K", text))


def _tried(text: str) -> str:
    return _IMPORT.sub("try:\n    import keras\nexcept ImportError:\n    from tensorflow import keras", text)


def _assigned(text: str) -> str:
    spelled = re.sub(r"(?<![\w.])keras\.", "K.", text)
    line = "" if re.search(r"^import tensorflow as tf$", text, re.MULTILINE) else "import tensorflow as tf\n"
    last_import = max(match.end() for match in re.finditer(r"^(?:import|from) .*$", spelled, re.MULTILINE))
    spelled = spelled[:last_import] + "\n\nK = tf.keras" + spelled[last_import:]
    return _IMPORT.sub(line.rstrip("\n") or "import math as _math", spelled, count=1)


def _imported_names(text: str) -> str:
    """`keras.utils.PyDataset` becomes `PyDataset`, imported from its module."""
    return _with_imports(text, lambda name: name)


def _renamed_names(text: str) -> str:
    return _with_imports(text, lambda name: f"K{name}")


def _with_imports(text: str, rename: Callable[[str], str]) -> str:
    lines = []
    for path, name in sorted(set(_CHAIN.findall(text))):
        alias = rename(name)
        lines.append(f"from keras{path} import {name}" + (f" as {alias}" if alias != name else ""))
    spelled = _CHAIN.sub(lambda match: rename(match[2]), text)
    rest = re.search(r"(?<![\w.])keras\.[a-z]", spelled)  # functions such as keras.ops.mean still need the module
    return _IMPORT.sub("\n".join([*(["import keras"] if rest else []), *lines]), spelled)


# What a rule adds is spelled as the file spells it, so the text after the fix can be compared here ...
SAME_TEXT: dict[str, Respell] = {
    "keras": _keras,
    "from tensorflow": _from_tensorflow,
    "tf.keras": _tf_keras,
    "renamed module": _renamed_module,
    "try import": _tried,
}
# ... and not here, where it may need an import.
OTHER_TEXT: dict[str, Respell] = {
    "imported names": _imported_names,
    "renamed names": _renamed_names,
    "assigned module": _assigned,
}


# These rules are about how Keras is spelled, so another spelling is another program to them.
ABOUT_SPELLING = frozenset({"SEQ704", "SEQ705", "SEQ706", "SEQ711"})


def crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def tabs(text: str) -> str:
    return re.sub(r"^(?:    )+", lambda match: "\t" * (len(match[0]) // 4), text, flags=re.MULTILINE)
