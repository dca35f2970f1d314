"""Callbacks as Keras drives them."""

from __future__ import annotations

from tests.run.programs import ran

OWN = """
    import keras

    class Own(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            report("end", epoch)

        def on_train_begin(self, logs=None):
            report("begin", logs)

        def on_click(self):
            report("click", self)
"""


def hooks(text: str) -> list[tuple[str, str, bool]]:
    """The calls of `report`: their first argument, the hook that they are made in, and whether a fit is known that calls it."""
    found = []
    for call in ran(text).methods("()"):
        phase = call.context.phase
        found.append((str(call.result.args[0].constant), phase.method, phase.owner is not None))
    return found


def test_a_fit_calls_the_hooks_in_order() -> None:
    fit = "    keras.Sequential().fit([1.0], [2.0], callbacks=[Own()])\n"
    assert hooks(OWN + fit)[:2] == [("begin", "on_train_begin", True), ("end", "on_epoch_end", True)]


def test_hooks_run_where_nobody_is_known_to_pass_the_callback() -> None:
    assert hooks(OWN)[:2] == [("begin", "on_train_begin", False), ("end", "on_epoch_end", False)]


def test_other_methods_are_nobodys_hooks() -> None:
    assert hooks(OWN)[2:] == [("click", "", False)]


def test_functions_of_a_lambda_callback_are_hooks() -> None:
    text = """
    import keras

    say = keras.callbacks.LambdaCallback(on_train_end=lambda logs: report("end", logs))
    keras.Sequential().fit([1.0], [2.0], callbacks=say)
    """
    assert hooks(text) == [("end", "on_train_end", True)]


def test_what_a_list_held_at_the_call_stays_known() -> None:
    text = """
    import keras

    def train(model):
        early = keras.callbacks.EarlyStopping()
        model.fit([1.0], [2.0], callbacks=[early])
    """
    run = ran(text)
    (fit,) = run.methods("fit")
    assert [each.term for each in run.machine.given[fit.result]] == [
        call.result.term for call in run.methods("EarlyStopping")
    ]
