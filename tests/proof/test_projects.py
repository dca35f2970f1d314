"""Programs that are part of a project run as they run there, with all of its data, and leave it as it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.cli import run
from seqlint.proof import Settings, missing
from tests.proof.guard.test_guard import known
from tests.proof.made_up_rules import LOGGING
from tests.proof.programs import FIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.proof import Worker

    Verify = Callable[..., tuple[int, str]]

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
]


@pytest.fixture
def verify(project: Path, capsys: pytest.CaptureFixture[str]) -> Verify:
    """Verify a program of a project that reads something first: exit code, and what was said."""

    def call(path: str, *lines: str, options: tuple[str, ...] = ()) -> tuple[int, str]:
        script = Path(path)
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(FIT.replace("feed = Feed()", "\n".join((*lines, LOGGING, "feed = Feed()"))))
        before = known(project)
        code = run(["verify", path, *options])
        changed = {name for name, was in known(project).items() if before.get(name) != was and ".seqlint" not in name}
        assert changed == set()
        return code, "".join(capsys.readouterr())

    return call


def test_data_next_to_the_folder_and_large_files_are_there(verify: Verify, project: Path) -> None:
    for name, size in (("data/rows.bin", 10), ("work/large.bin", 1_000_001)):
        (project / name).parent.mkdir()
        (project / name).write_bytes(bytes(size))
    code, said = verify(
        "work/train.py",
        "assert len(open('../data/rows.bin', 'rb').read()) == 10",
        "assert np.memmap('large.bin', 'uint8', 'r+', shape=(1_000_001,)).sum() == 0",
        "np.memmap('large.bin', 'uint8', 'r+', shape=(1_000_001,))[:] = 7",
    )
    assert code == 0, said


def test_a_module_of_a_package_runs_as_one(verify: Verify, project: Path) -> None:
    for name, text in (("__init__", ""), ("sizes", "SIZE = 4"), ("feeds/__init__", "from ..sizes import SIZE")):
        path = project / f"package/{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    code, said = verify(
        "package/feeds/train.py",
        "from . import SIZE",
        "from package.sizes import SIZE as again",
        "assert SIZE == again",
    )
    assert code == 0, said


def test_data_from_anywhere_is_brought_in(verify: Verify, tmp_path_factory: pytest.TempPathFactory) -> None:
    far = tmp_path_factory.mktemp("far") / "rows.h5"
    far.write_bytes(b"1234")
    read = "assert open('rows.h5', 'rb').read() == b'1234'"
    code, said = verify("train.py", read)
    assert code == 2
    assert "--data PATH brings in what is elsewhere" in said
    code, said = verify("train.py", read, options=("--data", str(far)))
    assert code == 0, said
    assert verify("train.py", read, options=("--data", "nowhere"))[0] == 2


def test_a_module_next_to_a_script_hides_one_that_is_installed(child: Worker, tmp_path: Path) -> None:
    (tmp_path / "keras.py").write_text("NAME = 'mine'\n")
    (tmp_path / "random.py").write_text("NAME = 'mine, too'\n")
    run = child.run("import keras, random\nprint(keras.NAME, random.NAME)\n", "train.py", tmp_path)
    assert run.output == "mine mine, too"
