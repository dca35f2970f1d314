"""Which Keras a file runs on: what is configured, what the tree declares, and what the code says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.facts.keras import Declarations, keras_in_use, parse_range
from seqlint.model import ConfigError
from seqlint.sources.reading import Memo
from tests.facts.projects import ALL, KERAS3, UV, look, seen, write

if TYPE_CHECKING:
    from pathlib import Path

# -- the configuration, and nothing at all -----------------------------------------------------------------------------


def test_the_configuration_comes_before_all_files(project: Path) -> None:
    write(project, {"uv.lock": '[[package]]\nname = "keras"\nversion = "2.15.0"\n'})
    found = keras_in_use(project / "train.py", project, ">=3.10", text="import tf_keras\n")
    assert seen(found, "source") == ({"3.10+"}, "[tool.seqlint] keras")


def test_a_bad_configuration_is_an_error(project: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean '>=3'"):
        keras_in_use(project / "train.py", project, "=>3")


def test_a_project_that_says_nothing_is_unknown(project: Path) -> None:
    write(project, {"README.md": "keras 2.3", "requirements.txt": "keras\ntensorflow\nkeras-tuner==1.4\nkeras_cv<3\n"})
    found = look(project, "import keras\nmodel.fit_generator(data)\n")
    assert seen(found, "range", "source", "known") == (ALL, "", "unknown", False)


def test_text_without_a_file_is_judged_by_the_project(project: Path) -> None:
    write(project, {"requirements.txt": "keras==3.4.1\n"})
    assert keras_in_use(None, project).lines == {"3.0-3.9"}
    assert not keras_in_use(None, None).known


# -- the tree ----------------------------------------------------------------------------------------------------------


def test_the_nearest_folder_that_speaks_wins(project: Path) -> None:
    write(
        project,
        {
            "uv.lock": UV,
            "examples/requirements.txt": "keras==2.3.1\n",
            "examples/deep/pyproject.toml": '[project]\nname = "x"\n',
        },
    )
    assert look(project, at="examples/deep/a.py").source == "examples/requirements.txt line 1"
    assert look(project, at="src/a.py").source == "uv.lock line 8"


def test_the_search_stops_at_the_root_of_the_repository(project: Path) -> None:
    write(project.parent, {"requirements.txt": "keras==2.3.1\n"})
    assert not look(project).known


def test_a_run_reads_each_folder_once(project: Path) -> None:
    write(project, {"requirements.txt": "keras==2.3.1\n"})
    memo: Declarations = Memo()
    first = keras_in_use(project / "a.py", project, memo=memo)
    write(project, {"requirements.txt": "keras==3.3\n"})
    assert keras_in_use(project / "sub" / "b.py", project, memo=memo) == first
    assert keras_in_use(project / "a.py", project, memo=Memo()).lines == {"3.0-3.9"}


# -- tf-keras, the switch, and the code --------------------------------------------------------------------------------

SWITCH = 'import os\nos.environ["TF_USE_LEGACY_KERAS"] = "1"\n'


@pytest.mark.parametrize(
    "text",
    [
        "import tf_keras\n",
        "from tf_keras.utils import Sequence\n",
        "import tf_keras as keras\nimport tensorflow as tf\ntf.data.Dataset.range(3)\n",
        SWITCH + "import tensorflow as tf\nx = tf.keras.layers.Dense(1)\n",
        'import os\nos.environ.setdefault("TF_USE_LEGACY_KERAS", "True")\nfrom tensorflow import keras\n',
        'import os\nos.environ.update(TF_USE_LEGACY_KERAS="1")\nfrom tensorflow.keras.utils import Sequence\n',
    ],
)
def test_tf_keras_is_keras_2_whatever_is_installed(project: Path, text: str) -> None:
    write(project, {"uv.lock": UV})
    found = look(project, text)
    assert seen(found, "range", "source") == ({"2"}, "tf-keras", "how the code imports it")


@pytest.mark.parametrize(
    "text",
    [
        "# import tf_keras\nimport keras\n",
        'import os\nos.environ["TF_USE_LEGACY_KERAS"] = "0"\nimport tensorflow as tf\ntf.keras.Model\n',
        'print("set TF_USE_LEGACY_KERAS to 1")\nfrom tensorflow import keras\n',
    ],
)
def test_words_about_the_switch_are_not_the_switch(project: Path, text: str) -> None:
    write(project, {"uv.lock": UV})
    found = look(project, text)
    assert seen(found, "legacy") == ({"3.0-3.9"}, False)


def test_the_switch_beside_plain_keras_makes_two_of_them(project: Path) -> None:
    write(project, {"uv.lock": UV})
    found = look(project, SWITCH + "import keras\nimport tensorflow as tf\ntf.keras.Model\nkeras.Input\n")
    assert seen(found, "legacy") == ({"2", "3.0-3.9"}, True)
    assert parse_range(found.range).lines == found.lines


@pytest.mark.parametrize(
    ("used", "lines"),
    [
        ("print(keras.__version__, keras.utils.to_categorical([0, 1]))\n", {"2"}),
        ("from keras.datasets import mnist\nmnist.load_data()\n", {"2"}),
        ("", {"2"}),
        ("keras.utils.Sequence\n", {"2", "3.0-3.9"}),
        ("Adam = keras.optimizers.Adam\n", {"2", "3.0-3.9"}),
        ("make(keras)\n", {"2", "3.0-3.9"}),
        ("from tensorflow import keras\nkeras.Input\n", {"2", "3.0-3.9"}),
        ("keras.preprocessing.image.ImageDataGenerator\n", {"2", "3.0-3.9"}),
    ],
)
def test_helpers_of_keras_beside_the_switch_leave_keras_2(project: Path, used: str, lines: set[str]) -> None:
    write(project, {"uv.lock": UV})
    for start in (SWITCH + "import keras\nimport tensorflow as tf\ntf.keras.Model\n", "import keras, tf_keras\n"):
        assert look(project, start + used).lines == lines, start


def test_a_fallback_from_tf_keras_keeps_both(project: Path) -> None:
    write(project, {"uv.lock": UV})
    found = look(project, "try:\n    import tf_keras as keras\nexcept ImportError:\n    from tensorflow import keras\n")
    assert found.lines == {"2", "3.0-3.9"}


def test_tf_keras_in_the_requirements_leaves_tf_keras_open(project: Path) -> None:
    write(project, {"requirements.txt": "tensorflow==2.20\ntf-keras\n"})
    assert look(project, "import tensorflow as tf\ntf.keras.Model\n").lines == {"2", "3.10+"}
    assert look(project, "import keras\n").lines == {"3.10+"}


def test_an_environment_of_conda_can_set_the_switch(project: Path) -> None:
    text = "dependencies:\n  - tensorflow=2.17\nvariables:\n  TF_USE_LEGACY_KERAS: 1\n"
    write(project, {"environment.yml": text})
    found = look(project, "import tensorflow as tf\ntf.keras.Model\n")
    assert seen(found, "legacy") == ({"2"}, True)
    assert look(project, "import keras\n").lines == KERAS3


def test_keras_3_beside_an_old_tensorflow_depends_on_the_import(project: Path) -> None:
    write(project, {"requirements.txt": "tensorflow==2.15\nkeras==3.3\n"})
    assert look(project, "import keras\n").lines == {"3.0-3.9"}
    assert look(project, "from tensorflow.keras.utils import Sequence\n").lines == {"2"}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("import keras\nclass A(keras.utils.PyDataset): pass\n", KERAS3),
        ("from keras.utils import PyDataset\n", KERAS3),
        ("import tensorflow as tf\nclass A(tf.keras.utils.PyDataset): pass\n", KERAS3),
        ("from keras import ops\n", KERAS3),
        ('import os\nos.environ["KERAS_BACKEND"] = "jax"\nimport keras\n', KERAS3),
        ('import os\nos.environ["KERAS_BACKEND"] = "theano"\nimport keras\n', {"2"}),
        ('import os\nos.environ["KERAS_BACKEND"] = "tensorflow"\nimport keras\n', ALL),
        ("from tensorflow.python.keras.utils.data_utils import Sequence\n", {"2"}),
        ("import tensorflow as tf\nx = tf.contrib.layers\n", {"2"}),
        ("import tensorflow as tf\nx = (tf.  # old\n    contrib.layers)\n", {"2"}),
        ("import keras\nx = keras. \\\n    ops\n", KERAS3),
        ("import keras\n@keras.ops.vectorize\ndef f(x):\n    return x\n", KERAS3),
        ("import keras\nmatch x:\n    case 1:\n        y = keras.ops.add\n", KERAS3),
        ("import keras\nmodel.fit_generator(x)\n", ALL),
        (
            "try:\n    from keras.utils import PyDataset\nexcept ImportError:\n    from keras.utils import Sequence\n",
            ALL,
        ),
        ("import keras\nbase = keras.utils.PyDataset if new else keras.utils.Sequence\n", ALL),
        ("ops = None\nx = ops.add\nkeras = load()\nkeras.ops.add\n", ALL),
        ("import keras\ndef broken(:\n    keras.ops\n", ALL),
    ],
)
def test_the_code_speaks_where_no_file_does(project: Path, text: str, lines: set[str]) -> None:
    found = look(project, text)
    assert found.lines == lines
    assert found.source == ("unknown" if lines == ALL else "how the code imports it")
    assert parse_range(found.range).lines == lines


# -- NumPy -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("requirements", "two", "without_aliases"),
    [
        ("tensorflow==2.15\n", False, True),
        ("tensorflow==2.12.0\n", False, False),
        ("tensorflow==2.17\n", False, True),
        ("tensorflow==2.20\n", True, True),
        ("tensorflow>=2.4\n", True, True),
        ("tensorflow==2.20\nnumpy==1.23.5\n", False, False),
        ("numpy>=2\n", True, True),
        ("keras==2.3.1\n", True, True),
    ],
)
def test_the_range_of_numpy_follows_tensorflow(
    project: Path, requirements: str, two: bool, without_aliases: bool
) -> None:
    write(project, {"requirements.txt": requirements})
    found = look(project)
    assert found.numpy_may_be("2") == two
    assert found.numpy_may_be("1.24") == without_aliases


@pytest.mark.parametrize(
    ("requirements", "last"),
    [
        ("tensorflow==2.18.0\n", "2.1"),
        ("tensorflow>=2.16,<2.20\n", "2.2"),
        ("tensorflow==2.21.0\n", ""),
        ("tensorflow>=2.18\n", ""),
        ("tensorflow>=2.12,<2.14\n", "1.25"),
    ],
)
def test_the_newest_numpy_is_the_one_that_tensorflow_takes(project: Path, requirements: str, last: str) -> None:
    write(project, {"requirements.txt": requirements})
    found = look(project)
    assert found.numpy
    assert found.numpy_may_be("2.4") is not bool(last)
    assert found.numpy_may_be(last or "2.4") is not bool(last)


def test_the_range_of_pandas_is_read(project: Path) -> None:
    write(project, {"uv.lock": '[[package]]\nname = "pandas"\nversion = "1.5.3"\n'})
    assert not look(project).pandas_may_be("2.0")
    assert not look(project).known


def test_what_is_installed_counts_where_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    for name, version in (("keras", "3.3.3"), ("tensorflow", "2.16.2")):
        folder = site / f"{name}-{version}.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    monkeypatch.setattr("sys.path", [str(site)])
    (tmp_path / ".git").mkdir()
    file = tmp_path / "train.py"
    file.write_text("import keras\n")

    asked = keras_in_use(file, tmp_path, "installed", file.read_text())
    assert asked.lines == {"3.0-3.9"}
    assert asked.source == "installed here: keras 3.3.3 and tensorflow 2.16.2"
    assert not keras_in_use(file, tmp_path, "", file.read_text()).known

    (tmp_path / "requirements.txt").write_text("keras==3.12.0\n")
    declared = keras_in_use(file, tmp_path, "installed", file.read_text())
    assert declared.lines == {"3.10+"}
    assert declared.source == "requirements.txt line 1"


@pytest.mark.parametrize(
    ("range_", "older"),
    [
        ("", True), ("<3", True), ("==2.4.3", True), ("tensorflow==2.10", True), (">=2.11", False), ("tensorflow==2.15", False),
        ("tf-keras", False), (">=3", False), ("tensorflow<2.16", True), ("tf-keras or >=3", False), ("tf-keras or ==2.4.3", True),
    ],
)  # fmt: skip
def test_whether_keras_can_be_older_than_a_release(range_: str, older: bool) -> None:
    assert parse_range(range_).may_be_older("2.11") is older


# -- packages and notebooks that set it themselves ---------------------------------------------------------------------

SWITCH = "import os\n\nos.environ['TF_USE_LEGACY_KERAS'] = '1'\n"


def test_a_package_sets_the_switch_for_its_modules(project: Path) -> None:
    write(
        project, {"app/__init__.py": SWITCH, "app/deep/__init__.py": "", "requirements.txt": "tensorflow\ntf-keras\n"}
    )
    text = "import tensorflow as tf\ntf.keras.Sequential()\n"
    for place in ("app/train.py", "app/deep/feeds.py"):
        assert seen(look(project, text, at=place), "source", "legacy") == ({"2"}, "app/__init__.py", True)
    assert not look(project, text, at="other.py").known
    assert not look(project, "import keras\nkeras.Sequential()\n", at="app/train.py").known


@pytest.mark.parametrize(
    ("cell", "lines"),
    [
        ("!pip install -q tensorflow==2.15\n", {"2"}),
        ("%pip install -U 'keras==3.6.0' tensorflow  # the newest\n", {"3.0-3.9"}),
        (
            "  !python3 -m pip install --index-url https://x/keras==2.3 \\\n   keras==3.12 && echo keras==2.1\n",
            {"3.10+"},
        ),
        ("!pip install keras==2.3.1\n!pip3 install keras==3.11 > /dev/null\n", {"3.10+"}),
        ("!pip install 'tensorflow<2.16' pandas>=2 keras-tuner==1.0\n", {"2"}),
        ("!pip install keras tensorflow\n", ALL),
        ("# !pip install keras==2.3.1\nprint('pip install keras==2.3')\n", ALL),
        ("!pip install -r keras==2.3.1 'keras\n", ALL),
    ],
)
def test_a_notebook_installs_its_keras(project: Path, cell: str, lines: set[str]) -> None:
    text = "import tensorflow as tf\ntf.keras.Sequential()\n"
    found = keras_in_use(project / "a.ipynb", project, text=text, written=cell + text)
    assert seen(found, "source") == (lines, "a.ipynb" if lines != ALL else "unknown")


def test_a_notebook_comes_before_its_project(project: Path) -> None:
    write(project, {"requirements.txt": "keras==3.12\n"})
    text = "import tensorflow as tf\ntf.keras.Sequential()\n"
    found = keras_in_use(project / "a.ipynb", project, text=text, written="!pip install tensorflow==2.9\n" + text)
    assert seen(found, "source") == ({"2"}, "a.ipynb")
    switched = keras_in_use(project / "a.ipynb", project, text=text, written="%env TF_USE_LEGACY_KERAS=1\n" + text)
    assert seen(switched, "legacy") == ({"2"}, True)
