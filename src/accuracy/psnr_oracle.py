#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PSNR of OpenCV.

    psnr_oracle.py IN OUT      # IN: one pair of images a line, as JSON; OUT: one number each
"""
import json
import sys

import cv2
import numpy as np

with open(sys.argv[1]) as pairs, open(sys.argv[2], "w") as out:
    for line in pairs:
        first, second = (np.array(values, np.uint8).reshape(1, -1) for values in json.loads(line))
        print(repr(cv2.PSNR(first, second)), file=out)
