#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pipelines of pitfalls.py again, in Pillow, OpenCV and numpy, with the network in ONNX Runtime's Python package: are the answers those of ridge,
and the divergences of the scores?

    python=$(scripts/fetch_oracles.sh)/bin/python
    $python examples/pitfalls/reference.py FOLDER $(scripts/fetch_evaluation_data.sh)/efficientnet_lite0.onnx

FOLDER is that of run.py. Shares no code with ridge. Exit status 1 where an answer differs, or a mean divergence by more than a thousandth and a millionth of a nat.
"""
import json
import os
import pathlib
import sys

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime reads it when it is imported

import cv2
import numpy as np
import onnxruntime
from PIL import Image

from pitfalls import PITFALLS

MARGIN, SIDE = 256, 224
MEAN, DEVIATION = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])


def rgb(path):
    return Image.open(path).convert("RGB")


def short_side(image, to=MARGIN):
    """Size with the short side `to`, the other rounded down, as torchvision does."""
    width, height = image.size
    return (to, to * height // width) if width <= height else (to * width // height, to)


def pillow(image, method=Image.Resampling.BICUBIC, to=MARGIN):
    return np.asarray(image.resize(short_side(image, to), method))


def opencv(image, method):
    return cv2.resize(np.asarray(image), short_side(image), interpolation=method)


def center(pixels):
    top, left = ((length - SIDE) / 2 for length in pixels.shape[:2])
    top, left = int(round(top)), int(round(left))
    return pixels[top:top + SIDE, left:left + SIDE]


def right_scale(pixels):
    return (pixels.astype(np.float32) - 127) / 128


def right(image):
    return right_scale(center(pillow(image)))


PIPELINES = {  # name: (folder of crops, image -> float32 HWC)
    "base": ("jpeg95", right),
    "png": ("png", right),
    "jpeg75": ("jpeg75", right),
    "pillow_bilinear": ("jpeg95", lambda x: right_scale(center(pillow(x, Image.Resampling.BILINEAR)))),
    "nearest": ("jpeg95", lambda x: right_scale(center(pillow(x, Image.Resampling.NEAREST)))),
    "opencv_area": ("jpeg95", lambda x: right_scale(center(opencv(x, cv2.INTER_AREA)))),
    "opencv_cubic": ("jpeg95", lambda x: right_scale(center(opencv(x, cv2.INTER_CUBIC)))),
    "opencv_linear": ("jpeg95", lambda x: right_scale(center(opencv(x, cv2.INTER_LINEAR)))),
    "no_margin": ("jpeg95", lambda x: right_scale(center(pillow(x, to=SIDE)))),
    "squash": ("jpeg95", lambda x: right_scale(np.asarray(x.resize((SIDE, SIDE), Image.Resampling.BICUBIC)))),
    "corner": ("jpeg95", lambda x: right_scale(pillow(x)[:SIDE, :SIDE])),
    "bgr": ("jpeg95", lambda x: right(x)[:, :, ::-1]),
    "unit_scale": ("jpeg95", lambda x: center(pillow(x)).astype(np.float32) / 255),
    "imagenet": ("jpeg95", lambda x: (center(pillow(x)).astype(np.float32) / 255 - MEAN) / DEVIATION),
    "unscaled": ("jpeg95", lambda x: center(pillow(x)).astype(np.float32)),
    "minus_one": ("jpeg95", lambda x: (center(pillow(x)).astype(np.float32) - 127.5) / 127.5),
}


def scores(session, values):
    x = np.ascontiguousarray(values.transpose(2, 0, 1)[None])
    return session.run(None, {"input": x})[0][0]


def log_softmax(x):
    x = x.astype(np.float64)
    return x - x.max(axis=1, keepdims=True) - np.log(np.exp(x - x.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True))


def mean_divergence(first, second):
    """Kullback and Leibler's, of scores."""
    p, q = log_softmax(first), log_softmax(second)
    return float((np.exp(p) * (p - q)).sum(axis=1).mean())


def divergences(folder):
    """By ridge: {name of the pipeline: mean divergence from the base}."""
    names = {p.change: p.name for group in PITFALLS.values() for p in group}
    document = json.loads((folder / "compare.json").read_text())
    return {names[document["runs"][d["run"]]["label"]]: d["outputs"][0]["kl"]["value"] for d in document["differences"]}


def main(folder, model):
    cv2.ipp.setUseIPP(False)  # with it, bicubic differs by up to 1
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    others, base, by_ridge = 0, None, divergences(folder)
    for name, (crops, pipeline) in PIPELINES.items():
        ours = json.loads((folder / f"{name}.json").read_text())["points"][0]["accuracy"]["predicted"]
        paths = sorted((folder / "crops" / crops).iterdir())
        outputs = np.stack([scores(session, pipeline(rgb(path))) for path in paths])
        theirs = outputs.argmax(axis=1)
        differ = [path.name for path, a, b in zip(paths, ours, theirs) if a != b]
        others += len(differ) + abs(len(ours) - len(theirs))
        base = outputs if base is None else base
        mean, shown = mean_divergence(base, outputs), by_ridge.get(name, 0)
        far = abs(mean - shown) > 1e-3 * mean + 1e-6
        others += far
        print(f"{name:16} {len(theirs) - len(differ)} of {len(ours)} answers equal, divergence {mean:.6f}, by ridge {shown:.6f} {' '.join(differ)}".rstrip(),
              flush=True)
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2]) if len(sys.argv) == 3 else __doc__)
