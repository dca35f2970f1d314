"""The Keras that the files of a project ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.facts.keras import parse_range
from tests.facts.projects import ALL, KERAS3, OLD_OR_NEW, UV, look, seen, write

if TYPE_CHECKING:
    from pathlib import Path

# -- lock files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["uv.lock", "poetry.lock", "pdm.lock"])
def test_a_lock_names_version_and_line(project: Path, name: str) -> None:
    (project / name).write_text(UV)
    found = look(project)
    assert seen(found, "range", "source") == ({"3.0-3.9"}, "3.3.3", f"{name} line 8")
    assert not found.numpy_may_be("2")
    assert found.numpy_may_be("1.24", "2")
    assert found.tensorflow_may_be("2.17", "2.18")
    assert not found.tensorflow_may_be("2.18")


def test_a_lock_with_windows_newlines_is_read(project: Path) -> None:
    (project / "uv.lock").write_bytes(UV.replace("\n", "\r\n").encode())
    assert look(project).source == "uv.lock line 8"


def test_a_lock_comes_before_what_pyproject_asks_for(project: Path) -> None:
    write(project, {"uv.lock": UV, "pyproject.toml": '[project]\nname = "a"\ndependencies = ["keras>=2.3"]\n'})
    assert look(project).range == "3.3.3"


def test_a_lock_with_two_versions_gives_both(project: Path) -> None:
    write(project, {"uv.lock": UV + '[[package]]\nname = "keras"\nversion = "3.12.0"\n'})
    assert look(project).lines == KERAS3


def test_an_old_lock_with_tensorflow_alone_is_keras_2(project: Path) -> None:
    write(project, {"poetry.lock": '[[package]]\nname = "tensorflow"\nversion = "2.4.1"\ndescription = ""\n'})
    found = look(project, "import tensorflow as tf\n")
    assert seen(found, "range") == ({"2"}, "tensorflow==2.4.1")


def test_a_lock_without_keras_is_silent(project: Path) -> None:
    write(project, {"uv.lock": '[[package]]\nname = "numpy"\nversion = "2.1.0"\n', "requirements.txt": "keras<3\n"})
    found = look(project)
    assert seen(found, "source") == ({"2"}, "requirements.txt line 1")
    assert found.numpy_may_be("2")
    assert not found.numpy_may_be("0", "2")


def test_pipfile_and_its_lock(project: Path) -> None:
    write(project, {"Pipfile": '[packages]\nkeras = "*"\ntensorflow = "~=2.4.0"\n'})
    assert look(project).lines == {"2"}
    write(project, {"Pipfile.lock": '{"default": {\n "keras": {"version": "==3.11.3"}}}'})
    found = look(project)
    assert seen(found, "source") == ({"3.10+"}, "Pipfile.lock line 2")


# -- requirement files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines", "source"),
    [
        ("numpy\nKeras==2.3.1\n", {"2"}, "requirements.txt line 2"),
        ("# Keras==2.3.1\nkeras >= 3.10  # new\n", {"3.10+"}, "requirements.txt line 2"),
        ("tensorflow==2.7.0", {"2"}, "requirements.txt line 1"),
        ("tensorflow[and-cuda]~=2.17.0\n", KERAS3, "requirements.txt line 1"),
        ("tensorflow>=2.16,<2.20\n", KERAS3, "requirements.txt line 1"),
        ("tensorflow>=2.20\n", {"3.10+"}, "requirements.txt line 1"),
        ("tensorflow_cpu==2.15.1\n", {"2"}, "requirements.txt line 1"),
        ("tensorflow-gpu>=2.0\n", {"2"}, "requirements.txt line 1"),
        ("keras>=2.3\n", ALL, "requirements.txt line 1"),
        ("tensorflow>=2.4\n", ALL, "requirements.txt line 1"),
        ("tensorflow>=2.4,<2.16\n", {"2"}, "requirements.txt line 1"),
        ("tensorflow\nkeras==3.5\n", {"3.0-3.9"}, "requirements.txt line 2"),
        ("tensorflow==2.17\nkeras>=3.10\n", {"3.10+"}, "requirements.txt line 2"),
        ("keras>=2.3\ntensorflow==2.7\n", {"2"}, "requirements.txt line 1"),
        ("keras==3.3.3 --hash=sha256:aaaa \\\n  --hash=sha256:bbbb\n", {"3.0-3.9"}, "requirements.txt line 1"),
        ("numpy \\\n  ==1.26\nkeras \\\n  ==3.11.0\n", {"3.10+"}, "requirements.txt line 3"),
        (
            'keras==2.13.1; python_version < "3.9"\nkeras==3.3; python_version >= "3.9"\n',
            {"2", "3.0-3.9"},
            "requirements.txt line 1",
        ),
        ('tensorflow==2.15; sys_platform != "darwin"\ntensorflow-macos==2.15\n', {"2"}, "requirements.txt line 1"),
    ],
)
def test_requirements_txt(project: Path, text: str, lines: set[str], source: str) -> None:
    write(project, {"requirements.txt": text})
    found = look(project)
    assert seen(found, "source") == (lines, source)


@pytest.mark.parametrize(
    "text",
    [
        "keras==banana\n",
        "keras @ git+https://example.org/keras.git\n",
        "-e .\n--index-url https://example.org\n",
        "kerastuner==1.0\nnot-keras==2.3\n",
        "\0\0\0",
        "keras==3.3,==2.3\n",
    ],
)
def test_requirements_that_say_nothing_or_contradict_themselves_are_silent(project: Path, text: str) -> None:
    write(project, {"requirements.txt": text})
    assert not look(project).known


def test_requirements_written_by_powershell_are_read(project: Path) -> None:
    (project / "requirements.txt").write_bytes("keras==2.3.1\r\n".encode("utf-16"))
    assert look(project).lines == {"2"}


def test_included_requirements_and_constraints_are_read(project: Path) -> None:
    write(
        project,
        {
            "requirements.txt": "-r requirements/base.txt\n-c constraints.txt\n-r requirements.txt\n-r https://a.example/b\n",
            "requirements/base.txt": "\nkeras\n-r ../missing.txt\n",
            "constraints.txt": "numpy<2\nkeras==3.8.0\n",
        },
    )
    found = look(project)
    assert seen(found, "source") == ({"3.0-3.9"}, "constraints.txt line 2")
    assert not found.numpy_may_be("2")


def test_a_folder_of_requirements_gives_alternatives(project: Path) -> None:
    write(
        project,
        {
            "requirements/old.txt": "tensorflow==2.12\n",
            "requirements/new.txt": "tensorflow==2.20\n",
            "requirements/docs.txt": "sphinx\n",
        },
    )
    found = look(project)
    assert found.lines == {"2", "3.10+"}
    assert found.source == "requirements/new.txt line 1"
    assert parse_range(found.range).lines == found.lines


def test_requirements_txt_comes_before_those_for_development(project: Path) -> None:
    write(project, {"requirements.txt": "keras>=3.10\n", "requirements_dev.txt": "keras==2.3.1\n"})
    assert look(project).lines == {"3.10+"}


# -- pyproject.toml, setup.cfg, setup.py, conda ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines", "line"),
    [
        ('[project]\nname = "keras"\ndependencies = [\n  "numpy",\n  "keras>=3.10",\n]\n', {"3.10+"}, 5),
        ('[project]\noptional-dependencies.tf = ["tensorflow<2.16"]\n', {"2"}, 2),
        ('[project.optional-dependencies]\nold = ["keras<3"]\nnew = ["keras==3.5"]\n', {"2", "3.0-3.9"}, 2),
        ('[dependency-groups]\ntf = ["keras==3.5", {include-group = "x"}]\n', {"3.0-3.9"}, 2),
        ('[tool.poetry.dependencies]\npython = "^3.9"\ntensorflow = "^2.4.1"\n', ALL, 3),
        ('[tool.poetry.dependencies]\nkeras = "2.3.1"\n', {"2"}, 2),
        ('[tool.poetry.dependencies]\nkeras = "^2.3"\n', {"2"}, 2),
        ('[tool.poetry.dependencies]\nkeras = "~3.3"\n', {"3.0-3.9"}, 2),
        ('[tool.poetry.dependencies]\nkeras = { version = ">=3.10", extras = ["x"] }\n', {"3.10+"}, 2),
        ('[tool.poetry.dependencies]\nkeras = "2.3.* || ^3.10"\n', {"2", "3.10+"}, 2),
        (
            '[tool.poetry.dependencies]\nkeras = [{version="2.13", python="<3.9"}, {version="3.10", python=">=3.9"}]\n',
            OLD_OR_NEW,
            2,
        ),
        ('[tool.poetry.group.train.dependencies]\nkeras = "3.4"\n', {"3.0-3.9"}, 2),
        ('[project.optional-dependencies]\ntest = ["keras<3"]\nlatest = ["keras==3.5"]\n', {"3.0-3.9"}, 3),
    ],
)
def test_pyproject(project: Path, text: str, lines: set[str], line: int) -> None:
    write(project, {"pyproject.toml": text})
    found = look(project)
    assert seen(found, "source") == (lines, f"pyproject.toml line {line}")


def test_an_extra_does_not_narrow_what_always_holds(project: Path) -> None:
    text = '[project]\ndependencies = ["tensorflow>=2.4"]\noptional-dependencies.ci = ["tensorflow==2.12"]\n'
    write(project, {"pyproject.toml": text})
    assert look(project).lines == ALL


PIN = "keras==2.3.1"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements-test.txt", f"{PIN}\n"),
        ("requirements_dev.txt", f"{PIN}\n"),
        ("dev-requirements.in", f"{PIN}\n"),
        ("requirements/docs.txt", f"{PIN}\n"),
        ("requirements/ci-tests.txt", f"{PIN}\n"),
        ("environment-test.yml", f"dependencies:\n  - {PIN}\n"),
        ("pyproject.toml", f'[project.optional-dependencies]\ntest = ["{PIN}"]\n'),
        ("pyproject.toml", f'[project.optional-dependencies]\ndocs-gpu = ["{PIN}"]\n'),
        ("pyproject.toml", f'[dependency-groups]\ndev = ["{PIN}"]\n'),
        ("pyproject.toml", '[tool.poetry.group.lint.dependencies]\nkeras = "2.3.1"\n'),
        ("pyproject.toml", '[tool.poetry.dev-dependencies]\nkeras = "2.3.1"\n'),
        ("pyproject.toml", f'[tool.uv]\ndev-dependencies = ["{PIN}"]\n'),
        ("Pipfile", '[dev-packages]\nkeras = "==2.3.1"\n'),
        ("Pipfile.lock", '{"develop": {"keras": {"version": "==2.3.1"}}}'),
        ("setup.cfg", f"[options.extras_require]\ntests =\n  {PIN}\n"),
        ("setup.py", f"setup(extras_require={{'test': ['{PIN}']}})\n"),
        ("setup.py", f"setup(tests_require=['{PIN}'])\n"),
        ("setup.py", f"test_requirements = ['{PIN}']\nsetup(tests_require=test_requirements)\n"),
        ("tox.ini", f"[testenv]\ndeps =\n  {PIN}\n"),
    ],
)
def test_what_tests_and_documentation_need_says_nothing_of_the_project(project: Path, name: str, text: str) -> None:
    write(project, {name: text})
    assert seen(look(project), "range") == (ALL, "")


def test_requirements_that_take_in_those_of_the_tests_ask_for_them(project: Path) -> None:
    write(project, {"requirements.txt": "-r requirements-test.txt\n", "requirements-test.txt": f"{PIN}\n"})
    assert seen(look(project), "source") == ({"2"}, "requirements-test.txt line 1")


@pytest.mark.parametrize("name", ["latest", "device", "contest", "attestation"])
def test_a_word_within_a_word_is_no_test(project: Path, name: str) -> None:
    write(project, {"pyproject.toml": f'[project.optional-dependencies]\n{name} = ["{PIN}"]\n'})
    assert look(project).lines == {"2"}


@pytest.mark.parametrize(
    "text",
    [
        "[project",
        '[project]\ndependencies = "keras<3"\n',
        "project = 3\n",
        "[tool]\npoetry = 1\n",
        '[project]\nname = "keras"\n',
    ],
)
def test_a_malformed_pyproject_is_survived(project: Path, text: str) -> None:
    write(project, {"pyproject.toml": text, "setup.cfg": "[options]\ninstall_requires =\n    keras<3\n"})
    found = look(project)
    assert seen(found, "source") == ({"2"}, "setup.cfg line 3")


def test_setup_cfg_extras(project: Path) -> None:
    write(project, {"setup.cfg": "[options.extras_require]\ntf =\n  numpy\n  tensorflow>=2.16; python_version>'3.8'\n"})
    found = look(project)
    assert seen(found, "source") == (KERAS3, "setup.cfg line 4")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("from setuptools import setup\nsetup(install_requires=['numpy', 'keras==2.3.1'])\n", {"2"}),
        ("needs = [\n  'tensorflow>=2.16',\n]\nsetup(install_requires=needs)\n", KERAS3),
        ("setup(extras_require={'tf1': ['tensorflow==1.15'], 'tf2': ['tensorflow==2.17']})\n", ALL),
        ("setup(name='keras', description='keras==2.3.1')\n", ALL),
        ("setup(install_requires=open('requirements').read())\n", ALL),
        ("print 'python 2'\nsetup(install_requires=['keras==2.3.1'])\n", ALL),
    ],
)
def test_setup_py_is_read_and_never_run(project: Path, text: str, lines: set[str]) -> None:
    write(project, {"setup.py": text})
    assert look(project).lines == lines


@pytest.mark.parametrize(
    ("entries", "lines", "line"),
    [
        ("  - numpy\n  - keras=2.3\n", {"2"}, 5),
        ("  - keras==2.3.1\n", {"2"}, 4),
        ("  - conda-forge::tensorflow=2.15.0=gpu_py39\n", {"2"}, 4),
        ("  - tensorflow>=2.16,<2.18\n", KERAS3, 4),
        ('  - "keras >=3.10"\n', {"3.10+"}, 4),
        ("  - tensorflow 2.4.1\n", {"2"}, 4),
        ("  - keras=3.1\n  # keras=2\n", {"3.0-3.9"}, 4),
        ("  - python=3.9\n  - pip:\n    - pandas\n    - keras==3.3.3\n", {"3.0-3.9"}, 7),
        ("  - pip\n  - pip:\n      - tensorflow~=2.4.0  # old\n  - scipy\n", {"2"}, 6),
        ("  - tensorflow-gpu\n", ALL, 0),
        ("  - keras\n", ALL, 0),
        ("- keras=2.2.4\n", {"2"}, 4),
    ],
)
def test_conda_environment(project: Path, entries: str, lines: set[str], line: int) -> None:
    (project / "environment.yml").write_text(f"name: keras=2\nchannels: [x]\ndependencies:\n{entries}prefix: /a\n")
    found = look(project)
    assert found.lines == lines
    assert found.source == (f"environment.yml line {line}" if line else "unknown")
