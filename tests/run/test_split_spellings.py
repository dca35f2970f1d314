"""Splits of shuffled rows: what a rule finds in the plain spelling, it finds in each; and the right twins stay silent."""

from __future__ import annotations

import textwrap

import pytest

from tests.run.spellings import codes

SPLITS = {
    "while": """
        rows = tf.data.Dataset.from_tensor_slices((x, y))
        n = 0
        while n < 2:
            rows = rows.shuffle(1000KEPT)
            n += 1
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "try": """
        try:
            rows = tf.data.Dataset.load("cached")
        except FileNotFoundError:
            rows = tf.data.Dataset.from_tensor_slices((x, y))
        finally:
            print("loaded")
        rows = rows.shuffle(1000KEPT)
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "match": """
        def load(kind):
            match kind:
                case "a":
                    return tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
                case _:
                    raise ValueError(kind)
        rows = load("a")
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "match unknown": """
        match sys.argv[1]:
            case "a":
                rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
            case "b":
                rows = tf.data.Dataset.from_tensor_slices((y, x)).shuffle(1000KEPT)
            case _:
                raise ValueError
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "nine options": """
        k = int(sys.argv[1])
        if k == 0:
            rows = tf.data.Dataset.load('0').shuffle(1000KEPT)
        elif k == 1:
            rows = tf.data.Dataset.load('1').shuffle(1000KEPT)
        elif k == 2:
            rows = tf.data.Dataset.load('2').shuffle(1000KEPT)
        elif k == 3:
            rows = tf.data.Dataset.load('3').shuffle(1000KEPT)
        elif k == 4:
            rows = tf.data.Dataset.load('4').shuffle(1000KEPT)
        elif k == 5:
            rows = tf.data.Dataset.load('5').shuffle(1000KEPT)
        elif k == 6:
            rows = tf.data.Dataset.load('6').shuffle(1000KEPT)
        elif k == 7:
            rows = tf.data.Dataset.load('7').shuffle(1000KEPT)
        elif k == 8:
            rows = tf.data.Dataset.load('8').shuffle(1000KEPT)
        else:
            raise ValueError
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "walrus": """
        if (rows := tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)) is not None:
            val = rows.take(200)
            train = rows.skip(200)
    """,
    "stars": """
        first, *others = [tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT), 1, 2]
        train, val = [*(first.skip(200), first.take(200))]
    """,
    "comprehension": """
        rows, = [d.shuffle(1000KEPT) for d in [tf.data.Dataset.from_tensor_slices((x, y)), None] if d is not None]
        val, train = (f(200) for f in (rows.take, rows.skip))
    """,
    "wraps": """
        def logged(f):
            @functools.wraps(f)
            def inner(*args, **kwargs):
                print(f.__name__)
                return f(*args, **kwargs)
            return inner
        @logged
        def load(n):
            return tf.data.Dataset.from_tensor_slices((x, y)).shuffle(nKEPT)
        rows = load(1000)
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "lru_cache": """
        @functools.lru_cache(maxsize=None)
        def load():
            return tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
        val = load().take(200)
        train = load().skip(200)
    """,
    "contextmanager": """
        @contextmanager
        def data():
            rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
            yield rows
            print("done")
        with data() as rows:
            val = rows.take(200)
            train = rows.skip(200)
    """,
    "with an object": """
        class Data:
            def __enter__(self):
                self.rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
                return self.rows
            def __exit__(self, *a):
                pass
        with Data() as rows:
            val = rows.take(200)
            train = rows.skip(200)
    """,
    "partial": """
        def split(rows, n, part):
            return rows.take(n) if part == "val" else rows.skip(n)
        rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
        at = functools.partial(split, rows, 200)
        val, train = at(part="val"), at(part="train")
    """,
    "dataclass": """
        @dataclass
        class Loader:
            size: int = 1000
            parts: list = field(default_factory=list)
            def __post_init__(self):
                self.rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(self.sizeKEPT)
                self.parts.append(self.rows.take(200))
                self.parts.append(self.rows.skip(200))
        val, train = Loader().parts
    """,
    "NamedTuple": """
        class Parts(NamedTuple):
            train: tf.data.Dataset
            val: tf.data.Dataset
        def make():
            rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
            return Parts(rows.skip(200), val=rows.take(200))
        train, val = make()
    """,
    "namedtuple": """
        Parts = namedtuple("Parts", "train val")
        rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
        parts = Parts(rows.skip(200), rows.take(200))
        train, val = parts.train, parts[1]
    """,
    "property": """
        class Data:
            def __init__(self):
                self._ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
            @property
            def train(self):
                return self._ds.skip(200)
            @functools.cached_property
            def val(self):
                return self._ds.take(200)
        d = Data()
        train, val = d.train, d.val
    """,
    "setter": """
        class Data:
            @property
            def rows(self):
                return self._ds
            @rows.setter
            def rows(self, value):
                self._ds = value.shuffle(1000KEPT)
        d = Data()
        d.rows = tf.data.Dataset.from_tensor_slices((x, y))
        val = d.rows.take(200)
        train = d.rows.skip(200)
    """,
    "classmethod": """
        class Data:
            def __init__(self, rows):
                self.rows = rows
            @classmethod
            def load(cls, *arrays):
                return cls(tf.data.Dataset.from_tensor_slices(arrays).shuffle(1000KEPT))
            def split(self, n):
                return self.rows.skip(n), self.rows.take(n)
        train, val = Data.load(x, y).split(200)
    """,
    "super": """
        class A:
            def build(self):
                return tf.data.Dataset.from_tensor_slices((x, y))
        class B(A):
            def build(self):
                return super().build().shuffle(1000KEPT)
        class C(B):
            def build(self):
                rows = super().build()
                return rows.skip(200), rows.take(200)
        train, val = C().build()
    """,
    "yield from": """
        def both(rows):
            yield rows.skip(200)
            yield from [rows.take(200)]
        def parts():
            yield from both(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT))
        train, val = parts()
    """,
    "closure": """
        def maker():
            rows = tf.data.Dataset.from_tensor_slices((x, y))
            def shuffled():
                nonlocal rows
                rows = rows.shuffle(1000KEPT)
                def cut(n):
                    return rows.skip(n), rows.take(n)
                return cut
            return shuffled()
        train, val = maker()(200)
    """,
    "setattr": """
        class Data:
            pass
        d = Data()
        rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
        for name, part in {"train": rows.skip(200), "val": rows.take(200)}.items():
            setattr(d, name, part)
        train, val = getattr(d, "train"), d.val
    """,
    "merged keywords": """
        def shuffled(rows, **options):
            return rows.shuffle(**{"buffer_size": 10, **options})
        base = {"buffer_size": 1000}
        extra = dict(seed=1) | {"name": None}
        base.update({NAMED})
        rows = shuffled(tf.data.Dataset.from_tensor_slices((x, y)), **base)
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "zip pairs": """
        rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
        names, parts = zip(*[("train", rows.skip(200)), ("val", rows.take(200))])
        train, val = parts
    """,
    "map": """
        rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
        train, val = map(lambda f: f(200), [rows.skip, rows.take])
    """,
    "reduce": """
        steps = [lambda d: d.cache(), lambda d: d.shuffle(1000KEPT), lambda d: d.map(lambda a, b: (a * 2, b))]
        rows = functools.reduce(lambda d, step: step(d), steps, tf.data.Dataset.from_tensor_slices((x, y)))
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "enumerate start": """
        rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
        parts = {}
        for n, f in enumerate((rows.take, rows.skip), start=1):
            parts[n] = f(200)
        val, train = parts[1], parts[2]
    """,
    "slices": """
        rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
        parts = [None, rows.skip(200), rows.take(200)]
        train, val = parts[1:]
    """,
    "pop": """
        rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
        parts = [rows.skip(200), rows.take(200)]
        val = parts.pop()
        train = parts.pop()
    """,
    "a list of an unknown loop": """
        found = []
        for name in Path("data").iterdir():
            rows = tf.data.Dataset.load(str(name)).shuffle(1000KEPT)
            found.append((rows.skip(200), rows.take(200)))
        train, val = found[0]
    """,
    "items of an object": """
        class Data:
            def __init__(self):
                rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
                self.parts = {"train": rows.skip(200), "val": rows.take(200)}
            def __getitem__(self, name):
                return self.parts[name]
            def __iter__(self):
                return iter(self.parts.values())
        d = Data()
        train, val = d["train"], d["val"]
    """,
    "an object is unpacked": """
        class Data:
            def __init__(self):
                rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
                self.parts = {"train": rows.skip(200), "val": rows.take(200)}
            def __iter__(self):
                return iter(self.parts.values())
        train, val = Data()
    """,
    "an object is called": """
        class Cut:
            def __init__(self, n):
                self.n = n
            def __call__(self, rows):
                return rows.skip(self.n), rows.take(self.n)
        train, val = Cut(200)(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT))
    """,
    "getattr hands on": """
        class Wrap:
            def __init__(self, inner):
                self.inner = inner
            def __getattr__(self, name):
                return getattr(self.inner, name)
        rows = Wrap(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT))
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "break loop": """
        rows = tf.data.Dataset.from_tensor_slices((x, y))
        for step in (lambda d: d.shuffle(1000KEPT), None, lambda d: d.shuffle(10, reshuffle_each_iteration=False)):
            if step is None:
                break
            rows = step(rows)
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "dispatch": """
        def shuffled(d):
            return d.shuffle(1000KEPT)
        STEPS = {"shuffle": shuffled, "cache": lambda d: d.cache()}
        rows = tf.data.Dataset.from_tensor_slices((x, y))
        for name in "cache,shuffle".split(","):
            rows = STEPS[name](rows)
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "format key": """
        rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
        parts = {"part-%d" % 1: rows.skip(200), "part-{}".format(2): rows.take(200)}
        train, val = parts[f"part-{1}"], parts["part-" + str(2)]
    """,
    "pathlib": """
        rows = {Path("a/train.npy").stem: tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)}["train"]
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "a copy of an object": """
        class Data:
            def __init__(self):
                self.rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
        d = Data()
        e = copy.copy(d)
        val = d.rows.take(200)
        train = e.rows.skip(200)
    """,
    "attributes from keywords": """
        class Cfg:
            def __init__(self, **kw):
                self.__dict__.update(kw)
        c = Cfg(rows=tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT))
        val = c.rows.take(200)
        train = c.rows.skip(200)
    """,
    "default dict": """
        parts = defaultdict(list)
        rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
        parts["val"].append(rows.take(200))
        parts["train"].append(rows.skip(200))
        val = parts["val"][0]
        train = parts["train"][0]
    """,
    "next of an expression": """
        rows = next(d for d in [None, tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)] if d is not None)
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "filter": """
        rows = list(filter(lambda d: d is not None, [None, tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)]))[0]
        val = rows.take(200)
        train = rows.skip(200)
    """,
    "enum": """
        class Part(Enum):
            TRAIN = "train"
            VAL = "val"
        rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000KEPT)
        parts = {Part.TRAIN: rows.skip(200), Part.VAL: rows.take(200)}
        train, val = parts[Part.TRAIN], parts[Part("val")]
    """,
    "abstract base": """
        class Base(ABC):
            @abstractmethod
            def source(self):
                ...
            def split(self):
                rows = self.source().shuffle(1000KEPT)
                return rows.skip(200), rows.take(200)
        class Mine(Base):
            def source(self):
                return tf.data.Dataset.from_tensor_slices((x, y))
        train, val = Mine().split()
    """,
    "method chain own": """
        class Pipe:
            def __init__(self, rows):
                self.rows = rows
            def shuffle(self, n):
                self.rows = self.rows.shuffle(nKEPT)
                return self
            def split(self, n):
                return self.rows.skip(n), self.rows.take(n)
        train, val = Pipe(tf.data.Dataset.from_tensor_slices((x, y))).shuffle(1000).split(200)
    """,
    "operators of an object": """
        class Step:
            def __init__(self, f):
                self.f = f
            def __ror__(self, rows):
                return self.f(rows)
            def __rshift__(self, other):
                return Step(lambda d: other.f(self.f(d)))
        rows = (Step(lambda d: d.cache()) >> Step(lambda d: d.shuffle(1000KEPT))).f(tf.data.Dataset.from_tensor_slices((x, y)))
        val = rows.take(200)
        train = rows.skip(200)
    """,
}
"""A dataset is shuffled, and then split: KEPT keeps the order for all epochs."""


@pytest.mark.parametrize("name", SPLITS)
@pytest.mark.parametrize("kept", [False, True])
def test_a_split_of_shuffled_rows(name: str, kept: bool) -> None:
    text = SPLITS[name].replace("KEPT", ", reshuffle_each_iteration=False" if kept else "")
    text = text.replace("NAMED", '"reshuffle_each_iteration": False' if kept else '"seed": 3')
    fit = "model.fit(train.batch(8), validation_data=val.batch(8), epochs=3)\n"
    assert ("SEQ401" in codes("SEQ401", textwrap.dedent(text) + fit)) is not kept
