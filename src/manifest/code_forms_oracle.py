#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs image code and the steps that were recognized in it, and compares the tensors bit by bit.

    code_forms_oracle.py FOLDER

FOLDER has NAME.py with the code and NAME.steps with one step per line. The steps are computed here with NumPy and OpenCV's resize, by
the definitions of code_forms.h. Prints one line per case: NAME equal, or NAME and what differs.
"""
import pathlib
import re
import sys

import cv2
import numpy as np

METHODS = {"opencv_area": cv2.INTER_AREA, "opencv_linear": cv2.INTER_LINEAR}


def write_images(folder):
    """Images whose sides leave odd margins, portrait and landscape; smooth, so that resizing matters."""
    random = np.random.default_rng(1)
    paths = []
    for height, width in [(375, 500), (601, 333), (480, 640)]:
        coarse = random.integers(0, 256, (height // 8 + 1, width // 8 + 1, 3), dtype=np.uint8)
        paths.append(str(folder / f"{height}.png"))
        cv2.imwrite(paths[-1], cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC))
    return paths


def numbers(text, kind):
    return np.array([float(x) for x in text.split(",")]).astype(kind)


def resized(image, p):
    height, width = image.shape[:2]
    if "short" in p:
        n = int(p["short"])
        size = (n, int(n * height / width)) if height > width else (int(n * width / height), n)
    else:
        size = (int(p["width"]), int(p["height"]))
    return cv2.resize(image, size, interpolation=METHODS[p["method"]])


def cropped(image, p):
    height, width = int(p["height"]), int(p["width"])
    top, left = (image.shape[0] - height) // 2, (image.shape[1] - width) // 2
    return image[top:top + height, left:left + width]


def normalized(image, p):
    kind = np.dtype(p["arithmetic"])
    x = image.astype(kind)
    if "divide" in p:
        x = x / numbers(p["divide"], kind)
    if "mean" in p:
        x = x - numbers(p["mean"], kind)
    if "std" in p:
        x = x / numbers(p["std"], kind)
    return x.astype(np.float32)


def run(steps, path):
    image = None
    for step in steps:
        name, arguments = re.fullmatch(r"(\w+)(?:\((.*)\))?", step).groups()
        p = {key: value.strip("[]") for key, value in re.findall(r"(\w+)=(\[[^]]*\]|[^,]*)", arguments or "")}
        if name == "decode":
            image = cv2.imread(path)
            if p["color_mode"] == "RGB":
                image = np.ascontiguousarray(image[:, :, ::-1])
        elif name == "resize":
            image = resized(image, p)
        elif name == "crop":
            image = cropped(image, p)
        elif name == "cast":
            image = image.astype(p["type"])
        elif name == "normalize":
            image = normalized(image, p)
        elif name == "layout":
            image = image.transpose(2, 0, 1) if p["order"] == "CHW" else image
    return image


def compare(code, steps, paths):
    names = {"dataset": paths, "np": np, "cv2": cv2}
    exec(code, names)  # code of the tests, not of a user
    for i, path in enumerate(paths):
        expected, found = np.asarray(names["preprocess"](None, i)), run(steps, path)
        if expected.dtype != found.dtype or expected.shape != found.shape:
            return f"{expected.dtype}{expected.shape} {found.dtype}{found.shape}"
        if not np.array_equal(expected, found):
            return f"differs by {np.abs(expected.astype(float) - found.astype(float)).max()}"
    return "equal"


def main():
    folder = pathlib.Path(sys.argv[1])
    paths = write_images(folder)
    for case in sorted(folder.glob("*.py")):
        steps = case.with_suffix(".steps").read_text().splitlines()
        print(case.stem, compare(case.read_text(), steps, paths))


main()
