"""The public names that every line of Keras has, by the module that hands them out.

Measured: the names that Keras 2.15, tf-keras 2.21, Keras 3.3 and Keras 3.15 have in common, modules left out.
"""

from __future__ import annotations

from functools import cache

PUBLIC: dict[str, frozenset[str]] = {
    "layers": frozenset({
        "Activation", "ActivityRegularization", "Add", "AdditiveAttention", "AlphaDropout", "Attention", "Average",
        "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "AvgPool1D", "AvgPool2D", "AvgPool3D",
        "BatchNormalization", "Bidirectional", "CategoryEncoding", "CenterCrop", "Concatenate", "Conv1D",
        "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "ConvLSTM1D", "ConvLSTM2D",
        "ConvLSTM3D", "Convolution1D", "Convolution1DTranspose", "Convolution2D", "Convolution2DTranspose",
        "Convolution3D", "Convolution3DTranspose", "Cropping1D", "Cropping2D", "Cropping3D", "Dense",
        "DepthwiseConv1D", "DepthwiseConv2D", "Discretization", "Dot", "Dropout", "ELU", "EinsumDense", "Embedding",
        "Flatten", "GRU", "GRUCell", "GaussianDropout", "GaussianNoise", "GlobalAveragePooling1D",
        "GlobalAveragePooling2D", "GlobalAveragePooling3D", "GlobalAvgPool1D", "GlobalAvgPool2D", "GlobalAvgPool3D",
        "GlobalMaxPool1D", "GlobalMaxPool2D", "GlobalMaxPool3D", "GlobalMaxPooling1D", "GlobalMaxPooling2D",
        "GlobalMaxPooling3D", "GroupNormalization", "HashedCrossing", "Hashing", "Identity", "Input", "InputLayer",
        "InputSpec", "IntegerLookup", "LSTM", "LSTMCell", "Lambda", "Layer", "LayerNormalization", "LeakyReLU",
        "Masking", "MaxPool1D", "MaxPool2D", "MaxPool3D", "MaxPooling1D", "MaxPooling2D", "MaxPooling3D", "Maximum",
        "Minimum", "MultiHeadAttention", "Multiply", "Normalization", "PReLU", "Permute", "RNN", "RandomBrightness",
        "RandomContrast", "RandomCrop", "RandomFlip", "RandomRotation", "RandomTranslation", "RandomZoom", "ReLU",
        "RepeatVector", "Rescaling", "Reshape", "Resizing", "SeparableConv1D", "SeparableConv2D",
        "SeparableConvolution1D", "SeparableConvolution2D", "SimpleRNN", "SimpleRNNCell", "Softmax",
        "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D", "SpectralNormalization", "StackedRNNCells",
        "StringLookup", "Subtract", "TextVectorization", "TimeDistributed", "UnitNormalization", "UpSampling1D",
        "UpSampling2D", "UpSampling3D", "Wrapper", "ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D", "add",
        "average", "concatenate", "deserialize", "dot", "maximum", "minimum", "multiply", "serialize", "subtract",
    }),
    "models": frozenset({
        "Model", "Sequential", "clone_model", "load_model", "model_from_json", "save_model",
    }),
    "callbacks": frozenset({
        "BackupAndRestore", "CSVLogger", "Callback", "CallbackList", "EarlyStopping", "History", "LambdaCallback",
        "LearningRateScheduler", "ModelCheckpoint", "ProgbarLogger", "ReduceLROnPlateau", "RemoteMonitor",
        "TensorBoard", "TerminateOnNaN",
    }),
    "optimizers": frozenset({
        "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lion", "Nadam", "Optimizer",
        "RMSprop", "SGD", "deserialize", "get", "serialize",
    }),
    "losses": frozenset({
        "BinaryCrossentropy", "BinaryFocalCrossentropy", "CategoricalCrossentropy", "CategoricalFocalCrossentropy",
        "CategoricalHinge", "CosineSimilarity", "Hinge", "Huber", "KLDivergence", "LogCosh", "Loss",
        "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanSquaredError", "MeanSquaredLogarithmicError",
        "Poisson", "SparseCategoricalCrossentropy", "SquaredHinge", "binary_crossentropy",
        "binary_focal_crossentropy", "categorical_crossentropy", "categorical_focal_crossentropy",
        "categorical_hinge", "cosine_similarity", "deserialize", "get", "hinge", "huber", "kl_divergence", "log_cosh",
        "mean_absolute_error", "mean_absolute_percentage_error", "mean_squared_error",
        "mean_squared_logarithmic_error", "poisson", "serialize", "sparse_categorical_crossentropy", "squared_hinge",
    }),
    "metrics": frozenset({
        "AUC", "Accuracy", "BinaryAccuracy", "BinaryCrossentropy", "BinaryIoU", "CategoricalAccuracy",
        "CategoricalCrossentropy", "CategoricalHinge", "CosineSimilarity", "F1Score", "FBetaScore", "FalseNegatives",
        "FalsePositives", "Hinge", "IoU", "KLDivergence", "LogCoshError", "Mean", "MeanAbsoluteError",
        "MeanAbsolutePercentageError", "MeanIoU", "MeanMetricWrapper", "MeanSquaredError",
        "MeanSquaredLogarithmicError", "Metric", "OneHotIoU", "OneHotMeanIoU", "Poisson", "Precision",
        "PrecisionAtRecall", "R2Score", "Recall", "RecallAtPrecision", "RootMeanSquaredError",
        "SensitivityAtSpecificity", "SparseCategoricalAccuracy", "SparseCategoricalCrossentropy",
        "SparseTopKCategoricalAccuracy", "SpecificityAtSensitivity", "SquaredHinge", "Sum", "TopKCategoricalAccuracy",
        "TrueNegatives", "TruePositives", "binary_accuracy", "binary_crossentropy", "binary_focal_crossentropy",
        "categorical_accuracy", "categorical_crossentropy", "categorical_focal_crossentropy", "deserialize", "get",
        "hinge", "kl_divergence", "log_cosh", "mean_absolute_error", "mean_absolute_percentage_error",
        "mean_squared_error", "mean_squared_logarithmic_error", "poisson", "serialize", "sparse_categorical_accuracy",
        "sparse_categorical_crossentropy", "sparse_top_k_categorical_accuracy", "squared_hinge",
        "top_k_categorical_accuracy",
    }),
    "regularizers": frozenset({
        "L1", "L1L2", "L2", "OrthogonalRegularizer", "Regularizer", "deserialize", "get", "l1", "l1_l2", "l2",
        "orthogonal_regularizer", "serialize",
    }),
    "initializers": frozenset({
        "Constant", "GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "Identity", "Initializer",
        "LecunNormal", "LecunUniform", "Ones", "Orthogonal", "RandomNormal", "RandomUniform", "TruncatedNormal",
        "VarianceScaling", "Zeros", "constant", "deserialize", "get", "glorot_normal", "glorot_uniform", "he_normal",
        "he_uniform", "identity", "lecun_normal", "lecun_uniform", "ones", "orthogonal", "random_normal",
        "random_uniform", "serialize", "truncated_normal", "variance_scaling", "zeros",
    }),
    "constraints": frozenset({
        "Constraint", "MaxNorm", "MinMaxNorm", "NonNeg", "UnitNorm", "deserialize", "get", "max_norm", "min_max_norm",
        "non_neg", "serialize", "unit_norm",
    }),
    "activations": frozenset({
        "deserialize", "elu", "exponential", "gelu", "get", "hard_sigmoid", "linear", "mish", "relu", "selu",
        "serialize", "sigmoid", "softmax", "softplus", "softsign", "swish", "tanh",
    }),
    "utils": frozenset({
        "CustomObjectScope", "FeatureSpace", "Progbar", "Sequence", "array_to_img", "audio_dataset_from_directory",
        "custom_object_scope", "deserialize_keras_object", "disable_interactive_logging",
        "enable_interactive_logging", "get_custom_objects", "get_file", "get_registered_name",
        "get_registered_object", "get_source_inputs", "image_dataset_from_directory", "img_to_array",
        "is_interactive_logging_enabled", "load_img", "model_to_dot", "normalize", "pack_x_y_sample_weight",
        "pad_sequences", "plot_model", "register_keras_serializable", "save_img", "serialize_keras_object",
        "set_random_seed", "split_dataset", "text_dataset_from_directory", "timeseries_dataset_from_array",
        "to_categorical", "unpack_x_y_sample_weight",
    }),
    "backend": frozenset({
        "backend", "clear_session", "epsilon", "floatx", "get_uid", "image_data_format", "is_keras_tensor",
        "set_epsilon", "set_floatx", "set_image_data_format",
    }),
}  # fmt: skip


@cache
def homes(name: str) -> tuple[str, ...]:
    """The public modules that hand out a name, such as ("layers", "models") for "Input"."""
    return tuple(module for module, names in PUBLIC.items() if name in names)
