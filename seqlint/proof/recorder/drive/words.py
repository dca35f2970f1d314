"""What is driven, in words; and the smallest factory that would drive what seqlint can't, ready to paste."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .made import COUNT, FOLDER

if TYPE_CHECKING:
    from .made import Spec

_KINDS = {".png": "PNGs", ".jpg": "JPEGs", ".jpeg": "JPEGs"}


def call(name: str, arguments: dict[str, Spec]) -> str:
    """A call in words: "PhotoSequence(paths=10 PNGs, batch_size=4)"."""
    return f"{name}({', '.join(f'{key}={words(spec)}' for key, spec in arguments.items())})"


def words(spec: Spec) -> str:
    """One input in words."""
    make = spec["make"]
    if make == "literal":
        return _literal(spec)
    if make == "array":
        return f"numbers {'×'.join(map(str, spec['shape']))}"
    if make == "ints":
        kind = "one-hot rows" if spec.get("onehot") else "ints"
        return f"{'×'.join(map(str, spec['shape']))} {kind} of {spec['classes']} classes"
    if make == "paths":
        kind = _KINDS.get(spec["suffix"], f"{spec['suffix']} files" if spec["suffix"] else "names")
        return (
            f"{COUNT} {kind}" if spec["folder"] else f"{COUNT} names of {kind}" if spec["suffix"] else f"{COUNT} names"
        )
    if make == "folder":
        kinds = " and ".join(dict.fromkeys(_KINDS.get(suffix, f"{suffix} files") for suffix in spec["suffixes"]))
        return f"a folder of {COUNT} {kinds}{' in two classes' if spec.get('classes') else ''}"
    if make in ("frame", "file"):
        columns = ", ".join(spec.get("columns", ()))
        return f"a data frame with {columns}" if make == "frame" else f"the file {spec['name']}"
    if make in ("list", "pairs"):
        return f"[{', '.join(map(words, spec['items']))}]" if make == "list" else f"{COUNT} pairs"
    return {"texts": f"{spec.get('count', COUNT)} texts", "mapping": f"a dict of {COUNT}", "callable": "identity"}[make]


def _literal(spec: Spec) -> str:
    return repr(tuple(spec["value"]) if spec.get("tuple") else spec["value"])


def factory(module: str, name: str, arguments: dict[str, Spec], missing: list[str]) -> str:
    """A factory with the arguments that are known filled in, and `...` for the others."""
    filled = [f"{key}={_source(spec)}" for key, spec in arguments.items()] + [f"{key}=..." for key in missing]
    blank = [key for key, spec in arguments.items() if _source(spec) == "..."] + missing
    hint = f"  # fill in: {', '.join(blank)}" if blank else ""
    numbers = "import numpy as np\n\n" if any("np." in item for item in filled) else ""
    first = name.partition(".")[0]
    own = _snake(name) if _snake(name) != first else f"smoke_{first}"
    return (
        f"# seqlint_smoke.py\n{numbers}from {module} import {first}\n\n\n"
        f"def {own}():\n    return {name}({', '.join(filled)}){hint}\n"
    )


def _source(spec: Spec) -> str:
    """One input as Python; `...` where that takes more than an expression."""
    make = spec["make"]
    if make == "literal":
        return "..." if str(spec["value"]).startswith(FOLDER) else _literal(spec)
    if make == "array":
        return f"np.ones({tuple(spec['shape'])}, 'float32')"
    if make == "ints" and not spec.get("onehot") and len(spec["shape"]) == 1:
        return f"np.arange({spec['shape'][0]}) % {spec['classes']}"
    return "lambda value: value" if make == "callable" else "..."


def _snake(name: str) -> str:
    plain = name.rpartition(".")[2].lstrip("_")
    letters = [
        f"_{c.lower()}" if c.isupper() and k and not plain[k - 1].isupper() else c.lower() for k, c in enumerate(plain)
    ]
    return "".join(letters)
