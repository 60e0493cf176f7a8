#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts photographs into crops on which mistakes of a pipeline are shown.

    python=$(scripts/fetch_oracles.sh)/bin/python        # Pillow
    $python examples/pitfalls/crops.py $(scripts/fetch_evaluation_data.sh)/photographs FOLDER [--each 9] [--seed 18]

FOLDER/png has the crops, FOLDER/jpeg95 and FOLDER/jpeg75 the same as JPEG files of these qualities (chroma at half resolution, as cameras write it),
and FOLDER/thumbnails small pictures of them for pages. A crop's width and height are drawn separately, each 50 to 100 % of the photograph's, then its
place. Names are PHOTOGRAPH-NUMBER. The same seed gives the same pixels everywhere, and the same JPEG files with the same Pillow.
"""
import argparse
import pathlib
import random

from PIL import Image

QUALITIES = (95, 75)
HALF_CHROMA = "4:2:0"
THUMBNAIL = 112  # longer side, pixels


def drawn(random_source, length):
    """Beginning and end of a crop along one axis."""
    size = round(length * (0.5 + 0.5 * random_source.random()))
    begin = int(random_source.random() * (length - size + 1))
    return begin, begin + size


def write(crop, folder, name):
    crop.save(folder / "png" / f"{name}.png")
    for quality in QUALITIES:
        crop.save(folder / f"jpeg{quality}" / f"{name}.jpg", quality=quality, subsampling=HALF_CHROMA)
    small = crop.copy()
    small.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.LANCZOS)
    small.save(folder / "thumbnails" / f"{name}.jpg", quality=80)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photographs", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--each", type=int, default=9, help="crops of each photograph")
    parser.add_argument("--only", default="", help="photographs whose names begin so, separated by commas")
    parser.add_argument("--seed", type=int, default=18)
    args = parser.parse_args()
    for name in ["png", "thumbnails", *(f"jpeg{quality}" for quality in QUALITIES)]:
        (args.folder / name).mkdir(parents=True, exist_ok=True)
    count = 0
    for path in sorted(p for p in args.photographs.iterdir() if p.suffix in (".jpg", ".png")):
        if not path.name.startswith(tuple(args.only.split(","))):
            continue
        random_source = random.Random(f"{args.seed} {path.name}")  # others do not change with it
        photograph = Image.open(path).convert("RGB")
        for number in range(1, args.each + 1):
            (left, right), (top, bottom) = (drawn(random_source, length) for length in photograph.size)
            write(photograph.crop((left, top, right, bottom)), args.folder, f"{path.stem}-{number}")
            count += 1
    print(f"{count} crops in {args.folder}")


if __name__ == "__main__":
    main()
