# SPDX-License-Identifier: Apache-2.0
"""Pipelines of zoo:efficientnet_lite0 for `ridge eval --data FOLDER --steps STEPS`: the right one, and copies of it with one mistake each."""
import dataclasses

RIGHT = {"decode": "decode(rgb)", "resize": "resize(256, short, bicubic, pillow)", "crop": "crop(224)",
         "normalize": "normalize(mean=[127], std=[128])", "layout": "layout(nchw)"}


@dataclasses.dataclass
class Pipeline:
    name: str  # of its document
    change: str  # for readers
    crops: str = "jpeg95"  # folder of crops.py
    changed: dict = dataclasses.field(default_factory=dict)  # steps other than the right ones; "" leaves one out
    runtime: str = "ort"

    @property
    def steps(self):
        return " ".join(step for step in (RIGHT | self.changed).values() if step)


BASE = Pipeline("base", "the right pipeline")

PITFALLS = {
    "File and decoder": [
        Pipeline("png", "lossless files instead of JPEG of quality 95", crops="png"),
        Pipeline("jpeg75", "JPEG of quality 75 instead of 95", crops="jpeg75"),
        Pipeline("ifast", "fast inverse DCT", changed={"decode": "decode(rgb, ifast)"}),
        Pipeline("box", "chroma repeated instead of interpolated", changed={"decode": "decode(rgb, box)"}),
    ],
    "Resizing": [
        Pipeline("pillow_bilinear", "Pillow, bilinear instead of bicubic", changed={"resize": "resize(256, short, bilinear, pillow)"}),
        Pipeline("opencv_area", "OpenCV, area", changed={"resize": "resize(256, short, area, opencv)"}),
        Pipeline("opencv_cubic", "OpenCV, bicubic: not antialiased", changed={"resize": "resize(256, short, cubic, opencv)"}),
        Pipeline("opencv_linear", "OpenCV, bilinear (its default)", changed={"resize": "resize(256, short, linear, opencv)"}),
        Pipeline("half_pixel", "TensorFlow 2, ONNX: bilinear, half-pixel", changed={"resize": "resize(256, short, linear, half_pixel)"}),
        Pipeline("asymmetric", "TensorFlow 1: bilinear, asymmetric", changed={"resize": "resize(256, short, linear, asymmetric)"}),
        Pipeline("align_corners", "TensorFlow 1: bilinear, align_corners", changed={"resize": "resize(256, short, linear, align_corners)"}),
        Pipeline("nearest", "nearest neighbor", changed={"resize": "resize(256, short, nearest, pillow)"}),
    ],
    "Part of the image": [
        Pipeline("no_margin", "short side to 224: no margin cropped", changed={"resize": "resize(224, short, bicubic, pillow)"}),
        Pipeline("squash", "squashed to 224 x 224 instead of cropped", changed={"resize": "resize(224, bicubic, pillow)", "crop": ""}),
        Pipeline("corner", "crop at the top left instead of the center", changed={"crop": "crop(224, top_left)"}),
    ],
    "Colors and scale": [
        Pipeline("bgr", "BGR instead of RGB", changed={"decode": "decode(bgr)"}),
        Pipeline("unit_scale", "values from 0 to 1: x / 255 alone", changed={"normalize": "normalize(divide=255)"}),
        Pipeline("imagenet", "ImageNet's mean and deviation, as torchvision",
                 changed={"normalize": "normalize(divide=255, mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225])"}),
        Pipeline("unscaled", "values from 0 to 255", changed={"normalize": "cast(float32)"}),
        Pipeline("minus_one", "(x - 127.5) / 127.5 for (x - 127) / 128", changed={"normalize": "normalize(mean=[127.5], std=[127.5])"}),
    ],
    "Runtime": [
        Pipeline("openvino", "OpenVINO instead of ONNX Runtime", runtime="openvino"),
    ],
}
