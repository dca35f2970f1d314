"""A class of Keras 2 that read data is gone from Keras 3.

## Why
Keras 2 had classes that read a Sequence or a generator in the background, one that wrapped a function for parameter servers, and layers for
sequences of feature columns. Keras 3 has none of them: the import fails before anything runs.

## Measured
- Keras 3: `keras.utils.OrderedEnqueuer`, `GeneratorEnqueuer` and `SequenceEnqueuer` raise AttributeError or ImportError, through `tf.keras`, too.
- Keras 3: `keras.utils.experimental.DatasetCreator` and `keras.experimental.SequenceFeatures` raise AttributeError or ImportError as well.
- Keras 2: all of them exist.

## Do this
Give the PyDataset itself to `fit`, with `workers=` in its constructor: it is read in the background. In a loop by hand `data[index]` gives a batch.
In place of a DatasetCreator give `fit` the dataset.

## Silent when
The import is in a `try`, or in a branch on the version; the name is another class.
"""

from collections.abc import Iterator

from seqlint.api import LOST_READERS, OF_KERAS, Example, Facts, Finding, Levels, Note, Rule, a_member_of, cst

_IMPORTED = """
from tensorflow.keras.utils import OrderedEnqueuer, Sequence


class Feed(Sequence):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return [index], [1]


reader = OrderedEnqueuer(Feed(), use_multiprocessing=False)
reader.start(workers=1)
print(next(reader.get()))
reader.stop()
"""

RULE = Rule(
    code="SEQ709",
    name="removed-dataset-class",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    migration=True,
    needs=(
        a_member_of(
            OF_KERAS, "OrderedEnqueuer", "GeneratorEnqueuer", "SequenceEnqueuer", "DatasetCreator", "SequenceFeatures"
        ),
    ),
    examples=(
        Example(_IMPORTED),
        Example("import keras\n\nreader = keras.utils.GeneratorEnqueuer(iter([]))\n"),
        Example.ok(_IMPORTED, keras="tf-keras"),
        Example.ok("import keras\n\nclass OrderedEnqueuer(keras.utils.PyDataset):\n    pass\n"),
    ),
)

_NOTE = Note.on_keras_3("the import or the attribute fails")


def check(facts: Facts) -> Iterator[Finding]:
    imported = ((each.node, each.name.removeprefix("tensorflow.")) for each in facts.mentions.imported)
    reached = ((node, facts.qualified(node) or "") for node in facts.tree.all(cst.Attribute))
    for node, name in (*imported, *reached):
        if name not in LOST_READERS or facts.mentions.optional(node) or facts.evidence.guarded(node):
            continue
        home, _, last = name.rpartition(".")
        yield facts.finding(node, f"`{home}` has no `{last}` on Keras 3", _NOTE, LOST_READERS[name])
