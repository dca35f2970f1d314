"""What names lead to across the modules of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.facts.project import UNKNOWN, Project
from tests.facts.projects import module, write

if TYPE_CHECKING:
    from pathlib import Path


# -- the names of modules ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("pkg/__init__.py", "pkg"),
        ("pkg/data/gen.py", "pkg.data.gen"),
        ("src/inner/mod.py", "inner.mod"),
        ("src/space/part/mod.py", "space.part.mod"),
        ("train.py", "train"),
        ("scripts/deep/train.py", "scripts.deep.train"),
        ("lib/src/lib/mod.py", "lib.mod"),
    ],
)
def test_a_file_has_its_import_name(project: Path, file: str, name: str) -> None:
    write(project, {"pkg/__init__.py": "", "pkg/data/__init__.py": ""})
    write(project, {"src/inner/__init__.py": "", "lib/src/lib/__init__.py": ""})
    assert Project(project).module_name(project / file) == name


def test_a_file_outside_any_repository_is_named_from_the_project(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b" / "c.py"
    assert Project(tmp_path).module_name(deep) == "a.b.c"
    assert Project(None).module_name(deep) == "b.c"
    (tmp_path / "setup.cfg").write_text("[metadata]\n")
    assert Project(None).module_name(deep) == "a.b.c"


# -- what a name leads to ----------------------------------------------------------------------------------------------


def test_a_re_export_leads_to_the_definition(project: Path) -> None:
    write(
        project,
        {
            "pkg/__init__.py": "from .data import DataGen as Feed, helpers\nfrom . import extra\n",
            "pkg/data/__init__.py": "from pkg.data.gen import DataGen\nfrom . import helpers\n",
            "pkg/data/gen.py": "from tensorflow.keras.utils import Sequence\nclass DataGen(Sequence): pass\n",
            "pkg/data/helpers.py": "import keras as K\nBase = K.utils.Sequence\ndef load(): pass\n",
            "pkg/extra.py": "from ..nowhere import x\n",
        },
    )
    found = Project(project)
    assert found.resolve("pkg.Feed") == "pkg.data.gen.DataGen"
    assert found.resolve("pkg.data.DataGen") == "pkg.data.gen.DataGen"
    assert found.resolve("pkg.helpers.Base") == "keras.utils.Sequence"
    assert found.resolve("pkg.helpers.load") == "pkg.data.helpers.load"
    assert found.resolve("pkg.extra") == "pkg.extra"
    assert found.bases("pkg.Feed") == ("tensorflow.keras.utils.Sequence",)
    assert found.ancestors("pkg.Feed") == ("tensorflow.keras.utils.Sequence",)


def test_a_name_outside_the_project_stays_as_it_was_imported(project: Path) -> None:
    write(project, {"wandb/run.txt": "", "keras/notes.py": "x = 1\n"})
    found = Project(project)
    for name in (
        "keras.utils.Sequence",
        "tf_keras.Model",
        "wandb.keras.WandbCallback",
        "collections.abc.Sequence",
        "x.y",
    ):
        assert found.resolve(name) == name
        assert found.bases(name) is None
        assert found.class_summary(name) is None
        assert found.ancestors(name) == ()


def test_a_name_that_a_module_does_not_have_is_unknown(project: Path) -> None:
    found = module(project, "x = load()\nclass A:\n    y = 1\n    def run(self): pass\n")
    assert found.origins("pkg.mod.missing") == (UNKNOWN,)
    assert found.origins("pkg.other.A") == (UNKNOWN,)
    assert found.origins("pkg.mod.x") == (UNKNOWN,)
    assert found.origins("pkg.mod.A.y") == (UNKNOWN,)
    assert found.resolve("pkg.mod.A.run") == "pkg.mod.A.run"
    assert found.resolve("pkg.mod.missing") == "pkg.mod.missing"


def test_every_kind_of_layout_is_found(project: Path) -> None:
    gen = "import keras\nclass Gen(keras.utils.Sequence): pass\n"
    write(
        project,
        {
            "src/inner/__init__.py": "",
            "src/inner/gen.py": gen,
            "src/space/part/gen.py": gen,
            "scripts/neighbour.py": gen,
            "top.py": gen,
        },
    )
    seen = Project(project).at(project / "scripts" / "train.py")
    names = ("inner.gen.Gen", "space.part.gen.Gen", "neighbour.Gen", "scripts.neighbour.Gen", "top.Gen")
    assert [seen.bases(name) for name in names] == [("keras.utils.Sequence",)] * 5
    assert seen.resolve("neighbour.Gen") == "scripts.neighbour.Gen"


def test_neighbours_of_one_name_are_kept_apart(project: Path) -> None:
    write(
        project,
        {
            "one/utils.py": "from keras.utils import Sequence as Base\n",
            "two/utils.py": "from collections.abc import Sequence as Base\n",
        },
    )
    whole = Project(project)
    assert whole.at(project / "one" / "train.py").resolve("utils.Base") == "keras.utils.Sequence"
    assert whole.at(project / "two" / "train.py").resolve("utils.Base") == "collections.abc.Sequence"


def test_two_packages_of_one_name_are_seen_from_inside(project: Path) -> None:
    for part, base in (("one", "keras.utils"), ("two", "collections.abc")):
        write(project, {f"{part}/core/__init__.py": f"from {base} import Sequence\n", f"{part}/core/use.py": ""})
    whole = Project(project)
    assert whole.at(project / "one/core/use.py").resolve("core.Sequence") == "keras.utils.Sequence"
    assert whole.at(project / "two/core/use.py").resolve("core.Sequence") == "collections.abc.Sequence"


def test_a_module_of_a_package_does_not_shadow_the_standard_library(project: Path) -> None:
    found = module(
        project, "from typing import Sequence\nclass A(Sequence): pass\n", {"pkg/typing.py": "Sequence = 3\n"}
    )
    assert found.bases("pkg.mod.A") == ("typing.Sequence",)


# -- star imports ------------------------------------------------------------------------------------------------------


def test_star_imports_follow_all_and_underscores(project: Path) -> None:
    found = module(
        project,
        "from .listed import *\nfrom .plain import *\n",
        {
            "pkg/listed.py": "from keras.utils import Sequence\n__all__ = ['Public']\n__all__ += ['Later']\n"
            "class Public: pass\nclass Later: pass\nclass Hidden: pass\n",
            "pkg/plain.py": "from keras.callbacks import *\nclass Plain: pass\nclass _Private: pass\n",
        },
    )
    assert found.star("pkg.listed", "Public") == "pkg.listed.Public"
    assert found.star("pkg.listed", "Later") == "pkg.listed.Later"
    assert found.star("pkg.listed", "Hidden") is None
    assert found.star("pkg.listed", "Sequence") is None
    assert found.star("pkg.plain", "Plain") == "pkg.plain.Plain"
    assert found.star("pkg.plain", "_Private") is None
    assert found.star("pkg.plain", "Callback") == "keras.callbacks.Callback"
    assert found.star("keras.callbacks", "Callback") is None
    assert found.resolve("pkg.mod.Plain") == "pkg.plain.Plain"
    assert found.resolve("pkg.mod.Callback") == "keras.callbacks.Callback"
    assert found.origins("pkg.mod.Hidden") == (UNKNOWN,)


def test_the_last_star_import_that_has_a_name_wins(project: Path) -> None:
    found = module(
        project,
        "from keras.utils import *\nfrom .own import *\nclass A(Sequence): pass\nclass B(to_categorical): pass\n",
        {"pkg/own.py": "class Sequence: pass\n"},
    )
    assert found.bases("pkg.mod.A") == ("pkg.own.Sequence",)
    assert found.bases("pkg.mod.B") == ("keras.utils.to_categorical",)
