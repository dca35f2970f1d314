"""Programs that compile a model in one way each and train it; the last call is the fit that is asked about."""

from __future__ import annotations

from tests.facts.models import START

__all__ = ["PROGRAMS", "START"]

_ONE = {
    "no metrics": "",
    "acc": ", metrics=['acc']",
    "accuracy": ", metrics=['accuracy']",
    "short and long": ", metrics=['mse', 'mean_absolute_error']",
    "the name of a class": ", metrics=['AUC']",
    "the name of an error class": ", metrics=['MeanSquaredError', 'KLDivergence']",
    "capital letters": ", metrics=['MAE']",
    "a tuple": ", metrics=('acc', 'mse')",
    "twice": ", metrics=['acc', 'acc']",
    "weighted": ", weighted_metrics=['acc', 'mse']",
    "both": ", metrics=['acc'], weighted_metrics=['acc']",
    "a function": ", metrics=[f1_m]",
    "camel case": ", metrics=[myF1]",
    "a capital and a digit": ", metrics=[R2]",
    "capitals inside": ", metrics=[IoU_Coef]",
    "a graph": ", metrics=[Graph]",
    "a function from a function": ", metrics=[within(0.5)]",
    "lambda": ", metrics=[lambda t, p: tf.reduce_mean(t * p)]",
    "partial": ", metrics=[functools.partial(f1_m)]",
    "something to call": ", metrics=[Plus()]",
    "functions of Keras": ", metrics=[keras.metrics.binary_accuracy, keras.losses.mean_squared_error]",
    "a loss as metric": ", metrics=[keras.losses.MeanSquaredError(), keras.losses.BinaryCrossentropy(name='bb')]",
    "an object": ", metrics=[keras.metrics.AUC()]",
    "an object with a name": ", metrics=[keras.metrics.AUC(name='roc')]",
    "names by position": ", metrics=[keras.metrics.AUC(20, 'PR', 'interpolation', 'pr'), keras.metrics.BinaryAccuracy('ba')]",
    "two of a kind": ", metrics=[keras.metrics.AUC(), keras.metrics.AUC(curve='PR')]",
    "names of their own": ", metrics=[keras.metrics.KLDivergence(), keras.metrics.LogCoshError(), keras.metrics.BinaryIoU()]",
    "a metric of the file": ", metrics=[Count()]",
    "with a name": ", metrics=[Count(name='seen')]",
    "with a name inside": ", metrics=[Given()]",
    "several results": ", metrics=[Both()]",
    "made from AUC": ", metrics=[MyAUC()]",
    "made from an error": ", metrics=[MyError()]",
    "a dict for one output": ", metrics={'only': ['acc', 'mse']}",
    "none": ", metrics=None, weighted_metrics=[]",
}
_TWO = {
    "a list for two": "loss=BCE, metrics=['acc', 'mse']",
    "a list of one for two": "loss=BCE, metrics=['acc']",
    "lists for two": "loss=[BCE, 'mse'], metrics=[['acc'], ['mse', 'mae']]",
    "a list and none": "loss=[BCE, 'mse'], metrics=[['acc'], None]",
    "dicts": "loss={'a': BCE, 'b': 'mse'}, metrics={'a': ['acc'], 'b': 'mse'}",
    "a dict for one of two": "loss={'a': BCE, 'b': 'mse'}, metrics={'a': ['acc']}",
    "one loss of two": "loss=[BCE, None]",
    "one name for both": "loss=BCE, metrics={'a': [keras.metrics.AUC(name='roc')], 'b': [keras.metrics.AUC(name='roc')]}",
    "weighted, two": "loss=BCE, metrics={'a': ['acc']}, weighted_metrics={'a': ['acc'], 'b': ['mse']}",
}
PROGRAMS: dict[str, str] = {
    **{
        name: f"model = one()\nmodel.compile('sgd', BCE{given})\nhistory = model.fit(x, y, verbose=0)"
        for name, given in _ONE.items()
    },
    **{
        name: f"model = two()\nmodel.compile('sgd', {given})\nhistory = model.fit(x, [y, y], verbose=0)"
        for name, given in _TWO.items()
    },
    "a list that grows": """
measures = ["acc"]
measures.append(keras.metrics.Precision(name="prec"))
model = one()
model.compile("sgd", BCE, metrics=measures + ["mse"])
history = model.fit(x, y, verbose=0)
""",
    "compiled in a function": """
def build():
    model = one()
    model.compile("sgd", BCE, metrics=["acc"])
    return model


model = build()
history = model.fit(x, y, verbose=0)
""",
    "compiled twice": """
model = one()
model.compile("sgd", BCE, metrics=["acc"])
model.compile("sgd", "mse", metrics=["mae"])
history = model.fit(x, y, verbose=0)
""",
    "compiled again": """
def build():
    model = one()
    model.compile("sgd", BCE, metrics=["acc"])
    return model


model = build()
model.fit(x, y, verbose=0)
model.compile("sgd", "mse", metrics=["mae"])
history = model.fit(x, y, verbose=0)
""",
    "another model under the same name": """
model = one()
model.compile("sgd", BCE, metrics=["acc"])
model.fit(x, y, verbose=0)
model = one()
model.compile("sgd", BCE, metrics=["mse"])
history = model.fit(x, y, verbose=0)
""",
    "a class that trains": """
class Trainer:
    def __init__(self, measures):
        self.model = one()
        self.model.compile("sgd", BCE, metrics=measures)

    def run(self):
        return self.model.fit(x, y, verbose=0)


history = Trainer(["acc"]).run()
""",
    "a subclassed model": """
model = Net()
model.compile("sgd", BCE, metrics=["acc"])
history = model.fit(x, y, verbose=0)
""",
    "compiled in the class": "model = Compiled()\nhistory = model.fit(x, y, verbose=0)",
    "its own step": "model = Stepped()\nmodel.compile('sgd', BCE, metrics=['acc'])\nhistory = model.fit(x, y, verbose=0)",
    "a subclass with two outputs": """
model = Pair()
model.compile("sgd", BCE, metrics=[["acc"], ["mse"]])
history = model.fit(x, (y, y), verbose=0)
""",
    "a subclass with a dict": """
model = Keyed()
model.compile("sgd", {"u": BCE, "v": BCE}, metrics={"u": ["acc"], "v": ["mse"]})
history = model.fit(x, {"u": y, "v": y}, verbose=0)
""",
    "outputs without names": """
inputs = keras.Input((3,))
model = keras.Model(inputs, [layers.Dense(1)(inputs), keras.Sequential([layers.Dense(1)], name="head")(inputs)])
model.compile("sgd", "mse", metrics=[["mae"], ["mae"]])
history = model.fit(x, [y, y], verbose=0)
""",
    "one layer for two outputs": """
inputs = keras.Input((3,))
shared = layers.Dense(1, name="d")
model = keras.Model(inputs, [shared(inputs), shared(inputs * 2)])
model.compile("sgd", "mse", metrics=[["mae"], ["mae"]])
history = model.fit(x, [y, y], verbose=0)
""",
    "a list of one output": """
inputs = keras.Input((3,))
model = keras.Model(inputs=inputs, outputs=[layers.Dense(1, name="a", activation="sigmoid")(inputs)])
model.compile(loss=BCE, optimizer="sgd", metrics=["acc"])
history = model.fit(x, y, verbose=0)
""",
    "a model built with a loop": """
inputs = keras.Input((3,))
hidden = inputs
for width in (4, 4):
    hidden = layers.Dense(width)(hidden)
model = keras.Model(inputs, layers.Dense(1)(hidden))
model.compile("sgd", "mse", metrics=["mae"])
history = model.fit(x, y, verbose=0)
""",
    "a rate that falls": """
model = one()
model.compile("sgd", BCE)
history = model.fit(x, y, verbose=0, callbacks=[keras.callbacks.ReduceLROnPlateau(monitor="loss")])
""",
    "a rate by schedule": """
model = one()
model.compile("sgd", BCE)
history = model.fit(x, y, verbose=0, callbacks=[keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate)])
""",
    "a callback that adds": """
class Adds(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        logs["mine"] = 1.0


model = one()
model.compile("sgd", BCE)
history = model.fit(x, y, verbose=0, callbacks=[Adds()])
""",
    "validation": """
model = one()
model.compile("sgd", BCE, metrics=["acc"])
history = model.fit(x, y, verbose=0, validation_data=(x, y))
""",
    "a split": """
model = one()
model.compile("sgd", BCE, metrics=["acc"])
history = model.fit(x, y, verbose=0, validation_split=0.25)
""",
    "no split": """
model = one()
model.compile("sgd", BCE, metrics=["acc"])
history = model.fit(x, y, verbose=0, validation_split=0.0, validation_data=None)
""",
}
