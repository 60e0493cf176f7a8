#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cases for the tests of pipelines, computed by the packages of scripts/fetch_oracles.sh.

    oracle.py FILE KIND SEED [PHOTO...]

FILE gets, per case, a line of words, '|' and the lengths of the blobs that follow. PHOTO are image files to use beside random images.
"""
import io
import os
import random
import sys

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime reads it when it is imported

import numpy as np


class Cases:
    def __init__(self, path, seed, photos):
        self.file = open(path, "wb")
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.photos = photos

    def write(self, *words, blobs):
        blobs = [b if isinstance(b, bytes) else np.ascontiguousarray(b).tobytes() for b in blobs]
        line = " ".join(map(str, [*words, "|", *map(len, blobs)]))
        self.file.write(line.encode() + b"\n")
        for blob in blobs:
            self.file.write(blob)

    def noise(self, width, height, channels):
        return self.numbers.integers(0, 256, (height, width, channels), dtype=np.uint8)

    def smooth(self, width, height, channels):
        """Waves with some noise, so that JPEG files of it are typical."""
        y, x = np.mgrid[0:height, 0:width].astype(np.float64)
        planes = []
        for _ in range(channels):
            a, b, c, d = self.numbers.uniform(0.02, 0.6, 4)
            planes.append(127 + 70 * np.sin(a * x + b * y) + 40 * np.cos(c * x - d * y))
        noise = self.numbers.normal(0, 6, (height, width, channels))
        return np.clip(np.stack(planes, 2) + noise, 0, 255).astype(np.uint8)

    def side(self, most=97):
        return self.random.randint(1, most)

    def photo_arrays(self):
        from PIL import Image
        for path in self.photos:
            yield np.asarray(Image.open(path).convert("RGB"))


def images_to_resize(cases, count):
    """Pairs of an image and a target size, up and down, odd sizes, gray and RGB."""
    for i in range(count):
        channels = (1, 3)[i % 2]
        make = cases.noise if i % 3 else cases.smooth
        image = make(cases.side(), cases.side(), channels)
        target = (cases.side(), cases.side())
        if i % 5 == 0:
            target = (image.shape[1], target[1])
        if i % 7 == 0:
            target = (max(1, image.shape[1] // 2), max(1, image.shape[0] // 2))
        yield image, target
    yield cases.noise(2, 301, 3), (5, 97)
    yield cases.noise(301, 2, 3), (97, 5)
    for photo in cases.photo_arrays():
        for target in [(224, 224), (256, 341), (299, 299), (513, 97), (1025, 999), (photo.shape[1] // 2, photo.shape[0] // 2),
                       (photo.shape[1] // 3, photo.shape[0] // 3)]:
            yield photo, target


def pillow(cases):
    from PIL import Image
    for image, target in images_to_resize(cases, 240):
        picture = Image.fromarray(image[:, :, 0] if image.shape[2] == 1 else image)
        for name in ("nearest", "box", "bilinear", "hamming", "bicubic", "lanczos"):
            filter = getattr(Image.Resampling, name.upper())
            out = picture.resize(target, filter)
            # One axis at a time leaves no choice of order.
            before = picture.resize((target[0], picture.height), filter).resize(target, filter)
            if picture.height > 100 * picture.width and target[1] < picture.height:
                before = picture.resize((picture.width, target[1]), filter).resize(target, filter)
            cases.write(name, image.shape[1], image.shape[0], image.shape[2], *target, blobs=[image, np.asarray(out), np.asarray(before)])


    # So many sums that the last bit of a weight shows: the filter's constants are of type float.
    image = cases.noise(1411, 4000, 1)
    out = np.asarray(Image.fromarray(image[:, :, 0]).resize((1025, 4000), Image.Resampling.HAMMING))
    cases.write("hamming", 1411, 4000, 1, 1025, 4000, blobs=[image, out, out])


def opencv(cases):
    import cv2
    for image, target in images_to_resize(cases, 240):
        for name in ("linear", "nearest", "area", "cubic"):
            out = cv2.resize(image, target, interpolation=getattr(cv2, "INTER_" + name.upper()))
            cases.write(name, image.shape[1], image.shape[0], image.shape[2], *target, blobs=[image, out])
        cv2.ipp.setUseIPP(False)
        out = cv2.resize(image, target, interpolation=cv2.INTER_CUBIC)
        cases.write("own_cubic", image.shape[1], image.shape[0], image.shape[2], *target, blobs=[image, out])
        cv2.ipp.setUseIPP(True)


def opencv_float(cases):
    import cv2
    cv2.ipp.setUseIPP(False)
    for image, target in images_to_resize(cases, 120):
        values = image.astype("float32") / 3
        for name in ("linear", "nearest"):
            out = cv2.resize(values, target, interpolation=getattr(cv2, "INTER_" + name.upper()))
            cases.write(name, image.shape[1], image.shape[0], image.shape[2], *target, blobs=[values, out])


def files_to_decode(cases):
    """Names and bytes of JPEG and PNG files in the forms that decoders meet."""
    from PIL import Image

    def saved(image, **options):
        out = io.BytesIO()
        image.save(out, **options)
        return out.getvalue()

    def exif(orientation):
        tags = Image.Exif()
        tags[0x0112] = orientation
        return tags

    for subsampling in ("4:4:4", "4:2:2", "4:2:0"):
        for quality in (20, 75, 95):
            for progressive in (False, True):
                image = Image.fromarray(cases.smooth(cases.side(150), cases.side(150), 3))
                yield f"jpeg-{subsampling}-{quality}-{progressive}", saved(
                    image, format="JPEG", quality=quality, subsampling=subsampling, progressive=progressive)
    for i in range(20):
        image = Image.fromarray(cases.smooth(cases.side(40), cases.side(40), 3))
        yield f"jpeg-small-{i}", saved(image, format="JPEG", quality=60 + i, subsampling=i % 3)
    yield "jpeg-restart", saved(Image.fromarray(cases.smooth(99, 77, 3)), format="JPEG", restart_marker_blocks=3)
    yield "jpeg-gray", saved(Image.fromarray(cases.smooth(61, 43, 1)[:, :, 0]), format="JPEG")
    yield "jpeg-rgb", saved(Image.fromarray(cases.smooth(61, 43, 3)), format="JPEG", keep_rgb=True)
    yield "jpeg-cmyk", saved(Image.fromarray(cases.smooth(61, 43, 4), "CMYK"), format="JPEG")
    for orientation in range(1, 9):
        yield f"jpeg-turned-{orientation}", saved(Image.fromarray(cases.smooth(31, 18, 3)), format="JPEG", exif=exif(orientation))
        yield f"png-turned-{orientation}", saved(Image.fromarray(cases.noise(13, 8, 3)), format="PNG", exif=exif(orientation))
    yield "png-rgb", saved(Image.fromarray(cases.noise(33, 21, 3)), format="PNG")
    yield "png-rgba", saved(Image.fromarray(cases.noise(33, 21, 4)), format="PNG")
    yield "png-gray", saved(Image.fromarray(cases.noise(33, 21, 1)[:, :, 0]), format="PNG")
    yield "png-gray-alpha", saved(Image.fromarray(cases.noise(33, 21, 2), "LA"), format="PNG")
    yield "png-bits-1", saved(Image.fromarray(cases.noise(33, 21, 1)[:, :, 0]).convert("1"), format="PNG")
    for bits in (1, 2, 4, 8):
        palette = Image.fromarray(cases.smooth(35, 22, 3)).quantize(1 << bits)
        yield f"png-palette-{bits}", saved(palette, format="PNG", bits=bits)
        yield f"png-palette-clear-{bits}", saved(palette, format="PNG", bits=bits, transparency=bytes([0, 128]))
    for bits in (2, 4):
        yield f"png-gray-{bits}", png_file(cases, 29, 17, bits, 0)
    yield "png-gray-16", png_file(cases, 29, 17, 16, 0)
    yield "png-rgb-16", png_file(cases, 29, 17, 16, 2)
    yield "png-rgba-16", png_file(cases, 29, 17, 16, 6)
    for path in cases.photos:
        photo = Image.open(path).convert("RGB")
        with open(path, "rb") as file:
            yield "photo", file.read()
        for quality, subsampling in ((75, "4:2:0"), (92, "4:4:4")):
            yield "photo-jpeg", saved(photo, format="JPEG", quality=quality, subsampling=subsampling)


def png_file(cases, width, height, bits, color, interlaced=False):
    """A PNG file in a form that Pillow does not write."""
    import struct
    import zlib
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    def lines(across, down):
        length = (across * bits * channels + 7) // 8
        return b"".join(b"\0" + cases.numbers.bytes(length) for _ in range(down)) if across else b""

    if interlaced:
        adam7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        data = b"".join(lines(-(-(width - x) // dx), -(-(height - y) // dy)) for x, y, dx, dy in adam7)
    else:
        data = lines(width, height)
    header = struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, int(interlaced))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def decode(cases):
    import cv2
    from PIL import Image, ImageOps
    files = list(files_to_decode(cases))
    for bits, color in ((1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (8, 2), (16, 2), (8, 4), (8, 6), (16, 6)):
        files.append((f"png-interlaced-{bits}-{color}", png_file(cases, 37, 23, bits, color, interlaced=True)))
    for name, data in files:
        picture = Image.open(io.BytesIO(data))
        plain = np.asarray(picture.convert("RGB"))
        turned = np.asarray(ImageOps.exif_transpose(picture).convert("RGB"))
        gray = np.asarray(picture.convert("RGB").convert("L"))
        bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        luma = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
        cases.write(name, plain.shape[1], plain.shape[0], turned.shape[1], turned.shape[0], blobs=[data, plain, turned, gray, bgr, luma])


def onnx_resize(cases):
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper
    sessions = {}
    for coordinates in ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"):
        for mode in ("linear", "nearest", "cubic"):
            for rounding in ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil") if mode == "nearest" else ("round_prefer_floor",):
                node = helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], mode=mode, nearest_mode=rounding,
                                        coordinate_transformation_mode=coordinates, cubic_coeff_a=-0.75)
                graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, "c", "h", "w"]),
                                                        helper.make_tensor_value_info("sizes", TensorProto.INT64, [4])],
                                          [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
                model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
                sessions[coordinates, mode, rounding] = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    for i in range(60):
        channels = (1, 3)[i % 2]
        image = cases.numbers.random((channels, cases.side(), cases.side()), dtype=np.float32)
        target = (cases.side(), cases.side())
        if i % 4 == 0:
            target = (max(1, image.shape[2] // 2), image.shape[1] * 2)
        for names, session in sessions.items():
            sizes = np.array([1, channels, target[1], target[0]], np.int64)
            out = session.run(None, {"x": image[None], "sizes": sizes})[0][0]
            cases.write(*names, image.shape[2], image.shape[1], channels, *target,
                        blobs=[image.transpose(1, 2, 0), out.transpose(1, 2, 0)])


def values(cases):
    """Normalization as numpy and as torchvision's operations in float32 do it, and softmax."""
    for i in range(50):
        image = cases.noise(cases.side(), cases.side(), 3)
        mean, std = cases.numbers.uniform(0.1, 0.6, 3), cases.numbers.uniform(0.1, 0.4, 3)
        in_float = (image.astype(np.float32) / 255 - mean.astype(np.float32)) / std.astype(np.float32)
        in_double = ((image.astype(np.float32) / 255 - mean) / std).astype(np.float32)
        changed = image.astype(np.float32)
        changed -= mean * 255
        cases.write("normalize", image.shape[1], image.shape[0], *map(repr, map(float, [*mean, *std])),
                    blobs=[image, in_float, in_double, changed])
    for i in range(50):
        logits = cases.numbers.normal(0, 10, (cases.side(7), cases.side(30), cases.side(9))).astype(np.float32)
        wide = logits.astype(np.float64)
        shifted = np.exp(wide - wide.max(1, keepdims=True))
        ties = np.round(logits)
        cases.write("softmax", *logits.shape, blobs=[logits, (shifted / shifted.sum(1, keepdims=True)).astype(np.float32),
                                                     ties, np.argsort(-ties.ravel(), kind="stable"), np.argmax(ties, 1).astype(np.int32)])


def boxes(cases):
    import onnxruntime
    from onnx import TensorProto, helper
    node = helper.make_node("NonMaxSuppression", ["boxes", "scores", "most", "overlap", "score"], ["y"], center_point_box=0)
    types = [("boxes", TensorProto.FLOAT, [1, "n", 4]), ("scores", TensorProto.FLOAT, [1, "c", "n"]), ("most", TensorProto.INT64, [1]),
             ("overlap", TensorProto.FLOAT, [1]), ("score", TensorProto.FLOAT, [1])]
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info(*t) for t in types],
                              [helper.make_tensor_value_info("y", TensorProto.INT64, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=9)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    for i in range(100):
        count, classes = cases.side(60), cases.side(4)
        corner = cases.numbers.uniform(0, 50, (count, 2))
        found = np.concatenate([corner, corner + cases.numbers.uniform(1, 40, (count, 2))], 1).astype(np.float32)
        scores = cases.numbers.random((count, classes), dtype=np.float32)
        overlap, score = cases.random.choice([0.3, 0.5, 0.7]), cases.random.choice([0.05, 0.5])
        out = session.run(None, {"boxes": found[None], "scores": scores.T[None].copy(), "most": np.array([count]),
                                 "overlap": np.array([overlap], np.float32), "score": np.array([score], np.float32)})[0]
        cases.write(classes, overlap, score, blobs=[found, scores, out[:, 1:].astype(np.int64)])


PIPELINES = {
    "decode(rgb) resize(256, short, bilinear, pillow) crop(224) normalize(divide=255, mean=[0.485, 0.456, 0.406], "
    "std=[0.229, 0.224, 0.225]) layout(nchw)": "torchvision",
    "decode(rgb, exif) resize(256, short, area, opencv) crop(224, down) subtract(values=[123.68, 116.78, 103.94], double) layout(nchw)": "mlperf",
    "decode(bgr, exif) resize(32, linear, opencv) reverse_channels divide(255) "
    "normalize(mean=[0.4914, 0.4822, 0.4465], std=[0.2023, 0.1994, 0.201], double) layout(chw)": "cifar",
}


def torchvision(data):
    """What torchvision's Resize(256), CenterCrop(224), ToTensor and Normalize compute, without torch."""
    from PIL import Image
    image = Image.open(io.BytesIO(data)).convert("RGB")
    width, height = image.size
    short, long = min(width, height), max(width, height)
    other = int(256 * long / short)
    image = image.resize((256, other) if width <= height else (other, 256), Image.Resampling.BILINEAR)
    left, top = int(round((image.width - 224) / 2.0)), int(round((image.height - 224) / 2.0))
    values = np.asarray(image.crop((left, top, left + 224, top + 224))).astype(np.float32) / np.float32(255)
    values = (values - np.array([0.485, 0.456, 0.406], np.float32)) / np.array([0.229, 0.224, 0.225], np.float32)
    return values.transpose(2, 0, 1)[None]


def mlperf(data):
    import cv2
    image = cv2.cvtColor(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
    height, width, _ = image.shape
    new = int(100. * 224 / 87.5)
    size = (new, int(new * height / width)) if height > width else (int(new * width / height), new)
    image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    height, width, _ = image.shape
    left, right, top, bottom = int((width - 224) / 2), int((width + 224) / 2), int((height - 224) / 2), int((height + 224) / 2)
    values = np.asarray(image[top:bottom, left:right], dtype="float32")
    values -= np.array([123.68, 116.78, 103.94])
    return values.transpose([2, 0, 1])[None]


def cifar(data):
    import cv2
    image = cv2.cvtColor(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
    values = np.asarray(cv2.resize(image, (32, 32)), dtype="float32") / 255
    values = (values - np.array([0.4914, 0.4822, 0.4465])) / np.array([0.2023, 0.1994, 0.2010])
    return np.ascontiguousarray(values.transpose([2, 0, 1]), dtype=np.float32)


def pipelines(cases):
    from PIL import Image
    files = [open(path, "rb").read() for path in cases.photos]
    for i in range(6):
        out = io.BytesIO()
        Image.fromarray(cases.smooth(150 + cases.side(400), 150 + cases.side(400), 3)).save(out, format="JPEG", quality=75 + i)
        files.append(out.getvalue())
    for data in files:
        for text, name in PIPELINES.items():
            result = globals()[name](data)
            cases.write(name, *result.shape, blobs=[data, text.encode(), result])


def main():
    path, kind, seed, *photos = sys.argv[1:]
    globals()[kind](Cases(path, int(seed), photos))


if __name__ == "__main__":
    main()
