#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Memory and time of reading a COCO annotation file of the size of instances_train2017.json.

Writes a seeded file (448 MB by default) of 118,287 images and as many annotations as fit, with
outlines as COCO has them, and evaluates a model on one of its images with it:

    bench/coco_memory.py build/ridge [--megabytes 448] [--repeat 3]

Prints the peak resident memory and the time of the whole evaluation, and of the same evaluation
with a file of one image, so that the difference is the reading. Needs numpy and onnx, and ONNX
Runtime for ridge.
"""
import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
import zlib

IMAGES = 118_287
CATEGORIES = [i for i in range(1, 91) if i not in (12, 26, 29, 30, 45, 66, 68, 69, 71, 83)]


def write_annotations(path, megabytes, images):
    """A seeded file with the layout of COCO's own: info, licenses, images, annotations, categories."""
    rng = random.Random(2017)
    with open(path, "w") as out:
        out.write('{"info": {"year": 2017}, "licenses": [{"id": 1, "name": "x"}], "images": [')
        for i in range(images):
            out.write(", " if i else "")
            out.write(json.dumps({
                "license": 1, "file_name": f"{i:012d}.png", "height": 480, "width": 640,
                "coco_url": f"http://images.cocodataset.org/train2017/{i:012d}.jpg", "id": i}))
        out.write('], "annotations": [')
        number = 0
        while number == 0 or out.tell() < megabytes * 1_000_000:
            x, y = rng.uniform(0, 500), rng.uniform(0, 400)
            w, h = rng.uniform(4, 140), rng.uniform(4, 80)
            outline = [round(rng.uniform(0, 640), 2) for _ in range(rng.choice((16, 40, 80)))]
            out.write(", " if number else "")
            out.write(json.dumps({
                "segmentation": [outline], "area": round(w * h / 2, 4), "iscrowd": 0,
                "image_id": rng.randrange(images), "bbox": [round(v, 2) for v in (x, y, w, h)],
                "category_id": rng.choice(CATEGORIES), "id": number}))
            number += 1
        out.write('], "categories": [')
        out.write(", ".join(json.dumps({"supercategory": "s", "id": i, "name": f"category {i}"})
                            for i in CATEGORIES))
        out.write("]}")
    return number


def write_png(path):
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    rows = b"".join(b"\0" + bytes(3 * 8) for _ in range(8))
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0))
                  + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write_model(path):
    """A detector that finds one box of class 1 in every image, whatever is in it."""
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    scores = numpy.zeros((1, 1, 91), numpy.float32)
    scores[0, 0, 1] = 0.9
    nodes = [helper.make_node("ReduceMean", ["x"], ["m"], axes=[1, 2, 3], keepdims=1),
             helper.make_node("Reshape", ["m", "three"], ["z"]),
             helper.make_node("Add", ["z", "b"], ["boxes"]),
             helper.make_node("Add", ["z", "s"], ["scores"])]
    graph = helper.make_graph(
        nodes, "detector", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 8, 8])],
        [helper.make_tensor_value_info("boxes", TensorProto.FLOAT, [1, 1, 4]),
         helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, 1, 91])],
        [numpy_helper.from_array(numpy.array([1, 1, 1], numpy.int64), "three"),
         numpy_helper.from_array(numpy.array([[[1, 1, 5, 5]]], numpy.float32), "b"),
         numpy_helper.from_array(scores, "s")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8),
              path)


def evaluated(ridge, folder, truth):
    command = [ridge, "eval", f"{folder}/model.onnx", "--scenario", "accuracy", "--data",
               f"{folder}/images", "--limit", "1", "--labels", truth, "--metric", "coco", "--steps",
               "decode(rgb) normalize(divide=255) layout(nchw)", "--post", "boxes(corners)",
               "--format", "json", "--output", f"{folder}/out.json"]
    begin = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    words = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(words.decode())
    return time.monotonic() - begin, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ridge")
    parser.add_argument("--megabytes", type=int, default=448)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/images")
        write_png(f"{folder}/images/{0:012d}.png")
        write_model(f"{folder}/model.onnx")
        write_annotations(f"{folder}/small.json", 0, 1)
        number = write_annotations(f"{folder}/large.json", options.megabytes, IMAGES)
        size = os.path.getsize(f"{folder}/large.json")
        print(f"{size / 1e6:.0f} MB, {IMAGES} images, {number} annotations; "
              f"load of the machine {os.getloadavg()[0]:.1f}")
        print("file   seconds  peak MiB")
        for _ in range(options.repeat):
            for name in ("small", "large"):
                seconds, peak = evaluated(options.ridge, folder, f"{folder}/{name}.json")
                print(f"{name:6} {seconds:7.2f} {peak:9.0f}")


if __name__ == "__main__":
    main()
