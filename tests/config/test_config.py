from __future__ import annotations

from pathlib import Path

import pytest

from seqlint.config import Config, Overrides, check_config, finder, load_config, read_config
from seqlint.model import ConfigError, Levels, LoadedRule, Rule

KNOWN = {
    "SEQ003": "dead-suppression",
    "SEQ101": "epoch-hook-global-state",
    "SEQ201": "swallowed-exception",
    "SEQ202": "sample-dropped-alone",
    "SEQ999": "off-by-default",
}


def loaded(code: str) -> LoadedRule:
    rule = Rule(code, KNOWN[code], "0.1.0", Levels.everywhere("error"), default=code != "SEQ999")
    return LoadedRule.of(rule, lambda facts: iter(()), "", Path(f"{code}.py"))


RULES = tuple(loaded(code) for code in KNOWN if not code.startswith("SEQ0"))


def on(config: Config, path: str | None = None) -> list[str]:
    return [found.rule.code for found in config.rules_for(Path(path) if path else None, RULES)]


def config(**settings: tuple[str, ...]) -> Config:
    return Config(Path.cwd(), **settings)  # type: ignore[arg-type]


class TestSelection:
    def test_without_a_word_the_rules_that_are_on_by_default(self) -> None:
        assert on(Config.default()) == ["SEQ101", "SEQ201", "SEQ202"]

    @pytest.mark.parametrize(
        ("settings", "expected"),
        [
            ({"select": ("SEQ201",)}, ["SEQ201"]),
            ({"select": ("swallowed-exception",)}, ["SEQ201"]),
            ({"select": ("SEQ2",)}, ["SEQ201", "SEQ202"]),
            ({"select": ("SEQ",)}, ["SEQ101", "SEQ201", "SEQ202", "SEQ999"]),
            ({"select": ("ALL",)}, ["SEQ101", "SEQ201", "SEQ202", "SEQ999"]),
            ({"select": ("SEQ1",), "extend_select": ("SEQ202",)}, ["SEQ101", "SEQ202"]),
            ({"extend_select": ("SEQ999",)}, ["SEQ101", "SEQ201", "SEQ202", "SEQ999"]),
            ({"ignore": ("SEQ2",)}, ["SEQ101"]),
            ({"ignore": ("ALL",)}, []),
        ],
    )
    def test_by_code_beginning_name_and_all(self, settings: dict[str, tuple[str, ...]], expected: list[str]) -> None:
        assert on(config(**settings)) == expected

    @pytest.mark.parametrize(
        ("settings", "expected"),
        [
            ({"ignore": ("SEQ2",), "extend_select": ("SEQ201",)}, ["SEQ101", "SEQ201"]),
            ({"ignore": ("SEQ2",), "extend_select": ("swallowed-exception",)}, ["SEQ101", "SEQ201"]),
            ({"select": ("SEQ2",), "ignore": ("SEQ202",)}, ["SEQ201"]),
            ({"select": ("ALL",), "ignore": ("SEQ2",)}, ["SEQ101", "SEQ999"]),
            ({"ignore": ("ALL",), "extend_select": ("SEQ2",)}, ["SEQ201", "SEQ202"]),
            ({"select": ("SEQ201",), "ignore": ("SEQ201",)}, []),
        ],
    )
    def test_the_closer_selector_wins_and_ignore_wins_a_draw(
        self, settings: dict[str, tuple[str, ...]], expected: list[str]
    ) -> None:
        assert on(config(**settings)) == expected

    def test_per_file_ignores_hold_where_their_pattern_does(self, tmp_path: Path) -> None:
        some = Config(tmp_path, per_file_ignores=(("tests/**", ("SEQ2",)), ("*_pb2.py", ("ALL",))), select=("ALL",))
        assert on(some, f"{tmp_path}/tests/deep/a.py") == ["SEQ101", "SEQ999"]
        assert on(some, f"{tmp_path}/src/a_pb2.py") == []
        assert on(some, f"{tmp_path}/src/a.py") == ["SEQ101", "SEQ201", "SEQ202", "SEQ999"]
        assert on(some) == ["SEQ101", "SEQ201", "SEQ202", "SEQ999"]

    def test_what_seqlint_says_of_itself_can_be_turned_off(self) -> None:
        assert Config.default().reports("SEQ003", "dead-suppression", None)
        assert not config(ignore=("SEQ0",)).reports("SEQ003", "dead-suppression", None)
        assert not config(select=("SEQ101",)).reports("SEQ003", "dead-suppression", None)


class TestCommandLine:
    def test_select_replaces_what_the_file_selects(self) -> None:
        file = config(select=("SEQ1",), extend_select=("SEQ999",), ignore=("SEQ2",))
        assert on(file.overridden(Overrides(select=("SEQ2",)))) == ["SEQ201", "SEQ202"]

    def test_ignore_and_extend_select_add_to_the_file(self) -> None:
        file = config(extend_select=("SEQ999",), ignore=("SEQ101",))
        assert on(file.overridden(Overrides(ignore=("SEQ201",)))) == ["SEQ202", "SEQ999"]
        assert on(file.overridden(Overrides(extend_select=("SEQ101",)))) == ["SEQ101", "SEQ201", "SEQ202", "SEQ999"]

    def test_range_and_unsafe_speak_last(self) -> None:
        file = Config(Path.cwd(), keras=">=3.10", unsafe=True)
        assert file.overridden(Overrides()) == file
        over = file.overridden(Overrides(keras="tf-keras", unsafe=False))
        assert (over.keras, over.unsafe) == ("tf-keras", False)


class TestFinding:
    def test_the_nearest_file_up_the_tree_holds(self, tmp_path: Path) -> None:
        (tmp_path / "a/b/c").mkdir(parents=True)
        (tmp_path / "seqlint.toml").write_text('keras = ">=3"')
        (tmp_path / "a/b/pyproject.toml").write_text('[tool.seqlint]\nkeras = "tf-keras"')
        (tmp_path / "a/b/c/pyproject.toml").write_text('[project]\nname = "seqlint-user"')
        find = finder()
        assert find(tmp_path / "a").keras == ">=3"
        assert find(tmp_path / "a/b/c").keras == "tf-keras"
        assert find(tmp_path / "a/b/c").root == tmp_path / "a/b"
        assert load_config(tmp_path / "a/b/c/some.py").file == tmp_path / "a/b/pyproject.toml"

    def test_seqlint_toml_comes_before_pyproject(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_text('[tool.seqlint]\nkeras = "2"')
        (tmp_path / "seqlint.toml").write_text('keras = "3"')
        assert load_config(tmp_path).keras == "3"

    def test_without_a_file_the_defaults_hold(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        assert load_config(tmp_path / "a.py") == Config.default()

    def test_a_named_pyproject_must_have_the_table(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_text("[tool.other]\n")
        with pytest.raises(ConfigError, match=r"no \[tool.seqlint\]"):
            read_config(tmp_path / "pyproject.toml")

    def test_every_key_is_read(self, tmp_path: Path) -> None:
        (tmp_path / "tools/rules").mkdir(parents=True)
        file = tmp_path / "seqlint.toml"
        file.write_bytes(
            b"\xef\xbb\xbfselect = ['SEQ1']\nignore = ['SEQ101']\nextend-select = ['SEQ2']\nexclude = ['old/']\n"
            b"unsafe = true\nkeras = '>=3.10'\nrules = ['tools/rules']\nper-file-ignores = {'tests/**' = ['ALL']}\n"
        )
        assert read_config(file) == Config(
            tmp_path, file, ("SEQ1",), ("SEQ101",), ("SEQ2",), (("tests/**", ("ALL",)),), ("old/",), True, ">=3.10",
            rule_folders=(tmp_path / "tools/rules",),
        )  # fmt: skip


class TestMistakes:
    @pytest.fixture(autouse=True)
    def _in_tmp(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (
                '[tool.seqlint]\nkeras = "3"\nselct = []\n',
                "pyproject.toml:3: unknown key 'selct'; did you mean 'select'?",
            ),
            ("[tool.seqlint]\nqqqq = 1\n", "pyproject.toml:2: unknown key 'qqqq'; the keys are docs, exclude, "),
            ("[tool.seqlint]\nselect = 'SEQ1'\n", "pyproject.toml:2: 'select' must be a list of strings, not a string"),
            (
                "[tool.seqlint]\nselect = ['SEQ1', 2]\n",
                "pyproject.toml:2: 'select' must be a list of strings, not a list that holds a number",
            ),
            ("[tool.seqlint]\nunsafe = 'yes'\n", "pyproject.toml:2: 'unsafe' must be true or false, not a string"),
            ("[tool.seqlint]\nkeras = 3.10\n", "pyproject.toml:2: 'keras' must be a string, not a number"),
            (
                "[tool.seqlint.per-file-ignores]\n'a.py' = 'SEQ1'\n",
                "pyproject.toml:2: 'a.py' must be a list of strings, not a string",
            ),
            (
                "[tool.seqlint]\nper-file-ignores = ['SEQ1']\n",
                "pyproject.toml:2: 'per-file-ignores' must be a table of lists of strings, not a list",
            ),
            ("[tool.seqlint]\nrules = ['here']\n", "pyproject.toml:2: the rule folder 'here' does not exist"),
            (
                "[tool.seqlint]\nexclude = [\n  'a',\n  '!',\n]\n",
                "pyproject.toml:4: '!' is not a .gitignore pattern",
            ),
            ("[tool.seqlint\n# seqlint\n", "pyproject.toml:1: this is not TOML: "),
            ("[tool]\nseqlint = 3\n", "pyproject.toml:2: 'tool.seqlint' must be a table"),
            (
                "[tool.other]\nselct = 1\n# selct\n[tool.seqlint]\n# selct\nselct = 1  # selct\n",
                "pyproject.toml:6: unknown key 'selct'; did you mean 'select'?",
            ),
        ],
    )
    def test_name_file_line_and_the_nearest_right_word(self, text: str, message: str) -> None:
        Path("pyproject.toml").write_text(text)
        with pytest.raises(ConfigError) as caught:
            load_config(Path("a.py"))
        assert str(caught.value).startswith(message)

    def test_a_table_header_in_seqlint_toml_is_explained(self) -> None:
        Path("seqlint.toml").write_text("[tool.seqlint]\nselect = ['SEQ2']\n")
        with pytest.raises(ConfigError, match=r"^seqlint.toml:1: unknown key 'tool'; in seqlint.toml write the keys"):
            load_config(Path("a.py"))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (
                "select = [\n  'SEQ2',\n  'SEQ102',\n]\n",
                "seqlint.toml:3: unknown rule 'SEQ102'; did you mean 'SEQ202'?",
            ),
            ("ignore = ['seq201']\n", "seqlint.toml:1: unknown rule 'seq201'; did you mean 'SEQ201'?"),
            (
                "\nextend-select = ['swallowed-exeption']\n",
                "seqlint.toml:2: unknown rule 'swallowed-exeption'; did you mean 'swallowed-exception'?",
            ),
            ("select = ['all']\n", "seqlint.toml:1: unknown rule 'all'; did you mean 'ALL'?"),
            ("select = ['SEQ4']\n", "seqlint.toml:1: unknown rule 'SEQ4'"),
            ("select = ['S']\n", "seqlint.toml:1: unknown rule 'S'; `seqlint rules` lists them"),
            ("select = ['']\n", "seqlint.toml:1: unknown rule ''"),
            (
                "[per-file-ignores]\n'a.py' = ['SEQ1']\n'b.py' = ['SEQ1', 'SEQ31']\n",
                "seqlint.toml:3: unknown rule 'SEQ31'",
            ),
        ],
    )
    def test_in_selectors(self, text: str, message: str) -> None:
        Path("seqlint.toml").write_text(text)
        with pytest.raises(ConfigError) as caught:
            check_config(load_config(Path("a.py")), KNOWN)
        assert str(caught.value).startswith(message)
