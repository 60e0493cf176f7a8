#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the digits network on the 8,000 training digits, and scores it on the 2,000 held-out ones.

    examples/digits/train.py train DATA/digits digits.onnx     needs numpy
    examples/digits/train.py score DATA/digits digits.onnx     needs numpy and onnxruntime

DATA is the folder that scripts/fetch_evaluation_data.sh prints; the packages are those of requirements.txt. Training is seeded and runs on one thread, so that
it writes the same file again on the same machine (numpy's matrix products differ between processors). `train` never opens the held-out digits' part of
the arrays; with --validate it also leaves out the last 1,000 training digits and prints their accuracy, as was done to choose the constants below.

The network, for images [N, 28, 28, 1] (channels last here, first in the file):
    conv 3x3, 8 -> ReLU -> max pool 2x2 -> conv 3x3, 16 -> ReLU -> max pool 2x2 -> 784 -> 64 -> ReLU -> 10
"""
import math
import os
import pathlib
import sys

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime reads it when it is imported

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import onnx_file

SEED = 20
TRAINING, VALIDATION = 8_000, 1_000
EPOCHS, BATCH = 40, 50
RATE, DECAY = 2e-3, 1e-4           # of AdamW, the rate falling to 0 along a cosine
SHIFT, TURN, ZOOM = 2.0, 0.20, 0.12  # pixels, radians, share: distortions of training digits, uniform
SHAPES = {"conv1.weight": (9, 8), "conv2.weight": (72, 16), "fc1.weight": (784, 64), "fc2.weight": (64, 10)}


def initial(random):
    """He et al. 2015: variance 2 / inputs, biases 0."""
    weights = {}
    for name, (inputs, outputs) in SHAPES.items():
        weights[name] = random.normal(0, math.sqrt(2 / inputs), (inputs, outputs)).astype(np.float32)
        weights[name.replace("weight", "bias")] = np.zeros(outputs, np.float32)
    return weights


def distorted(images, random):
    """Each image turned, zoomed and shifted about its center by amounts of its own; bilinear, zero outside."""
    n, side = len(images), images.shape[1]
    turn, zoom = random.uniform(-TURN, TURN, n), 1 + random.uniform(-ZOOM, ZOOM, n)
    shift = random.uniform(-SHIFT, SHIFT, (2, n, 1, 1))
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    cos, sin = (np.cos(turn) / zoom)[:, None, None], (np.sin(turn) / zoom)[:, None, None]
    at = [cos * y - sin * x + shift[0] + (side - 1) / 2 + 1, sin * y + cos * x + shift[1] + (side - 1) / 2 + 1]
    at = [np.clip(a, 0, side + 0.999) for a in at]
    low = [a.astype(int) for a in at]
    part = [(a - i).astype(np.float32) for a, i in zip(at, low)]
    padded = np.pad(images, ((0, 0), (1, 2), (1, 2)))
    which = np.arange(n)[:, None, None]
    top = padded[which, low[0], low[1]] * (1 - part[1]) + padded[which, low[0], low[1] + 1] * part[1]
    below = padded[which, low[0] + 1, low[1]] * (1 - part[1]) + padded[which, low[0] + 1, low[1] + 1] * part[1]
    return top * (1 - part[0]) + below * part[0]


def windows(x):
    """3x3 windows, padded by zeros: [N, H, W, C] -> [N * H * W, C * 9]."""
    view = np.lib.stride_tricks.sliding_window_view(np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0))), (3, 3), (1, 2))
    return view.reshape(-1, x.shape[3] * 9)


def pooled(x):
    """Maximum of each 2x2 square, and which of the four it is."""
    n, h, w, c = x.shape
    squares = x.reshape(n, h // 2, 2, w // 2, 2, c).transpose(0, 1, 3, 5, 2, 4).reshape(n, h // 2, w // 2, c, 4)
    where = squares.argmax(4)
    return np.take_along_axis(squares, where[..., None], 4)[..., 0], where


def unpooled(gradient, where):
    n, h, w, c = gradient.shape
    squares = np.zeros((n, h, w, c, 4), np.float32)
    np.put_along_axis(squares, where[..., None], gradient[..., None], 4)
    return squares.reshape(n, h, w, c, 2, 2).transpose(0, 1, 4, 2, 5, 3).reshape(n, 2 * h, 2 * w, c)


def forward(w, images):
    """Scores, and what the gradients need."""
    kept, x = {}, images[..., None]
    for layer in ("conv1", "conv2"):
        kept[layer] = windows(x)
        y = (kept[layer] @ w[f"{layer}.weight"] + w[f"{layer}.bias"]).reshape(*x.shape[:3], -1)
        kept[f"{layer}.relu"] = y > 0
        x, kept[f"{layer}.pool"] = pooled(np.maximum(y, 0))
    kept["fc1"] = x.reshape(len(x), -1)
    kept["fc2"] = np.maximum(kept["fc1"] @ w["fc1.weight"] + w["fc1.bias"], 0)
    return kept["fc2"] @ w["fc2.weight"] + w["fc2.bias"], kept


def gradients(w, images, labels):
    """Those of the mean cross entropy."""
    scores, kept = forward(w, images)
    shares = np.exp(scores - scores.max(1, keepdims=True))
    shares /= shares.sum(1, keepdims=True)
    shares[np.arange(len(labels)), labels] -= 1
    g, out = shares / np.float32(len(labels)), {}
    for layer in ("fc2", "fc1"):
        out[f"{layer}.weight"], out[f"{layer}.bias"] = kept[layer].T @ g, g.sum(0)
        g = g @ w[f"{layer}.weight"].T
        if layer == "fc2":
            g *= kept["fc2"] > 0
    g = g.reshape(len(images), 7, 7, 16)
    for layer in ("conv2", "conv1"):
        g = unpooled(g, kept[f"{layer}.pool"]) * kept[f"{layer}.relu"]
        flat = g.reshape(-1, g.shape[3])
        out[f"{layer}.weight"], out[f"{layer}.bias"] = kept[layer].T @ flat, flat.sum(0)
        if layer == "conv2":
            n, h, width, _ = g.shape
            squares = (flat @ w["conv2.weight"].T).reshape(n, h, width, 8, 3, 3)
            padded = np.zeros((n, h + 2, width + 2, 8), np.float32)
            for i in range(3):
                for j in range(3):
                    padded[:, i:i + h, j:j + width] += squares[..., i, j]
            g = padded[:, 1:-1, 1:-1]
    return out


def trained(images, labels):
    """AdamW (Loshchilov and Hutter 2019) with beta 0.9 and 0.999."""
    random = np.random.Generator(np.random.PCG64(SEED))
    w = initial(random)
    mean, square = ({k: np.zeros_like(v) for k, v in w.items()} for _ in range(2))
    steps, step = EPOCHS * (len(images) // BATCH), 0
    for epoch in range(EPOCHS):
        order, loss_digits = random.permutation(len(images)), 0
        for at in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[at:at + BATCH]
            out = gradients(w, distorted(images[chosen], random), labels[chosen])
            rate = RATE * (1 + math.cos(math.pi * step / steps)) / 2
            step += 1
            for k, g in out.items():
                mean[k] = 0.9 * mean[k] + 0.1 * g
                square[k] = 0.999 * square[k] + 0.001 * g * g
                update = (mean[k] / (1 - 0.9**step)) / (np.sqrt(square[k] / (1 - 0.999**step)) + 1e-8)
                w[k] -= np.float32(rate) * (update + np.float32(DECAY) * w[k])
        print(f"epoch {epoch + 1} of {EPOCHS}", file=sys.stderr)
    return w


def onnx_of(w):
    """The content of the file. There channels come first: weights [out, in, 3, 3], and fc1 reads [16, 7, 7]."""
    stored = dict(w)
    for name, (inputs, outputs) in SHAPES.items():
        stored[name] = w[name].T.reshape(outputs, inputs // 9, 3, 3) if name.startswith("conv") else w[name].T
    stored["fc1.weight"] = stored["fc1.weight"].reshape(64, 7, 7, 16).transpose(0, 3, 1, 2).reshape(64, 784)
    tensors = [onnx_file.tensor(name, v.shape, np.ascontiguousarray(v, "<f4").tobytes()) for name, v in stored.items()]
    nodes, x = [], "input"
    for layer in ("conv1", "conv2"):
        for operator, more, attributes in (("Conv", [f"{layer}.weight", f"{layer}.bias"], {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}),
                                           ("Relu", [], {}), ("MaxPool", [], {"kernel_shape": [2, 2], "strides": [2, 2]})):
            name = f"/{layer}/{operator}"
            nodes.append(onnx_file.node(operator, [x, *more], [f"{name}_output_0"], name, **attributes))
            x = f"{name}_output_0"
    nodes += [onnx_file.node("Flatten", [x], ["flat"], "/Flatten", axis=1),
              onnx_file.node("Gemm", ["flat", "fc1.weight", "fc1.bias"], ["hidden"], "/fc1/Gemm", transB=1),
              onnx_file.node("Relu", ["hidden"], ["active"], "/fc1/Relu"),
              onnx_file.node("Gemm", ["active", "fc2.weight", "fc2.bias"], ["output"], "/fc2/Gemm", transB=1)]
    return onnx_file.model("digits", nodes, tensors, [onnx_file.value("input", ["batch", 1, 28, 28])], [onnx_file.value("output", ["batch", 10])])


def wilson(right, n, z=1.959964):
    """95 % interval of a proportion (Wilson 1927)."""
    p, middle = right / n, (right + z * z / 2) / (n + z * z)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return middle - half, middle + half


def report(right, n, what):
    low, high = wilson(right, n)
    print(f"{right} of {n} {what} digits: {100 * right / n:.2f} % (95 % interval {100 * low:.2f} to {100 * high:.2f})")


def main(verb, data, path, validate):
    part = slice(0, TRAINING) if verb == "train" else slice(TRAINING, None)
    images = np.load(data / "images.npy", mmap_mode="r")[part].astype(np.float32) / 255
    labels = np.loadtxt(data / "labels.txt", int)[part]
    if verb == "score":
        import onnxruntime
        session = onnxruntime.InferenceSession(path)
        report(int((session.run(None, {"input": images[:, None]})[0].argmax(1) == labels).sum()), len(labels), "held-out")
        return
    used = TRAINING - (VALIDATION if validate else 0)
    weights = trained(images[:used], labels[:used])
    path.write_bytes(onnx_of(weights))
    if validate:
        report(int((forward(weights, images[used:])[0].argmax(1) == labels[used:]).sum()), VALIDATION, "validation")


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if a != "--validate"]
    if len(arguments) != 3 or arguments[0] not in ("train", "score"):
        sys.exit(__doc__)
    main(arguments[0], pathlib.Path(arguments[1]), pathlib.Path(arguments[2]), "--validate" in sys.argv)
