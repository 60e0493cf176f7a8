# SPDX-License-Identifier: Apache-2.0
"""Pages and words that are drawn here, read by the models of PP-OCR in ridge eval and in ONNX Runtime's Python package.

usage: text_oracle.py MODELS

Runs in an empty folder with ridge on the PATH; MODELS is the folder with ch_PP-OCRv4_*.onnx. The detector's map of text, above 0.3,
is compared with the lines that were drawn, pixel by pixel; the reader's text with the words. Prints what was compared; an assertion
fails where ridge and Python differ.
"""

import json
import os
import pathlib
import random
import subprocess
import sys

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime reads it when it is imported

import jiwer
import numpy as np
import onnxruntime
from PIL import Image, ImageDraw, ImageFont

LIMIT = 0.3
PAGE, WORD = (640, 480), (320, 48)
WORDS = "latency throughput roofline quantized kernel batch operator tensor memory bound warm cold cache 2048 99.9 p50 GFLOPS".split()
STEPS = "decode(rgb) normalize(mean=[127.5], std=[127.5]) layout(nchw)"


def draw_pages(folder, rng):
    """Pages with lines of words, and masks in which the pixels of each line's box are 1."""
    (folder / "pages").mkdir()
    (folder / "lines").mkdir()
    for page in range(4):
        image, mask = Image.new("RGB", PAGE, "white"), Image.new("L", PAGE, 0)
        y = 20
        while y < PAGE[1] - 60:
            font = ImageFont.load_default(rng.randint(16, 36))
            text, x = " ".join(rng.sample(WORDS, rng.randint(1, 3))), rng.randint(10, 120)
            ImageDraw.Draw(image).text((x, y), text, "black", font)
            left, top, right, bottom = font.getbbox(text)
            ImageDraw.Draw(mask).rectangle([x + left, y + top, min(x + right, PAGE[0] - 1), y + bottom], 1)
            y += bottom + rng.randint(10, 50)
        image.save(folder / "pages" / f"{page}.png")
        mask.save(folder / "lines" / f"{page}.png")


def draw_words(folder):
    (folder / "words").mkdir()
    for i, word in enumerate(WORDS):
        image = Image.new("RGB", WORD, "white")
        ImageDraw.Draw(image).text((8, 6), word, "black", ImageFont.load_default(32))
        image.save(folder / "words" / f"{i:02}.png")
    (folder / "words.csv").write_text("".join(f"{i:02}.png,{word}\n" for i, word in enumerate(WORDS)))


def session_of(model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def output_of(session, path):
    pixels = (np.asarray(Image.open(path)).astype(np.float32) - np.float32(127.5)) / np.float32(127.5)
    return session.run(None, {session.get_inputs()[0].name: np.ascontiguousarray(pixels.transpose(2, 0, 1)[None])})[0][0]


def ridge(name, model, size, data, truth, metric, post):
    """Metrics and answers by ridge."""
    subprocess.run(["ridge", "eval", model, "--shape", f"x=1x3x{size[1]}x{size[0]}", "--threads", "1", "--runtime", "ort", "--scenario",
                    "accuracy", "--data", data, "--labels", truth, "--metric", metric, "--steps", STEPS, "--post", post, "--format",
                    "json", "--output", f"{name}.json"], check=True)
    accuracy = json.loads(pathlib.Path(f"{name}.json").read_text())["points"][0]["accuracy"]
    return {m["metric"]: m["value"] for m in accuracy["metrics"]}


def mean_iou(pairs):
    """Of both classes, over all pixels of all pages."""
    found, truth = (np.concatenate([pair[i].ravel() for pair in pairs]) for i in (0, 1))
    return float(np.mean([np.sum((found == c) & (truth == c)) / np.sum((found == c) | (truth == c)) for c in (0, 1)]))


def detector(folder, models):
    model = models / "ch_PP-OCRv4_det_infer.onnx"
    draw_pages(folder, random.Random(5))
    ours = ridge("pages", model, PAGE, "pages", "lines", "miou", f"masks(chw, above={LIMIT})")["mean_iou"]
    session = session_of(model)
    pairs = [((output_of(session, path)[0] > LIMIT).astype(int), np.asarray(Image.open(folder / "lines" / path.name)))
             for path in sorted((folder / "pages").iterdir())]
    theirs = mean_iou(pairs)
    assert abs(ours - theirs) < 1e-9, (ours, theirs)
    assert ours > 0.5, ours  # the pages are read, not noise
    print(f"detector: mean IoU {ours:.4f} on {len(pairs)} pages, equal")


def reader(folder, models):
    model = models / "ch_PP-OCRv4_rec_infer.onnx"
    draw_words(folder)
    session = session_of(model)
    symbols = ["blank", *session.get_modelmeta().custom_metadata_map["character"].splitlines(), " "]
    (folder / "symbols.txt").write_text("".join(f"{s}\n" for s in symbols), encoding="utf-8")
    ours = ridge("words", model, WORD, "words", "words.csv", "cer", "ctc labels(symbols.txt)")["cer"]
    texts = []
    for path in sorted((folder / "words").iterdir()):
        best = output_of(session, path).argmax(axis=1)
        texts.append("".join(symbols[c] for c, before in zip(best, [0, *best]) if c != 0 and c != before))
    theirs = jiwer.cer(WORDS, texts)
    assert abs(ours - theirs) < 1e-9, (ours, theirs, texts)
    assert ours < 0.2, texts
    print(f"reader: character error rate {ours:.4f} on {len(texts)} words, equal")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    detector(pathlib.Path("."), pathlib.Path(sys.argv[1]))
    reader(pathlib.Path("."), pathlib.Path(sys.argv[1]))
