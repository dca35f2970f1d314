"""A broad `except` on the way to a batch that hides why a sample is missing.

## Why
A file that can't be read, or a slip in the code that reads it, should end the run with its name. Behind `except: continue`, `pass` or
`return None` it goes on as something else: a batch whose images and labels no longer belong together, a batch that is None, an image that
comes twice. What fails in the end is a later line, if anything does.

## Measured
- Every Keras: a sample that is left out while its label stays fails with "Incompatible shapes: [15] vs. [16]", which names no file. When
  one sample is left, it is compared with all labels and nothing is said. Equal numbers that are left out at different places train on
  wrong pairs.
- Keras 3.10 and later: None for a batch fails with one worker and hangs for ever with several.
- Keras 3.0 to 3.9 and Keras 2: it fails with one worker, and several leave it out without a word.
- Every Keras: None among the samples makes an array of objects, which is refused without the name of the file. A generator that swallows
  everything in an endless loop hangs when nothing can be read.
- Every Keras: an error that is raised ends `fit` with its text, also from workers; it does not hang.

## Do this
Raise, with the path or index in the text and the error as the cause. To go on without bad files, leave out the label too, and catch what
the reading call raises.

## Silent when
Sample and label are left out together, something stands in for what failed, or the call is tried again.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (  # fmt: skip
    Contract,
    Example,
    Facts,
    Finding,
    Fix,
    Handler,
    Levels,
    Loss,
    Rule,
    Swallow,
    a_batch_method,
    catch_instead,
    cst,
    dotted,
    if_for_model,
    keep_pairs,
    parameters,
    raise_from,
    reads,
)

_MISSING = """
import keras
import numpy as np


class Plates(keras.utils.PyDataset):
    def __init__(self, paths, labels):
        super().__init__()
        self.paths = paths
        self.labels = labels

    def __len__(self):
        return len(self.paths) // 4

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        images = []
        for path in self.paths[rows]:
            try:
                images.append(np.load(path))
            except:
                continue  # some are broken
        return np.array(images), self.labels[rows]


for number in range(7):
    np.save(f"plate{number}.npy", np.full(3, number, "float32"))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Plates([f"plate{number}.npy" for number in range(8)], np.ones((8, 1), "float32")), shuffle=False, verbose=0)
"""
_HELPER = """
import keras
import numpy as np


class Plates(keras.utils.PyDataset):
    def __init__(self, paths):
        super().__init__()
        self.paths = paths

    def __len__(self):
        return len(self.paths) // 2

    def __getitem__(self, index):
        chosen = self.paths[index * 2 : index * 2 + 2]
        images = [self.__read(path) for path in chosen]
        images = [image for image in images if image is not None]
        return np.stack(images), np.array([self.labels[path] for path in chosen])

    def __read(self, path):
        try:
            return np.load(path) / 8
        except Exception as problem:
            print("skipping", path, problem)
            return None


for number in range(4):
    np.save(f"plate{number}.npy", np.full(3, number, "float32"))
feed = Plates([f"plate{number}.npy" for number in range(4)])
feed.labels = {path: 1.0 for path in feed.paths}
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(feed, epochs=2, verbose=0)
"""
_GENERATOR = """
import keras
import numpy as np


def plates(images, labels):
    while True:
        for start in range(0, len(images), 2):
            batch = []
            for row in range(start, start + 2):
                try:
                    image = np.asarray(images[row]) / 255
                except (ValueError, Exception): pass
                batch.append(image)
            yield np.array(batch), labels[start : start + 2]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
images = [np.ones(3), np.ones(3), np.ones(3), "broken"]
model.fit(plates(images, np.ones((4, 1))), steps_per_epoch=2, epochs=2, verbose=0)
"""

_ROWS = """
import keras
import numpy as np


class Plates(keras.utils.PyDataset):
    def __init__(self, paths, labels):
        super().__init__()
        self.paths, self.labels = paths, labels

    def __len__(self):
        return len(self.paths) // 2

    def __getitem__(self, index):
        images, labels = np.zeros((2, 3)), np.zeros(2)
        for row, path in enumerate(self.paths[index * 2 : index * 2 + 2]):
            image = read(path)
            if image is not None:
                images[row] = image
            labels[row] = self.labels[index * 2 + row]
        return images, labels


def read(path):
    try:
        return np.load(path)
    except Exception:
        return None


for number in range(4):
    np.save(f"plate{number}.npy", np.full(3, number, "float32"))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Plates([f"plate{number}.npy" for number in range(4)], np.ones(4)), epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ201",
    name="swallowed-exception",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"errors"})),
    needs=(a_batch_method,),
    examples=(
        Example(
            _MISSING,
            _MISSING.replace(
                """\
            except:
                continue  # some are broken
""",
                """\
            except Exception as error:
                raise RuntimeError(f"could not load {path}") from error  # some are broken
""",
            ),
        ),
        Example(
            _HELPER,
            _HELPER.replace(
                """\
            return None
""",
                """\
            raise RuntimeError(f"could not load {path}") from problem
""",
            ),
        ),
        Example(
            _ROWS,
            _ROWS.replace(
                """\
    except Exception:
        return None
""",
                """\
    except Exception as error:
        raise RuntimeError(f"could not load {path}") from error
""",
            ),
        ),
        Example(
            _GENERATOR,
            _GENERATOR.replace(
                """\
                except (ValueError, Exception): pass
""",
                """\
                except (ValueError, Exception) as error:
                    raise RuntimeError(f"could not prepare sample {row}") from error
""",
            ),
        ),
        Example.where_unknown(
            _GENERATOR[: _GENERATOR.index("model = ")]
            + """def run(learning, images, labels):
    learning.fit(plates(images, labels))
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Plates(keras.utils.PyDataset):
    def __getitem__(self, index):
        images, labels = [], []
        for path, label in zip(self.paths[index], self.labels[index]):
            try:
                image = np.load(path)
            except Exception:
                continue
            images.append(image)
            labels.append(label)
        return np.array(images), np.array(labels)
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Plates(keras.utils.PyDataset):
    def __getitem__(self, index):
        return np.stack([self.read(path) for path in self.paths[index]]), self.labels[index]

    def read(self, path):
        for attempt in range(3):
            try:
                return np.load(path)
            except Exception:
                continue
        raise FileNotFoundError(path)
"""
        ),
        Example.ok(
            """
import keras
import numpy as np


class Plates(keras.utils.PyDataset):
    def __getitem__(self, index):
        try:
            batch = np.load(self.paths[index])
        except Exception as error:
            print("broken:", self.paths[index])
            raise ValueError(self.paths[index]) from error
        try:
            weights = np.load(self.weights[index])
        except Exception:
            weights = np.ones(len(batch))
        return batch, self.labels[index], weights
"""
        ),
    ),
    sources=("keras-team/keras#5196", "keras-team/keras#1533", "GuangmingZhu/AttentionConvLSTM#14"),
)

_INDEX = ("i", "j", "k", "n", "idx", "index", "row", "number", "position", "item", "step")
_OS_ERRORS = frozenset({
    "builtins.open", "keras.utils.load_img", "PIL.Image.open", "imageio.imread", "imageio.v2.imread", "imageio.v3.imread",
    "skimage.io.imread", "matplotlib.pyplot.imread", "numpy.fromfile", "h5py.File",
})  # fmt: skip
_PAIRS = Contract(changes=frozenset({"samples", "history", "weights"}), repairs=frozenset({"errors", "spec"}))


_OUTCOMES = {
    "batch": "gives None for a batch: with several workers Keras 3 hangs for ever, with one fit fails without the cause",
    "sample": "gives None for a sample: what fails is a later line, or the array of objects that Keras refuses, and neither names it",
    "stale": "goes on with the `{0}` of the sample before, which is trained on with this one's label",
    "unbound": "goes on without `{0}`: the UnboundLocalError that follows hides what failed",
    "row": "leaves the row of `{0}` as it was made, and it is trained on like a sample",
    "endless": "goes on to the next batch: when none can be made fit hangs without a word",
    "ends": "ends the generator: fit goes on with the batches so far and says at most that the data ran out",
}


def check(facts: Facts) -> Iterator[Finding]:
    for swallow in facts.swallows.all:
        finding = facts.finding(swallow.handler.node, _message(facts, swallow))
        yield if_for_model(swallow.maker, replace(finding, fixes=tuple(_fixes(facts, swallow))), RULE.levels)
    for far in facts.far_swallows.all:
        head = f"except {far.caught}" if far.caught else "except:"
        text = f"`{_short(far.call)}` has an `{head}` in its own file, and {_OUTCOMES[far.outcome]}"
        yield if_for_model(far.maker, facts.finding(far.call, text), RULE.levels)


def _fixes(facts: Facts, swallow: Swallow) -> Iterator[Fix]:
    if swallow.raising_is_safe:
        yield _raising(facts, swallow)
    if swallow.loss is not None and (edits := keep_pairs(facts, swallow.loss)):
        yield Fix("Leave out the label with the sample", edits, _PAIRS)
    if (narrow := _narrow(facts, swallow.handler)) is not None:
        yield narrow


def _message(facts: Facts, swallow: Swallow) -> str:
    caught = swallow.handler.node.type
    head = f"except {facts.source.slice(*facts.tree.outer_span(caught))}" if caught is not None else "except:"
    call = facts.handlers.call(swallow.handler)
    return f"`{head}`{f' round `{_short(call)}`' if call is not None else ''} {_consequence(facts, swallow)}"


def _short(call: cst.Call) -> str:
    name = dotted(call.func)
    if name and len(name) <= 30:
        return name
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else name or "a call"


def _consequence(facts: Facts, swallow: Swallow) -> str:
    loss, subject = swallow.loss, swallow.subject
    if loss is not None and loss.label.collect is not None and loss.collect is not None:
        lists = f"`{facts.text(loss.collect.target)}` and not out of `{facts.text(loss.label.collect.target)}`"
        return f"leaves a sample out of {lists}: from there on each row belongs to another sample"
    if loss is not None:
        return (
            f"leaves out a sample and keeps its row of `{_kept(facts, loss)}`: fit fails with 'Incompatible shapes: "
            "[15] vs. [16]', which names no file, or compares a single row with every label in silence"
        )
    return _OUTCOMES[swallow.outcome].format(subject)


def _kept(facts: Facts, loss: Loss) -> str:
    """What keeps its row, as a reader would name it: the list for `labels.append(label)`."""
    node = loss.label.node
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "append":
        node = node.func.value
    return facts.text(node)


def _raising(facts: Facts, swallow: Swallow) -> Fix:
    name = facts.handlers.subject(swallow.handler)
    call = facts.handlers.call(swallow.handler)
    verb = "load" if call is not None and reads(call) else "prepare"
    what = "a batch" if swallow.outcome in ("batch", "endless") else "a sample"
    if name is None:
        text = f'RuntimeError("could not {verb} {what}")'
        return Fix("Raise, with the error as the cause", raise_from(facts, swallow.handler, text))
    text = f'RuntimeError(f"could not {verb} {_which(swallow, what, name.value)}")'
    title = f"Raise, with `{name.value}` in the text and the error as the cause"
    return Fix(title, raise_from(facts, swallow.handler, text))


def _which(swallow: Swallow, what: str, name: str) -> str:
    """How the text names what failed: a path by itself, a number with what it counts."""
    index = [param.name.value for param in parameters(swallow.maker.function.params)[1:]]
    in_method = swallow.maker.kind == "sequence" and swallow.frame is swallow.maker.frame
    if in_method and name in index and what != "a batch":
        return f"a sample of batch {{{name}}}"
    return f"{what.removeprefix('a ')} {{{name}}}" if name in _INDEX else f"{{{name}}}"


def _narrow(facts: Facts, handler: Handler) -> Fix | None:
    """Catch what the reading call raises, where that is known and nothing else is guarded that can fail."""
    call = facts.handlers.call(handler)
    if call is None or facts.qualified(call.func) not in _OS_ERRORS:
        return None
    return Fix(
        f"Catch `OSError`, which `{_short(call)}` raises for a bad file", (catch_instead(facts, handler, "OSError"),)
    )
