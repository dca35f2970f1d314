"""The README says what is so: its table of rules and its sample are those that seqlint gives today."""

from __future__ import annotations

import json
import re
from pathlib import Path

from seqlint import check_source, fix_source, registry
from seqlint.output import table
from seqlint.output.diff import diff
from seqlint.output.json import document

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PROGRAM = "fixtures/programs/evaluation_in_epoch_hook/program.py"
START, END = "<!-- sample: made by scripts/readme -->", "<!-- /sample -->"


def made(text: str) -> str:
    """The README with its made parts as they are today."""
    text = table.updated(text, registry.load())
    head, _, rest = text.partition(START)
    _, _, tail = rest.partition(END)
    return f"{head}{START}\n```diff\n{sample()}```\n{END}{tail}"


def sample() -> str:
    """What `seqlint fix --unsafe` changes in the sample program."""
    before = (ROOT / PROGRAM).read_text(encoding="utf-8")
    return diff(before, fix_source(before, path=PROGRAM, unsafe=True).source.text, PROGRAM)


def test_the_made_parts_are_those_of_today() -> None:
    text = README.read_text(encoding="utf-8")
    assert text == made(text), "run scripts/readme"


def test_the_commands_exist() -> None:
    text = README.read_text(encoding="utf-8")
    for script in re.findall(r"bash (scripts/\w+)", text):
        assert (ROOT / script).is_file()
    commands = {path.stem for path in (ROOT / "seqlint/cli").glob("*.py")}
    assert set(re.findall(r"^\$ seqlint (\w+)", text, re.MULTILINE)) <= commands


def test_the_machine_runs_the_test_command_of_the_readme() -> None:
    command = "bash scripts/test"
    assert f"$ {command}\n" in README.read_text(encoding="utf-8")
    assert command in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()


def test_the_links_lead_somewhere() -> None:
    text = README.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (ROOT / target).exists(), target


def test_the_keys_of_the_json_are_those_that_are_printed() -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    text = "import keras\n\nkeras.utils.set_random_seed(7)  # seqlint: ignore[SEQ102]\n"
    checked = check_source(text, path="train.py")
    printed = json.loads(document((found, checked.source) for found in checked.diagnostics))
    assert json.loads(shown) == printed
