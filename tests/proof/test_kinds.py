"""How a file is run, and from which folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof.kinds import program_for, trains
from seqlint.proof.programs import Program
from seqlint.proof.roots import place_of
from tests.proof import loaders

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "text",
    [
        "model.fit(x)\n",
        "if __name__ == '__main__':\n    model.fit(x)\n",
        "def train():\n    model.fit(x)\n\n\nif __name__ == '__main__':\n    train()\n",
        "class Trainer:\n    def go(self):\n        self.model.fit(1)\n\n\nTrainer().go()\n",
        "from project import main\n\nmain()\n",
        "for epoch in range(3):\n    loss = model.train_on_batch(x, y)\n",
        "optimizer.apply_gradients(pairs)\n",
        "def step():\n    optimizer.apply_gradients(pairs)\n\n\ndef loop():\n    step()\n\n\nloop()\n",
    ],
)
def test_what_trains_when_it_runs_is_a_script(text: str, tmp_path: Path) -> None:
    assert trains(text)
    assert program_for(tmp_path / "train.py", text, ("--epochs", "2")) == Program("script", ("--epochs", "2"))


@pytest.mark.parametrize(
    "text",
    [
        loaders.WINDOWS,
        loaders.CALLBACKS,
        "def train():\n    model.fit(x)\n",
        loaders.CALLBACKS + "\n\nif __name__ == '__main__':\n    print(Stopper())\n",
    ],
)
def test_what_only_defines_is_a_module_of_classes(text: str, tmp_path: Path) -> None:
    assert program_for(tmp_path / "loaders.py", text) == Program("classes")


def test_a_notebook_is_one(tmp_path: Path) -> None:
    assert program_for(tmp_path / "train.ipynb", "{}").kind == "notebook"


def test_a_factory_is_taken_as_asked_for(tmp_path: Path) -> None:
    assert program_for(tmp_path / "a.py", "model.fit(x)\n", (), "b:c") == Program("classes", (), "b:c")


def test_a_smoke_file_beside_is_for_the_modules_it_names(tmp_path: Path) -> None:
    (tmp_path / "seqlint_smoke.py").write_text("from loaders import Windows\n")
    assert program_for(tmp_path / "loaders.py", loaders.WINDOWS).factory == "seqlint_smoke"
    assert program_for(tmp_path / "others.py", loaders.WINDOWS).factory == ""


def test_a_module_in_a_package_needs_the_folder_of_the_package(tmp_path: Path) -> None:
    feeds = tmp_path / "project" / "feeds"
    feeds.mkdir(parents=True)
    for folder in (feeds, feeds.parent):
        (folder / "__init__.py").write_text("")
    place = place_of(feeds / "a.py", "from . import sizes\n", Program("classes"))
    assert (place.folder, place.script) == (tmp_path, "project/feeds/a.py")


def test_a_module_needs_the_folder_in_which_its_imports_are_found(tmp_path: Path) -> None:
    (tmp_path / "project" / "feeds").mkdir(parents=True)
    (tmp_path / "project" / "local_settings.py").write_text("")
    path = tmp_path / "project" / "feeds" / "a.py"
    place = place_of(path, "import os\nimport numpy\nfrom local_settings import SIZE\n", Program("classes"))
    assert (place.folder, place.script) == (tmp_path / "project", "feeds/a.py")
    assert place_of(path, "import os\nimport nowhere_at_all\n", Program("classes")).folder == path.parent


def test_a_script_runs_in_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("")
    assert place_of(tmp_path / "a.py", "from . import b\n", Program()).folder == tmp_path
