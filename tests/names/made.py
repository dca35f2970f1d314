"""Compares what the lines of Keras have, and writes the tables that rules read.

    scripts/names --old PYTHON

Each release of Keras 3 is installed into a folder of its own and asked under this interpreter, next to its TensorFlow. What Keras 2 had before
2.4 is asked of another interpreter, which has TensorFlow 2.2 and Keras 2.3.1.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Container, Iterable, Mapping
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from seqlint.facts.keras.private import private_module
from tests.names.asked import PLAIN

ROOT = Path(__file__).parents[2]
KNOWLEDGE = ROOT / "seqlint" / "knowledge"
RELEASES = ("3.0.5", "3.3.3", "3.6.0", "3.9.2", "3.10.0", "3.12.0", "3.15.1")
"""One of each stretch of Keras 3 in which names came and went; the last is the one that is installed."""
ASKED = Path(__file__).parent / "asked.py"
_OF_LAYERS = ("batch_input_shape", "input_shape", "input_dim", "weights", "dynamic", "autocast", "activity_regularizer")
_OF_OPTIMIZERS = ("lr", "decay", "clipnorm", "clipvalue", "global_clipnorm", "jit_compile")
_ALSO = {
    "layers.Dense": _OF_LAYERS,
    "optimizers.SGD": _OF_OPTIMIZERS,
    **{f"layers.{each}": ("implementation", "input_shape") for each in ("GRU", "LSTM", "SimpleRNN")},
}
_KEPT_HOMES = (
    "layers", "models", "callbacks", "optimizers", "losses", "metrics", "regularizers", "initializers", "constraints", "activations", "utils",
    "backend",
)  # fmt: skip
Api = Mapping[str, Any]


def ask(python: str, roots: Iterable[str], home: Path | None = None, tries: object = ()) -> dict[str, Any]:
    """What one Keras says of itself, for each root.

    Args:
        python: the interpreter.
        home: a folder with the Keras to ask; None for the one that is installed.
        tries: which arguments of which classes are tried by a call.
    """
    path = {"PYTHONPATH": str(home)} if home is not None else {}
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "KERAS_BACKEND": "tensorflow"}
    environment = {name: value for name, value in os.environ.items() if name != "TF_USE_LEGACY_KERAS"} | path | quiet
    told = json.dumps(tries or {})
    command = [python, str(ASKED), *roots]
    done = subprocess.run(command, input=told, env=environment, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def wanted(of_2: Api) -> dict[str, list[str]]:
    """Which arguments are tried by a call: all that a class of Keras 2 names, and those that many take as `**kwargs`."""
    classes = {
        name: [each for each, _ in split(text)] for name, (kind, text) in of_2["names"].items() if kind == "class"
    }
    return {
        name: [*names, *(each for each in _ALSO.get(name, ()) if each not in names)] for name, names in classes.items()
    }


def split(text: str) -> list[tuple[str, str]]:
    """The parameters of a signature with their defaults, "" where there is none; none of `*args` and `**kwargs`."""
    found, depth, start = [], 0, 0
    for at, character in enumerate(text + ","):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    pairs = [each.partition("=") for each in found if each and not each.startswith("*")]
    return [(name, default) for name, _, default in pairs]


# -- names ------------------------------------------------------------------------------------------------------------


def gone(old: Iterable[Api], of_2: Api, lines: Mapping[str, Mapping[str, Api]]) -> dict[str, tuple[str, str, str]]:
    """For each name of Keras 2 that some line lacks: since when Keras 2, `keras` and `tf.keras` lack it."""
    names = {*of_2["names"], *(name for each in old for name in each["names"])}
    found = {}
    for name in sorted(names):
        on_3, of_tensorflow = (span(name, root, lines) for root in ("keras", "tf.keras"))
        if _is_stub(name, lines):
            on_3 = of_tensorflow = short(RELEASES[0])
        row = ("" if name in of_2["names"] else "2", on_3, of_tensorflow)
        if any(row[1:]) and not private_module(f"keras.{name}"):
            found[name] = row
    return found


def members_gone(old: Iterable[Api], of_2: Api, lines: Mapping[str, Mapping[str, Api]]) -> dict[str, tuple[str, str]]:
    """For each attribute of Keras 2's models, layers and so on that some line lacks: since when Keras 2 and Keras 3 lack it."""
    found = {}
    for kind, names in of_2["attributes"].items():
        had = {*names, *(name for each in old for name in each.get("attributes", {}).get(kind, ()))}
        for name in sorted(had):
            since = _span([name in api["keras"]["attributes"].get(kind, ()) for api in lines.values()], [*lines])
            if since:
                found[f"{kind}.{name}"] = ("" if name in names else "2", since)
    above = {_last(name) for name, row in found.items() if name.startswith("layers.Layer.") and not row[0]}
    return {name: row for name, row in found.items() if is_told(name, above)}


def is_told(name: str, above: Container[str]) -> bool:
    """Whether the table has an attribute of its class: what every layer lost, `above`, is told once for all that are layers."""
    return name.startswith(("layers.Layer.", "Model.")) or _last(name) not in above


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _is_stub(name: str, lines: Mapping[str, Mapping[str, Api]]) -> bool:
    """Whether a class is there only to say that it is gone, as `optimizers.legacy.Adam` does."""
    return all(api["keras"]["tried"].get(name, {}).get(PLAIN) == "ImportError" for api in lines.values())


def span(name: str, root: str, lines: Mapping[str, Mapping[str, Api]]) -> str:
    """When a root lacks a name: "" never, "3.0" from there on, "3.0-3.6" until it came back."""
    return _span([name in api[root]["names"] for api in lines.values()], [*lines])


def _span(has: list[bool], releases: list[str]) -> str:
    lost = next((at for at, there in enumerate(has) if not there), None)
    if lost is None:
        return ""
    back = next((at for at in range(lost, len(has)) if has[at]), None)
    return short(releases[lost]) + (f"-{short(releases[back])}" if back is not None else "")


def short(release: str) -> str:
    """ "3.10" of "3.10.0"."""
    return ".".join(release.split(".")[:2])


def kept(of_2: Api, lines: Mapping[str, Mapping[str, Api]]) -> dict[str, tuple[str, ...]]:
    """The names, modules left out, that Keras 2 and each Keras 3 have in `keras`, by the module that hands them out."""
    found: dict[str, list[str]] = {}
    for name, (kind, _) in sorted(of_2["names"].items()):
        home, _, last = name.rpartition(".")
        if home in _KEPT_HOMES and kind != "module" and all(name in api["keras"]["names"] for api in lines.values()):
            found.setdefault(home, []).append(last)
    return {home: tuple(found[home]) for home in _KEPT_HOMES}


def new(of_2: Api, lines: Mapping[str, Mapping[str, Api]]) -> dict[str, str]:
    """For each name of the newest Keras that Keras 2 lacks: the first release that has it."""
    last = [*lines][-1]
    found = {}
    for name, (kind, _) in sorted(lines[last]["keras"]["names"].items()):
        if name in of_2["names"] or kind in ("module", "value"):
            continue
        found[name] = next(short(release) for release, api in lines.items() if name in api["keras"]["names"])
    return found


# -- arguments --------------------------------------------------------------------------------------------------------


def arguments(of_2: Api, lines: Mapping[str, Mapping[str, Api]]) -> dict[str, dict[str, str]]:
    """What Keras 2 takes and Keras 3 does not, by name and argument: the error that a call raised; "gone" where no call was possible.

    What Keras 3 refuses in some release only is written with the first that does: "TypeError 3.3".
    """
    found = {}
    for name, (kind, text) in sorted(of_2["names"].items()):
        fates = {each: _fate(name, each, kind, of_2, lines) for each in _asked(name, text, of_2)}
        if lost := {each: fate for each, fate in fates.items() if fate}:
            found[name] = lost
    return found


def _asked(name: str, text: str, of_2: Api) -> list[str]:
    tried = {each: fate for each, fate in of_2["tried"].get(name, {}).items() if each != PLAIN}
    named = [each for each, _ in split(text)]
    return named if not tried else [each for each, fate in tried.items() if fate == "taken" or each in named]


def _fate(name: str, argument: str, kind: str, of_2: Api, lines: Mapping[str, Mapping[str, Api]]) -> str:
    last = lines[[*lines][-1]]["keras"]
    if name not in last["names"] or last["names"][name][0] != kind:
        return ""
    if argument in [each for each, _ in split(last["names"][name][1])]:
        return ""
    fate: str = last["tried"].get(name, {}).get(argument, "gone")
    takes_any = "**" in last["names"][name][1] and fate == "gone"
    if fate == "taken" or takes_any or of_2["tried"].get(name, {}).get(argument, "taken") != "taken":
        return ""
    return fate


def defaults(of_2: Api, last: Api) -> dict[str, dict[str, tuple[str, str]]]:
    """Arguments that both have with another default: that of Keras 2 and that of the newest Keras 3."""
    found = {}
    for name, one, other in _both(of_2, last):
        now = dict(other)
        if unlike := {each: (value, now[each]) for each, value in one if now.get(each, value) != value}:
            found[name] = unlike
    return found


def orders(of_2: Api, last: Api) -> dict[str, tuple[str, str]]:
    """The places of arguments, where what is given by place means another one: those of Keras 2, and those of the newest Keras 3."""
    found = {}
    for name, one, other in _both(of_2, last):
        before, after = [each for each, _ in one], [each for each, _ in other]
        if before[: len(after)] != after[: len(before)] and after:
            found[name] = (", ".join(before), ", ".join(after))
    return found


def _both(of_2: Api, last: Api) -> Iterable[tuple[str, list[tuple[str, str]], list[tuple[str, str]]]]:
    """The functions and classes that both have, and the methods of the samples, with the parameters on each."""
    for name, (kind, text) in sorted(of_2["names"].items()):
        if kind != "module" and (other := last["names"].get(name)) is not None and other[1] and text:
            yield name, split(text), split(other[1])
    for owner, members in sorted(of_2["attributes"].items()):
        for name, text in members.items():
            other = last["attributes"].get(owner, {}).get(name, "")
            if text.startswith("(") and other.startswith("("):
                yield f"{owner}.{name}", split(text[1:-1]), split(other[1:-1])


# -- text -------------------------------------------------------------------------------------------------------------


def measured(old: str, home_of: Callable[[str], Path | None]) -> dict[str, Any]:
    """Ask every line.

    Args:
        old: an interpreter with TensorFlow 2.2 and Keras 2.3.1.
        home_of: the folder of a release of Keras 3; None for the one that is installed.
    """
    of_2 = ask(sys.executable, ["tf_keras"])["tf_keras"]
    tries = wanted(of_2)
    of_2 = ask(sys.executable, ["tf_keras"], tries=tries)["tf_keras"]
    lines = {each: ask(sys.executable, ["keras", "tf.keras"], home_of(each), tries) for each in RELEASES}
    before = [*ask(old, ["keras", "tf.keras"]).values()]
    return {"old": before, "2": of_2, "3": lines}


def main(given: list[str]) -> None:
    """Write the tables."""
    if given[:1] != ["--old"] or len(given) not in (2, 4):
        sys.exit(__doc__)
    with TemporaryDirectory() as folder:
        homes = Path(given[3]) if given[2:3] == ["--homes"] else Path(folder)
        found = measured(given[1], lambda release: _installed(release, homes))
    write(found)


def _installed(release: str, homes: Path) -> Path | None:
    if release == RELEASES[-1]:
        return None
    home = homes / f"keras-{release}"
    if not home.exists():
        packages = [f"keras=={release}", *(["dm-tree"] if release.startswith("3.0.") else [])]
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(home), *packages]
        subprocess.run(command, check=True)
    return home


def write(found: Mapping[str, Any]) -> None:
    """Write both files."""
    (KNOWLEDGE / "keras_names.py").write_text(names_text(found), encoding="utf-8")
    (KNOWLEDGE / "keras_arguments.py").write_text(arguments_text(found), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", str(KNOWLEDGE)], check=True)


def _head(found: Mapping[str, Any]) -> str:
    lines = ", ".join(short(release) for release in found["3"])
    old = ", ".join(each["version"] for each in found["old"])
    today = date.today()
    when = f"{today.day} {today.strftime('%B %Y')}"
    return f"Measured on {when}: Keras {old}, tf-keras {found['2']['version']}, Keras {lines}. Made by `scripts/names`."


def names_text(found: Mapping[str, Any]) -> str:
    """The text of the table of names."""
    lost = gone(found["old"], found["2"], found["3"])
    members = members_gone(found["old"], found["2"], found["3"])
    return _NAMES.format(
        head=_head(found),
        gone=_rows(lost),
        members=_rows(members),
        new=_rows(new(found["2"], found["3"])),
        kept=_rows(kept(found["2"], found["3"])),
    )


def arguments_text(found: Mapping[str, Any]) -> str:
    """The text of the table of arguments."""
    last = found["3"][RELEASES[-1]]["keras"]
    return _ARGUMENTS.format(
        head=_head(found),
        lost=_rows(arguments(found["2"], found["3"])),
        defaults=_rows(defaults(found["2"], last)),
        orders=_rows(orders(found["2"], last)),
    )


def _rows(found: Mapping[str, object]) -> str:
    return "\n".join(f"    {json.dumps(name)}: {row!r}," for name, row in found.items())


_NAMES = '''"""The public names of Keras that come and go between its lines.

{head}
"""

from __future__ import annotations

GONE: dict[str, tuple[str, str, str]] = {{
{gone}
}}
"""Names that Keras 2 has or had, without their root: since when Keras 2, `keras` and `tf.keras` lack them.

"" is never, "2" for Keras 2 is before tf-keras, "3.0" is from 3.0 on, and "3.0-3.6" that 3.6 has it again.
"""

MEMBERS_GONE: dict[str, tuple[str, str]] = {{
{members}
}}
"""The same of attributes: since when those of Keras 2 and of Keras 3 lack them."""

NEW: dict[str, str] = {{
{new}
}}
"""Names that Keras 2 lacks: the first release that was measured and has them."""

KEPT: dict[str, tuple[str, ...]] = {{
{kept}
}}
"""Names that Keras 2 and each Keras 3 have in `keras`, modules left out, by the module that hands them out."""
'''
_ARGUMENTS = '''"""The arguments of Keras that mean something else on another line, or nothing.

{head}
"""

from __future__ import annotations

LOST: dict[str, dict[str, str]] = {{
{lost}
}}
"""What Keras 2 takes and the newest Keras 3 does not: the error that a call raised; "gone" where none was tried."""

DEFAULTS: dict[str, dict[str, tuple[str, str]]] = {{
{defaults}
}}
"""Arguments that both have: the default on Keras 2, and that of the newest Keras 3."""

ORDERS: dict[str, tuple[str, str]] = {{
{orders}
}}
"""What both have and takes its arguments in another order: that of Keras 2, and that of the newest Keras 3."""
'''


if __name__ == "__main__":
    main(sys.argv[1:])
