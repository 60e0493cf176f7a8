#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ridge accel`'s overlapped convention beside the performance sheet of nvdla/hw, ResNet-50 layer by layer.

    bench/accel_vs_nvdla.py build/ridge NVDLA_OpenSource_Performance.xlsx [--layers]

The sheet (perf/ of nvdla/hw 8e06b1b) tells of each layer max(DRAM bytes / bandwidth, cycles of the multipliers) for 2048 multipliers,
16 channels x 128 filters at a time, 512 KiB of buffer, 1 GHz and 10 KiB per microsecond. First its law is computed here from its own
sizes and must give its 54 cycle counts, so that two of its terms can be left out that a topology cannot say: Winograd's transform of
3 x 3 convolutions, and the second operand of element-wise sums. What is left is compared with `ridge accel` on the machine
nvdla-like with the sheet's array, bandwidth and no latency. The first layer is left out: the sheet stores it pooled. Printed are
ratios ridge / sheet: median, 90th percentile of the distance from 1, least and greatest, and the totals. Standard library only.
"""
import argparse
import html
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import zipfile

from accel_vs_peers import summary

BUFFER_KIB, MACS, CYCLES_PER_KIB = 512, 2048, 100


def sheet_rows(path, name):
    """Rows of one sheet: number to {column: text}."""
    with zipfile.ZipFile(path) as z:
        def part(p):
            return z.read(p).decode()
        strings = [html.unescape(re.sub(r"<[^>]+>", "", s)) for s in re.findall(r"<si>(.*?)</si>", part("xl/sharedStrings.xml"), re.S)]
        target = re.search(rf'<sheet [^>]*name="{name}"[^>]*r:id="([^"]+)"', part("xl/workbook.xml"))[1]
        relations = re.findall(r"<Relationship [^>]*>", part("xl/_rels/workbook.xml.rels"))
        path = next(re.search(r'Target="([^"]+)"', r)[1] for r in relations if f'Id="{target}"' in r)
        cells = re.findall(r'<c r="([A-Z]+)(\d+)"([^>]*?)(?:/>|>(.*?)</c>)', part("xl/" + path), re.S)
    rows = {}
    for column, row, attributes, body in cells:
        value = re.search(r"<v>(.*?)</v>", body or "", re.S)
        if value:
            rows.setdefault(int(row), {})[column] = strings[int(value[1])] if 't="s"' in attributes else value[1]
    return rows


class Layer:
    """A row of the sheet, under its columns' meanings."""

    def __init__(self, row):
        self.name, self.type = row["C"].split(" ")[0], row["D"]
        self.c, self.n, self.f, self.s, self.out = (int(row[k]) for k in ("E", "H", "I", "L", "N"))
        self.features, self.least_features, self.results, self.least_weights, self.weights = (float(row[k]) for k in ("X", "Y", "Z", "AA", "AB"))
        self.mac_cycles, self.keeps_features, self.told = float(row["AR"]), row["AN"] == "weight", float(row["AS"])
        self.winograd = row["AM"] == "1"
        self.kind = "fully connected" if self.type == "fc" else f"conv {self.f}x{self.f}" + (" stride 2" if self.s == 2 else "")

    def kib(self, weights):
        """Columns AO: what is larger is streamed; where the other does not fit beside it, it comes again."""
        chunks = 1
        if self.keeps_features:
            room = BUFFER_KIB - self.least_features
            chunks = math.ceil(weights / room) if weights > room else 1
            return chunks * self.features + weights + self.results
        room = BUFFER_KIB - self.least_weights
        chunks = math.ceil(self.features / room) if self.features > room else 1
        return self.features + chunks * weights + self.results

    def cycles(self):
        second = self.results if self.type == "conv + elwise" else 0
        return max(math.ceil((self.kib(self.weights) + second) * CYCLES_PER_KIB), self.mac_cycles)

    def plain(self):
        """Without Winograd and without the second operand: cycles, KiB."""
        kib = self.kib(self.weights * 9 / 16 if self.winograd else self.weights)
        return max(math.ceil(kib * CYCLES_PER_KIB), self.mac_cycles * (2.25 if self.winograd else 1)), kib


def ridge(program, layers):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "net.csv"), "w") as f:
            f.write("name, h, w, fh, fw, c, n, s,\n")
            for l in layers:
                size = (l.out - 1) * l.s + l.f
                f.write(f"{l.name}, {size}, {size}, {l.f}, {l.f}, {l.c}, {l.n}, {l.s},\n")
        sets = {"array.rows": 16, "array.columns": 128, "dram.gb_per_s": 1024 * 1000 / CYCLES_PER_KIB / 1000, "dram.latency_ns": 0}
        command = [os.path.abspath(program), "accel", "--topology", "net.csv", "--machine", "nvdla-like",
                   "--objective", "latency", "--sensitivity", "off", "--format", "json"]
        for key, value in sets.items():
            command += ["--set", f"{key}={value}"]
        run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if run.returncode:
        sys.exit(run.stderr)
    return json.loads(run.stdout)["layers"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ridge")
    parser.add_argument("sheet")
    parser.add_argument("--layers", action="store_true", help="also every layer")
    a = parser.parse_args()
    rows = sheet_rows(a.sheet, "ResNet50")
    layers = [Layer(rows[r]) for r in range(11, 65)]
    wrong = [l.name for l in layers if l.cycles() != l.told]
    if wrong:
        sys.exit(f"the law as written here does not give the sheet's cycles of {', '.join(wrong)}")
    print(f"the law gives all {len(layers)} cycle counts of the sheet, {sum(l.told for l in layers) / 1e6:.3f} M in total")
    layers = layers[1:]
    answers = ridge(a.ridge, layers)
    cycles, words = [], []
    for l, r in zip(layers, answers):
        told, kib = l.plain()
        moved = (r["dram_read_bytes"] + r["dram_write_bytes"]) / 1024
        cycles.append((l.kind, r["total_cycles"], told))
        words.append((l.kind, moved, kib))
        if a.layers:
            print(f"{l.name:<18} {l.kind:<18} cycles {r['total_cycles']:>8} {told:>9.0f}   KiB {moved:>8.0f} {kib:>8.0f}   tile {r['tile']} {r['loop_order']}")
    summary("cycles: ridge / sheet", cycles)
    summary("DRAM bytes: ridge / sheet", words)
    for what, pairs in (("M cycles", cycles), ("MiB", words)):
        ours, theirs = (sum(p[i] for p in pairs) for i in (1, 2))
        scale = 1e6 if what == "M cycles" else 1024
        print(f"total {what}: ridge {ours / scale:.3f}, sheet {theirs / scale:.3f}, ratio {ours / theirs:.3f}")


if __name__ == "__main__":
    main()
