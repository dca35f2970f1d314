"""Codemods that break a tf.data pipeline, and some that run on replicas or on tf-keras."""

from __future__ import annotations

from tests.proof.codemods.codemod import At, Wrong
from tests.proof.codemods.programs import (
    DATASET,
    DRAWN_BY_NUMPY,
    MIRRORED,
    SEQUENCE,
    SHUFFLED,
    SHUFFLED_DATASET,
    VALIDATED,
)

FIRST = "fit 1, epoch 1, step 1"
REPEATED = DATASET.replace("batch(3)", "batch(3).repeat()").replace("epochs=2", "epochs=2, steps_per_epoch=2")

WRONG_DATASETS = (
    Wrong(
        "batches are shuffled in place of samples",
        SHUFFLED_DATASET,
        {".shuffle(10).batch(4)": ".batch(4).shuffle(10)"},
        {"grouping": At(FIRST)},
        same="samples spec epochs steps",
    ),
    Wrong(
        "the shuffle is the same in each epoch",
        SHUFFLED_DATASET,
        {"shuffle(10)": "shuffle(10, reshuffle_each_iteration=False)"},
        {"order": At("fit 1, …")},
        same="samples spec epochs steps",
    ),
    Wrong(
        "TensorFlow draws one random number more",
        SHUFFLED_DATASET,
        {"\ntrain =": "\ntf.random.uniform(())\ntrain ="},
        {"order": At(f"{FIRST}, row …")},
        same="samples spec epochs steps",
    ),
    Wrong(
        "the remainder is dropped",
        DATASET,
        {"batch(3)": "batch(3, drop_remainder=True)"},
        {
            "samples": At("fit 1, epoch 1, step 3, row 1", "x [1] y [0.8]", "nothing"),
            "steps": At("fit 1, epoch 1", 3, 2),
        },
        same="order grouping spec epochs",
    ),
    Wrong(
        "what was mapped sample by sample is mapped over batches",
        DATASET,
        {"train = train.map": "train = train.batch(3).map", "train = train.batch(3)\n": ""},
        {"samples": At(f"{FIRST}, row 1", "x [1] y [0.2]", "x [0] y [0.2]")},
        same="spec epochs steps",
    ),
    Wrong(
        "skip takes one sample too few, which validation sees too",
        DATASET,
        {"skip(2)": "skip(1)"},
        {"samples": At(f"{FIRST}, row 1", "nothing", "x [1] y [0.1]")},
        same="spec epochs steps",
    ),
    Wrong(
        "take takes one sample too many, which training sees too",
        DATASET,
        {"data.take(2)": "data.take(3)"},
        {"history": At("fit 1, val_loss, epoch 1")},
        same="samples order weights",
    ),
    Wrong(
        "random augmentation is cached",
        DRAWN_BY_NUMPY,
        {".cache().map(noisy)": ".map(noisy).cache()"},
        {"samples": At("fit 1, epoch 2, step 1, row 1")},
        same="spec epochs steps",
    ),
    Wrong(
        "repeat is lost, so that the data runs out",
        REPEATED,
        {".repeat()": ""},
        {"steps": At("fit 1, epoch 2", 2, 1)},
    ),
)

WRONG_ON_LEGACY = (
    Wrong(
        "x and y are swapped",
        SEQUENCE,
        {"return x, y": "return y, x"},
        {"samples": At(f"{FIRST}, row 2", "x [1] y [0.1]", "x [0.1] y [1]")},
        same="spec epochs steps",
        keras="legacy",
    ),
    Wrong(
        "the hook at the end of an epoch is no longer called",
        SHUFFLED,
        {"def on_epoch_end": "def after_epoch"},
        {"hooks": At("call 1", "Feed.on_epoch_end in the main thread", "nothing"), "state": At("shuffles", 2, 0)},
        same="samples epochs steps",
        keras="legacy",
    ),
    Wrong(
        "the model is validated on what it learns from",
        VALIDATED,
        {"held_out = rows[8:], labels[8:]": "held_out = train"},
        {"history": At("fit 1, val_loss, epoch 1", 0.725, 0.175)},
        same="samples weights hooks",
        keras="legacy",
    ),
    Wrong(
        "the remainder is dropped",
        DATASET,
        {"batch(3)": "batch(3, drop_remainder=True)"},
        {"samples": At("fit 1, epoch 1, step 3, row 1", "x [1] y [0.8]", "nothing")},
        same="order grouping spec epochs",
        keras="legacy",
    ),
)

WRONG_ON_REPLICAS = (
    Wrong(
        "the batch of all replicas is halved",
        MIRRORED,
        {"batch(4)": "batch(2)"},
        {
            "grouping": At(FIRST, "4 samples together: …", "2 samples together: …"),
            "steps": At("fit 1, epoch 1", 3, 5),
        },
        same="samples order spec epochs",
    ),
)
