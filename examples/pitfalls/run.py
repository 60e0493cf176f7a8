#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One mistake at a time in the pipeline before a network, on real photographs: how many answers change, and which.

    examples/pitfalls/run.py [--out pitfalls] [--ridge build/ridge] [--threads 1]

Cuts the photographs of scripts/fetch_evaluation_data.sh into 153 crops (crops.py, with the Pillow of scripts/fetch_oracles.sh), evaluates
zoo:efficientnet_lite0 with its ImageNet weights on them with the right pipeline and with each of pitfalls.py, compares them (ridge eval compare), and
writes FOLDER/index.html; the comparison with every changed answer and the documents are beside it. Standard library only.
"""
import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import sys

import page
from pitfalls import BASE, PITFALLS

ROOT = pathlib.Path(__file__).resolve().parents[2]


def fetched(script):
    return pathlib.Path(subprocess.run([ROOT / "scripts" / script], check=True, stdout=subprocess.PIPE, text=True).stdout.strip())


class Ridge:
    """Evaluations, one document each."""

    def __init__(self, args, data):
        self.program, self.out, self.threads = args.ridge, args.out, args.threads
        self.model = data / "efficientnet_lite0.onnx"
        self.crops = args.out / "crops"
        self.classes = data / "imagenet_classes.txt"

    def run(self, name, arguments):
        """The document; what ridge refuses ends the program with its message."""
        path = self.out / f"{name}.json"
        done = subprocess.run([self.program, "eval", *arguments, "--output", path], stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1):  # 1: a load that was not valid
            sys.exit(f"pitfalls: {name}\n{done.stderr}")
        return json.loads(path.read_text())

    def evaluate(self, name, pipeline, arguments):
        return self.run(name, [self.model, "--bind", "batch=1", "--threads", str(self.threads), "--data", self.crops / pipeline.crops, "--steps",
                               pipeline.steps, *arguments])

    def judge(self, pipeline, labels=None):
        """The document of a pipeline; with labels also the share of samples that have them among the first five."""
        print(f"  {pipeline.change}", flush=True)
        more = ["--labels", labels] if labels else []
        post = f"top(5) labels({self.classes})"  # names the answers
        return self.evaluate(pipeline.name, pipeline, ["--scenario", "accuracy", "--runtimes", pipeline.runtime, "--post", post,
                                                      "--save-outputs", self.out / "outputs" / pipeline.name, *more])

    def compare(self, pipelines):
        """For each pipeline the names of the crops whose answer changed, and the mean divergence of its scores from the baseline's, in nats."""
        paths = [self.out / f"{p.name}.json" for p in pipelines]
        labels = [argument for p, path in zip(pipelines, paths) for argument in ("--label", f"{p.change}={path}")]
        document = self.run("compare", ["compare", *paths, *labels, "--report", self.out / "compare.html"])
        return [({pathlib.Path(answer["sample"]).stem for answer in d["answers"]}, d["outputs"][0]["kl"]["value"]) for d in document["differences"]]

    def model_times(self, seconds):
        """Median latency of the network with the right pipeline, in both runtimes: {name: nanoseconds}."""
        document = self.evaluate("times", BASE, ["--scenario", "single-stream", "--duration", f"{seconds}s", "--runtimes", "ort,openvino"])
        return {p["runtime"]["name"]: p["figures"]["latency"]["percentiles"][0]["value_ns"] for p in document["points"]}


def t_quantile(freedom):
    """0.975 quantile of Student's t, by the first terms of its expansion (Abramowitz and Stegun 26.7.5)."""
    z = statistics.NormalDist().inv_cdf(0.975)
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def share_interval(flags, groups):
    """95 % interval of a share whose samples come in groups, here crops of one photograph, which are alike: Wilson's, with the number of samples
    divided by the design effect of the groups (Korn and Graubard, 1998). Samples that all agree count as independent: they show no such effect."""
    n, p = len(flags), sum(flags) / len(flags)
    names = sorted(set(groups))
    effect = 1
    if 0 < p < 1 and len(names) > 1:
        sums = [sum(flag - p for flag, group in zip(flags, groups) if group == name) for name in names]
        effect = max(1, sum(s * s for s in sums) / (n * p * (1 - p)) * len(names) / (len(names) - 1))
    z, n = t_quantile(max(1, len(names) - 1)), n / effect
    center, half = (p + z * z / (2 * n)) / (1 + z * z / n), z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
    return max(0.0, center - half), min(1.0, center + half)


def answers_of(document):
    return document["points"][0]["accuracy"]["predicted"]


def row_of(pipeline, document, others, kl, crops):
    """What a mistake does to the answers: `others` are the crops with another, `kl` is the divergence of the scores."""
    answers, top5 = answers_of(document), document["points"][0]["accuracy"]["top5"]
    changed = [crop.name in others for crop in crops]
    judged = [(a in crop.right) for a, crop in zip(answers, crops) if crop.right]
    return page.Row(pipeline=pipeline, answers=answers, changed=changed, interval=share_interval(changed, [crop.photograph for crop in crops]),
                    kl=kl, in_first_five=top5["value"] if top5 else 1.0, right=sum(judged), judged=len(judged),
                    made_ns=statistics.median(document["data"]["samples_ns"]))


def read_crops(folder, data):
    """The crops, in ridge's order: that of their names."""
    with open(data / "photographs/photographs.csv", newline="", encoding="utf-8") as table:
        right = {pathlib.Path(row["file"]).stem: {int(c) for c in row["classes"].split()} for row in csv.DictReader(table)}
    names = sorted(path.stem for path in (folder / BASE.crops).iterdir())
    return [page.Crop(name, name.rsplit("-", 1)[0], right[name.rsplit("-", 1)[0]]) for name in names]


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ridge", type=pathlib.Path, default=ROOT / "build/ridge")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("pitfalls"), help="folder for crops, documents and the page")
    parser.add_argument("--threads", type=int, default=1, help="of each run of the network")
    parser.add_argument("--each", type=int, default=9, help="crops of each photograph")
    parser.add_argument("--only", default="", help="photographs whose names begin so, separated by commas")
    parser.add_argument("--seconds", type=float, default=5, help="of runs of the network in each runtime; 0: none")
    args = parser.parse_args()
    if not args.ridge.exists():
        sys.exit(f"pitfalls: there is no {args.ridge}: scripts/build.sh release, or name one with --ridge")
    return args


def main():
    args = options()
    data = fetched("fetch_evaluation_data.sh")
    args.out.mkdir(parents=True, exist_ok=True)
    subprocess.run([fetched("fetch_oracles.sh") / "bin/python", pathlib.Path(__file__).with_name("crops.py"), data / "photographs",
                    args.out / "crops", "--each", str(args.each), "--only", args.only], check=True)
    ridge = Ridge(args, data)
    crops = read_crops(args.out / "crops", data)
    base = ridge.judge(BASE)
    labels = args.out / "base.txt"
    labels.write_text("".join(f"{answer}\n" for answer in answers_of(base)))
    pitfalls = [pipeline for group in PITFALLS.values() for pipeline in group]
    documents = [ridge.judge(pipeline, labels) for pipeline in pitfalls]
    rows = {p.name: row_of(p, document, *changes, crops) for p, document, changes in zip(pitfalls, documents, ridge.compare([BASE, *pitfalls]))}
    names = [line.split(" ", 1)[1].split(",")[0] for line in (data / "imagenet_classes.txt").read_text(encoding="utf-8").splitlines()]
    report = page.Report(base=row_of(BASE, base, set(), 0, crops),
                         rows={group: [rows[p.name] for p in pipelines] for group, pipelines in PITFALLS.items()}, crops=crops, names=names,
                         thumbnails=args.out / "crops/thumbnails", style=(ROOT / "web/report.css").read_text(),
                         times=ridge.model_times(args.seconds) if args.seconds else {})
    (args.out / "index.html").write_text(page.html_of(report), encoding="utf-8")
    print(page.text_of(report))
    print(f"{args.out / 'index.html'}: the page")


if __name__ == "__main__":
    main()
