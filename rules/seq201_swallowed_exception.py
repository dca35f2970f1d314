"""A broad `except` on the way to a batch that hides why a sample is missing.

## Why
A file that can't be read, or a bug in the code that reads it, should end the run and name the file. After `except: continue`, `pass`
or `return None` the run goes on: with a batch whose images and labels no longer match, with a batch that is None, with an image that
comes twice. If anything fails, it is a later line.

## Measured
- Every Keras: a sample that is left out while its label stays fails with "Incompatible shapes: [15] vs. [16]", which names no file. A single
  sample that is left is compared with all labels, without a message. Equal numbers that are left out at different places train on
  wrong pairs.
- Keras 3.10 and later: None for a batch fails with one worker and hangs for ever with several.
- Keras 3.0 to 3.9 and Keras 2: it fails with one worker; several workers leave it out without a message.
- Every Keras: None among the samples makes an array of objects, which Keras refuses without the name of the file. A generator that
  swallows every error in an endless loop hangs when nothing can be read.
- Every Keras: an error that is raised ends `fit` with its text, also from workers; it does not hang.

## Do this
Raise an error with the path or index in its text and the original as its cause: `raise ValueError(path) from error`. To go on without
bad files, leave out the label too, and catch only what the reading call raises. Where other code relies on the handler, test for None
in `__getitem__` and raise there.

## Silent when
The sample and its label are left out together; another value replaces what failed; the call is tried again.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    Contract,
    Example,
    Facts,
    Finding,
    Fix,
    Handler,
    Levels,
    Note,
    PartialDrop,
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


_LEFT_OUT = "`fit` fails without the cause with one worker, and several workers leave the batch out without a message"
_HANGS = "`fit` fails without the cause with one worker, and hangs for ever with several"
_MISMATCH = (
    "`fit` fails with 'Incompatible shapes' and no file name, or compares one row with every label and says nothing"
)
_OUTCOMES: dict[str, tuple[str, Note | str]] = {
    "alone": ("leaves out a sample, but keeps its row of `{0}`", _MISMATCH),
    "batch": ("returns None for a batch", Note(keras2=_LEFT_OUT, early=_LEFT_OUT, keras3=_HANGS)),
    "sample": ("returns None for a sample", "a later line or Keras fails, and neither names the sample"),
    "stale": ("keeps the `{0}` of the sample before", "the model trains on it with the label of this sample"),
    "unbound": ("goes on without `{0}`", "the UnboundLocalError that follows hides what failed"),
    "row": ("leaves the row of `{0}` as it was made", "the model trains on that row like on a sample"),
    "endless": ("goes on to the next batch", "`fit` hangs without a message when no batch can be made"),
    "ends": ("ends the generator", "`fit` goes on with the batches so far, and says at most that the data ran out"),
}
_HELP = "raise an error with the path or index in its text and the original as its cause"


def check(facts: Facts) -> Iterator[Finding]:
    for swallow in facts.swallows.all:
        outcome, note = _outcome(facts, swallow)
        finding = facts.finding(swallow.handler.node, f"{_handler(facts, swallow)} {outcome}", note)
        fixes = tuple(_fixes(facts, swallow))
        fixed = but(finding, fixes=fixes) if fixes else but(finding, help=_HELP, no_fix=_reason(facts, swallow))
        yield if_for_model(swallow.maker, fixed, RULE.levels)
    for far in facts.external_swallows.all:
        outcome, note = _OUTCOMES[far.outcome]
        text = f"`{_short(far.call)}`, in another file, hides its errors and {outcome}"
        finding = facts.finding(far.call, text, note, _HELP).unfixed("the `except` is not in this file")
        yield if_for_model(far.maker, finding, RULE.levels)


def _fixes(facts: Facts, swallow: Swallow) -> Iterator[Fix]:
    if swallow.raising_is_safe:
        yield _raising(facts, swallow)
    if swallow.loss is not None and (edits := keep_pairs(facts, swallow.loss)):
        yield Fix("Leave out the label with the sample", edits, _PAIRS)
    if (narrow := _narrow(facts, swallow.handler)) is not None:
        yield narrow


def _reason(facts: Facts, swallow: Swallow) -> str:
    """Who else relies on the handler: callers of its function, or what a decorator is used on."""
    function = swallow.frame.function
    if function is None or facts.tree.function(function) is not None:
        return "other functions rely on this `except` too"
    return f"`{function.name.value}` is called outside of the batches too"


def _handler(facts: Facts, swallow: Swallow) -> str:
    caught = swallow.handler.node.type
    head = f"except {facts.source.slice(*facts.tree.outer_span(caught))}" if caught is not None else "except:"
    call = facts.handlers.call(swallow.handler)
    return f"`{head}`{f' around `{_short(call)}`' if call is not None else ''}"


def _short(call: cst.Call) -> str:
    name = dotted(call.func)
    if name and len(name) <= 30:
        return name
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else name or "a call"


def _outcome(facts: Facts, swallow: Swallow) -> tuple[str, Note | str]:
    loss = swallow.loss
    if loss is not None and loss.label.collect is not None and loss.collect is not None:
        lost, kept = facts.text(loss.collect.target), facts.text(loss.label.collect.target)
        text = f"leaves a sample out of `{lost}`, but not out of `{kept}`"
        return text, "from there on each row belongs to another sample"
    text, note = _OUTCOMES[swallow.outcome]
    return text.format(_kept(facts, loss) if loss is not None else swallow.subject), note


def _kept(facts: Facts, loss: PartialDrop) -> str:
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
        return Fix("Raise an error that keeps the original as its cause", raise_from(facts, swallow.handler, text))
    text = f'RuntimeError(f"could not {verb} {_which(swallow, what, name.value)}")'
    title = f"Raise an error that names `{name.value}` and keeps the original as its cause"
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
        f"Catch only `OSError`, which `{_short(call)}` raises for a bad file",
        (catch_instead(facts, handler, "OSError"),),
    )
