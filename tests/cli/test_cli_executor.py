"""Checks and fixes on engines that a user brings."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from seqlint import registry
from seqlint.runner import remote
from tests.cli.test_cli_check import CLEAR, FETCH, SEED, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

HERE = f"{__name__}:"
JSON = ("--output-format", "json")


def two_threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(2)


def cluster() -> Any:
    client: Any = pytest.importorskip("distributed").Client
    return client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None)


class Fails:
    """An engine that dies over pieces with a file of some name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if any(self.name in job.path for job in arguments[-1]):
            future.set_exception(ConnectionError("the machine\nis gone"))
        else:
            future.set_result(function(*arguments))
        return future


def fails_on_one() -> Fails:
    return Fails("deadly")


def fails() -> Fails:
    return Fails("")


class OtherVersion:
    def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            function("9.9.9", *arguments[1:])
        except Exception as error:
            future.set_exception(error)
        return future


def refuses() -> None:
    raise OSError("no cluster answers")


def nothing() -> None: ...


@pytest.fixture
def files(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many files, in two folders, which go in many pieces; one of them crashes a rule, and another is broken."""
    monkeypatch.setattr(remote, "_PIECE", 100)
    write(**{f"f{number}": SEED if number % 2 else CLEAR for number in range(20)}, inner__a=SEED, z=FETCH)
    (project / "bad.py").write_bytes(b"import keras\n\0")


def test_threads_find_what_this_process_finds(files: None, cli: Cli) -> None:
    assert cli("check", *JSON, "--executor", f"{HERE}two_threads") == cli("check", *JSON)


def test_an_engine_is_found_in_the_working_directory(project: Path, cli: Cli) -> None:
    write(a=SEED, my_cluster="from concurrent.futures import ThreadPoolExecutor as make\n")
    assert cli("check", "a.py", "--executor", "my_cluster:make") == cli("check", "a.py")


def test_paths_mean_the_same_in_another_folder(project: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    write(src__a=SEED)

    class Elsewhere(Fails):
        def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
            os.chdir("/")
            try:
                return super().submit(function, *arguments)
            finally:
                os.chdir(project)

    monkeypatch.setattr("tests.cli.test_cli_executor.fails", lambda: Elsewhere("none"))
    (project / "seqlint.toml").open("a").write('per-file-ignores = { "src/b.py" = ["TST101"] }\n')
    write(src__b=SEED)
    result = cli("check", "--executor", f"{HERE}fails")
    assert result == cli("check")
    assert result.out.count("-->") == 1


def test_an_engine_that_fails_costs_the_file_it_fails_on(files: None, cli: Cli) -> None:
    write(deadly=SEED)
    result = cli("check", *JSON, "--executor", f"{HERE}fails_on_one")
    assert result.err == "error: deadly.py: the executor failed on this file: ConnectionError: the machine is gone\n"
    assert result.out.count('"code"') == 23


@pytest.mark.parametrize(
    ("executor", "said"),
    [
        ("distributed", "'distributed' is no MODULE:FACTORY, such as distributed:Client"),
        ("no_such_module:make", "there is no no_such_module:make: No module named 'no_such_module'"),
        ("concurrent.futures:Nothing", "there is no concurrent.futures:Nothing: "),
        (f"{HERE}refuses", f"{HERE}refuses makes no engine: OSError: no cluster answers"),
        (f"{HERE}nothing", f"{HERE}nothing makes NoneType, which has no method `submit`"),
        (f"{HERE}fails", "nothing could be done there: ConnectionError: the machine is gone"),
        (f"{HERE}OtherVersion", "seqlint "),
    ],
)
def test_what_is_no_engine_is_refused(project: Path, cli: Cli, executor: str, said: str) -> None:
    write(a=SEED)
    result = cli("check", "--executor", executor)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"error: --executor: {said}")


def test_the_engine_knows_how_many_processes_it_has(project: Path, cli: Cli) -> None:
    assert cli("check", "--executor", f"{HERE}two_threads", "--jobs", "2").code == 2


def texts(project: Path) -> dict[str, bytes]:
    return {str(path.relative_to(project)): path.read_bytes() for path in project.rglob("*.py")}


def test_threads_fix_what_this_process_fixes(project: Path, files: None, cli: Cli) -> None:
    before = texts(project)
    here, fixed = cli("fix", *JSON, "--unsafe"), texts(project)
    for path, data in before.items():
        (project / path).write_bytes(data)
    assert cli("fix", *JSON, "--unsafe", "--executor", f"{HERE}two_threads") == here
    assert texts(project) == fixed != before


def test_an_engine_shows_a_diff_and_writes_nothing(project: Path, files: None, cli: Cli) -> None:
    before = texts(project)
    assert cli("fix", "--diff", "--unsafe", "--executor", f"{HERE}two_threads") == cli("fix", "--diff", "--unsafe")
    assert texts(project) == before


def test_a_file_that_changes_while_an_engine_works_is_left_alone(
    project: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(a=SEED)

    class Slow(Fails):
        def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
            future = super().submit(function, *arguments)
            write(a="# somebody types\n")
            return future

    monkeypatch.setattr("tests.cli.test_cli_executor.fails", lambda: Slow("none"))
    result = cli("fix", "--unsafe", "--executor", f"{HERE}fails")
    assert result.code == 2
    assert (project / "a.py").read_text() == "# somebody types\n"


def test_a_file_that_an_engine_fails_on_is_not_fixed_and_others_are(project: Path, files: None, cli: Cli) -> None:
    write(deadly=SEED)
    result = cli("fix", "--unsafe", "--executor", f"{HERE}fails_on_one")
    assert "error: deadly.py: the executor failed on this file: ConnectionError: the machine is gone\n" in result.err
    assert (project / "deadly.py").read_text() == SEED
    assert (project / "f1.py").read_text() != SEED


def test_a_proof_runs_here(project: Path, cli: Cli) -> None:
    write(a=SEED)
    result = cli("fix", "--verify", "--executor", f"{HERE}two_threads")
    assert (result.code, result.err) == (
        2, "error: --verify runs the files on this machine, so it takes no --executor\n",
    )  # fmt: skip


class OtherMachine:
    """An engine where the checkout is another one: the rules are what somebody else has written."""

    def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
        rule = Path("tools/rules/tst101_seed_set.py")
        if "SystemExit" not in rule.read_text():
            rule.write_text(f"raise SystemExit(9)\n{rule.read_text()}")
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future


def elsewhere() -> OtherMachine:
    return OtherMachine()


@pytest.mark.parametrize("trusted", ["by the record", "for once"])
def test_rules_that_are_others_there_do_not_run(
    project: Path, cli: Cli, trusted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry.forget()
    if trusted == "by the record":
        monkeypatch.delenv("SEQLINT_TRUST_RULES")
        cli("trust")
    write(a=SEED)
    done = cli("check", "--executor", f"{HERE}elsewhere")
    rules = project / "tools/rules"
    assert (done.code, done.err) == (
        2,
        f"error: --executor: the rules in {rules} are not the same there, so they were not loaded\n",
    )
