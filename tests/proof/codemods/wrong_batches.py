"""Codemods that break what a Sequence or a generator gives to training."""

from __future__ import annotations

from tests.proof.codemods.codemod import At, Wrong, changes
from tests.proof.codemods.programs import (
    BATCH_BY_BATCH,
    CLASSES,
    CORRUPT,
    GENERATOR,
    NAMED,
    SEQUENCE,
    SHUFFLED,
)

FIRST = "fit 1, epoch 1, step 1"
HOOK = """
    def on_epoch_end(self):
        global shuffles
        shuffles += 1
        np.random.shuffle(self.order)
"""
NEARLY_ONE = SEQUENCE.replace(
    'np.arange(10, dtype="float32").reshape(10, 1)', "1 + np.arange(10).reshape(10, 1) * 1e-9"
)

WRONG_BATCHES = (
    Wrong(
        "x and y are swapped",
        SEQUENCE,
        {"return x, y": "return y, x"},
        {"samples": At(f"{FIRST}, row 2", "x [1] y [0.1]", "x [0.1] y [1]")},
        same="spec epochs steps errors warnings",
    ),
    Wrong(
        "the last partial batch is dropped",
        SEQUENCE,
        {"math.ceil": "math.floor"},
        {
            "samples": At("fit 1, epoch 1, step 3, row 1", "x [8] y [0.8]", "nothing"),
            "steps": At("fit 1, epoch 1", 3, 2),
        },
        same="order grouping spec epochs",
    ),
    Wrong(
        "the first batch is lost",
        SEQUENCE,
        {
            "slice(index * self.size, (index + 1) * self.size)": "slice((index + 1) * self.size, (index + 2) * self.size)",
            "len(self.rows) / self.size)": "len(self.rows) / self.size) - 1",
        },
        {"samples": At(f"{FIRST}, row 1", "x [0] y [0]", "nothing"), "steps": At("fit 1, epoch 1", 3, 2)},
        same="order grouping spec epochs",
    ),
    Wrong(
        "the labels are shifted by one row",
        SEQUENCE,
        {"self.labels[part]": "np.roll(self.labels, 1)[part]"},
        {"samples": At(f"{FIRST}, row 1", "x [0] y [0]", "x [0] y [0.9]")},
        same="spec epochs steps",
    ),
    Wrong(
        "the labels are those of the next batch",
        SEQUENCE.replace("size=4", "size=5"),
        {"self.labels[part]": "self.labels[(index + 1) * self.size % 10 :][: self.size]"},
        {"samples": At(f"{FIRST}, row 1", "x [0] y [0]", "x [0] y [0.5]")},
        same="spec epochs steps",
    ),
    Wrong(
        "the batches have another size",
        SEQUENCE,
        {"size=4": "size=5"},
        {
            "grouping": At(FIRST, "4 samples together: …", "5 samples together: …"),
            "steps": At("fit 1, epoch 1", 3, 2),
        },
        same="samples order spec epochs",
    ),
    Wrong(
        "the labels lose an axis",
        SEQUENCE,
        {"self.labels[part]": "np.squeeze(self.labels[part])"},
        {"spec": At(FIRST, "(float32[n,1], float32[n,1])", "(float32[n,1], float32[n])")},
        same="samples order grouping steps",
    ),
    Wrong(
        "a batch of one sample loses the axis of the batch",
        SEQUENCE.replace("size=4", "size=9"),
        {"self.labels[part]": "np.squeeze(self.labels[part])"},
        {"errors": At("the program", "nothing", "ValueError: …")},
    ),
    Wrong(
        "float64 for float32 where only the spec is another",
        SEQUENCE,
        {"self.rows[part]": 'self.rows[part].astype("float64")'},
        {"spec": At(FIRST, "(float32[n,1], float32[n,1])", "(float64[n,1], float32[n,1])")},
        same="samples order grouping history weights",
    ),
    Wrong(
        "float16 for float32 where values differ",
        SEQUENCE,
        {"self.labels[part]": 'self.labels[part].astype("float16")'},
        {"samples": At(f"{FIRST}, row 2", "x [1] y [0.1]", "x [1] y [0.09998]"), "spec": At(FIRST)},
        same="epochs steps",
    ),
    Wrong(
        "float32 for float64 in a model that computes in float64",
        NEARLY_ONE.replace("Dense(1)", 'Dense(1, dtype="float64")').replace(
            "Input((1,))", 'Input((1,), dtype="float64")'
        ),
        {"self.rows[part]": 'self.rows[part].astype("float32")'},
        {"weights": At("model 1, weight 1 [1, 1]")},
        same="order grouping steps",
        contract=changes("spec"),
    ),
    Wrong(
        "a sample weight is dropped",
        CLASSES,
        {"sample_weight=weights, ": ""},
        {
            "samples": At(f"{FIRST}, row 1", "x [0] y [0] sample_weight [0]", "x [0] y [0]"),
            "spec": At(FIRST, "(float32[n,1], int64[n], float32[n])", "(float32[n,1], int64[n])"),
        },
        same="epochs steps",
    ),
    Wrong(
        "the weights of the classes are dropped",
        CLASSES.replace("sample_weight=weights", "class_weight={0: 1.0, 1: 5.0}"),
        {"class_weight={0: 1.0, 1: 5.0}, ": ""},
        {"samples": At(f"{FIRST}, row 1", "x [0] y [0] sample_weight [1]", "x [0] y [0]")},
        same="epochs steps",
    ),
    Wrong(
        "integer labels become one-hot",
        CLASSES,
        {"sparse_categorical": "categorical", "fit(rows, classes": 'fit(rows, np.eye(2, dtype="float32")[classes]'},
        {
            "samples": At(f"{FIRST}, row 1", "x [0] y [0] sample_weight [0]", "x [0] y [1, 0] sample_weight [0]"),
            "spec": At(FIRST),
        },
        same="epochs steps",
    ),
    Wrong(
        "one shuffle more",
        SHUFFLED,
        {"self.order = np.arange(10)": "self.order = np.random.permutation(10)"},
        {"order": At("fit 1, epoch …")},
        same="samples spec epochs steps hooks",
    ),
    Wrong(
        "shuffled once, and no more after each epoch",
        SHUFFLED,
        {"np.arange(10)": "np.random.permutation(10)", "        np.random.shuffle(self.order)\n": ""},
        {"order": At("fit 1, epoch …")},
        same="samples spec epochs steps hooks",
    ),
    Wrong(
        "x is shuffled and y is not",
        SHUFFLED,
        {"labels[chosen]": "labels[index * 5 : (index + 1) * 5]"},
        {"samples": At("fit 1, epoch …")},
        same="spec epochs steps hooks state",
    ),
    Wrong(
        "one random number more is drawn",
        SHUFFLED,
        {"feed = Feed()": "np.random.rand()\nfeed = Feed()"},
        {"order": At("fit 1, epoch …")},
        same="samples spec epochs steps hooks",
    ),
    Wrong(
        "the hook at the end of an epoch is lost",
        SHUFFLED,
        {HOOK: ""},
        {
            "hooks": At("call 1", "Feed.on_epoch_end in the main thread", "nothing"),
            "state": At("shuffles", None, 0),
            "order": At("fit 1, epoch …"),
        },
        same="samples spec epochs steps",
    ),
    Wrong(
        "a global counter is no longer updated",
        SHUFFLED,
        {"        shuffles += 1\n": ""},
        {"state": At("shuffles", None, 0)},
        same="samples order grouping hooks history weights",
    ),
    Wrong(
        "an exception is swallowed",
        CORRUPT,
        {'raise ValueError("row 8 can\'t be read")': "return self[0]"},
        {"errors": At("the program", "…row 8 can't be read…", "nothing")},
    ),
    Wrong(
        "a warning is raised that was not there",
        SEQUENCE,
        {"super().__init__()": "pass"},
        {
            "warnings": At(
                "UserWarning: Your `PyDataset` class should call `super().__init__(**kwargs)`…", "nothing", "warned"
            )
        },
        same="samples order grouping history weights errors output",
    ),
    Wrong(
        "steps_per_epoch is off by one",
        GENERATOR,
        {"steps_per_epoch=2": "steps_per_epoch=1"},
        {"steps": At("fit 1, epoch 1", 2, 1)},
        same="spec epochs",
    ),
    Wrong(
        "a generator skips its first batch",
        GENERATOR,
        {"range(0, 10, 5)": "range(5, 10, 5)"},
        {"samples": At(f"{FIRST}, row 1", "x [0] y [0]", "nothing")},
        same="spec epochs steps",
    ),
    Wrong(
        "train_on_batch misses the last batch",
        BATCH_BY_BATCH,
        {"range(len(feed))": "range(len(feed) - 1)"},
        {
            "samples": At("train_on_batch, step 3, row 1", "x [8] y [0.8]", "nothing"),
            "steps": At("train_on_batch", 6, 4),
        },
        same="spec",
    ),
    Wrong(
        "two named inputs are swapped",
        NAMED,
        {'"left": rows, "right": rows + 100': '"left": rows + 100, "right": rows'},
        {"samples": At(f"{FIRST}, row 1", "x [0] x [100] y [1] y [0]", "x [100] x [0] y [1] y [0]")},
        same="spec epochs steps",
    ),
    Wrong(
        "two named labels are swapped",
        NAMED,
        {'"low": labels, "high": labels + 1': '"low": labels + 1, "high": labels'},
        {"samples": At(f"{FIRST}, row 1", "x [0] x [100] y [1] y [0]", "x [0] x [100] y [0] y [1]")},
        same="spec epochs steps",
    ),
)
