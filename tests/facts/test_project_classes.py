"""What the classes of a project are, through bases, branches and files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.facts.project import UNKNOWN, Parameter
from tests.facts.projects import is_sequence, module

if TYPE_CHECKING:
    from pathlib import Path


# -- the names of bases ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "from keras.utils import Sequence\nclass A(Sequence): pass\n",
        "from keras.utils import Sequence as S\nclass A(S): pass\n",
        "import keras\nclass A(keras.utils.Sequence): pass\n",
        "import keras.utils\nclass A(keras.utils.Sequence): pass\n",
        "import keras.utils as ku\nclass A(ku.Sequence): pass\n",
        "import keras as K\nB = C = K.utils\nclass A(C.Sequence, metaclass=M): pass\n",
        "import keras\nX, Base = 3, keras.utils.Sequence\nclass A(Base): pass\n",
        "import keras\nBase: type = keras.utils.Sequence\nclass A(Base): pass\n",
        "from keras.utils import Sequence\nclass A(Sequence[int]): pass\n",
        "from keras.utils import *\nclass A(Sequence): pass\n",
        "from typing import Sequence\nfrom keras.utils import Sequence\nclass A(Sequence): pass\n",
        "from keras.utils import Sequence\nclass A(Sequence): pass\nfrom typing import Sequence\n",
        "import sys\nif sys.argv:\n    from keras.utils import Sequence\n    class A(Sequence): pass\n",
        "try:\n    from keras.utils import Sequence as S\nexcept ImportError:\n    S = None\nclass A(S): pass\n",
        "try:\n    from keras.utils import Sequence\nexcept ImportError:\n    raise\nclass A(Sequence): pass\n",
        "import keras\nwith scope():\n    class A(keras.utils.Sequence): pass\n",
        "import keras as k\nclass A(k.utils.Sequence if x else k.utils.Sequence): pass\n",
        "from keras.utils import Sequence as B\ndef f():\n    global x\n    x = 3\nclass A(B): pass\n",
    ],
)
def test_a_base_is_known_however_it_is_reached(project: Path, text: str) -> None:
    found = module(project, text)
    assert found.bases("pkg.mod.A") == ("keras.utils.Sequence",)
    assert found.descends("pkg.mod.A", is_sequence) is True


@pytest.mark.parametrize(
    "text",
    [
        "if x:\n    from keras.utils import Sequence as S\nelse:\n    S = list\nclass A(S): pass\n",
        "try:\n    from keras.utils import Sequence as S\nexcept ImportError:\n    S = object\nclass A(S): pass\n",
        "import keras\nclass A(keras.utils.Sequence if x else list): pass\n",
        "from keras.utils import Sequence\nclass A(wrap(Sequence)): pass\n",
        "from keras.utils import Sequence\nclass A(*bases): pass\n",
        "from keras.utils import Sequence\nfor Sequence in all_of_them: pass\nclass A(Sequence): pass\n",
        "from keras.utils import Sequence\nSequence += 1\nclass A(Sequence): pass\n",
        "class A(Sequence): pass\n",
        "from keras.utils import Sequence as S\ndef f():\n    global S\n    S = 3\nf()\nclass A(S): pass\n",
        "from somewhere import *\nclass A(Sequence): pass\n",
        "from keras.utils import Sequence\nif x:\n    class A(Sequence): pass\nelse:\n    class A: pass\n",
        "from keras.utils import Sequence\nclass A(Sequence): pass\nif x:\n    A = object\n",
        "from keras.utils import Sequence\ndef make(base):\n    return base\nclass A(make(Sequence)): pass\n",
        "from keras.utils import Sequence\nclass A(Sequence()): pass\n",
    ],
)
def test_what_can_be_something_else_stays_open(project: Path, text: str) -> None:
    assert module(project, text).descends("pkg.mod.A", is_sequence) is None


@pytest.mark.parametrize(
    "text",
    [
        "class A: pass\n",
        "from collections.abc import Sequence\nclass A(Sequence): pass\n",
        "from keras.utils import Sequence\nfrom typing import Sequence\nclass A(Sequence): pass\n",
        "import keras\nclass A(keras.Model): pass\n",
        "from keras.utils import Sequence\ndef f():\n    class A(Sequence): pass\nclass A(object): pass\n",
        "from keras.utils import Sequence\ndef f(Sequence=list): pass\nSequence = list\nclass A(Sequence): pass\n",
        "class B:\n    from keras.utils import Sequence\nfrom typing import Sequence\nclass A(Sequence): pass\n",
        "A = object\nclass A(A): pass\n",
        "from keras.utils import Sequence\nclass A(Sequence): pass\nclass A: pass\n",
    ],
)
def test_a_namesake_is_not_the_thing(project: Path, text: str) -> None:
    assert module(project, text).descends("pkg.mod.A", is_sequence) is False


def test_two_keras_spellings_agree_for_whoever_folds_them(project: Path) -> None:
    text = (
        "import keras, tensorflow as tf\n"
        "Old = getattr(keras.utils, 'PyDataset', tf.keras.utils.Sequence)\n"
        "class A(Old): pass\n"
    )
    found = module(project, text)
    assert found.origins("pkg.mod.Old") == ("keras.utils.PyDataset", "tensorflow.keras.utils.Sequence")
    assert found.bases("pkg.mod.A") == (UNKNOWN,)
    assert found.descends("pkg.mod.A", is_sequence) is True


def test_bases_in_other_files_mixins_and_chains(project: Path) -> None:
    found = module(
        project,
        "from .middle import Middle\nclass Mixin: pass\nclass A(Mixin, Middle): pass\n",
        {
            "pkg/middle.py": "from pkg.compat import Base\nclass Middle(Base): pass\n",
            "pkg/compat.py": "try:\n    from tensorflow.keras.utils import Sequence as Base\n"
            "except ImportError:\n    from keras.utils import Sequence as Base\n",
        },
    )
    assert found.bases("pkg.mod.A") == ("pkg.mod.Mixin", "pkg.middle.Middle")
    assert found.ancestors("pkg.mod.A") == (
        "pkg.mod.Mixin",
        "pkg.middle.Middle",
        "tensorflow.keras.utils.Sequence",
        "keras.utils.Sequence",
    )
    assert found.descends("pkg.mod.A", is_sequence) is True
    assert found.descends("pkg.mod.Mixin", is_sequence) is False


def test_one_unknown_base_leaves_a_class_open_unless_another_decides(project: Path) -> None:
    found = module(
        project, "import lib, keras\nclass A(lib.Thing): pass\nclass B(lib.Thing, keras.utils.Sequence): pass\n"
    )
    assert found.descends("pkg.mod.A", is_sequence) is None
    assert found.descends("pkg.mod.B", is_sequence) is True


def test_a_class_inside_a_function_sees_what_the_function_sees(project: Path) -> None:
    text = """
        from typing import Sequence
        def make():
            from keras.utils import Sequence
            class Gen(Sequence):
                class Inner(Sequence): pass
                Sequence = list
            return Gen
        class Outer:
            def build(self):
                class Deep(Later): pass
                return Deep
        Gen = make()
        class A(make()): pass
        from keras.utils import Sequence as Later
    """
    found = module(project, text)
    assert found.bases("pkg.mod.make.Gen") == ("keras.utils.Sequence",)
    assert found.bases("pkg.mod.make.Gen.Inner") == ("keras.utils.Sequence",)
    assert found.bases("pkg.mod.Outer.build.Deep") == ("keras.utils.Sequence",)
    assert found.resolve("pkg.mod.Gen") == "pkg.mod.make.Gen"
    assert found.bases("pkg.mod.A") == ("pkg.mod.make.Gen",)


def test_what_a_function_returns(project: Path) -> None:
    text = """
        from .gens import Feed, Other, choose
        def an_object(): return Feed(3)
        def one_of(x): return Feed if x else Other
        def nothing(): return None
        def sometimes(x):
            if x:
                return
            return Feed
        @wrapped
        def decorated(): return Feed
        def number(): return 3
        def itself(): return itself()
        feed = Feed(4)
    """
    found = module(
        project,
        text,
        {"pkg/gens.py": "class Feed: pass\nclass Other: pass\ndef choose(): return Feed\ndef get(x): return x\n"},
    )
    assert found.origins("pkg.mod.choose()") == ("pkg.gens.Feed",)
    assert found.origins("pkg.mod.choose()()") == ("pkg.gens.Feed()",)
    assert found.origins("pkg.mod.an_object()") == ("pkg.gens.Feed()",)
    assert found.origins("pkg.mod.feed") == ("pkg.gens.Feed()",)
    assert found.origins("pkg.mod.one_of()") == ("pkg.gens.Feed", "pkg.gens.Other")
    assert found.origins("pkg.mod.sometimes()") == ("pkg.gens.Feed",)
    assert found.origins("keras.Sequential()") == ("keras.Sequential()",)
    for name in ("nothing", "decorated", "number", "itself", "feed"):
        assert found.origins(f"pkg.mod.{name}()") == (UNKNOWN,), name


def test_what_a_function_makes_batches_with(project: Path) -> None:
    text = """
        import tensorflow as tf
        from keras.utils import image_dataset_from_directory

        def rows(x):
            while True:
                yield x

        def lazy(x):
            return (each for each in x)

        def outer():
            def inner():
                yield 1
            return inner

        def dataset(paths, train):
            found = tf.data.Dataset.from_tensor_slices(paths)
            if train:
                found = found.shuffle(9)
            return found.map(len).batch(2)

        def pictures(path):
            return image_dataset_from_directory(path).prefetch(tf.data.AUTOTUNE)

        def first(paths):
            return tf.data.Dataset.from_tensor_slices(paths).as_numpy_iterator()

        def fitted(paths):
            return tf.data.TFRecordDataset(paths).apply(paths)

        def options():
            return tf.data.Options()

        class Feed:
            def rows(self):
                yield 1
    """
    found = module(project, text)
    assert found.origins("pkg.mod.rows()") == ("types.GeneratorType()",)
    assert found.origins("pkg.mod.dataset()") == ("tensorflow.data.Dataset.batch()",)
    assert found.origins("pkg.mod.pictures()") == ("tensorflow.data.Dataset.prefetch()",)
    assert found.origins("pkg.mod.options()") == ("tensorflow.data.Options()",)
    for name in ("lazy", "first", "fitted", "outer"):
        assert found.origins(f"pkg.mod.{name}()") == (UNKNOWN,), name


# -- summaries of classes ----------------------------------------------------------------------------------------------


def test_a_class_tells_methods_and_signature(project: Path) -> None:
    text = """
        import keras
        class Gen(keras.utils.PyDataset):
            def __init__(self, paths, size=32, /, shape=(2, 3), *rest, seed, shuffle=True, **kwargs):
                if shuffle:
                    super().__init__(**kwargs)
            if True:
                def __len__(self): return 3
            async def load(self): pass
    """
    summary = module(project, text).class_summary("pkg.mod.Gen")
    assert summary is not None
    assert (summary.name, summary.methods, summary.line) == ("pkg.mod.Gen", ("__init__", "__len__", "load"), 3)
    assert summary.init == (
        Parameter("self", "positional-only"),
        Parameter("paths", "positional-only"),
        Parameter("size", "positional-only", "32"),
        Parameter("shape", "positional", "(2, 3)"),
        Parameter("rest", "*"),
        Parameter("seed", "keyword-only"),
        Parameter("shuffle", "keyword-only", "True"),
        Parameter("kwargs", "**"),
    )


def test_a_class_without_init_has_no_signature(project: Path) -> None:
    found = module(project, "import keras\nclass A:\n    def run(self): pass\n")
    summary = found.class_summary("pkg.mod.A")
    assert summary is not None
    assert summary.init is None
    assert found.place("pkg.mod.A") == (project / "pkg" / "mod.py", 2)


def test_several_definitions_are_all_kept(project: Path) -> None:
    found = module(project, "if x:\n    class A(list): pass\nelse:\n    class A(dict): pass\n")
    assert [each.bases for each in found.classes("pkg.mod.A")] == [(("builtins.list",),), (("builtins.dict",),)]
    assert found.class_summary("pkg.mod.A") is None
    assert found.bases("pkg.mod.A") == (UNKNOWN,)
    assert found.ancestors("pkg.mod.A") == ("builtins.list", "builtins.dict")


def test_an_object_is_no_base(project: Path) -> None:
    found = module(project, "import lib\nclass A(lib.make_base('Sequence')): pass\nclass B(A): pass\n")
    assert found.bases("pkg.mod.A") == (UNKNOWN,)
    assert found.bases("pkg.mod.B") == ("pkg.mod.A",)
    assert found.descends("pkg.mod.B", is_sequence) is None
