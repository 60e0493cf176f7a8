# SPDX-License-Identifier: Apache-2.0
"""Recomputes a document of ridge runs baseline from its votes, and compares.

usage: baseline_oracle.py fleet DIR HOST.json    writes documents of a fleet of this kind of machine
       baseline_oracle.py check BASELINE.json    compares every center, spread, limit and name

Nothing of ridge is used: scores, the generalized extreme Studentized deviate test, quantiles of t by
bisection of the incomplete beta function. An assertion fails where the two differ.
"""

import json
import math
import os
import pathlib
import random
import statistics
import sys


def upper_tail(t, freedom):
    """P(T > t), t > 0: half the regularized incomplete beta function, by Lentz's continued fraction."""
    a, b, x = freedom / 2, 0.5, freedom / (freedom + t * t)

    def fraction(a, b, x):
        c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
        h = d
        for m in range(1, 400):
            for up in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                       -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
                d = 1 / (1 + up * d)
                c = 1 + up / c
                h *= c * d
            if abs(c * d - 1) < 1e-15:
                break
        return h

    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * fraction(a, b, x) / a / 2
    return (1 - front * fraction(b, a, 1 - x) / b) / 2


def quantile(above, freedom):
    low, high = 1e-9, 1e9
    for _ in range(300):
        middle = (low + high) / 2
        low, high = (middle, high) if upper_tail(middle, freedom) > above else (low, middle)
    return low


def esd(values, significance, most):
    left, removed, outside = list(range(len(values))), [], 0
    while len(left) > 3 and len(removed) < most:
        n = len(left)
        mean = statistics.fmean(values[i] for i in left)
        deviation = statistics.stdev(values[i] for i in left)
        far = max(left, key=lambda i: abs(values[i] - mean))
        t = quantile(significance / (2 * n), n - 2)
        removed.append(far)
        if abs(values[far] - mean) > (n - 1) * t / math.sqrt((n - 2 + t * t) * n) * deviation:
            outside = len(removed)
        left.remove(far)
    return removed[:outside]


def middle(values):
    values = sorted(values)
    low, high = values[(len(values) - 1) // 2], values[len(values) // 2]
    return 0 if low <= 0 <= high else min(low, high, key=abs)


def scores(subject, centers, key):
    sign = -1 if subject["kind"] == "roofs" else 1
    out = {}
    for thing, center in zip(subject["things"], centers):
        for vote in thing["votes"]:
            out.setdefault(vote["machine"], []).append(sign * math.log(vote[key] / center))
    return dict(sorted(out.items()))


def centers_without(subject, far):
    return [statistics.median([v["value"] for v in thing["votes"] if v["machine"] not in far])
            for thing in subject["things"]]


def check_subject(subject, rule, significance):
    far = set()
    for _ in range(2):
        centers = centers_without(subject, far)
        by_machine = {m: middle(s) for m, s in scores(subject, centers, "value").items()}
        machines = list(by_machine)
        found = esd(list(by_machine.values()), significance, len(machines) // 4)
        far = {machines[i] for i in found}
    kept = [by_machine[m] for m in machines if m not in far]
    center, spread, n = statistics.fmean(kept), statistics.stdev(kept), len(kept)
    least = math.log1p(rule["least_difference"])
    limit = max(least, center + quantile(significance, n - 1) * spread * math.sqrt(1 + 1 / n))
    best = {m: min(s) for m, s in scores(subject, centers, "best").items()}
    outside = sorted(m for m in far if by_machine[m] > least and best[m] > least)
    assert subject["outside"] == outside, (subject["kind"], subject["outside"], outside)
    assert subject["machines"] == n
    assert math.isclose(subject["significance"], significance, rel_tol=1e-9)
    for name, value in [("center", center), ("spread", spread), ("limit", limit)]:
        assert math.isclose(subject[name], math.exp(value), rel_tol=1e-5), (name, subject[name], math.exp(value))
    for thing, c in zip(subject["things"], centers):
        assert math.isclose(thing["center"], c, rel_tol=1e-12)
    return len(outside)


def check(path):
    document = json.loads(pathlib.Path(path).read_text())
    rule, subjects = document["rule"], document["subjects"]
    kinds = {s["kind"] for s in subjects}
    outside = 0
    for s in subjects:
        alike = sum(o["kind"] == s["kind"] for o in subjects)
        outside += check_subject(s, rule, rule["false_accusations"] / len(kinds) / alike)
    assert len(document["findings"]) == outside
    print(f"{len(subjects)} tests are equal, {outside} with a machine outside")


def fleet(folder, host_file):
    """Seven machines with two runs each; b5 has slow memory, which slows its only layer too."""
    draw = random.Random(5)
    run = json.loads((pathlib.Path(os.environ["RIDGE_SOURCE"]) / "tests/runs/run.json").read_text())
    host = json.loads(pathlib.Path(host_file).read_text())["host"]
    for machine in range(7):
        luck = draw.gauss(1, 0.01)
        slow = 1.25 if machine == 5 else 1.0
        for repetition in range(2):
            factor = luck * slow * draw.gauss(1, 0.004)
            copy = json.loads(json.dumps(run))
            copy["host"] = dict(host, hostname=f"b{machine}" if machine else host["hostname"])
            copy["latency"]["median_ns"] = round(1e6 * factor)
            copy["latency"]["ci95_ns"] = [round(0.99e6 * factor), round(1.01e6 * factor)]
            for layer in copy["layers"]:
                layer["corrected_ns"] = 1e5 * (1 + layer["index"]) * factor
                layer["below_resolution"] = False
            copy["ceilings"] = [
                {"kind": kind, "dtype": "float32", "level": level, "threads": 1, "unit": "B/s", "theory": None,
                 "value": 4e10 * draw.gauss(1, 0.005) / (slow if level == "memory" else 1),
                 "ci95": [3e10, 4.2e10], "instruction": "avx2"}
                for level in ("L1", "memory") for kind in ("read", "write")]
            pathlib.Path(folder, f"{machine}-{repetition}.json").write_text(json.dumps(copy))


if __name__ == "__main__":
    {"fleet": fleet, "check": check}[sys.argv[1]](*sys.argv[2:])
