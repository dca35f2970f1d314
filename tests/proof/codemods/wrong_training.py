"""Codemods that break how a model is trained: callbacks, schedules, epochs, train steps."""

from __future__ import annotations

from tests.proof.codemods.codemod import At, Wrong, changes
from tests.proof.codemods.programs import (
    CALLBACKS,
    EVALUATED,
    SCHEDULED,
    STOPPED,
    TRAIN_STEP,
    TWO_FITS,
    VALIDATED,
)

EVALUATE = """\
class Evaluate(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        global epochs
        epochs += 1
        self.model.evaluate(rows[8:], labels[8:], verbose=0)


model ="""

WRONG_TRAINING = (
    Wrong(
        "a callback is appended twice",
        CALLBACKS,
        {"callbacks = [Note(), Count()]": "callbacks = [Note(), Count()]\ncallbacks.append(Count())"},
        {
            "hooks": At("fit 1", "the callbacks Note, Count", "the callbacks Note, Count, Count"),
            "state": At("epochs", 2, 4),
        },
        same="samples history weights output",
    ),
    Wrong(
        "two callbacks are reordered",
        CALLBACKS,
        {"[Note(), Count()]": "[Count(), Note()]"},
        {"hooks": At("fit 1", "the callbacks Note, Count", "the callbacks Count, Note")},
        same="samples history weights output state",
    ),
    Wrong(
        "a callback is dropped",
        CALLBACKS,
        {"[Note(), Count()]": "[Note()]"},
        {"hooks": At("fit 1", "the callbacks Note, Count", "the callbacks Note"), "state": At("epochs", 2, 0)},
        same="samples history weights output",
    ),
    Wrong(
        "a line is no longer printed",
        CALLBACKS,
        {'print("epoch", epoch, "is over")': "pass"},
        {"output": At("line 1", "epoch 0 is over", "nothing")},
        same="samples history weights hooks state",
    ),
    Wrong(
        "the model is validated on what it learns from",
        VALIDATED,
        {"held_out = rows[8:], labels[8:]": "held_out = train"},
        {"history": At("fit 1, val_loss, epoch 1", 0.725, 0.175)},
        same="samples order weights hooks",
    ),
    Wrong(
        "a split leaks one row into training",
        CALLBACKS,
        {"rows[:8], labels[:8]": "rows[:9], labels[:9]"},
        {
            "samples": At("fit 1, epoch 1, step 3, row 1", "nothing", "x [8] y [0.8]"),
            "steps": At("fit 1, epoch 1", 2, 3),
        },
        same="order grouping spec epochs hooks",
    ),
    Wrong(
        "an evaluation moves to a hook that is called more often",
        EVALUATED,
        {
            "    def on_epoch_end(self):\n        global epochs\n        epochs += 1\n"
            "        model.evaluate(rows[8:], labels[8:], verbose=0)\n": "",
            "model =": EVALUATE,
            "fit(Feed(), ": "fit(Feed(), callbacks=[Evaluate()], ",
        },
        {"state": At("epochs", None, 4)},
        same="samples order weights epochs steps",
        contract=changes("hooks", "history"),
    ),
    Wrong(
        "the patience of early stopping is off by one",
        STOPPED,
        {"patience=1": "patience=2"},
        {
            "epochs": At("fit 1", 2, 3),
            "stop": At("fit 1", "after epoch 2: stop_training was set by EarlyStopping", "after epoch 3: …"),
        },
        same="order grouping spec",
    ),
    Wrong(
        "the best weights are no longer restored, where only the history may change",
        STOPPED,
        {", restore_best_weights=True": ""},
        {"weights": At("model 1, weight 1 [1, 1]")},
        same="samples history epochs stop",
        contract=changes("history"),
    ),
    Wrong(
        "the learning rate falls one epoch late",
        SCHEDULED,
        {"epoch < 2": "epoch < 3"},
        {"history": At("fit 1, loss, epoch 3"), "weights": At("model 1, weight 1 [1, 1]")},
        same="samples order grouping epochs steps",
    ),
    Wrong(
        "the first epoch is another one",
        SCHEDULED,
        {"initial_epoch=1, ": ""},
        {"epochs": At("fit 1", 2, 3), "steps": At("fit 1, epoch 1", "nothing", 2)},
        same="order grouping spec",
    ),
    Wrong(
        "the model is compiled again between two fits",
        TWO_FITS,
        {
            "verbose=0)\nmodel.fit": "verbose=0)\n"
            'model.compile(keras.optimizers.SGD(0.001, momentum=0.9), "mse")\nmodel.fit'
        },
        {"history": At("fit 2, loss, epoch 1"), "weights": At("model 1, weight 1 [1, 1]")},
        same="samples order grouping epochs steps",
    ),
    Wrong(
        "a train step no longer trains its dropout",
        TRAIN_STEP,
        {"training=True": "training=False"},
        {"history": At("fit 1, error, epoch 1"), "weights": At("model 1, weight 1 [1, 1]")},
        same="samples order grouping spec",
    ),
    Wrong(
        "a train step loses the gradient of the bias",
        TRAIN_STEP,
        {"zip(gradients, self.trainable_variables)": "zip(gradients[:1], self.trainable_variables)"},
        {"weights": At("model 1, weight 1 [1, 1]")},
        same="samples order grouping spec",
    ),
)
