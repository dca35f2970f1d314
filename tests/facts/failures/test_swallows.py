"""Swallows: what becomes of a failure behind a broad handler; silent where something stands in for it."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.facts.feed import generator, sequence

READ = """
def read(self, path):
    try:
        return np.load(path)
    except Exception:
        END
"""
COLLECT = """
images = []
for path in self.paths[index:]:
    try:
        images.append(np.load(path))
    except:
        END
return np.array(images), self.labels[index:]
"""
STALE = """
images = []
for path in self.paths[index:]:
    try:
        image = np.load(path)
    except Exception:
        END
    images.append(image)
return np.array(images), self.labels[index:]
"""
ROW = """
images = np.empty((4, 3))
for row, path in enumerate(self.paths[index:]):
    try:
        images[row] = np.load(path)
    except (OSError, Exception):
        END
return images, self.labels[index:]
"""
BATCH = """
try:
    return np.load(self.paths[index])
except Exception:
    END
"""
UNBOUND = """
try:
    images = np.load(self.paths[index])
except BaseException:
    END
return images, self.labels[index]
"""
SAMPLES = "return np.array([self.read(path) for path in self.paths[index:]]), self.labels[index:]"
OUTCOMES = [
    ("alone", COLLECT, "continue"),
    ("alone", COLLECT, "print(path)"),
    ("stale", STALE, "pass"),
    ("row", ROW, "continue"),
    ("batch", BATCH, "self.failed += 1"),
    ("batch", BATCH, "return None"),
    ("unbound", UNBOUND, "print(index)"),
    ("sample", SAMPLES, "return None"),
    ("sample", SAMPLES, "return"),
    ("sample", SAMPLES, "print(path)"),
]


@pytest.mark.parametrize(("outcome", "body", "end"), OUTCOMES)
def test_what_becomes_of_a_failure(outcome: str, body: str, end: str) -> None:
    found = sequence(body.replace("END", end), READ.replace("END", end)).swallows.all
    assert [swallow.outcome for swallow in found] == [outcome]


@pytest.mark.parametrize("end", ["raise", "print(index)\nraise ValueError(index)", "exit(1)", "self.stop()"])
@pytest.mark.parametrize("body", [COLLECT, STALE, ROW, BATCH, UNBOUND, SAMPLES])
def test_a_handler_that_ends_the_run_or_may_do_so_hides_nothing(body: str, end: str) -> None:
    ended = [
        text.replace("        END", indent(end, " " * 8)).replace("    END", indent(end, " " * 4))
        for text in (body, READ)
    ]
    assert not sequence(*ended).swallows.all


USES = {
    "in a comprehension": "return np.stack([self.read(path) for path in self.paths[index:]]), self.labels[index:]",
    "appended": "x = []\nfor path in self.paths[index:]:\n    x.append(self.read(path))\nreturn np.array(x), self.labels[index:]",
    "named and appended": (
        "x = []\nfor path in self.paths[index:]:\n    one = self.read(path)\n    x.append(one)\nreturn np.array(x), self.labels[index:]"
    ),
    "scaled": "return np.array([1 / 255 * self.read(path) for path in self.paths[index:]]), self.labels[index:]",
    "put into a row": "x = np.zeros(4)\nfor k in range(4):\n    x[k] = self.read(self.paths[k])\nreturn x, self.labels[index:]",
    "mapped": "return np.array(list(map(self.read, self.paths[index:]))), self.labels[index:]",
    "mapped by a pool": "x = list(self.pool.map(self.read, self.paths[index:]))\nreturn np.array(x), self.labels[index:]",
}


@pytest.mark.parametrize("body", USES.values(), ids=USES)
def test_none_from_a_helper_stands_for_a_sample(body: str) -> None:
    assert [swallow.outcome for swallow in sequence(body, READ.replace("END", "return None")).swallows.all] == [
        "sample"
    ]


ROUND = (
    "x, y = np.zeros((4, 3)), np.zeros(4)\nfor k, path in enumerate(self.paths[index:]):\n    one = self.read(path)\n"
)
ROWS = {
    "written unless it is None": ROUND
    + "    if one is not None:\n        x[k] = one\n    y[k] = self.known[path]\nreturn x, y",
    "passed over": ROUND
    + "    if one is None:\n        continue\n    x[k] = one / 255\n    y[k] = self.known[path]\nreturn x, y",
    "in another helper": "return np.stack([self.row(path) for path in self.paths[index:]]), self.labels[index:]",
}
HELPER = """
def row(self, path):
    made = np.zeros(3)
    one = self.read(path)
    if one is not None:
        made[:] = one
    return made
"""


@pytest.mark.parametrize("body", ROWS.values(), ids=ROWS)
def test_a_row_that_is_only_written_where_there_is_a_sample(body: str) -> None:
    found = sequence(body, READ.replace("END", "return None") + HELPER).swallows.all
    assert [swallow.outcome for swallow in found] == ["row"]


ANSWERED = {
    "written in another way": (
        ROUND
        + "    if one is None:\n        x[k] = self.blank\n    else:\n        x[k] = one\n    y[k] = self.known[path]\nreturn x, y"
    ),
    "told by a weight": (
        "w = np.zeros(4)\n" + ROUND + "    if one is not None:\n        x[k] = one\n        w[k] = 1\nreturn x, y, w"
    ),
    "asked in an if": (
        "x = []\nfor path in self.paths[index:]:\n    one = self.read(path)\n    if one is None:\n        one = self.blank\n"
        "    x.append(one)\nreturn np.array(x), self.labels[index:]"
    ),
    "or": "return np.array([self.read(path) or self.blank for path in self.paths[index:]]), self.labels[index:]",
    "left out with its label": (
        "x, y = [], []\nfor path, label in self.items[index:]:\n    one = self.read(path)\n    if one is not None:\n"
        "        x.append(one)\n        y.append(label)\nreturn np.array(x), np.array(y)"
    ),
    "tried again": (
        "for place in range(index, index + 3):\n    try:\n        return np.load(self.paths[place]), self.labels[place]\n"
        "    except Exception:\n        continue"
    ),
    "another batch": (
        "try:\n    return np.load(self.paths[index]), self.labels[index]\nexcept Exception:\n    return self[index + 1]"
    ),
    "nothing of the batch": (
        "try:\n    self.bar.update()\nexcept Exception:\n    pass\nreturn np.load(self.paths[index]), self.labels[index]"
    ),
    "a default": (
        "scale = 1\ntry:\n    scale = self.scales[index]\nexcept Exception:\n    pass\nreturn self.images[index] * scale, self.labels[index]"
    ),
    "a narrow handler": "try:\n    return self.cache[index]\nexcept KeyError:\n    pass\nreturn np.load(self.paths[index])",
}


@pytest.mark.parametrize("body", ANSWERED.values(), ids=ANSWERED)
def test_a_failure_that_something_stands_in_for_is_not_hidden(body: str) -> None:
    assert not sequence(body, READ.replace("END", "return None")).swallows.all


SPINS = "while True:\n    try:\n        yield load(paths), labels\n    except Exception as error:\n        print(error)"
ENDS = "for path in paths:\n    try:\n        image = np.load(path)\n    except Exception:\n        return\n    yield image, labels"
DRAWS = (
    "while True:\n    x, y = [], []\n    while len(x) < size:\n        k = draw()\n        try:\n            x.append(np.load(paths[k]))\n"
    "            y.append(labels[k])\n        except Exception:\n            continue\n    yield np.array(x), np.array(y)"
)


@pytest.mark.parametrize(("body", "outcomes"), [(SPINS, ["endless"]), (ENDS, ["ends"]), (DRAWS, [])])
def test_generators_that_swallow(body: str, outcomes: list[str]) -> None:
    assert [swallow.outcome for swallow in generator(body).swallows.all] == outcomes


def test_raising_is_not_safe_where_somebody_else_waits_for_none() -> None:
    check = "\ndef check(self):\n    return [path for path in self.paths if self.read(path) is None]\n"
    read = READ.replace("END", "return None")
    assert sequence(SAMPLES, read).swallows.all[0].raising_is_safe
    assert not sequence(SAMPLES, read + check).swallows.all[0].raising_is_safe


@pytest.mark.parametrize(
    ("before", "handler", "behind", "outcomes"),
    [
        ("found = None", "print(path)", "return found", ["sample"]),
        ("", "found = None", "return found", ["sample"]),
        ("found = np.zeros(3)", "print(path)", "return found", []),
        ("found = None", "found = np.zeros(3)", "return found", []),
        ("found = None", "print(path)", "return found, path", []),
        ("found = None", "print(path)", "return self.other(path)", []),
    ],
)
def test_none_that_falls_through_to_the_return(before: str, handler: str, behind: str, outcomes: list[str]) -> None:
    lines = [before, "try:", "    found = np.load(path)", "except Exception:", f"    {handler}", behind]
    facts = sequence(SAMPLES, "def read(self, path):\n" + "\n".join("    " + line for line in lines if line))
    assert [swallow.outcome for swallow in facts.swallows.all] == outcomes


@pytest.mark.parametrize(
    ("parameters", "guarded", "name"),
    [
        ("self, p", "with open(p) as file:\n            return json.load(file)", "p"),
        ("self, p", "return open(p).read()", "p"),
        ("self, wav, rate", "return np.frombuffer(open(wav, 'rb').read())", "wav"),
    ],
)
def test_a_helper_names_what_it_was_given(parameters: str, guarded: str, name: str) -> None:
    read = f"def read({parameters}):\n    try:\n        {guarded}\n    except Exception:\n        return None\n"
    facts = sequence(SAMPLES, read)
    found = facts.handlers.subject(facts.swallows.all[0].handler)
    assert found is not None
    assert found.value == name


@pytest.mark.parametrize(
    ("guarded", "name"),
    [
        ("np.load(path)", "path"),
        ("np.load(self.root + '/' + path)", "path"),
        ("np.load(path.open())", "path"),
        ("self.augment(image)", None),
        ("next(self.source)", None),
    ],
)
def test_the_sample_that_failed_has_a_name_where_one_is_in_sight(guarded: str, name: str | None) -> None:
    facts = sequence(
        f"""
        images = []
        for {"path" if name else "image"} in self.items[index:]:
            try:
                images.append({guarded})
            except Exception:
                continue
        return np.array(images), self.labels[index:]
        """
    )
    found = facts.handlers.subject(facts.swallows.all[0].handler)
    assert (found.value if found is not None else None) == (name or "index")


def test_a_file_is_no_name_of_a_sample() -> None:
    facts = sequence(
        """
        images = []
        for path in self.paths[index:]:
            file = open(path, "rb")
            try:
                images.append(np.load(file))
            except Exception:
                pass
        return np.array(images), self.labels[index:]
        """
    )
    found = facts.handlers.subject(facts.swallows.all[0].handler)
    assert found is not None
    assert found.value == "path"
