"""What to write in the place of names that Keras 3 lost, written by hand; that they are gone is measured in `keras_names`.

A name of that table which is in none of these has no known replacement, and the message says so.
"""

from __future__ import annotations

_PREPROCESSING = (
    "CategoryEncoding", "CenterCrop", "Discretization", "HashedCrossing", "Hashing", "IntegerLookup", "Normalization", "RandomContrast",
    "RandomCrop", "RandomFlip", "RandomRotation", "RandomTranslation", "RandomZoom", "Rescaling", "Resizing", "StringLookup", "TextVectorization",
)  # fmt: skip
_OPTIMIZERS = ("Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Nadam", "RMSprop", "SGD")
_OF_KERAS = {
    "mae": "mean_absolute_error", "mape": "mean_absolute_percentage_error", "mse": "mean_squared_error",
    "msle": "mean_squared_logarithmic_error", "kld": "kl_divergence", "kullback_leibler_divergence": "kl_divergence", "logcosh": "log_cosh",
}  # fmt: skip
_ERRORS = {**_OF_KERAS, **{each.upper(): _OF_KERAS[each] for each in ("mae", "mape", "mse", "msle", "kld")}}
_SAVING = (
    "custom_object_scope", "deserialize_keras_object", "get_custom_objects", "get_registered_name", "get_registered_object",
    "register_keras_serializable", "serialize_keras_object",
)  # fmt: skip

SAME: dict[str, str] = {
    **{f"layers.experimental.preprocessing.{each}": f"layers.{each}" for each in _PREPROCESSING},
    "layers.experimental.EinsumDense": "layers.EinsumDense",
    "layers.Deconvolution2D": "layers.Conv2DTranspose",
    "layers.Deconvolution3D": "layers.Conv3DTranspose",
    **{f"optimizers.experimental.{each}": f"optimizers.{each}" for each in (*_OPTIMIZERS, "Optimizer")},
    **{f"optimizers.{each.lower()}": f"optimizers.{each}" for each in _OPTIMIZERS if each not in ("Adafactor", "AdamW", "Ftrl")},
    "experimental.CosineDecay": "optimizers.schedules.CosineDecay",
    "experimental.CosineDecayRestarts": "optimizers.schedules.CosineDecayRestarts",
    "mixed_precision.experimental.set_policy": "mixed_precision.set_global_policy",
    "mixed_precision.experimental.global_policy": "mixed_precision.global_policy",
    "mixed_precision.experimental.Policy": "mixed_precision.Policy",
    "callbacks.experimental.BackupAndRestore": "callbacks.BackupAndRestore",
    "callbacks.callbacks.EarlyStopping": "callbacks.EarlyStopping",
    "callbacks.callbacks.ModelCheckpoint": "callbacks.ModelCheckpoint",
    "callbacks.callbacks.Callback": "callbacks.Callback",
    "callbacks.callbacks.ReduceLROnPlateau": "callbacks.ReduceLROnPlateau",
    "initializers.normal": "initializers.RandomNormal",
    "initializers.uniform": "initializers.RandomUniform",
    "initializers.zero": "initializers.Zeros",
    "initializers.one": "initializers.Ones",
    "constraints.maxnorm": "constraints.max_norm",
    "constraints.nonneg": "constraints.non_neg",
    "constraints.unitnorm": "constraints.unit_norm",
    "models.Input": "layers.Input",
    "models.InputLayer": "layers.InputLayer",
    **{f"{module}.{old}": f"{module}.{name}" for module in ("losses", "metrics") for old, name in _ERRORS.items()},
}  # fmt: skip
"""One to one, and there on every line that was measured, in `keras` and `tf.keras`, but for what `OF_TENSORFLOW` says."""

OF_TENSORFLOW: dict[str, str] = {
    **{f"saving.{each}": f"utils.{each}" for each in _SAVING},
    "saving.load_model": "models.load_model",
    "saving.save_model": "models.save_model",
    **{
        f"{module}.{name}": f"losses.{old}"
        for module in ("losses", "metrics")
        for old, name in _OF_KERAS.items()
        if old != "kullback_leibler_divergence"
    },
}
"""The same for `tf.keras`, which lacks other names than `keras`."""

ON_KERAS_3: dict[str, str] = {
    **{f"optimizers.legacy.{each}": f"optimizers.{each}" for each in (*_OPTIMIZERS, "Optimizer") if each not in ("Adafactor", "AdamW")},
    "layers.CuDNNLSTM": "layers.LSTM(units, *, return_sequences, return_state, stateful, kernel_initializer, recurrent_initializer, bias_initializer, "
    "kernel_regularizer, recurrent_regularizer, bias_regularizer, go_backwards, name, input_shape, unit_forget_bias)",
    "layers.CuDNNGRU": "layers.GRU(units, *, return_sequences, return_state, stateful, kernel_initializer, recurrent_initializer, bias_initializer, "
    "kernel_regularizer, recurrent_regularizer, bias_regularizer, go_backwards, name, input_shape)",
    "layers.ThresholdedReLU": "layers.ReLU(*, theta>threshold=1.0, name, input_shape)",
    "backend.abs": "ops.abs(x)",
    "backend.all": "ops.all(x, axis, keepdims)",
    "backend.any": "ops.any(x, axis, keepdims)",
    "backend.argmax": "ops.argmax(x, axis=-1)",
    "backend.argmin": "ops.argmin(x, axis=-1)",
    "backend.binary_crossentropy": "ops.binary_crossentropy(target, output, from_logits)",
    "backend.cast": "ops.cast(x, dtype)",
    "backend.categorical_crossentropy": "ops.categorical_crossentropy(target, output, from_logits, axis)",
    "backend.clip": "ops.clip(x, min_value>x_min, max_value>x_max)",
    "backend.concatenate": "ops.concatenate(tensors>xs, axis=-1)",
    "backend.cos": "ops.cos(x)",
    "backend.cumprod": "ops.cumprod(x, axis=0)",
    "backend.cumsum": "ops.cumsum(x, axis=0)",
    "backend.dot": "ops.dot(x>x1, y>x2)",
    "backend.elu": "ops.elu(x, alpha)",
    "backend.equal": "ops.equal(x>x1, y>x2)",
    "backend.eval": "ops.convert_to_numpy(x)",
    "backend.exp": "ops.exp(x)",
    "backend.expand_dims": "ops.expand_dims(x, axis=-1)",
    "backend.gather": "ops.take(reference>x, indices, axis=0)",
    "backend.get_value": "ops.convert_to_numpy(x)",
    "backend.greater": "ops.greater(x>x1, y>x2)",
    "backend.greater_equal": "ops.greater_equal(x>x1, y>x2)",
    "backend.less": "ops.less(x>x1, y>x2)",
    "backend.less_equal": "ops.less_equal(x>x1, y>x2)",
    "backend.log": "ops.log(x)",
    "backend.logsumexp": "ops.logsumexp(x, axis, keepdims)",
    "backend.max": "ops.max(x, axis, keepdims)",
    "backend.maximum": "ops.maximum(x>x1, y>x2)",
    "backend.mean": "ops.mean(x, axis, keepdims)",
    "backend.min": "ops.min(x, axis, keepdims)",
    "backend.minimum": "ops.minimum(x>x1, y>x2)",
    "backend.name_scope": "name_scope(name)",
    "backend.not_equal": "ops.not_equal(x>x1, y>x2)",
    "backend.one_hot": "ops.one_hot(indices>x, num_classes)",
    "backend.ones_like": "ops.ones_like(x, dtype)",
    "backend.permute_dimensions": "ops.transpose(x, pattern>axes)",
    "backend.pow": "ops.power(x>x1, a>x2)",
    "backend.prod": "ops.prod(x, axis, keepdims)",
    "backend.relu": "ops.relu(x)",
    "backend.repeat_elements": "ops.repeat(x, rep>repeats, axis)",
    "backend.reshape": "ops.reshape(x, shape>newshape)",
    "backend.round": "ops.round(x)",
    "backend.sigmoid": "ops.sigmoid(x)",
    "backend.sign": "ops.sign(x)",
    "backend.sin": "ops.sin(x)",
    "backend.softmax": "ops.softmax(x, axis=-1)",
    "backend.softplus": "ops.softplus(x)",
    "backend.softsign": "ops.softsign(x)",
    "backend.square": "ops.square(x)",
    "backend.squeeze": "ops.squeeze(x, axis)",
    "backend.stack": "ops.stack(x, axis)",
    "backend.std": "ops.std(x, axis, keepdims)",
    "backend.stop_gradient": "ops.stop_gradient(variables>variable)",
    "backend.sum": "ops.sum(x, axis, keepdims)",
    "backend.tanh": "ops.tanh(x)",
    "backend.tile": "ops.tile(x, n>repeats)",
    "backend.transpose": "ops.transpose(x)",
    "backend.zeros_like": "ops.zeros_like(x, dtype)",
    "backend.var": "ops.var(x, axis, keepdims)",
}  # fmt: skip
"""The call of Keras 3 that does the same, where all arguments are among those in brackets; without brackets it takes the same ones.

`old>new` is an argument with another name, `axis=-1` one to write out where it is left out, and what follows `*` is given by name.
"""

OTHER_NUMBERS = frozenset(
    {"layers.CuDNNLSTM", "layers.CuDNNGRU", "optimizers.legacy.Nadam", "optimizers.legacy.RMSprop"}
)
"""What trains with other numbers than its replacement, or may: the layers ran on a card alone, and had two biases."""

EVERYWHERE: dict[str, str] = {
    "backend.int_shape": "tuple({x}.shape)",
    "backend.ndim": "len({x}.shape)",
    "backend.set_value": "{x}.assign({value})",
    "backend.update": "{x}.assign({new_x})",
    "backend.update_add": "{x}.assign_add({increment})",
    "backend.update_sub": "{x}.assign_sub({decrement})",
}
"""Code that does the same on every line, with the arguments in order."""

READERS: dict[str, str] = {
    "utils.OrderedEnqueuer": "give the dataset itself to `fit`",
    "utils.GeneratorEnqueuer": "give the generator itself to `fit`",
    "utils.SequenceEnqueuer": "give the dataset itself to `fit`",
    "utils.experimental.DatasetCreator": "give the dataset itself to `fit`",
    "experimental.SequenceFeatures": "use preprocessing layers",
}
"""What else can be done in the place of what read data."""

UNLISTED: dict[str, frozenset[str]] = {
    "preprocessing.image": frozenset({"apply_transform", "flip_axis", "transform_matrix_offset_center"}),
    "preprocessing.sequence": frozenset({"_remove_long_seq"}),
}
"""Names of the first releases of Keras 2 that no later Keras has, neither in `keras` nor in `tf.keras`, and that are no part of its public API."""

RAISES = frozenset({"backend.gradients"})
"""What `tf.keras` still has on Keras 3 and fails when it is called."""

BY_HAND: dict[str, str] = {
    "backend.control_dependencies": "operations run in their order: leave it out",
    "backend.experimental": "Keras 3 always seeds its generators so: leave it out",
    "backend.function": "make a `keras.Model` from the inputs and the outputs, and call it",
    "backend.get_session": "there are no sessions: leave it out",
    "backend.gradients": "use `tf.GradientTape`",
    "backend.identity": "use the tensor itself, or `keras.ops.copy`",
    "backend.in_test_phase": "take `training` as an argument of `call`",
    "backend.in_train_phase": "take `training` as an argument of `call`",
    "backend.is_tensor": "use `keras.ops.is_tensor`",
    "backend.learning_phase": "give `training=` to the call of the model or layer",
    "backend.learning_phase_scope": "give `training=` to the call of the model or layer",
    "backend.manual_variable_initialization": "variables have their values at once: leave it out",
    "backend.placeholder": "use `keras.Input`",
    "backend.print_tensor": "use `tf.print`",
    "backend.reset_uids": "use `keras.backend.clear_session`",
    "backend.set_learning_phase": "give `training=` to the call of the model or layer",
    "backend.set_session": "there are no sessions: leave it out, and set up devices with `tf.config`",
    "backend.size": "use `keras.ops.size`",
    "backend.slice": "use `keras.ops.slice`",
    "backend.symbolic": "leave the decorator out",
    "callbacks.tensorboard_v2": "use `keras.callbacks.TensorBoard`",
    "estimator": "it can't be kept: build a Keras model, and train it with `fit`",
    "estimator.model_to_estimator": "Keras has no estimators any more: train the model with `fit`",
    "experimental.LinearModel": "use a Dense layer without hidden ones",
    "experimental.WideDeepModel": "build both halves with the functional API, and add them",
    "layers.AbstractRNNCell": "use `keras.Layer` as the base",
    "layers.AtrousConvolution1D": "use `keras.layers.Conv1D` with `dilation_rate`",
    "layers.AtrousConvolution2D": "use `keras.layers.Conv2D` with `dilation_rate`",
    "layers.DenseFeatures": "use `keras.utils.FeatureSpace` or preprocessing layers",
    "layers.RandomHeight": "`tf.keras.layers.RandomHeight` is still there",
    "layers.RandomWidth": "`tf.keras.layers.RandomWidth` is still there",
    "layers.experimental.SyncBatchNormalization": "use `keras.layers.BatchNormalization(synchronized=True)`",
    "layers.experimental.preprocessing.PreprocessingLayer": "use `keras.Layer` as the base",
    "losses.Reduction": 'give `reduction` as a text, such as "sum_over_batch_size"',
    "losses.cosine_proximity": "use `keras.losses.cosine_similarity`",
    "losses.huber_loss": "use `keras.losses.huber`",
    "metrics.MeanTensor": "write a `keras.metrics.Metric` with a variable of that shape",
    "metrics.MeanRelativeError": "write a `keras.metrics.Metric`",
    "metrics.accuracy": "use `keras.metrics.Accuracy`",
    "metrics.cosine_proximity": "use `keras.losses.cosine_similarity`",
    "mixed_precision.experimental.LossScaleOptimizer": "use `keras.mixed_precision.LossScaleOptimizer`; its arguments differ",
    "models.model_from_config": "use `from_config` of the class of the model",
    "models.model_from_yaml": "use `keras.models.model_from_json`",
    "optimizers.TFOptimizer": "use an optimizer of Keras",
    "utils.HDF5Matrix": "read the file with `h5py` in a `keras.utils.PyDataset`",
    "utils.multi_gpu_model": "make the model under a `tf.distribute.MirroredStrategy`",
    "utils.print_summary": "use `summary()` of the model",
}
"""What else can be done, in words."""

_OF_GRADIENTS = "compute the gradients under a `tf.GradientTape`, and call `apply_gradients`"
_OF_SHAPES = "use `shape` of its `output` or `input`, which a layer of a functional model has"
_OF_NODES = "use its `output` or `input`; a layer that is called often has one for each call"
MEMBERS: dict[str, str] = {
    "Sequential.predict_classes": "call `predict`, and take `argmax` of the last axis, or compare with 0.5 where it gives one number",
    "Sequential.predict_proba": "call `predict`",
    "Model.reset_states": "call `reset_state()` of each recurrent layer",
    "metrics.Metric.reset_states": "call `reset_state()`",
    "Model.add_metric": "give the metric to `compile`, or update a `keras.metrics.Metric` in `call`",
    "layers.Layer.add_metric": "give the metric to `compile`, or update a `keras.metrics.Metric` in `call`",
    "Model.input_names": "read the `name` of each of its `inputs`",
    "Model.add_update": "assign to the variables in `call`",
    "layers.Layer.add_update": "assign to the variables in `call`",
    "Model.to_yaml": "call `to_json`",
    "Model.state_updates": "leave it out: states are assigned in `call`",
    "Model.uses_learning_phase": "give `training=` to the call of the model",
    "Model.targets": "write a `train_step` that gets them",
    "Model.total_loss": "write a `train_step` that computes it",
    "Model.sample_weights": "write a `train_step` that gets them",
    "layers.Layer.output_shape": _OF_SHAPES,
    "layers.Layer.input_shape": _OF_SHAPES,
    "layers.Layer.get_output_shape_at": _OF_SHAPES,
    "layers.Layer.get_input_shape_at": _OF_SHAPES,
    "layers.Layer.get_output_at": _OF_NODES,
    "layers.Layer.get_input_at": _OF_NODES,
    "layers.Layer.inbound_nodes": _OF_NODES,
    "layers.Layer.outbound_nodes": _OF_NODES,
    "Model.get_output_at": _OF_NODES,
    "Model.get_input_at": _OF_NODES,
    "optimizers.Optimizer.minimize": _OF_GRADIENTS,
    "optimizers.Optimizer.get_updates": _OF_GRADIENTS,
    "optimizers.Optimizer.get_gradients": _OF_GRADIENTS,
    "optimizers.Optimizer.get_weights": "read its `variables`",
    "optimizers.Optimizer.weights": "read its `variables`",
    "KerasTensor.get_shape": "read its `shape`, a tuple",
    "KerasTensor.set_shape": "use a `keras.layers.Reshape`, or give the shape where the tensor is made",
    "KerasTensor.shape.as_list": "make a list of it: `list(x.shape)`",
    "KerasTensor.shape.ndims": "take its `len`",
    "KerasTensor.shape.rank": "take its `len`",
    "KerasTensor.shape.dims": "it is a tuple of numbers: use it as it is",
    "KerasTensor.shape.is_fully_defined": "look for None in it",
}
"""What to do in the place of attributes that are gone."""

STUBS = frozenset({"Model.add_metric", "layers.Layer.add_metric"})
"""Methods that are there and raise NotImplementedError."""

TENSORFLOW_OPS: dict[str, str] = {
    "abs": "ops.abs(x)",
    "cast": "ops.cast(x, dtype)",
    "concat": "ops.concatenate(values>xs, axis)",
    "expand_dims": "ops.expand_dims(input>x, axis)",
    "exp": "ops.exp(x)",
    "identity": "",
    "matmul": "ops.matmul(a>x1, b>x2)",
    "math.exp": "ops.exp(x)",
    "math.log": "ops.log(x)",
    "math.reduce_max": "ops.max(input_tensor>x, axis, keepdims)",
    "math.reduce_mean": "ops.mean(input_tensor>x, axis, keepdims)",
    "math.reduce_sum": "ops.sum(input_tensor>x, axis, keepdims)",
    "math.sigmoid": "ops.sigmoid(x)",
    "math.square": "ops.square(x)",
    "maximum": "ops.maximum(x>x1, y>x2)",
    "minimum": "ops.minimum(x>x1, y>x2)",
    "nn.l2_normalize": "",
    "nn.relu": "ops.relu(features>x)",
    "nn.sigmoid": "ops.sigmoid(x)",
    "nn.softmax": "ops.softmax(logits>x, axis=-1)",
    "nn.tanh": "ops.tanh(x)",
    "pow": "ops.power(x>x1, y>x2)",
    "reduce_max": "ops.max(input_tensor>x, axis, keepdims)",
    "reduce_mean": "ops.mean(input_tensor>x, axis, keepdims)",
    "reduce_min": "ops.min(input_tensor>x, axis, keepdims)",
    "reduce_sum": "ops.sum(input_tensor>x, axis, keepdims)",
    "reshape": "ops.reshape(tensor>x, shape>newshape)",
    "shape": "ops.shape(input>x)",
    "sigmoid": "ops.sigmoid(x)",
    "sqrt": "ops.sqrt(x)",
    "square": "ops.square(x)",
    "squeeze": "ops.squeeze(input>x, axis)",
    "stack": "ops.stack(values>x, axis)",
    "tanh": "ops.tanh(x)",
    "tile": "ops.tile(input>x, multiples>repeats)",
    "transpose": "ops.transpose(a>x, perm>axes)",
}
"""Functions of TensorFlow that refuse a symbolic tensor, and the call of Keras 3 that takes one; "" where none does the same."""
