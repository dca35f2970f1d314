"""Which calls draw random numbers, by their canonical names.

Read from the public names of TensorFlow 2.21, Keras 3.15, NumPy 2.4, TensorFlow Addons 0.23 and Albumentations 1.4.
"""

from __future__ import annotations

import re
from typing import Literal

DrawKind = Literal["operation", "generator", "layer", "python"]
"""*operation*: one of TensorFlow, begun anew from its seed each time that a dataset is read; *generator*: a `tf.random.Generator`, which goes
on; *layer*: a random layer of Keras, or a model with one; *python*: NumPy or Python's `random`, where Python runs for each row."""

_OPERATION = re.compile(
    r"tensorflow\.(compat\.v\d\.)?("
    r"random\.(uniform|normal|truncated_normal|gamma|poisson|categorical|shuffle|multinomial|random_\w+|learned_unigram_candidate_sampler)"
    r"|image\.(random_\w+|sample_distorted_bounding_box)|random_(uniform|normal|crop|shuffle|gamma|poisson)|truncated_normal|nn\.dropout)$"
    r"|tensorflow_addons\.image\.random_\w+$|keras\.backend\.random_(uniform|normal|binomial|bernoulli)\w*$"
)
_GENERATOR = re.compile(r"tensorflow\.random\.Generator\.(uniform\w*|normal|truncated_normal|binomial|make_seeds)$")
_KERAS_RANDOM = re.compile(
    r"keras\.random\.(uniform|normal|truncated_normal|randint|categorical|shuffle|dropout|gamma|binomial|beta)$"
)
_PYTHON = re.compile(
    r"(numpy\.random\.(Generator\.|RandomState\.)?|random\.(Random\.)?)"
    r"(?!seed$|default_rng$|RandomState$|Generator$|Random$|get_state$|set_state$|getstate$|setstate$|SeedSequence$|PCG64$)[a-z]\w*$"
    r"|keras\.preprocessing\.image\.(random_\w+|ImageDataGenerator\.random_transform)$"
)
RANDOM_LAYERS = re.compile(
    r"keras\.layers\.(experimental\.preprocessing\.|preprocessing\.)?"
    r"(Random\w+|AugMix|RandAugment|MixUp|CutMix)$"
)
"""Layers that draw unless `training=False`."""
TRAINING_LAYERS = re.compile(r"keras\.layers\.(Dropout|SpatialDropout\dD|GaussianNoise|GaussianDropout|AlphaDropout)$")
"""Layers that draw where they are told `training=True`."""
RANDOM_TRANSFORMS = re.compile(
    r"albumentations\.(\w*Flip|Random\w*|Rotate|ShiftScaleRotate|\w*Jitter|\w*Noise|CoarseDropout|Cutout|Affine|ElasticTransform|HueSaturationValue)$"
)


RANDOM_PICTURES = re.compile(
    r"tensorflow\.(compat\.v\d\.)?image\.(stateless_)?random_(?!crop)\w+$"
    r"|keras\.preprocessing\.image\.(random_\w+|ImageDataGenerator\.random_transform)$"
)
"""Functions that change a picture by chance. Crops are left out: a picture that is too large has to be cut anyhow."""
TURNS_PICTURES = re.compile(
    r"numpy\.(fliplr|flipud|flip|rot90)$|cv2\.(flip|rotate)$|PIL\.ImageOps\.(mirror|flip)$"
    r"|tensorflow\.(image\.(flip_left_right|flip_up_down|rot90)|reverse)$"
)
"""Functions that turn a picture over; by chance where a draw decides whether they run."""
MOVES_PICTURES = re.compile(
    r"cv2\.(warpAffine|warpPerspective|rotate|flip)$|scipy\.ndimage\.(interpolation\.)?(rotate|shift|zoom)$|skimage\.transform\.(rotate|warp)$"
    r"|keras\.preprocessing\.image\.(apply_affine_transform|apply_brightness_shift|apply_channel_shift|ImageDataGenerator\.apply_transform)$"
    r"|tensorflow\.image\.(rot90|adjust_\w+)$|tensorflow_addons\.image\.(rotate|translate)$|imutils\.rotate\w*$"
)
"""Functions that move or shade a picture by what their further arguments say; by chance where these are drawn."""


def drawn_by(name: str) -> DrawKind | None:
    """What kind of draw a call of a function is; layers are told by what they are made of."""
    if _OPERATION.match(name):
        return "operation"
    if _GENERATOR.match(name):
        return "generator"
    if _KERAS_RANDOM.match(name):
        return "layer"
    return "python" if _PYTHON.match(name) else None
