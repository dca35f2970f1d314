"""Wrong codemods of programs in which the proof sees too little: it must not say that a contract holds."""

from __future__ import annotations

from tests.proof.codemods.codemod import Unseen
from tests.proof.codemods.programs import AUGMENTED_DATASET, CALLBACKS, CORRUPT, SEQUENCE, TAPE

LOGGED = CALLBACKS.replace("Count()]", 'Count(), keras.callbacks.CSVLogger("log.csv")]')
COLLECTED = CALLBACKS.replace(
    "        epochs += 1\n", "        epochs += 1\n        self.losses = [*getattr(self, 'losses', []), logs['loss']]\n"
)
LOOSE = SEQUENCE.replace("        return x, y\n", "        return x + os.urandom(1)[0] / 256, y\n").replace(
    "import math\n", "import math\nimport os\n"
)

UNSEEN = (
    Unseen(
        "what was swallowed is raised, and no input is corrupt",
        CORRUPT.replace("index == 2", "np.isnan(x).any()"),
        {'raise ValueError("row 8 can\'t be read")': "return self[0]"},
    ),
    Unseen(
        "a loop with a GradientTape misses a batch",
        TAPE,
        {".batch(5)": ".batch(5).skip(1)"},
    ),
    Unseen(
        "labels are swapped where no seed holds the rows",
        LOOSE,
        {"y = self.labels[part]": "y = self.labels[part][::-1]"},
    ),
    Unseen(
        "a model is evaluated on what it learned from",
        CALLBACKS + "model.evaluate(*held_out)\n",
        {"evaluate(*held_out)": "evaluate(*train)"},
    ),
    Unseen(
        "predictions are made of other rows",
        CALLBACKS + 'np.save("predictions.npy", model.predict(rows[8:], verbose=0))\n',
        {"predict(rows[8:]": "predict(rows[:8]"},
    ),
    Unseen(
        "a callback that writes a file is dropped",
        LOGGED,
        {', keras.callbacks.CSVLogger("log.csv")': ""},
    ),
    Unseen(
        "a callback no longer collects what it is asked for later",
        COLLECTED,
        {"        self.losses = [*getattr(self, 'losses', []), logs['loss']]\n": ""},
    ),
    Unseen(
        "random augmentation by TensorFlow is cached",
        AUGMENTED_DATASET,
        {".cache().map(noisy)": ".map(noisy).cache()"},
        flaw="under a seed a random operation in a map gives the same numbers in each epoch",
    ),
)
