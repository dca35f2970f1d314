"""Separate shuffles: what a rule finds in the plain spelling, it finds in each; and the right twins stay silent."""

from __future__ import annotations

import textwrap

import pytest

from tests.run.spellings import codes

SHUFFLES = {
    "while": (
        """
            n = 0
            while n < 2:
                np.random.shuffle((x, y)[n])
                n += 1
        """,
        """
            order = np.random.permutation(len(x))
            n = 0
            while n < 1:
                x, y = x[order], y[order]
                n += 1
        """,
    ),
    "partial": (
        """
            mix = functools.partial(np.random.permutation)
            x = mix(x); y = mix(y)
        """,
        """
            take = functools.partial(np.take, indices=np.random.permutation(len(x)), axis=0)
            x = take(x); y = take(y)
        """,
    ),
    "wraps": (
        """
            def timed(f):
                @functools.wraps(f)
                def inner(*a, **k):
                    return f(*a, **k)
                return inner
            @timed
            def mixed(a):
                return a[np.random.permutation(len(a))]
            x, y = mixed(x), mixed(y)
        """,
        """
            def timed(f):
                @functools.wraps(f)
                def inner(*a, **k):
                    return f(*a, **k)
                return inner
            @timed
            def mixed(a, b):
                order = np.random.permutation(len(a))
                return a[order], b[order]
            x, y = mixed(x, y)
        """,
    ),
    "class ops": (
        """
            class Rows:
                def __init__(self, **arrays): self.__dict__.update(arrays)
                def mix(self):
                    for value in (self.x, self.y):
                        np.random.shuffle(value)
                    return self
            rows = Rows(x=x, y=y).mix()
            x, y = rows.x, rows.y
        """,
        """
            class Rows:
                def __init__(self, **arrays): self.__dict__.update(arrays)
                def mix(self):
                    order = np.random.permutation(len(self.x))
                    for name in ("x", "y"):
                        setattr(self, name, getattr(self, name)[order])
                    return self
            rows = Rows(x=x, y=y).mix()
            x, y = rows.x, rows.y
        """,
    ),
    "contextmanager": (
        """
            @contextmanager
            def mixed(*arrays):
                for a in arrays:
                    np.random.shuffle(a)
                yield arrays
            with mixed(x, y) as (x, y):
                pass
        """,
        """
            @contextmanager
            def mixed(*arrays):
                order = np.random.permutation(len(arrays[0]))
                yield [a[order] for a in arrays]
            with mixed(x, y) as (x, y):
                pass
        """,
    ),
    "getitem own": (
        """
            class Table:
                def __init__(self, a): self.a = a
                def __getitem__(self, rows): return self.a[rows]
                def __len__(self): return len(self.a)
            a, b = Table(x), Table(y)
            x, y = a[np.random.permutation(len(a))], b[np.random.permutation(len(b))]
        """,
        """
            class Table:
                def __init__(self, a): self.a = a
                def __getitem__(self, rows): return self.a[rows]
                def __len__(self): return len(self.a)
            a, b = Table(x), Table(y)
            order = np.random.permutation(len(a))
            x, y = a[order], b[order]
        """,
    ),
    "nested closure": (
        """
            def mixer():
                rng = np.random.default_rng(0)
                def mix(a):
                    nonlocal rng
                    rng.shuffle(a)
                    return a
                return mix
            mix = mixer()
            x = mix(x); y = mix(y)
        """,
        """
            def mixer(n):
                order = np.random.default_rng(0).permutation(n)
                def mix(a): return a[order]
                return mix
            mix = mixer(len(x))
            x = mix(x); y = mix(y)
        """,
    ),
    "match": (
        """
            def mix(a, how="draw"):
                match how:
                    case "draw": np.random.shuffle(a)
                    case "keep": pass
            mix(x); mix(y)
        """,
        """
            def mix(a, how="keep"):
                match how:
                    case "draw": np.random.shuffle(a)
                    case "keep": pass
            mix(x); mix(y, how="keep")
        """,
    ),
    "break": (
        """
            for step in ("mix", "stop", "more"):
                if step == "stop": break
                np.random.shuffle(x)
                np.random.shuffle(y)
        """,
        """
            for step in ("stop", "mix", "more"):
                if step == "stop": break
                np.random.shuffle(x)
        """,
    ),
    "continue": (
        """
            for a in (x, None, y):
                if a is None: continue
                np.random.shuffle(a)
        """,
        """
            for name, a in (("x", x), ("y", y)):
                if name in ("x", "y"): continue
                np.random.shuffle(a)
        """,
    ),
    "return in loop": (
        """
            def first(*arrays):
                for a in arrays:
                    np.random.shuffle(a)
                    return a
            x = first(x, y)
        """,
        """
            def first(*arrays):
                for a in arrays:
                    return a
                np.random.shuffle(arrays[0])
            x = first(x, y)
        """,
    ),
    "super chain": (
        """
            class A:
                def __init__(self, x, y): self.x, self.y = x, y
                def mix(self): np.random.shuffle(self.x)
            class B(A):
                def mix(self):
                    super().mix()
                    np.random.shuffle(self.y)
            d = B(x, y); d.mix(); x, y = d.x, d.y
        """,
        """
            class A:
                def __init__(self, x, y): self.x, self.y = x, y
                def mix(self): pass
            class B(A):
                def mix(self):
                    super().mix()
                    o = np.random.permutation(len(self.x))
                    self.x, self.y = self.x[o], self.y[o]
            d = B(x, y); d.mix(); x, y = d.x, d.y
        """,
    ),
    "enter": (
        """
            class Mixed:
                def __init__(self, *arrays): self.arrays = arrays
                def __enter__(self): return [np.random.permutation(a) for a in self.arrays]
                def __exit__(self, *e): return False
            with Mixed(x, y) as (x, y):
                model.evaluate(x, y)
        """,
        """
            class Mixed:
                def __init__(self, *arrays): self.arrays = arrays
                def __enter__(self):
                    o = np.random.permutation(len(self.arrays[0]))
                    return [a[o] for a in self.arrays]
                def __exit__(self, *e): return False
            with Mixed(x, y) as (x, y):
                model.evaluate(x, y)
        """,
    ),
}
"""Inputs and targets that are shuffled each for itself, and those that are not."""


@pytest.mark.parametrize("name", SHUFFLES)
@pytest.mark.parametrize("right", [False, True])
def test_rows_that_are_shuffled_separately(name: str, right: bool) -> None:
    text = textwrap.dedent(SHUFFLES[name][right]) + "model.fit(x, y, epochs=3)\n"
    assert ("SEQ109" in codes("SEQ109", text)) is not right
