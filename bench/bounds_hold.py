#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is every bound a bound? Random small models of operators that slide windows or move data, each profiled in a process of its own.

    bench/bounds_hold.py build/ridge [--models 500] [--operators 1] [--seed 1] [--runtime ort] [--threads 1] [--budget 0.1]

A model is one operator, or several side by side, of random sizes and attributes: strides over the kernel, dilations into the padding, slices with
steps, gathers of few rows. A bound is broken where the upper end of a layer's 95 % interval lies below it. Each such layer is tried twice more,
since one interval in forty lies too low; it counts where it is broken each time. Of a layer below the profiler's resolution only the resolution is known, which is the
upper end of its interval: its bound must not be above that, and it has no share of its bound. Exit status 1 where any is. Standard library
only; the same seed gives the same models.
"""
import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

from large_model import field, number, value

FLOAT, INT64 = 1, 7


def attribute(name, given):
    """Integers, texts, floats or lists of integers."""
    if isinstance(given, str):
        return field(5, field(1, name) + field(4, given) + number(20, 3))
    if isinstance(given, float):
        return field(5, field(1, name) + b"\x15" + struct.pack("<f", given) + number(20, 1))
    if isinstance(given, int):
        return field(5, field(1, name) + number(3, given) + number(20, 2))
    return field(5, field(1, name) + b"".join(number(8, i) for i in given) + number(20, 7))


def tensor(name, dims, elements, kind=INT64):
    raw = struct.pack(f"<{len(elements)}{'q' if kind == INT64 else 'f'}", *elements)
    return field(5, b"".join(number(1, d) for d in dims) + number(2, kind) + field(8, name) + field(9, raw))


class Model:
    """One operator `op` over inputs x, x2, ... and constants."""

    def __init__(self, op, inputs, attributes=None, constants=(), outputs=("y",), order=None):
        self.op, self.inputs, self.attributes = op, inputs, attributes or {}
        self.constants, self.outputs = constants, outputs
        self.order = order or list(inputs) + [c[0] for c in constants]

    def __str__(self):
        return f"{self.op} of {list(self.inputs.values())} {self.attributes} {[(c[0], c[1]) for c in self.constants]}"

    def parts(self, prefix):
        """Node, constants, inputs and outputs of the graph, each name with the prefix."""
        def named(name):
            return prefix + name if name else ""

        node = b"".join(field(1, named(n)) for n in self.order) + b"".join(field(2, named(o)) for o in self.outputs)
        node += field(3, prefix + "it") + field(4, self.op) + b"".join(attribute(k, v) for k, v in self.attributes.items())
        constants = b"".join(tensor(named(c[0]), *c[1:]) for c in self.constants)
        inputs = b"".join(field(11, value(named(n), d)) for n, d in self.inputs.items())
        return field(1, node), constants + inputs + b"".join(field(12, field(1, named(o)) + field(2, field(1, number(1, 1)))) for o in self.outputs)


def model_of(operators):
    parts = [operator.parts(f"o{i}_") for i, operator in enumerate(operators)]
    graph = b"".join(node for node, _ in parts) + field(2, "g") + b"".join(rest for _, rest in parts)
    return number(1, 8) + field(7, graph) + field(8, field(1, "") + number(2, 17))


def weight(r, name, dims):
    count = 1
    for d in dims:
        count *= d
    return (name, dims, [r.uniform(-1, 1) for _ in range(min(count, 64))] * (count // min(count, 64)) + [0.5] * (count % min(count, 64)), FLOAT)


def window(r, spatial, poolish):
    """Sizes and attributes of a window that fits."""
    while True:
        size = [1024 if spatial < 3 else 96] * spatial
        if r.random() < 0.6:
            size = [r.choice([8, 14, 28, 56, 112, 200, 512][: 7 if spatial < 3 else 4]) for _ in range(spatial)]
        kernel = [r.choice([1, 1, 2, 3, 5]) for _ in range(spatial)]
        stride = [r.choice([1, 1, 2, 3, 16]) for _ in range(spatial)]
        dilation = [1 if r.random() < 0.5 else r.choice([2, 6, 12, 24]) for _ in range(spatial)]
        if poolish:
            dilation = [1] * spatial
            pads = [r.randrange(0, k) for k in kernel] * 2
        else:
            pads = [(k - 1) * d // 2 if r.random() < 0.7 else 0 for k, d in zip(kernel, dilation)] * 2
        if all(s + 2 * p >= (k - 1) * d + 1 for s, p, k, d in zip(size, pads, kernel, dilation)):
            return size, {"kernel_shape": kernel, "strides": stride, "pads": pads}, dilation


def convolution(r):
    size, given, dilation = window(r, r.choice([1, 2, 2, 3]), False)
    group = r.choice([1, 1, 1, 4])
    inside, out = r.choice([4, 16, 64]), r.choice([4, 16, 64])
    given.update(dilations=dilation, group=group)
    return Model("Conv", {"x": [1, inside] + size}, given, [weight(r, "w", [out, inside // group] + given["kernel_shape"])])


def transposed(r):
    size = [r.choice([4, 8, 14, 28]) for _ in range(2)]
    kernel = [r.choice([1, 2, 3, 5]) for _ in range(2)]
    pads = [r.randrange(0, (k + 1) // 2) for k in kernel] * 2
    inside, out = r.choice([4, 16, 64]), r.choice([4, 16, 32])
    return Model("ConvTranspose", {"x": [1, inside] + size}, {"strides": [r.choice([1, 2, 3]) for _ in range(2)], "pads": pads},
                 [weight(r, "w", [inside, out] + kernel)])


def pooling(r):
    op = r.choice(["MaxPool", "MaxPool", "AveragePool", "LpPool"])
    size, given, _ = window(r, r.choice([1, 2, 2, 3]), True)
    return Model(op, {"x": [1, r.choice([1, 3, 16, 64])] + size}, given)


def shape(r, rank=None):
    rank = rank or r.choice([2, 3, 4, 4])
    return [1 if rank == 4 else r.choice([2, 16])] + [r.choice([4, 16, 56, 128, 256][: 5 if rank < 4 else 4]) for _ in range(rank - 1)]


def normalization(r):
    return Model("LRN", {"x": shape(r, 4)}, {"size": r.choice([3, 5])})


def resize(r):
    x = [1, r.choice([1, 3, 32]), r.choice([16, 128, 512]), r.choice([16, 128, 512])]
    to = x[:2] + [max(1, int(d * r.choice([0.0625, 0.25, 0.5, 2]))) for d in x[2:]]
    mode = r.choice(["nearest", "nearest", "linear"])
    given = {"mode": mode, "coordinate_transformation_mode": r.choice(["asymmetric", "half_pixel", "align_corners"])}
    if mode == "nearest":
        given["nearest_mode"] = r.choice(["floor", "ceil", "round_prefer_floor"])
    return Model("Resize", {"x": x}, given, [("to", [4], to)], order=["x", "", "", "to"])


def slicing(r):
    x = shape(r)
    steps = [r.choice([1, 1, 2, 16]) for _ in x]
    starts = [r.randrange(0, d) if d > 4 and r.random() < 0.3 else 0 for d in x]
    n = [len(x)]
    return Model("Slice", {"x": x}, {}, [("s", n, starts), ("e", n, x), ("a", n, list(range(len(x)))), ("t", n, steps)])


def gather(r):
    x = shape(r)
    axis = r.randrange(len(x))
    count = r.choice([1, 4, 64])
    return Model("Gather", {"x": x}, {"axis": axis}, [("i", [count], [r.randrange(x[axis]) for _ in range(count)])])


def gather_elements(r):
    x = shape(r, 2)
    i = [r.choice([1, 8, x[0]]), x[1]]
    return Model("GatherElements", {"x": x}, {"axis": 0}, [("i", i, [r.randrange(x[0]) for _ in range(i[0] * i[1])])])


def gather_nd(r):
    x = shape(r, 3)
    count = r.choice([1, 16, 256])
    return Model("GatherND", {"x": x}, {}, [("i", [count, 2], [r.randrange(x[k]) for _ in range(count) for k in (0, 1)])])


def scatter_nd(r):
    x = shape(r, 3)
    count = r.choice([1, 4])
    return Model("ScatterND", {"x": x, "u": [count] + x[1:]}, {}, [("i", [count, 1], [r.randrange(x[0]) for _ in range(count)])], order=["x", "i", "u"])


def pad(r):
    x = shape(r)
    amounts = [r.choice([0, 0, 1, 3]) for _ in range(2 * len(x))]
    if x[-1] > 4:
        amounts[len(x) - 1] = -r.randrange(0, x[-1] - 1)
    return Model("Pad", {"x": x}, {}, [("p", [len(amounts)], amounts)])


def concat(r):
    x = shape(r)
    axis = r.randrange(len(x))
    n = r.choice([1, 2, 3, 8])
    return Model("Concat", {f"x{i}": x for i in range(n)}, {"axis": axis})


def split(r):
    x = shape(r)
    axis = r.randrange(1, len(x))
    return Model("Split", {"x": x}, {"axis": axis}, outputs=("y", "z"))


def transpose(r):
    x = shape(r)
    return Model("Transpose", {"x": x}, {"perm": r.sample(range(len(x)), len(x))})


def tile(r):
    x = shape(r, 3)
    return Model("Tile", {"x": x}, {}, [("n", [3], [r.choice([1, 1, 2, 4]) for _ in x])])


def expand(r):
    x = shape(r, 3)
    small = [d if r.random() < 0.5 else 1 for d in x]
    return Model("Expand", {"x": small}, {}, [("n", [3], x)])


def blocks(r):
    block = r.choice([2, 4])
    x = [1, 4 * block * block, r.choice([8, 32, 64]), r.choice([8, 32, 64])]
    return Model(r.choice(["DepthToSpace", "SpaceToDepth"]), {"x": x}, {"blocksize": block})


def triangle(r):
    return Model("Trilu", {"x": shape(r, 3)}, {"upper": r.choice([0, 1])})


KINDS = [convolution, transposed, pooling, pooling, normalization, resize, slicing, gather, gather_elements, gather_nd, scatter_nd, pad, concat, split,
         transpose, tile, expand, blocks, triangle]


def profile(a, path):
    command = [a.ridge, "profile", path, "--runtime", a.runtime, "--threads", str(a.threads), "--processes", "1", "--budget", str(a.budget), "--format", "json"]
    run = subprocess.run(command, capture_output=True, text=True)
    return (json.loads(run.stdout), "") if run.returncode == 0 else (None, run.stderr.strip().split("\n")[0])


def broken(document):
    return [l for l in document["layers"] if l["bound_ns"] is not None and l["corrected_ci95"][1] < l["bound_ns"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ridge")
    parser.add_argument("--models", type=int, default=500)
    parser.add_argument("--operators", type=int, default=1, help="of one model")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runtime", default="ort")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--budget", type=float, default=0.1)
    a = parser.parse_args()
    r = random.Random(a.seed)
    layers = beaten = refused = brief = 0
    shares, kinds = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for i in range(a.models):
            operators = [KINDS[(i * a.operators + k) % len(KINDS)](r) for k in range(a.operators)]
            path = os.path.join(folder, "m.onnx")
            with open(path, "wb") as f:
                f.write(model_of(operators))
            suspects = None  # layers that were broken in each attempt so far
            for attempt in range(3):
                document, error = profile(a, path)
                if not document:
                    break
                found = {l["name"]: l for l in broken(document)}
                suspects = found if suspects is None else {n: l for n, l in found.items() if n in suspects}
                if attempt == 0:
                    layers += len(document["layers"])
                    for layer in document["layers"]:
                        kinds[layer["bound"]] = kinds.get(layer["bound"], 0) + 1
                        shares.append(layer["roof_share"] or 0)
                        brief += layer["below_resolution"]
                        if layer["below_resolution"] and layer["roof_share"] is not None:
                            beaten += 1
                            print(f"broken: model {i}: {layer['name']} is below the resolution and has a share of its bound", flush=True)
                if not suspects:
                    break
            if error:
                refused += 1
                print(f"refused: model {i}, {', '.join(map(str, operators))}: {error}", flush=True)
            for l in (suspects or {}).values():
                beaten += 1
                print(f"broken: model {i}, {', '.join(map(str, operators))}: {l['name']} {l['type']} took at most {l['corrected_ci95'][1]:.0f} ns,"
                      f" bound {l['bound_ns']:.0f} ns ({l['bound']}, {l['implementation']})", flush=True)
    print(f"{a.runtime}, {a.threads} thread(s), seed {a.seed}: {a.models} models, {refused} refused, {layers} layers, "
          f"{brief} of them below the resolution, {beaten} below their bound;"
          f" bounds {kinds}, roof_share at most {max(shares, default=0):.2f}; load {os.getloadavg()[0]:.1f}")
    return 1 if beaten or layers == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
