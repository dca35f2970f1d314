"""The methods of a model that train, evaluate or predict, with their parameters.

Those of Keras 3.15 and tf-keras 2.21. Both agree on the order of what they share, except for the worker arguments that Keras 3
took out.
"""

_FIT = ("x", "y", "batch_size", "epochs", "verbose", "callbacks", "validation_split", "validation_data", "shuffle", "class_weight",
        "sample_weight", "initial_epoch", "steps_per_epoch", "validation_steps", "validation_batch_size", "validation_freq")  # fmt: skip
WORKER_ARGUMENTS = ("max_queue_size", "workers", "use_multiprocessing")
SIGNATURES: dict[str, tuple[str, ...]] = {
    "fit": (*_FIT, *WORKER_ARGUMENTS),
    "evaluate": ("x", "y", "batch_size", "verbose", "sample_weight", "steps", "callbacks", *WORKER_ARGUMENTS, "return_dict"),
    "predict": ("x", "batch_size", "verbose", "steps", "callbacks", *WORKER_ARGUMENTS),
    "train_on_batch": ("x", "y", "sample_weight", "class_weight"),
    "test_on_batch": ("x", "y", "sample_weight"),
    "predict_on_batch": ("x",),
    "fit_generator": ("generator", "steps_per_epoch", "epochs", "verbose", "callbacks", "validation_data", "validation_steps",
                      "validation_freq", "class_weight", *WORKER_ARGUMENTS, "shuffle", "initial_epoch"),
    "evaluate_generator": ("generator", "steps", "callbacks", *WORKER_ARGUMENTS, "verbose"),
    "predict_generator": ("generator", "steps", "callbacks", *WORKER_ARGUMENTS, "verbose"),
}  # fmt: skip
