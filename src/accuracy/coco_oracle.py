#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The twelve figures of pycocotools for cases of coco_precision_test.cc.

    coco_oracle.py IN OUT      # IN: one case a line as JSON; OUT: one line of figures a case
"""
import contextlib
import copy
import io
import json
import sys

from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval


def figures(case):
    truth = COCO()
    truth.dataset = {
        "images": [{"id": i} for i in range(case["images"])],
        "categories": [{"id": c} for c in range(case["categories"])],
        # Identifiers start at 1: pycocotools takes 0 for "unmatched".
        "annotations": [{"id": n + 1, "image_id": t[0], "category_id": t[1], "bbox": t[2:6], "area": t[6], "iscrowd": t[7]}
                        for n, t in enumerate(case["truths"])],
    }
    truth.createIndex()
    found = [{"image_id": f[0], "category_id": f[1], "bbox": f[2:6], "score": f[6]} for f in case["found"]]
    if found:
        detections = truth.loadRes(found)
    else:
        detections = COCO()
        detections.dataset = copy.deepcopy(truth.dataset) | {"annotations": []}
        detections.createIndex()
    evaluation = COCOeval(truth, detections, "bbox")
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
    return list(map(float, evaluation.stats))


with open(sys.argv[1]) as cases, open(sys.argv[2], "w") as out:
    for line in cases:
        with contextlib.redirect_stdout(io.StringIO()):
            found = figures(json.loads(line))
        print(*map(repr, found), file=out)
