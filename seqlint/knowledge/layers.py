"""Layers of Keras: which argument is the number of their outputs, and which of them pass on what they get.

Read from the sources of Keras 3.15 and tf-keras 2.21.
"""

from __future__ import annotations

UNITS = {
    "Dense": "units", "Conv1D": "filters", "Conv2D": "filters", "Conv3D": "filters", "Convolution2D": "filters", "Conv1DTranspose": "filters",
    "Conv2DTranspose": "filters", "Conv3DTranspose": "filters", "SeparableConv1D": "filters", "SeparableConv2D": "filters",
}  # fmt: skip
"""Layers that end in an activation, and their argument for the size of the last axis, which is their first."""
ACTIVATION_PLACES = {"Dense": 1}
"""Where the activation is, by its place; the places of other layers differ between the lines of Keras."""
ACTIVATIONS = {
    "Softmax": "softmax", "ReLU": "relu", "LeakyReLU": "leaky_relu", "PReLU": "prelu", "ELU": "elu", "ThresholdedReLU": "thresholded_relu",
}  # fmt: skip
"""Layers that are nothing but an activation."""
FUNCTIONS = {
    "tensorflow.nn.softmax": "softmax", "tensorflow.nn.sigmoid": "sigmoid", "tensorflow.sigmoid": "sigmoid", "tensorflow.math.sigmoid": "sigmoid",
    "tensorflow.nn.relu": "relu", "tensorflow.nn.tanh": "tanh", "tensorflow.tanh": "tanh", "tensorflow.math.tanh": "tanh", "tensorflow.nn.elu": "elu",
    "tensorflow.nn.leaky_relu": "leaky_relu", "keras.ops.softmax": "softmax", "keras.ops.sigmoid": "sigmoid", "keras.ops.relu": "relu",
    "keras.ops.tanh": "tanh", "keras.activations.softmax": "softmax", "keras.activations.sigmoid": "sigmoid", "keras.activations.relu": "relu",
    "keras.activations.tanh": "tanh", "keras.activations.linear": "linear", "keras.activations.elu": "elu", "keras.activations.selu": "selu",
}  # fmt: skip
RESHAPES = frozenset({"Reshape", "Flatten", "Permute", "UpSampling1D", "UpSampling2D", "UpSampling3D"})
"""Layers that give the same numbers in another shape."""
POOLS = frozenset({
    "GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalAveragePooling3D", "GlobalMaxPooling1D", "GlobalMaxPooling2D", "Dropout", "Cropping2D",
    "ZeroPadding2D",
})  # fmt: skip
"""Layers that keep the last axis, and what kind of numbers is in it."""
RECURRENT = frozenset({"LSTM", "GRU", "SimpleRNN", "CuDNNLSTM", "CuDNNGRU"})
KEEP_AXES = frozenset({
    "Dense", "Activation", "Dropout", "BatchNormalization", "LayerNormalization", "GaussianNoise", "AlphaDropout", "Softmax", "ReLU", "LeakyReLU",
    "PReLU", "ELU", "Normalization", "Rescaling",
})  # fmt: skip
"""Layers that give as many axes as they get."""
