"""Codemods of programs whose random numbers have no seed: a proof gives them one, or says that it knows nothing."""

from __future__ import annotations

from tests.proof.codemods.codemod import At, Right, Unseen, Wrong
from tests.proof.codemods.programs import SEQUENCE, SHUFFLED, TAPE, TRAIN_STEP

FIRST = "fit 1, epoch 1, step 1"
MADE = "        self.size = size\n"


def noisy(drawn: str, made: str = "np.random.RandomState()", imports: str = "") -> str:
    """The rows of a batch with what a generator of the instance draws for them."""
    program = SEQUENCE.replace(MADE, f"{MADE}        self.rng = {made}\n").replace(
        "return x, y", f"return x + {drawn}, y"
    )
    return imports + program


OLD_STATE = noisy("self.rng.rand(*x.shape)")
BY_BITS = noisy("self.rng.normal(size=x.shape)", "np.random.Generator(np.random.PCG64())")
NEW_STATE = noisy("self.rng.uniform(size=x.shape)", "np.random.default_rng()")
OF_PYTHON = noisy("self.rng.random()", "random.Random()", "import random\n")
OF_TENSORFLOW = TRAIN_STEP.replace(
    "model = Dropped()", "noise = tf.random.Generator.from_non_deterministic_state()\nmodel = Dropped()"
).replace("        x, y = data\n", "        x, y = data\n        x = x + noise.normal(tf.shape(x))\n")
RESEEDED = SHUFFLED.replace("        shuffles += 1\n", "        shuffles += 1\n        np.random.seed()\n")
FAILING = SEQUENCE.replace("import math\n", "import math\nimport os\n").replace(
    "Dense(1)])", "Dense(1), keras.layers.Lambda(lambda x: x * (1 + os.urandom(1)[0] / 256))])"
)
LOOSE_LOSS = SEQUENCE.replace("import math\n", "import math\nimport os\n").replace(
    'model.compile("sgd", "mse")',
    "weight = os.urandom(2)[0] / 256\nmodel.compile('sgd', lambda y, p: weight * (y - p) ** 2)",
)
LOOSE_TAPE = TAPE.replace("import math\n", "import math\nimport os\n").replace(
    "SGD(0.001)", "SGD(0.001 + os.urandom(1)[0] / 1e6)"
)

WRONG_UNSEEDED = (
    Wrong(
        "labels are turned round where rows are drawn by RandomState()",
        OLD_STATE,
        {"y = self.labels[part]": "y = self.labels[part][::-1]"},
        {"samples": At(f"{FIRST}, row 1")},
        same="spec epochs steps",
    ),
    Wrong(
        "the noise is half as loud where rows are drawn by Generator(PCG64())",
        BY_BITS,
        {"size=x.shape)": "size=x.shape, scale=0.5)"},
        {"samples": At(f"{FIRST}, row 1"), "weights": At("model 1, weight 1 [1, 1]")},
        same="spec epochs steps",
    ),
    Wrong(
        "one generator serves all batches where each had its own",
        NEW_STATE.replace("self.rng.uniform", "np.random.default_rng().uniform"),
        {"np.random.default_rng().uniform": "self.rng.uniform"},
        {"samples": At(f"{FIRST}, row 1")},
        same="spec epochs steps",
    ),
    Wrong(
        "random.Random() is asked twice",
        OF_PYTHON,
        {"self.rng.random()": "max(self.rng.random(), self.rng.random())"},
        {"samples": At(f"{FIRST}, row 1")},
        same="spec epochs steps",
    ),
    Wrong(
        "noise of a generator of TensorFlow is added to no more than the first column",
        OF_TENSORFLOW,
        {"noise.normal(tf.shape(x))": "noise.normal(tf.shape(x)[:1])[:, None] * 0.9"},
        {"history": At("fit 1, error, epoch 1")},
        same="samples spec epochs steps",
    ),
    Wrong(
        "a new seed from the system is no longer taken after each epoch",
        RESEEDED,
        {"        np.random.seed()\n": ""},
        {"order": At("fit 1, epoch …")},
        same="samples spec epochs steps hooks",
    ),
)

UNSEEN_UNSEEDED = (
    Unseen(
        "another rate where no two runs give one loss",
        LOOSE_LOSS,
        {"'sgd'": "keras.optimizers.SGD(0.02)"},
    ),
    Unseen(
        "another loss where no two runs give one, though the samples are the same",
        FAILING,
        {'"mse"': '"mae"'},
    ),
    Unseen(
        "another loss where the program fails after a training that is not repeatable",
        FAILING + "open('missing.csv')\n",
        {'"mse"': '"mae"'},
    ),
    Unseen(
        "a loop of the program's own trains at a rate that no seed holds",
        LOOSE_TAPE,
        {"(model(x) - y) ** 2": "abs(model(x) - y)"},
    ),
)

RIGHT_UNSEEDED = (
    Right(
        "a comment where rows are drawn by RandomState()",
        OLD_STATE,
        {"y = self.labels[part]\n": "y = self.labels[part]  # as before\n"},
    ),
    Right(
        "a sum in another order where rows are drawn by Generator(PCG64())",
        BY_BITS,
        {"x + self.rng.normal(size=x.shape)": "self.rng.normal(size=x.shape) + x"},
    ),
    Right(
        "a drawn number gets a name where random.Random() draws",
        OF_PYTHON,
        {"return x + self.rng.random(), y": "drawn = self.rng.random()\n        return x + drawn, y"},
    ),
    Right(
        "a pair is unpacked by index where a generator of TensorFlow draws",
        OF_TENSORFLOW,
        {"x, y = data": "x, y = data[0], data[1]"},
    ),
    Right(
        "a hook takes a new seed from the system in another spelling",
        RESEEDED,
        {"np.random.seed()": "np.random.seed(None)"},
    ),
)
