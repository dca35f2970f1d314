"""The numbers that the ImageNet weights of `keras.applications` were trained on.

Read from the sources of Keras 3.15 and tf-keras 2.21: the mode of each `preprocess_input`, and the models that begin with a `Rescaling`.
"""

from __future__ import annotations

from typing import Literal

Inputs = Literal["own", "centred", "caffe", "torch"]
"""*own*: 0 to 255, which the model scales itself; *centred*: -1 to 1; *caffe*: 0 to 255 in BGR, less the mean of ImageNet; *torch*: 0 to 1, less
the mean and divided by the deviation."""
_OWN = (
    *(f"EfficientNetB{number}" for number in range(8)),
    *(f"EfficientNetV2{size}" for size in ("B0", "B1", "B2", "B3", "S", "M", "L")),
    *(f"ConvNeXt{size}" for size in ("Tiny", "Small", "Base", "Large", "XLarge")),
    "MobileNetV3Small", "MobileNetV3Large",
)  # fmt: skip
_CENTRED = (
    "MobileNet", "MobileNetV2", "InceptionV3", "InceptionResNetV2", "Xception", "NASNetMobile", "NASNetLarge", "ResNet50V2", "ResNet101V2",
    "ResNet152V2",
)  # fmt: skip
_CAFFE = ("VGG16", "VGG19", "ResNet50", "ResNet101", "ResNet152")
_TORCH = ("DenseNet121", "DenseNet169", "DenseNet201")
PRETRAINED: dict[str, Inputs] = {
    **dict.fromkeys(_OWN, "own"),
    **dict.fromkeys(_CENTRED, "centred"),
    **dict.fromkeys(_CAFFE, "caffe"),
    **dict.fromkeys(_TORCH, "torch"),
}
"""By the name of the class."""
