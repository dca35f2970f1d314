"""The lines of Keras that are measured, each in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_ALL_NEED = ("pytest", "hypothesis", "markdown-it-py", "pillow", "scipy", "pandas")


@dataclass(frozen=True)
class KerasLine:
    """A Keras, and what it is measured with.

    Attributes:
        name: what the report calls it, and who asks for it.
        requirements: what pip is asked for. TensorFlow is one that was new when this Keras was.
        without: requirements whose own requirements are left out: they would bring another TensorFlow.
    """

    name: str
    requirements: tuple[str, ...]
    without: tuple[str, ...] = ()


def _keras_3(version: str, tensorflow: str, *more: str) -> KerasLine:
    return KerasLine(version, (f"tensorflow-cpu=={tensorflow}.*", f"keras=={version}.*", *more))


LINES = (
    KerasLine("2.15", ("tensorflow-cpu==2.15.*", "keras==2.15.*", "numpy<2")),
    _keras_3("3.0", "2.16", "numpy<2"),
    _keras_3("3.3", "2.16", "numpy<2"),
    _keras_3("3.6", "2.18"),
    _keras_3("3.9", "2.19"),
    _keras_3("3.10", "2.19"),
    _keras_3("3.12", "2.20"),
    # Both Keras of today, as they are installed together: `keras` and `tf_keras`.
    KerasLine("newest", ("tensorflow-cpu", "keras"), ("tf-keras",)),
)


def named(names: list[str]) -> list[KerasLine]:
    """The lines of some names, and a Keras 3 of any version that is not among them, such as "3.5.0".

    Raises:
        SystemExit: a name that is neither.
    """
    known = {line.name: line for line in LINES}
    return [known[name] if name in known else _other(name) for name in names or known]


def _other(name: str) -> KerasLine:
    if not name.startswith("3.") or not name.replace(".", "").isdigit():
        raise SystemExit(
            f"there is no line {name!r}; known: {', '.join(line.name for line in LINES)}, or a version 3.x.y"
        )
    return KerasLine(name, ("tensorflow-cpu", f"keras=={name}" if name.count(".") > 1 else f"keras=={name}.*"))


def interpreter(line: KerasLine, folder: Path) -> Path:
    """The Python of the environment of a line, made where it is not there yet.

    Raises:
        subprocess.CalledProcessError: pip can't install it here.
    """
    home = folder / line.name
    python = home / "bin" / "python"
    made_for = home / "made-for"
    wanted = repr((line, _ALL_NEED, sys.version_info[:2]))
    if made_for.is_file() and made_for.read_text(encoding="utf-8") == wanted:
        return python
    subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    subprocess.run([*pip, *line.requirements, *_ALL_NEED, str(ROOT)], check=True)
    # Only its requirements: seqlint itself is that of the working tree, which PYTHONPATH names.
    subprocess.run([python, "-m", "pip", "uninstall", "--quiet", "--yes", "seqlint"], check=True)
    for requirement in line.without:
        subprocess.run([*pip, "--no-deps", requirement], check=True)
    made_for.write_text(wanted, encoding="utf-8")
    return python


def of_interpreter(python: Path, path: str) -> KerasLine:
    """The line of an environment that is there already, by the name of its Keras.

    Args:
        python: its interpreter.
        path: folders that it looks into first, as PYTHONPATH has them.

    Raises:
        SystemExit: it has no Keras.
    """
    found = versions(python, path)
    if "keras" not in found and "tf-keras" not in found:
        raise SystemExit(f"{python} has no Keras")
    return KerasLine(found.get("keras") or f"tf-keras-{found['tf-keras']}", ())


def versions(python: Path, path: str = "") -> dict[str, str]:
    """The versions of what an interpreter has, by name: what a measurement is valid for."""
    wanted = ("keras", "tf-keras", "tensorflow", "tensorflow-cpu", "numpy")
    script = (
        "import json, sys\nfrom importlib import metadata\nknown = {}\n"
        "for dist in metadata.distributions():\n"
        "    known.setdefault(dist.metadata['Name'].lower().replace('_', '-'), dist.version)\n"
        "print(json.dumps({name: known[name] for name in sys.argv[1:] if name in known}))"
    )
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([python, "-c", script, *wanted], check=True, capture_output=True, text=True, env=environment)
    found: dict[str, str] = json.loads(done.stdout)
    return found
