"""Whose rules run: each rule file of these projects leaves a mark when it is imported."""

from __future__ import annotations

import importlib.util
import json
import os
import py_compile
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.cli import inputs
from seqlint.sources import user
from tests.cli.conftest import SAFE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

MARK = "from pathlib import Path\nPath({mark!r}).touch()\n"
BARE = """\
import keras


class Feed(keras.utils.PyDataset):
    def __init__(self, x):
        self.x = x


keras.utils.seed(0)
"""
UNTRUSTED = (
    "error: house: these rules are not trusted, so they did not run: read them, then run `seqlint trust house`\n"
)
CHANGED = "error: house: these rules have changed since they were trusted, so they did not run: read them, then run `seqlint trust house`\n"


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SEQLINT_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.delenv(inputs.TRUSTING, raising=False)
    registry.forget()
    yield
    registry.forget()


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The rule folder of a project in the working directory."""
    root = tmp_path / "project"
    (root / "house").mkdir(parents=True)
    monkeypatch.chdir(root)
    (root / "seqlint.toml").write_text('rules = ["house"]\nselect = ["SEQ221", "TST"]\nexclude = ["house/"]\n')
    (root / "a.py").write_text(BARE)
    return marked(root / "house/tst101_seed_set.py").parent


def marked(rule: Path) -> Path:
    """Write a rule that leaves a mark."""
    rule.write_text(SAFE + MARK.format(mark=str(rule.parents[2] / "ran")))
    return rule


def ran(house: Path) -> bool:
    """Whether a rule was imported since this was asked last."""
    mark = house.parents[1] / "ran"
    found = mark.exists()
    mark.unlink(missing_ok=True)
    return found


def codes(done: Result) -> list[str]:
    return [found["code"] for found in json.loads(done.out)["findings"]]


JSON = ("--output-format", "json")


class TestUntrusted:
    @pytest.mark.parametrize(
        "line",
        [
            ("check",), ("check", "a.py"), ("check", "--no-cache"), ("check", "--select", "TST101"), ("check", "-j", "2"),
            ("check", "--config", "seqlint.toml"), ("check", "--shard", "1/1"), ("fix", "--diff"), ("fix", "--unsafe", "--diff"),
            ("fix",), ("rules",), ("explain", "TST101"), ("explain", "seed-set"), ("fix", "--executor", "tests.cli.test_cli_executor:two_threads"),
            ("check", "--executor", "tests.cli.test_cli_executor:two_threads"),
        ],
        ids=" ".join,
    )  # fmt: skip
    def test_nothing_of_it_runs_and_the_error_says_what_to_do(
        self, house: Path, cli: Cli, line: tuple[str, ...]
    ) -> None:
        done = cli(*line)
        assert (done.code, ran(house)) == (2, False)
        assert [said for said in done.err.splitlines(keepends=True) if said.startswith("error: ")] == [UNTRUSTED]

    def test_a_rule_of_seqlint_is_explained_as_ever(self, house: Path, cli: Cli) -> None:
        done = cli("explain", "SEQ221")
        assert (done.code, done.err, ran(house)) == (0, "", False)

    def test_the_shipped_rules_check_all_files(self, house: Path, cli: Cli) -> None:
        Path("b.py").write_text(BARE)
        assert codes(cli("check", *JSON)) == ["SEQ221", "SEQ221"]

    def test_the_shipped_rules_fix(self, house: Path, cli: Cli) -> None:
        assert cli("fix").code == 2
        assert "super().__init__(**kwargs)" in Path("a.py").read_text()

    def test_a_proof_says_so_too(self, house: Path, cli: Cli) -> None:
        Path("a.py").write_text("import keras\n\nkeras.utils.seed(0)\n")
        done = cli("verify", "a.py", "--output-format", "json")
        assert done.err.startswith(UNTRUSTED)
        assert (done.code, json.loads(done.out)["items"], ran(house)) == (2, [], False)

    def test_standard_input_is_no_way_round(self, house: Path, cli: Cli) -> None:
        done = cli("check", "-", "--stdin-filename", "a.py", *JSON, stdin=BARE.encode())
        assert (done.code, codes(done), ran(house)) == (2, ["SEQ221"], False)

    def test_many_processes_follow(self, house: Path, cli: Cli) -> None:
        for number in range(35):
            Path(f"f{number}.py").write_text(BARE)
        done = cli("check", "-j", "2", *JSON)
        assert (done.code, codes(done), ran(house)) == (2, ["SEQ221"] * 36, False)
        done = cli("check", "-j", "2", "--trust-rules", *JSON)
        assert (done.code, sorted(codes(done)), ran(house)) == (1, ["SEQ221"] * 36 + ["TST101"] * 36, True)

    @pytest.mark.parametrize(
        "setting",
        ['select = ["TST101"]', 'extend-select = ["seed-set"]', 'ignore = ["TST9"]', '[per-file-ignores]\n"a" = ["seed-set"]'],
    )  # fmt: skip
    def test_what_names_its_rules_is_no_second_error(self, house: Path, cli: Cli, setting: str) -> None:
        Path("seqlint.toml").write_text(f'rules = ["house"]\n{setting}\n')
        assert cli("check", "a.py").err == UNTRUSTED
        assert cli("check", "a.py", "--ignore", "TST101").err == UNTRUSTED

    @pytest.mark.parametrize("words", ["TST101", "seed-set", "SEQ221, TST101", ""])
    def test_a_suppression_of_its_rules_stays(self, house: Path, cli: Cli, words: str) -> None:
        """With the rules it hides something; without them nobody knows, and `fix` must not take it away."""
        comment = f"# seqlint: ignore[{words}]" if words else "# seqlint: ignore"
        text = f"import keras\n\nkeras.utils.seed(0)  {comment}\n"
        Path("a.py").write_text(text)
        Path("seqlint.toml").write_text('rules = ["house"]\n')
        cli("fix")
        assert Path("a.py").read_text().count("TST101") == words.count("TST101")
        assert "SEQ004" not in cli("check", "a.py").out
        if "SEQ221" not in words:
            assert Path("a.py").read_text() == text

    def test_a_folder_below_has_no_say_of_its_own(self, house: Path, cli: Cli) -> None:
        Path("vendored/inner").mkdir(parents=True)
        Path("seqlint.toml").rename("vendored/seqlint.toml")
        shutil.move("house", "vendored/house")
        marked(Path("vendored/house/tst101_seed_set.py").absolute())
        shutil.copy("a.py", "vendored/inner/b.py")
        done = cli("check")
        assert (done.code, "--> vendored/inner/b.py" in done.out, ran(house)) == (2, True, False)
        assert "run `seqlint trust vendored/house`" in done.err

    def test_results_without_them_are_not_taken_for_those_with_them(self, house: Path, cli: Cli) -> None:
        for _ in range(2):
            assert codes(cli("check", *JSON)) == ["SEQ221"]
        for _ in range(2):
            assert codes(cli("check", "--trust-rules", *JSON)) == ["SEQ221", "TST101"]
        assert codes(cli("check", *JSON)) == ["SEQ221"]


class TestTrust:
    @pytest.mark.parametrize("path", [(), (".",), ("house",), ("./house/",), ("seqlint.toml",)], ids=" ".join)
    def test_trusted_rules_run(self, house: Path, cli: Cli, path: tuple[str, ...]) -> None:
        done = cli("trust", *path)
        assert (done.code, done.out, ran(house)) == (0, "trusted: house (tst101_seed_set.py)\n", False)
        done = cli("check", *JSON)
        assert (done.code, codes(done), done.err, ran(house)) == (1, ["SEQ221", "TST101"], "", True)

    def test_from_elsewhere_and_through_a_link(
        self, house: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "link").symlink_to(house.parent, target_is_directory=True)
        monkeypatch.chdir(tmp_path)
        cli("trust", "link")
        assert codes(cli("check", "project", *JSON)) == ["SEQ221", "TST101"]

    def test_from_a_folder_of_the_project(self, house: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("deep").mkdir()
        monkeypatch.chdir("deep")
        assert cli("trust").out == f"trusted: {house} (tst101_seed_set.py)\n"
        assert cli("trust", "--revoke", "../house").code == 0
        assert cli("trust", "..").code == 0

    def test_the_record_is_the_users_alone(self, house: Path, cli: Cli, tmp_path: Path) -> None:
        cli("trust")
        (record,) = (tmp_path / "config/trusted").iterdir()
        assert record.stat().st_mode & 0o777 == 0o600
        record.chmod(0o666)  # as if others could have written it
        assert cli("check").err == UNTRUSTED

    @pytest.mark.parametrize(
        ("name", "text"),
        [("tst101_seed_set.py", SAFE), ("more.py", ""), ("deep/deeper/helper.py", "x = 1\n"), (".hidden.py", ""), ("__init__.py", "")],
    )  # fmt: skip
    def test_a_change_asks_again(self, house: Path, cli: Cli, name: str, text: str) -> None:
        cli("trust")
        (house / name).parent.mkdir(parents=True, exist_ok=True)
        (house / name).write_text(text)
        done = cli("check", *JSON)
        assert (done.code, codes(done), done.err, ran(house)) == (2, ["SEQ221"], CHANGED, False)

    def test_a_rule_that_goes_or_gets_another_name_asks_again(self, house: Path, cli: Cli) -> None:
        (house / "helper.py").touch()
        cli("trust")
        (house / "helper.py").rename(house / "keras.py")
        assert cli("check").err == CHANGED
        (house / "keras.py").unlink()
        assert cli("check").err == CHANGED

    def test_a_helper_behind_a_link_counts(self, house: Path, cli: Cli, tmp_path: Path) -> None:
        (tmp_path / "lib").mkdir()
        (tmp_path / "lib/helper.py").touch()
        (house / "lib").symlink_to(tmp_path / "lib", target_is_directory=True)
        (house / "loop").symlink_to(house, target_is_directory=True)
        cli("trust")
        assert cli("check").err == ""
        (tmp_path / "lib/helper.py").write_text("x = 1\n")
        assert cli("check").err == CHANGED

    def test_other_files_may_change(self, house: Path, cli: Cli) -> None:
        cli("trust")
        (house / "README.md").write_text("Our rules.\n")
        (house / "words.json").write_text("{}")
        assert cli("check").err == ""

    def test_the_same_rules_in_another_folder_are_not_trusted(self, house: Path, cli: Cli) -> None:
        cli("trust")
        shutil.copytree("house", "copy")
        Path("seqlint.toml").write_text('rules = ["copy"]\n')
        assert "error: copy: these rules are not trusted" in cli("check").err

    def test_revoked_rules_run_no_more(self, house: Path, cli: Cli) -> None:
        cli("trust")
        assert cli("trust", "--revoke").out == "no longer trusted: house\n"
        assert (cli("check").err, ran(house)) == (UNTRUSTED, False)
        done = cli("trust", "--revoke", "house")
        assert (done.code, done.out) == (1, "was not trusted: house\n")

    def test_a_folder_that_is_gone_can_be_revoked(self, house: Path, cli: Cli) -> None:
        cli("trust")
        shutil.rmtree(house)
        Path("seqlint.toml").unlink()
        assert cli("trust", "--list").out == f"{house} (gone)\n"
        assert cli("trust", "--revoke", "house").code == 0
        assert cli("trust", "--list").out == ""

    def test_the_list_says_how_they_are(self, house: Path, cli: Cli) -> None:
        assert (cli("trust", "--list").code, cli("trust", "--list").out) == (0, "")
        cli("trust")
        assert (cli("trust", "--list").code, cli("trust", "--list").out) == (0, f"{house} (trusted)\n")
        (house / "more.py").touch()
        assert (cli("trust", "--list").code, cli("trust", "--list").out) == (1, f"{house} (changed since)\n")

    def test_where_nothing_is_named_it_says_so(self, house: Path, cli: Cli) -> None:
        Path("seqlint.toml").write_text("")
        for path in (".", "seqlint.toml"):
            assert cli("trust", path).err == (
                f"error: {path}: no rule folders are configured here: set `rules = [...]`\n"
            )
        Path("empty").mkdir()
        assert "this folder has no Python file" in cli("trust", "empty").err
        assert "this folder can't be read" in cli("trust", "nowhere").err

    def test_a_user_without_a_home_trusts_nothing(self, house: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(user, "settings_folder", lambda: None)
        assert cli("trust").err == "error: no folder can keep the decision: set SEQLINT_CONFIG_DIR\n"
        assert (cli("check").err, ran(house)) == (UNTRUSTED, False)


class TestOtherThanText:
    """The user has read Python files. Python would rather run what lies beside them."""

    def test_bytecode_in_the_repository_does_not_run(self, house: Path, cli: Cli) -> None:
        rule = house / "tst101_seed_set.py"
        evil = house.parent / "evil.py"
        evil.write_text(rule.read_text())
        rule.write_text(SAFE)
        cached = importlib.util.cache_from_source(str(rule))
        py_compile.compile(str(evil), cached, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
        py_compile.compile(str(evil), str(house / "tst102_more.pyc"))
        cli("trust", "house")
        done = cli("check", "a.py", *JSON)
        assert (done.code, codes(done), ran(house)) == (1, ["SEQ221", "TST101"], False)

    def test_nor_does_that_of_a_helper(self, house: Path, cli: Cli) -> None:
        (house / "lib").mkdir()
        helper = house / "lib/helper.py"
        (house / "tst101_seed_set.py").write_text(f"from .lib import helper\nassert helper.X == 1\n{SAFE}")
        helper.write_text(MARK.format(mark=str(house.parents[1] / "ran")) + "X = 2\n")
        cached = importlib.util.cache_from_source(str(helper))
        py_compile.compile(str(helper), cached, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
        helper.write_text("X = 1\n")
        cli("trust")
        assert (codes(cli("check", "a.py", *JSON)), ran(house)) == (["SEQ221", "TST101"], False)

    def test_a_module_that_has_no_text_is_none(self, house: Path, cli: Cli) -> None:
        (house / "helper.py").write_text(MARK.format(mark=str(house.parents[1] / "ran")))
        py_compile.compile(str(house / "helper.py"), str(house / "helper.pyc"))
        (house / "helper.py").unlink()
        (house / "tst101_seed_set.py").write_text(f"from . import helper\n{SAFE}")
        cli("trust")
        done = cli("check", "a.py")
        assert (done.code, ran(house), "cannot import name 'helper'" in done.err) == (2, False, True)

    def test_nothing_is_written_beside_them(self, house: Path, cli: Cli) -> None:
        cli("check", "--trust-rules", "a.py")
        assert os.listdir(house) == ["tst101_seed_set.py"]


class TestForOnce:
    @pytest.mark.parametrize(
        "line",
        [("check", "--no-cache", "a.py"), ("fix", "--no-cache", "--diff"), ("rules",), ("explain", "TST101")],
        ids=" ".join,
    )
    def test_an_option_or_the_environment_trusts_them(
        self, house: Path, cli: Cli, line: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert (cli(*line, "--trust-rules").err.count("not trusted"), ran(house)) == (0, True)
        registry.forget()
        monkeypatch.setenv("SEQLINT_TRUST_RULES", "1")
        assert (cli(*line).err.count("not trusted"), ran(house)) == (0, True)
        assert cli("trust", "--list").out == ""

    @pytest.mark.parametrize("value", ["", "0", "no", "false", "maybe"])
    def test_any_other_value_does_not(self, house: Path, cli: Cli, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SEQLINT_TRUST_RULES", value)
        assert (cli("check").err, ran(house)) == (UNTRUSTED, False)

    def test_the_help_says_so(self, house: Path, cli: Cli) -> None:
        for command in ("check", "fix", "verify", "rules", "explain"):
            assert "SEQLINT_TRUST_RULES=1" in " ".join(cli(command, "--help").out.split())


class TestFoldersThatAreRefused:
    @pytest.mark.parametrize(
        ("name", "why"),
        [
            ("", "a rule folder needs a name"), (" ", "a rule folder needs a name"),
            (".", "the rule folder '.' is the project itself: name a folder in it"),
            ("./", "the rule folder './' is the project itself: name a folder in it"),
            ("house/..", "the rule folder 'house/..' is the project itself: name a folder in it"),
            ("loop", "the rule folder 'loop' is the project itself: name a folder in it"),
            ("../out", "the rule folder '../out' is outside of the project"),
            ("..", "the rule folder '..' is outside of the project"),
            ("house/../../out", "the rule folder 'house/../../out' is outside of the project"),
            ("link", "the rule folder 'link' is outside of the project"),
            ("link/in", "the rule folder 'link/in' is outside of the project"),
            ("{out}", "the rule folder '{out}' must be relative to this file"),
            ("{house}", "the rule folder '{house}' must be relative to this file"),
            ("missing", "the rule folder 'missing' does not exist"),
            ("a.py", "the rule folder 'a.py' does not exist"),
        ],
    )  # fmt: skip
    def test_with_the_line_that_names_them(self, house: Path, cli: Cli, tmp_path: Path, name: str, why: str) -> None:
        (tmp_path / "out/in").mkdir(parents=True)
        for folder in ("out", "out/in"):
            marked(tmp_path / folder / "tst101_seed_set.py")
        Path("link").symlink_to(tmp_path / "out", target_is_directory=True)
        Path("loop").symlink_to(".", target_is_directory=True)
        Path("train.py").write_text(MARK.format(mark=str(tmp_path / "ran")))
        words = {"out": tmp_path / "out", "house": house}
        Path("seqlint.toml").write_text(f'keras = "3"\n\nrules = ["{name.format(**words)}"]\n')
        for line in (("check",), ("check", "--trust-rules"), ("rules",), ("trust",)):
            done = cli(*line)
            assert (done.code, done.err) == (2, f"error: seqlint.toml:3: {why.format(**words)}\n")
            assert not ran(house)

    @pytest.mark.parametrize("name", ["house", "./house", "house/", "inner/../house"])
    def test_a_folder_of_the_project_is_not(self, house: Path, cli: Cli, name: str) -> None:
        Path("inner").mkdir()
        Path("seqlint.toml").write_text(f'rules = ["{name}"]\n')
        assert "these rules are not trusted" in cli("check", "a.py").err


def test_shards_that_say_the_same_say_it_once(house: Path, cli: Cli) -> None:
    for number in range(12):
        Path(f"f{number}.py").write_text(BARE)
    whole = cli("check", "--output-format", "concise")
    for number in (1, 2, 3):
        Path(f"{number}.json").write_bytes(cli("check", "--shard", f"{number}/3", *JSON).raw)
    merged = cli("merge", "1.json", "2.json", "3.json", "--output-format", "concise")
    assert (merged.code, merged.out, merged.err) == (whole.code, whole.out, whole.err)
