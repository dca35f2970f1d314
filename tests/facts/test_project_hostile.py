"""Projects that try to break the index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.facts.project import UNKNOWN, Project
from tests.facts.projects import is_sequence, module, write

if TYPE_CHECKING:
    from pathlib import Path


# -- hostile projects --------------------------------------------------------------------------------------------------


def test_cycles_end(project: Path) -> None:
    found = module(
        project,
        "from .b import X, A as B\nclass A(B): pass\nfrom .b import *\n",
        {"pkg/b.py": "from .mod import X, A as C\nfrom .mod import *\nclass A(C): pass\n"},
    )
    assert found.origins("pkg.mod.X") == (UNKNOWN,)
    assert found.origins("pkg.mod.Nowhere") == (UNKNOWN,)
    assert found.ancestors("pkg.mod.A") == ("pkg.b.A",)
    assert found.descends("pkg.mod.A", is_sequence) is False
    assert found.star("pkg.b", "Y") is None


@pytest.mark.parametrize(
    "data",
    [
        b"class A(:\n",
        b"class A: pass\n\0",
        b"# coding: utf-8\nx = '\xff'\n",
        b"print 'two'\n",
        b"x = " + b"-" * 100_000 + b"1\n",
    ],
)
def test_a_broken_module_makes_its_names_unknown(project: Path, data: bytes) -> None:
    found = module(project, "from .bad import A\nclass B(A): pass\n")
    (project / "pkg" / "bad.py").write_bytes(data)
    assert found.descends("pkg.mod.B", is_sequence) is None
    assert found.class_summary("pkg.bad.A") is None


def test_encodings_are_those_of_python(project: Path) -> None:
    found = module(project, "from .old import A\n")
    (project / "pkg" / "old.py").write_bytes("# coding: latin-1\nx = 'é'\nclass A: pass\n".encode("latin-1"))
    (project / "pkg" / "bom.py").write_bytes("\ufeffclass A: pass\n".encode())
    assert found.class_summary("pkg.mod.A") is not None
    assert found.class_summary("pkg.bom.A") is not None


def test_long_chains_are_survived(project: Path) -> None:
    links = [f"class C{number}(C{number - 1}): pass" for number in range(1, 5000)]
    found = module(project, "from keras.utils import Sequence as C0\n" + "\n".join(links))
    assert len(found.ancestors("pkg.mod.C4999")) == 4999
    assert found.descends("pkg.mod.C9", is_sequence) is True
    assert found.descends("pkg.mod.C4999", is_sequence) in (True, None)
    # A view keeps what it has seen of a folder.
    for number in range(1, 600):
        (project / "pkg" / f"m{number}.py").write_text(f"from .m{number - 1} import x\n")
    (project / "pkg" / "m0.py").write_text("from keras.utils import Sequence as x\n")
    found = Project(project)
    assert found.resolve("pkg.m9.x") == "keras.utils.Sequence"
    assert found.resolve("pkg.m599.x") in ("keras.utils.Sequence", "pkg.m599.x")


def test_only_what_a_name_leads_to_is_read(project: Path) -> None:
    write(project, {"pkg/__init__.py": "", "pkg/a.py": "from .b import X\n", "pkg/b.py": "class X: pass\n"})
    write(project, {"pkg/c.py": "class X: pass\n"})
    found = Project(project)
    found.resolve("tensorflow.keras.utils.Sequence")
    assert not found.modules.read
    found.at(project / "pkg" / "a.py").resolve("pkg.a.X")
    assert found.modules.read == (project / "pkg" / "a.py", project / "pkg" / "b.py")
