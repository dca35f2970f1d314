"""Values that come to a call over names, branches, loops, functions, classes and containers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.run.programs import ran, said

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("x = 1\nx = x + 1\nprint(x)", ["2"]),
        ("a, (b, *c) = 1, (2, 3, 4)\nprint(b)\nprint(len(c))", ["2", "2"]),
        ("def twice(n, by=2):\n    return n * by\nprint(twice(4))\nprint(twice(4, by=3))", ["8", "12"]),
        ("def f(*rows, **named):\n    return rows[1], named['b']\nx, y = f(1, 2, b=3)\nprint(x)\nprint(y)", ["2", "3"]),
        ("o = {'a': 1}\no = dict(o, b=2)\no['c'] = 3\nprint(o['b'])\nprint(len(list(o)))", ["2", "3"]),
        ("def f(a, b):\n    print(b)\nf(**{'a': 1, 'b': 2})\nf(*[1, 5])", ["2", "5"]),
        ("rows = []\nfor n in (1, 2, 3):\n    rows.append(n * 2)\nprint(rows[-1])", ["6"]),
        ("rows = [n * n for n in range(4) if n != 1]\nprint(rows[1])", ["4"]),
        ("x = {n: n + 1 for n in (1, 2)}\nprint(x[2])\nfor k, v in x.items():\n    print(v)", ["3", "2", "3"]),
        ("x = {1e999: 1, 'a': 2}\nprint(x['a'])\nx = [*x]", ["2"]),
        ("x = {-1e999: 1, ...: 2, 1j: 3, (1e999,): 4, b'k': 5}\nprint(x[b'k'])\nprint(dict(x, a=6)['a'])", ["5", "6"]),
        ("for n, name in enumerate(['a', 'b']):\n    print(name)", ["'a'", "'b'"]),
        ("def numbers():\n    for n in (7, 8):\n        yield n\nfor n in numbers():\n    print(n)", ["7", "8"]),
        ("from functools import partial\ndef f(a, b):\n    return a - b\nprint(partial(f, 5)(2))", ["3"]),
        ("f = lambda n: n + 1\nprint(f(1))", ["2"]),
        ("print('-'.join(['a', 'b']))\nprint(f'{1}x')", ["'a-b'", "'1x'"]),
        ("import os\nprint(os.path.join('a', 'b'))", ["'a/b'"]),
        ("rows = [1, 2, 3]\nprint(rows[slice(1, None)][0])\nprint(rows[slice(1)][-1])", ["2", "1"]),
        ("x = None\nx = x or 5\nprint(x)\nprint(0 and 7)", ["5", "0"]),
        ("n = 0\nwhile n < 3:\n    n += 1\nprint(n)", ["3"]),
        ("for n in (1, 2, 3):\n    if n == 2:\n        break\n    print(n)\nprint(n)", ["1", "2"]),
        ("for n in (1, 2, 3):\n    if n == 2:\n        continue\n    print(n)", ["1", "3"]),
        ("def f(*rows):\n    for n in rows:\n        return n\n    return 0\nprint(f(4, 5))", ["4"]),
        (
            (
                "def f(k):\n    match k:\n        case 'a' | 'b':\n            return 1\n        case (n, m):\n            return m\n"
                "        case {'k': v}:\n            return v\n        case None:\n            return 0\n        case n:\n            return n\n"
                "for each in ('b', (2, 3), {'k': 4}, None, 5):\n    print(f(each))"
            ),
            ["1", "3", "4", "0", "5"],
        ),
        (
            "rows = [5, 6, 7]\nprint(rows.pop())\nrows.insert(0, 3)\nprint(rows[1])\ndel rows[0]\nprint(rows[0])",
            ["7", "5", "5"],
        ),
        ("rows = [1, 2]\nrows.clear()\nrows += [3]\nprint(rows[0])\nprint(len(rows))", ["3", "1"]),
        (
            "a = {'x': 1} | {'y': 2}\na |= {'z': 3}\nprint(a['y'])\nprint(a['z'])\ndel a['x']\nprint(a.get('x', 0))",
            ["2", "3", "0"],
        ),
        ("from collections import defaultdict\na = defaultdict(list)\na['x'].append(1)\nprint(a['x'][0])", ["1"]),
        ("for n, row in enumerate(['a', 'b'], start=1):\n    print(n)", ["1", "2"]),
        (
            "print(list(map(lambda a, b: a + b, [1, 2], [3, 4]))[1])\nprint(list(filter(lambda n: n > 1, [1, 2]))[0])",
            ["6", "2"],
        ),
        ("print(sorted(['bb', 'a'], key=len)[0])\nprint(sorted([1, 3, 2], reverse=True)[0])", ["'a'", "3"]),
        ("from functools import reduce\nprint(reduce(lambda a, b: a + b, [1, 2, 3], 4))", ["10"]),
        ("import itertools\nprint([*itertools.chain([1], (2,))][1])", ["2"]),
        (
            "print('%s-%d' % ('a', 1))\nprint(f'{3:03d}')\nprint('abc'[1:])\nprint('a.b'.rsplit('.', 1)[0])",
            ["'a-1'", "'003'", "'bc'", "'a'"],
        ),
        (
            "from pathlib import Path\np = Path('a') / 'b.txt'\nprint(p.stem)\nprint(p.parent / 'c')\nprint(p.with_suffix('.x'))",
            ["'b'", "'a/c'", "'a/b.x'"],
        ),
        (
            "import argparse\np = argparse.ArgumentParser()\np.add_argument('--size', default=8)\nprint(vars(p.parse_args())['size'])",
            ["8 by default"],
        ),
    ],
)
def test_is_what_python_computes(program: str, expected: list[str]) -> None:
    assert said(ran(program)) == expected


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("import sys\nx = 1\nif sys.argv:\n    x = 2\nprint(x)", ["1 or 2"]),
        ("import sys\nif sys.argv:\n    x = 1\nelse:\n    x = 2\nprint(x)", ["1 or 2"]),
        ("import sys\nx = 3\nif sys.argv:\n    x = 1\nelse:\n    x = 2\nprint(x)", ["1 or 2"]),
        ("import sys\nif sys.argv:\n    x = 1\nelse:\n    x = 2\nif sys.argv:\n    print(x)", ["1"]),
        (
            "def f(n):\n    if n:\n        return 1\n    return 2\nimport sys\nprint(f(sys.argv))\nprint(f(0))",
            ["1 or 2", "2"],
        ),
        ("import sys\nx = 1\nif sys.argv:\n    raise ValueError\nelse:\n    x = 2\nprint(x)", ["2"]),
        ("try:\n    x = 1\nexcept ValueError:\n    x = 2\nprint(x)", ["1 or 2"]),
        ("import sys\nx = 1\nfor n in sys.argv:\n    x = 2\nprint(x)", ["1 or 2"]),
        ("x = 1\nwhile True:\n    x = 2\n    break\nprint(x)", ["2"]),
        ("import sys\nx = 1 if sys.argv else 2\nprint(x)", ["1 or 2"]),
        ("import sys\nrows = [5]\nfor n in sys.argv:\n    rows.append(6)\nprint(rows[0])", ["5 or 6"]),
        ("import sys\nrows = [5, 6]\nrows[len(sys.argv)] = 7\nprint(rows[0])", ["5 or 7"]),
        (
            "import sys\nx = 0\nfor n in (1, 2):\n    if sys.argv:\n        break\nelse:\n    x = 3\nprint(x)",
            ["0 or 3"],
        ),
        (
            "import sys\nmatch sys.argv:\n    case 'a':\n        x = 1\n    case 'b':\n        x = 2\n    case _:\n        raise ValueError\nprint(x)",
            ["1 or 2"],
        ),
        (
            "import sys\nk = sys.argv\n" + "".join(f"if k == {n}:\n    x = {n}\n" for n in range(12)) + "print(x)",
            [" or ".join(sorted(map(str, range(12))))],
        ),
    ],
)
def test_is_all_that_the_ways_leave_open(program: str, expected: list[str]) -> None:
    assert said(ran(program)) == expected


def test_a_condition_that_is_asked_twice_comes_out_the_same() -> None:
    program = """
    def load(train, size=None):
        if size is None:
            size = 4
        if train:
            name = "learn"
        if train:
            print(name)
        print(size)
    """
    assert said(ran(program)) == ["'learn'", "4 or size"]


class TestObjects:
    def test_attributes_over_methods_aliases_and_bases(self) -> None:
        program = """
        class Base:
            kind = "none"

            def __init__(self, size):
                self.size = size

            @property
            def double(self):
                return self.size * 2

            @staticmethod
            def half(n):
                return n // 2

            @classmethod
            def of(cls, n):
                return cls(n)


        class Store(Base):
            def __init__(self, size):
                super().__init__(size + 1)
                self.inner = Base(7)

            def __len__(self):
                return self.double

            def grow(self):
                me = self
                me.inner.size = 9


        store = Store.of(4)
        store.grow()
        print(len(store))
        print(store.inner.size)
        print(Store.half(8))
        print(store.kind)
        """
        assert said(ran(program)) == ["10", "9", "4", "'none'"]

    def test_settings(self) -> None:
        program = """
        import argparse
        from dataclasses import dataclass
        from types import SimpleNamespace
        from typing import NamedTuple


        @dataclass
        class Config:
            batch: int = 8
            name: str = "a"


        class Sizes(NamedTuple):
            width: int
            height: int = 3


        parser = argparse.ArgumentParser()
        group = parser.add_argument_group("data")
        group.add_argument("--batch-size", type=int, default=32)
        args = parser.parse_args()
        print(args.batch_size)
        print(Config(name="b").name)
        print(Config().batch)
        print(Sizes(5).height)
        print(SimpleNamespace(n=1).n)
        """
        assert said(ran(program)) == ["32 by default", "'b'", "8", "3", "1"]


class TestOtherFiles:
    def test_functions_classes_and_constants(self, tmp_path: Path) -> None:
        files = {
            "sizes.py": "BATCH = 16\n\ndef steps(n):\n    return n // BATCH\n",
            "data/__init__.py": "from .store import Store\n",
            "data/store.py": "from sizes import BATCH as size\n\nclass Store:\n    def __init__(self):\n        self.size = size\n",
        }
        program = """
        import sizes
        from data import Store
        print(sizes.steps(64))
        print(Store().size)
        """
        assert said(ran(program, tmp_path, files)) == ["4", "16"]

    def test_a_file_that_imports_back(self, tmp_path: Path) -> None:
        files = {"other.py": "import main\n\ndef f():\n    return main.SIZE\n"}
        assert said(ran("import other\nSIZE = 3\nprint(other.f())", tmp_path, files)) == ["3"]

    def test_a_file_that_is_no_python(self, tmp_path: Path) -> None:
        run = ran("from broken import x\nprint(x)", tmp_path, {"broken.py": "def ("})
        assert said(run) == ["unknown"]


class TestStrangers:
    def test_may_change_a_list_that_they_get(self) -> None:
        assert said(ran("import stranger\nrows = [1]\nstranger.fill(rows)\nprint(len(rows))")) == ["len"]

    def test_of_a_known_library_do_not(self) -> None:
        assert said(ran("import numpy as np\nrows = [1]\nnp.asarray(rows)\nprint(len(rows))")) == ["1"]


class TestEndless:
    @pytest.mark.parametrize(
        "program",
        [
            "def f(n):\n    return f(n + 1)\nprint(f(1))",
            "rows = [1]\nfor row in rows:\n    rows.append(row)\nprint(1)",
            "x = lambda: x()\nprint(x())",
            "class A:\n    def __getattr__(self, name):\n        return getattr(self, name)\nprint(A().b)",
            "def f():\n    for a in x:\n        for b in x:\n            for c in x:\n                yield from f()\nprint(list(f()))",
            "x = (1,)\n" + "x = (x, x)\n" * 40 + "print(x)",
            "def f(n):\n    return [f(n - 1), f(n - 1)]\nprint(f(99))",
        ],
    )
    def test_programs_end(self, program: str) -> None:
        assert len(said(ran(program))) == 1

    def test_a_long_call_is_cut_and_the_rest_is_run(self) -> None:
        many = "".join(f"    x{n} = a + {n}\n" for n in range(3000))
        run = ran(f"def f(a):\n{many}\nf(1)\nprint(5)")
        assert said(run) == ["5"]
        assert not run.complete


@pytest.mark.parametrize("index", ["...", "where", ":, 0"])
def test_what_is_stored_at_one_unknown_place_is_not_read_from_another(index: str) -> None:
    program = f"import numpy as np\nrows = np.zeros((3, 3))\ndef f(where, there):\n    rows[{index}] = 7\n    print(rows[there])\n"
    assert said(ran(program)) != ["7"]
    assert said(ran("import numpy as np\nrows = np.zeros(3)\nrows[1] = 7\nprint(rows[1])\n")) == ["7"]
