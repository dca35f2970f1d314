"""`seqlint check` and `fix` on pages of Markdown, reStructuredText and plain text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import SKIPPED, UNKNOWN
from tests.pages import fence

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

SEED = "import keras\n\nkeras.utils.seed(0)\n"
PAGE = f"# Seeds\n\n1. Set it:\n\n{fence(SEED, lead='   ')}\nkeras.utils.seed(0) is text.\n"


def save(text: str, name: str = "guide.md") -> bytes:
    data = text.encode()
    Path(name).write_bytes(data)
    return data


class TestCheck:
    def test_a_finding_names_the_line_of_the_page(self, project: Path, cli: Cli) -> None:
        save(PAGE)
        result = cli("check", "guide.md")
        assert result.out == (
            "warning[TST101] seed-set: `seed` is called\n"
            "  --> guide.md:8:4\n"
            "  |\n"
            "8 |    keras.utils.seed(0)\n"
            "  |    ^^^^^^^^^^^^^^^^^^^\n"
            "  fix (safe): Call `keras.seed`\n"
            "\n"
            "1 finding (1 warning) in 1 file; `seqlint fix` fixes 1\n"
            f"{UNKNOWN}\n"
        )
        assert (result.code, result.err) == (1, "")

    def test_json_counts_in_the_page(self, project: Path, cli: Cli) -> None:
        data = save(PAGE)
        (finding,) = json.loads(cli("check", "guide.md", "--output-format", "json").out)["findings"]
        start = data.index(b"keras.utils.seed")
        assert "cell" not in finding
        assert finding["start"] == {"line": 8, "column": 4, "offset": start}
        (edit,) = finding["fixes"][0]["edits"]
        assert data[: edit["start"]["offset"]] + edit["text"].encode() + data[edit["end"]["offset"] :] == data.replace(
            b"keras.utils.seed(0)\n   `", b"keras.seed(0)\n   `"
        )

    @pytest.mark.parametrize(
        ("name", "page"),
        [
            ("guide.markdown", PAGE),
            ("GUIDE.MD", PAGE),
            ("guide.rst", "Seeds::\n\n  import keras\n\n  keras.utils.seed(0)\n"),
            ("notes.txt", f"Seeds\n\n{fence(SEED)}"),
            ("session.txt", "Seeds\n\n>>> import keras\n>>> keras.utils.seed(0)\n"),
        ],
    )
    def test_pages_of_all_kinds_are_read(self, project: Path, cli: Cli, name: str, page: str) -> None:
        save(page, name)
        assert cli("check", name).code == 1
        assert cli("fix", name).code == 0
        assert "keras.seed(0)" in Path(name).read_text()

    def test_what_does_not_parse_says_nothing(self, project: Path, cli: Cli) -> None:
        save(fence("import keras\nkeras.utils.seed(\n") + "\n" + fence("import keras\nif\n", ""))
        assert cli("check", "guide.md").out == "no findings in 1 file\n"

    def test_null_bytes_are_told(self, project: Path, cli: Cli) -> None:
        Path("guide.md").write_bytes(PAGE.encode("utf-16"))
        result = cli("check", "guide.md", "--output-format", "concise")
        assert (result.code, result.out) == (0, "")  # it names no Keras
        Path("guide.md").write_bytes(b"\0" + PAGE.encode())
        result = cli("check", "guide.md", "--output-format", "concise")
        assert result.out == "guide.md:1:1: error[SEQ001] the file holds null bytes, so it is no text\n"
        assert result.code == 2

    def test_a_base_in_a_module_beside_it_is_found(self, project: Path, cli: Cli) -> None:
        Path("seqlint.toml").write_text('select = ["SEQ221"]\nkeras = ">=3.10"\n')
        Path("base.py").write_text("import keras\n\n\nclass Base(keras.utils.PyDataset):\n    pass\n")
        feed = "from base import Base\n\nclass Feed(Base):\n    def __init__(self):\n        self.x = 1\n    def __len__(self):\n        return 1\n"
        save(fence(feed))
        assert "guide.md:5:5: warning[SEQ221]" in cli("check", "guide.md", "--output-format", "concise").out


class TestWalk:
    def test_pages_are_taken_where_the_configuration_asks_for_them(self, project: Path, cli: Cli) -> None:
        for name in ("guide.md", "guide.rst", "notes.txt"):
            save(f"Seeds::\n\n{fence(SEED, lead='  ')}", name)
        assert cli("check").out == f"no findings in 0 files\n{SKIPPED}, 2 pages (`docs = true` reads them)\n"
        with Path("seqlint.toml").open("a") as file:
            file.write("docs = true\n")
        assert [line.partition(":")[0] for line in cli("check", "--output-format", "concise").out.splitlines()] == [
            "guide.md"
        ]
        assert "2 files" in cli("check").out

    def test_docs_is_true_or_false(self, project: Path, cli: Cli) -> None:
        Path("seqlint.toml").write_text('docs = "yes"\n')
        result = cli("check")
        assert (result.code, result.err) == (2, "error: seqlint.toml:1: 'docs' must be true or false, not a string\n")


class TestSuppressions:
    def test_they_hold_in_their_block(self, project: Path, cli: Cli) -> None:
        save(fence("import keras\nkeras.utils.seed(0)  # seqlint: ignore[TST101]\n") + "\n" + fence(SEED))
        assert (
            cli("check", "guide.md", "--output-format", "concise").out
            == "guide.md:9:1: warning[TST101] `seed` is called [fix]\n"
        )

    @pytest.mark.parametrize(
        "comment", ["# seqlint: file-ignore[TST101]", "# seqlint: file-ignore", "# seqlint: file-ignore[seed-set]"]
    )
    def test_one_for_the_file_holds_on_the_whole_page(self, project: Path, cli: Cli, comment: str) -> None:
        Path("seqlint.toml").write_text('rules = ["tools/rules"]\nselect = ["TST", "SEQ003"]\n')
        data = save(fence(SEED) + "\n" + fence(f"import keras\n{comment}\n") + "\n" + fence(SEED))
        assert cli("check", "guide.md").out == f"no findings in 1 file\n{UNKNOWN}\n"
        assert cli("fix", "guide.md").code == 0
        assert Path("guide.md").read_bytes() == data

    def test_one_for_the_file_that_hides_nothing_is_told(self, project: Path, cli: Cli) -> None:
        Path("seqlint.toml").write_text('rules = ["tools/rules"]\nselect = ["TST", "SEQ003"]\n')
        save(fence("import keras\n# seqlint: file-ignore[TST102]\n") + "\n" + fence(SEED))
        out = cli("check", "guide.md", "--output-format", "concise").out
        assert out == (
            "guide.md:3:24: warning[SEQ003] this suppression hides nothing: TST102 is not reported here [fix]\n"
            "guide.md:9:1: warning[TST101] `seed` is called [fix]\n"
        )
        cli("fix", "guide.md")
        assert Path("guide.md").read_text() == fence("import keras\n") + "\n" + fence(SEED.replace("utils.", ""))


class TestFix:
    def test_only_the_code_changes(self, project: Path, cli: Cli) -> None:
        data = save(PAGE)
        result = cli("fix", "guide.md")
        assert result.out.startswith("guide.md\n  fixed TST101 seed-set at 8:4: Call `keras.seed` (safe)\n")
        assert Path("guide.md").read_bytes() == data.replace(b"   keras.utils.seed", b"   keras.seed")

    @pytest.mark.parametrize("newline", ["\r\n", "\r"])
    def test_newlines_and_mark_stay(self, project: Path, cli: Cli, newline: str) -> None:
        data = b"\xef\xbb\xbf" + PAGE.replace("\n", newline).encode()
        Path("guide.md").write_bytes(data)
        assert cli("fix", "guide.md").code == 0
        assert Path("guide.md").read_bytes() == data.replace(b"   keras.utils.seed", b"   keras.seed")

    def test_what_is_not_utf8_stays(self, project: Path, cli: Cli) -> None:
        data = b"caf\xe9\n\n" + PAGE.encode()
        Path("guide.md").write_bytes(data)
        assert cli("fix", "guide.md").code == 0
        assert Path("guide.md").read_bytes() == data.replace(b"   keras.utils.seed", b"   keras.seed")

    def test_a_diff_is_one_of_the_page(self, project: Path, cli: Cli) -> None:
        data = save(PAGE)
        result = cli("fix", "--diff", "guide.md")
        assert "-   keras.utils.seed(0)\n+   keras.seed(0)\n" in result.out
        assert result.out.startswith("--- a/guide.md\n+++ b/guide.md\n@@ -5,7 +5,7 @@\n")
        assert result.code == 1
        assert Path("guide.md").read_bytes() == data

    def test_a_page_can_come_from_standard_input(self, project: Path, cli: Cli) -> None:
        result = cli("fix", "-", "--stdin-filename", "guide.md", stdin=PAGE.encode())
        assert result.raw == PAGE.replace("   keras.utils.seed", "   keras.seed").encode()
        assert cli("check", "-", "--stdin-filename", "guide.md", stdin=PAGE.encode()).code == 1


class TestOtherCommands:
    @pytest.mark.parametrize("command", ["verify", "facts"])
    def test_what_takes_one_program_says_so(self, project: Path, cli: Cli, command: str) -> None:
        save(PAGE)
        result = cli(command, "guide.md")
        assert result.code == 2
        assert result.err.startswith(f"error: {command} ")
        assert "guide.md is a page of text" in result.err
        assert result.err.count("\n") == 1

    def test_the_keras_in_use_is_known_for_a_page(self, project: Path, cli: Cli) -> None:
        Path("requirements.txt").write_text("keras==3.12.0\n")
        save(PAGE)
        assert "3.12.0" in cli("explain", "--keras", "guide.md").out
