"""What the facts say of fits and datasets is what TensorFlow does."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from seqlint.domains.callbacks.fit_logs import FitLogs
from tests.facts import fits, pipelines
from tests.facts.reading import facts_of, last
from tests.run import programs

if TYPE_CHECKING:
    from seqlint.facts import State
    from seqlint.model import KerasLine

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(importlib.util.find_spec("tensorflow") is None, reason="TensorFlow is not installed"),
]
KINDS = {"fits": fits, "pipelines": pipelines}
Results = dict[str, Any]


def ran(kind: str, folder: Path, *, legacy: bool) -> Results:
    """What the programs of a kind did, all in one process."""
    asked = {"kind": kind, "legacy": legacy, "start": KINDS[kind].START, "programs": KINDS[kind].PROGRAMS}
    target = folder / "results.json"
    # Isolated: else the folders beside the script would hide modules of the same name, such as `numbers`.
    command = [sys.executable, "-I", str(Path(__file__).with_name("child.py")), str(target)]
    subprocess.run(command, input=json.dumps(asked), text=True, check=True, capture_output=True, timeout=600)
    found: Results = json.loads(target.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module", params=["keras", "tf_keras"])
def logged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[KerasLine, Results]:
    legacy = request.param == "tf_keras"
    if importlib.util.find_spec(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return "2" if legacy else _line(), ran("fits", tmp_path_factory.mktemp("fits"), legacy=legacy)


def _line() -> KerasLine:
    major, minor = (int(part) for part in version("keras").split(".")[:2])
    return "2" if major == 2 else "3.10+" if minor >= 10 else "3.0-3.9"


@pytest.mark.parametrize("name", fits.PROGRAMS)
def test_the_names_that_a_fit_logs(name: str, logged: tuple[KerasLine, Results]) -> None:
    line, results = logged
    if results[name] is None:
        pytest.skip("this Keras refuses the program")
    logs = programs.ran(fits.START + fits.PROGRAMS[name]).domain(FitLogs)
    found = logs.of(logs.fits[-1], line)
    assert found.names <= set(results[name])
    assert [key for key in results[name] if found.has(key) == "no"] == []
    if found.complete:
        assert found.names == set(results[name])


@pytest.fixture(scope="module")
def behaviour(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return ran("pipelines", tmp_path_factory.mktemp("pipelines"), legacy=False)


@pytest.mark.parametrize("name", pipelines.PROGRAMS)
def test_what_is_known_of_a_dataset(name: str, behaviour: Results) -> None:
    seen = behaviour[name]
    assert seen is not None
    facts = facts_of(pipelines.START + pipelines.PROGRAMS[name] + "\nds")
    chain = facts.datasets.chain(last(facts, "ds"))
    assert chain is not None
    agrees(chain.state, seen)


def agrees(state: State, seen: dict[str, Any]) -> None:
    """Whether each sure answer is true of what was seen."""
    in_order = all(one <= other for one, other in zip(seen["first"][:32], seen["first"][1:32], strict=False))
    truths = {
        "shuffled": not in_order,
        "reshuffled": seen["first"] != seen["second"],
        "endless": seen["endless"],
        "batched": seen["rank"] > 0,
    }
    said = {name: getattr(state, name) for name in truths}
    assert {
        name: answer for name, answer in said.items() if answer != "unknown" and (answer == "yes") != truths[name]
    } == {}
