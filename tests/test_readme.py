"""The README and the table of rules say what is so: their made parts are those that seqlint gives today."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path

from seqlint import check_source, fix_source, registry
from seqlint.cli.app import COMMANDS
from seqlint.output import table
from seqlint.output.diff import diff
from seqlint.output.json import document, finding
from seqlint.output.words import family

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
TABLE = ROOT / "docs/rules.md"
FORMATS = ROOT / "docs/formats.md"
PROGRAM = "fixtures/programs/evaluation_in_epoch_hook/program.py"
WORDS = 1500


def made(text: str) -> str:
    """The README with its made parts as they are today."""
    return _filled(_filled(text, "sample", f"```diff\n{sample()}```\n"), "families", families())


def made_table(text: str) -> str:
    """The page of all rules with its table as it is today."""
    return table.updated(text, registry.load())


def sample() -> str:
    """What `seqlint fix --unsafe` changes in the sample program."""
    before = (ROOT / PROGRAM).read_text(encoding="utf-8")
    return diff(before, fix_source(before, path=PROGRAM, unsafe=True).source.text, PROGRAM)


def families() -> str:
    """The families of rules, each with a link to its part of the table."""
    counted = ((digit, len(list(members))) for digit, members in groupby(r.rule.code[:4] for r in registry.load()))
    rows = (
        f"| [{digit}xx](docs/rules.md#{anchor(family(digit))}) | {family(digit)} | {number} |\n"
        for digit, number in counted
    )
    return "| Rules | About | Number |\n| --- | --- | --- |\n" + "".join(rows)


def anchor(heading: str) -> str:
    """The name that a heading of Markdown can be linked by."""
    return re.sub(r"[^\w\s-]", "", heading).lower().replace(" ", "-")


def _filled(text: str, name: str, part: str) -> str:
    start, end = f"<!-- {name}: made by scripts/readme -->", f"<!-- /{name} -->"
    head, _, rest = text.partition(start)
    _, found, tail = rest.partition(end)
    assert found, f"the README needs the markers {start} and {end}"
    return f"{head}{start}\n{part}{end}{tail}"


def test_the_made_parts_are_those_of_today() -> None:
    for page, make in ((README, made), (TABLE, made_table)):
        text = page.read_text(encoding="utf-8")
        assert text == make(text), "run scripts/readme"


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").split()) <= WORDS, "what is longer belongs into docs/"


def test_the_commands_exist() -> None:
    commands = set(COMMANDS)
    for page in (README, *ROOT.glob("docs/**/*.md")):
        text = page.read_text(encoding="utf-8")
        assert all((ROOT / script).is_file() for script in re.findall(r"bash (scripts/\w+)", text)), page
        assert set(re.findall(r"^\$ seqlint ([a-z][a-z-]*)", text, re.MULTILINE)) <= commands, page


def test_the_machine_runs_the_test_command_of_the_readme() -> None:
    command = "bash scripts/test"
    assert f"$ {command}\n" in README.read_text(encoding="utf-8")
    assert command in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()


def test_the_links_lead_somewhere() -> None:
    for page in (README, *ROOT.glob("docs/**/*.md")):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), (page, target)


def test_the_keys_of_the_json_are_those_that_are_printed() -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", FORMATS.read_text(encoding="utf-8"), re.DOTALL)
    text = "import keras\n\nkeras.utils.set_random_seed(7)  # seqlint: ignore[SEQ102]\n"
    checked = check_source(text, path="train.py")
    printed = json.loads(document(finding(found, checked.source) for found in checked.diagnostics))
    assert json.loads(shown) == printed
