"""`seqlint check` and `fix` on notebooks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import SKIPPED, UNKNOWN
from tests.notebooks import cell, notebook, sources, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

SEED = "%matplotlib inline\nkeras.utils.seed(0)"
CROSSING = '''\
"""A start is called.

## Why
It is made up.

## Do this
Don't.
"""

from collections.abc import Iterator

from seqlint.api import Edit, Example, Facts, Finding, Levels, Rule

RULE = Rule(
    code="TST301",
    name="start-called",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    examples=(Example("import keras\\n\\nkeras.utils.start()\\n"),),
)


def check(facts: Facts) -> Iterator[Finding]:
    for call in facts.calls("keras.utils.start"):
        edits = (Edit(0, 0, "import os\\n"), Edit(*facts.span(call.func), "keras.start"))
        yield facts.finding(call, "it is called").fixed_by("Call the other", *edits)
'''


def save(*cells: str, name: str = "nb.ipynb") -> bytes:
    data = written(*cells)
    Path(name).write_bytes(data)
    return data


class TestCheck:
    def test_a_finding_names_its_cell_and_the_line_in_it(self, project: Path, cli: Cli) -> None:
        save("import keras", SEED)
        result = cli("check")
        assert result.out == (
            "warning[TST101] seed-set: `seed` is called\n"
            "  --> nb.ipynb:cell 3:2:1\n"
            "  |\n"
            "2 | keras.utils.seed(0)\n"
            "  | ^^^^^^^^^^^^^^^^^^^\n"
            "  fix (safe): Call `keras.seed`\n"
            "\n"
            "1 finding (1 warning) in 1 file; `seqlint fix` fixes 1\n"
            f"{UNKNOWN}; {SKIPPED}\n"
        )
        assert (result.code, result.err) == (1, "")

    def test_concise_names_the_cell(self, project: Path, cli: Cli) -> None:
        save("import keras", SEED, "keras.utils.spread()")
        assert cli("check", "nb.ipynb", "--output-format", "concise").out == (
            "nb.ipynb:cell 3:2:1: warning[TST101] `seed` is called [fix]\nnb.ipynb:cell 4:1:1: advice[TST201] `spread` is called\n"
        )

    def test_json_counts_in_the_cell(self, project: Path, cli: Cli) -> None:
        save("import keras", SEED)
        (finding,) = json.loads(cli("check", "--output-format", "json").out)["findings"]
        start = len("%matplotlib inline\n")
        assert finding["cell"] == 3
        assert finding["start"] == {"line": 2, "column": 1, "offset": start}
        (edit,) = finding["fixes"][0]["edits"]
        assert edit["cell"] == 3
        assert edit["end"] == {"line": 2, "column": 17, "offset": start + len("keras.utils.seed")}

    def test_json_of_a_python_file_has_no_cell(self, project: Path, cli: Cli) -> None:
        Path("a.py").write_text("import keras\nkeras.utils.seed(0)\n")
        (finding,) = json.loads(cli("check", "--output-format", "json").out)["findings"]
        assert "cell" not in finding

    def test_the_code_is_shown_as_it_is_written(self, project: Path, cli: Cli) -> None:
        save("import keras", "%time keras.utils.spread()")
        assert "1 | %time keras.utils.spread()\n  |       ^^^" in cli("check").out

    def test_a_cell_that_is_no_python_hides_no_other(self, project: Path, cli: Cli) -> None:
        save("import keras", "class :", "%%bash\nkeras.utils.seed(0)", SEED)
        result = cli("check", "--output-format", "concise")
        assert result.code == 1
        assert result.out == (
            "nb.ipynb:cell 3:1:7: warning[SEQ001] cell 3 is not valid Python: invalid syntax\n"
            "nb.ipynb:cell 5:2:1: warning[TST101] `seed` is called [fix]\n"
        )

    def test_a_cell_that_is_no_python_is_a_warning_that_can_be_ignored(self, project: Path, cli: Cli) -> None:
        save("import keras", "class :")
        assert (cli("check").code, cli("check", "--fail-on", "error").code) == (1, 0)
        Path("seqlint.toml").write_text('rules = ["tools/rules"]\nignore = ["SEQ001"]\n')
        assert cli("check", "nb.ipynb").out.startswith("no findings in 1 file\n")

    @pytest.mark.parametrize("cell", [" for i in range(3):\n    print(i)", "\tx = 1\n\ty = 2", "\n   !ls\n   x = 1"])
    def test_a_cell_that_starts_with_an_indent_runs_in_ipython_and_is_advice(
        self, project: Path, cli: Cli, cell: str
    ) -> None:
        save("import keras", cell)
        result = cli("check", "--output-format", "concise")
        assert "advice[SEQ001] cell 3 starts with an indent\n" in result.out
        assert result.code == 0

    def test_other_cells_are_fixed(self, project: Path, cli: Cli) -> None:
        save("import keras", "print 'x'", SEED)
        assert cli("fix").code in (0, 1)
        assert sources(Path("nb.ipynb").read_bytes())[2:] == ["print 'x'", SEED.replace("utils.seed", "seed")]

    def test_a_class_is_known_in_later_cells(self, project: Path, cli: Cli) -> None:
        Path("seqlint.toml").write_text('select = ["SEQ701"]\nkeras = ">=3.10"\n')
        save(
            "import keras",
            "class Feed(keras.utils.PyDataset):\n    def __init__(self, **kwargs):\n        super().__init__(**kwargs)",
            "feed = Feed()",
            "model = keras.Sequential()\nmodel.fit(feed, workers=4)",
        )
        assert cli("check", "--output-format", "concise").out.startswith("nb.ipynb:cell 5:2:17: error[SEQ701] ")

    def test_a_base_in_a_module_beside_it_is_found(self, project: Path, cli: Cli) -> None:
        Path("seqlint.toml").write_text('select = ["SEQ221"]\nkeras = ">=3.10"\n')
        Path("base.py").write_text("import keras\n\n\nclass Base(keras.utils.PyDataset):\n    pass\n")
        feed = (
            "class Feed(Base):\n    def __init__(self):\n        self.x = 1\n    def __len__(self):\n        return 1"
        )
        data = written("from base import Base", feed)
        assert b"keras" not in data
        Path("nb.ipynb").write_bytes(data)
        assert "nb.ipynb:cell 3:2:5: warning[SEQ221]" in cli("check", "nb.ipynb", "--output-format", "concise").out

    def test_a_notebook_of_another_language_is_left_alone(self, project: Path, cli: Cli) -> None:
        metadata = {"kernelspec": {"language": "R"}}
        data = json.dumps(notebook(cell("import keras\nkeras.utils.seed(0)"), metadata=metadata)).encode()
        Path("nb.ipynb").write_bytes(data)
        assert cli("check").out == f"no findings in 1 file\n{SKIPPED}\n"
        assert cli("fix").code == 0
        assert Path("nb.ipynb").read_bytes() == data

    @pytest.mark.parametrize("command", ["check", "fix"])
    def test_what_is_no_notebook_is_told_and_left(self, project: Path, cli: Cli, command: str) -> None:
        data = written("import keras")[:-20]
        Path("nb.ipynb").write_bytes(data)
        result = cli(command, "--output-format", "concise")
        assert result.code == 2
        assert result.out.startswith("nb.ipynb:1:1: error[SEQ001] the notebook is no JSON: ")
        assert Path("nb.ipynb").read_bytes() == data

    def test_facts_are_those_of_python_files(self, project: Path, cli: Cli) -> None:
        save("import keras")
        result = cli("facts", "nb.ipynb")
        assert (result.code, result.err) == (2, "error: facts reads Python files, and nb.ipynb is a notebook\n")


class TestSuppressions:
    @pytest.mark.parametrize(
        "code", ["keras.utils.seed(0)  # seqlint: ignore[TST101]", "# seqlint: ignore\n%time x = 1\n"]
    )
    def test_they_hold_in_their_cell(self, project: Path, cli: Cli, code: str) -> None:
        save("import keras", code, "keras.utils.seed(0)")
        out = cli("check", "--output-format", "concise").out
        assert "nb.ipynb:cell 4:1:1: warning[TST101]" in out
        assert "nb.ipynb:cell 3:1:1: warning[TST101]" not in out

    def test_one_at_the_end_of_a_cell_does_not_reach_into_the_next(self, project: Path, cli: Cli) -> None:
        Path("seqlint.toml").write_text('rules = ["tools/rules"]\nselect = ["TST", "SEQ003"]\n')
        save("import keras\n# seqlint: ignore[TST101]", "keras.utils.seed(0)")
        assert cli("check", "nb.ipynb", "--output-format", "concise").out == (
            "nb.ipynb:cell 2:2:19: warning[SEQ003] this suppression hides nothing: TST101 is not reported here [fix]\n"
            "nb.ipynb:cell 3:1:1: warning[TST101] `seed` is called [fix]\n"
        )
        cli("fix", "nb.ipynb")
        assert sources(Path("nb.ipynb").read_bytes())[1:] == ["import keras", "keras.seed(0)"]

    def test_one_for_the_file_holds_in_all_cells(self, project: Path, cli: Cli) -> None:
        save("# seqlint: file-ignore[TST101]\nimport keras", SEED, SEED)
        assert cli("check").code == 0


class TestFix:
    def test_only_the_cell_changes(self, project: Path, cli: Cli) -> None:
        data = save("import keras", SEED, "keras.utils.spread()")
        result = cli("fix")
        assert Path("nb.ipynb").read_bytes() == data.replace(b"keras.utils.seed", b"keras.seed")
        assert result.out.startswith(
            "nb.ipynb\n  fixed TST101 seed-set at cell 3:2:1: Call `keras.seed` (safe)\n\nadvice[TST201]"
        )
        assert (
            cli("fix", "--output-format", "concise").out == "nb.ipynb:cell 4:1:1: advice[TST201] `spread` is called\n"
        )

    def test_without_a_fix_nothing_is_written(self, project: Path, cli: Cli) -> None:
        save("import keras", "keras.utils.spread()")
        before = Path("nb.ipynb").stat()
        assert cli("fix").code == 0
        after = Path("nb.ipynb").stat()
        assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)

    def test_a_diff_is_one_of_cells(self, project: Path, cli: Cli) -> None:
        data = save("import keras", SEED, "keras.utils.seed(1)")
        result = cli("fix", "--diff")
        assert result.out == (
            "--- a/nb.ipynb:cell 3\t\n"
            "+++ b/nb.ipynb:cell 3\t\n"
            "@@ -1,2 +1,2 @@\n"
            " %matplotlib inline\n"
            "-keras.utils.seed(0)\n"
            "+keras.seed(0)\n"
            "--- a/nb.ipynb:cell 4\t\n"
            "+++ b/nb.ipynb:cell 4\t\n"
            "@@ -1 +1 @@\n"
            "-keras.utils.seed(1)\n"
            "+keras.seed(1)\n"
        )
        assert result.code == 1
        assert Path("nb.ipynb").read_bytes() == data

    def test_json_names_the_cell_of_a_fix(self, project: Path, cli: Cli) -> None:
        save("import keras", SEED)
        (fixed,) = json.loads(cli("fix", "--output-format", "json").out)["fixed"]
        assert (fixed["cell"], fixed["start"]["line"]) == (3, 2)

    def test_a_notebook_can_come_from_standard_input(self, project: Path, cli: Cli) -> None:
        data = written("import keras", SEED)
        result = cli("fix", "-", "--stdin-filename", "nb.ipynb", stdin=data)
        assert result.raw == data.replace(b"keras.utils.seed", b"keras.seed")

    def test_a_fix_that_crosses_cells_is_dropped(self, project: Path, cli: Cli) -> None:
        Path("tools/rules/tst301_start_called.py").write_text(CROSSING)
        data = save("import keras", "keras.utils.start()")
        result = cli("fix", "nb.ipynb")
        assert "error[TST301]" in result.out
        assert "  no fix: it would change more than one cell, or a magic\n" in result.out
        assert Path("nb.ipynb").read_bytes() == data
        save("import keras\nkeras.utils.start()", "x = 1")
        assert cli("fix", "nb.ipynb").code == 0
        assert sources(Path("nb.ipynb").read_bytes())[1] == "import os\nimport keras\nkeras.start()"
