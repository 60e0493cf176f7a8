#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs image code of manifests, for comparison with the steps that stand for it.

    run_steps_oracle.py FOLDER IMAGE...

FOLDER has NAME.py with code that defines preprocess(ctx, data). For each code and image, writes NAME.I.bin with the elements of the
result, where I counts the images, and prints NAME I TYPE ELEMENTS. OpenCV, Pillow and NumPy compute; of torchvision, which is not at
hand, the four transforms that manifests use are here, as torchvision.transforms defines them over Pillow's images.
"""
import pathlib
import sys
import types

import cv2
import numpy as np
from PIL import Image

cv2.ipp.setUseIPP(False)


class Resize:
    def __init__(self, size):
        self.size = size

    def __call__(self, image):
        if isinstance(self.size, tuple):
            return image.resize(self.size[::-1], Image.BILINEAR)
        w, h = image.size
        if w < h:
            size = (self.size, int(self.size * h / w))
        else:
            size = (int(self.size * w / h), self.size)
        return image.resize(size, Image.BILINEAR)


class CenterCrop:
    def __init__(self, size):
        self.size = size

    def __call__(self, image):
        w, h = image.size
        top, left = int(round((h - self.size) / 2.0)), int(round((w - self.size) / 2.0))
        return image.crop((left, top, left + self.size, top + self.size))


class Tensor:
    def __init__(self, values):
        self.values = values

    def numpy(self):
        return self.values


class ToTensor:
    def __call__(self, image):
        return Tensor(np.asarray(image).transpose(2, 0, 1).astype(np.float32) / np.float32(255))


class Normalize:
    def __init__(self, mean, std):
        self.mean = np.array(mean, dtype=np.float32)[:, None, None]
        self.std = np.array(std, dtype=np.float32)[:, None, None]

    def __call__(self, tensor):
        return Tensor((tensor.values - self.mean) / self.std)


class Compose:
    def __init__(self, all):
        self.all = all

    def __call__(self, value):
        for one in self.all:
            value = one(value)
        return value


def shim_torchvision():
    transforms = types.ModuleType("torchvision.transforms")
    for one in (Resize, CenterCrop, ToTensor, Normalize, Compose):
        setattr(transforms, one.__name__, one)
    torchvision = types.ModuleType("torchvision")
    torchvision.transforms = transforms
    sys.modules.setdefault("torchvision", torchvision)
    sys.modules.setdefault("torchvision.transforms", transforms)


def main():
    folder, images = pathlib.Path(sys.argv[1]), sys.argv[2:]
    shim_torchvision()
    for case in sorted(folder.glob("*.py")):
        names = {"dataset": images, "np": np, "cv2": cv2, "Image": Image}
        exec(case.read_text(), names)  # code of the tests
        for i in range(len(images)):
            found = np.ascontiguousarray(names["preprocess"](None, i))
            (folder / f"{case.stem}.{i}.bin").write_bytes(found.tobytes())
            print(case.stem, i, found.dtype, found.size)


main()
