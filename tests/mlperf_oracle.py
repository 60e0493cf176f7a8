# SPDX-License-Identifier: Apache-2.0
"""Compares ridge eval --mlperf-logs with LoadGen itself, which answers at once.

usage: mlperf_oracle.py server|single-stream|multi-stream|offline|batches|equal-issue|accuracy|test01

Runs in an empty folder with ridge on the PATH and RIDGE_SOURCE set. Prints what was compared; an
assertion fails where the two differ.
"""

import csv
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

SOURCE = pathlib.Path(os.environ["RIDGE_SOURCE"])
sys.path.insert(0, str(SOURCE / "src" / "scenario"))
import loadgen_oracle  # noqa: E402  (LoadGen, with what it asks for and when)

SAMPLES, QUERIES, QPS = 200, 700, 20000
STREAM_QPS = 200000  # expected: a list that no stream of the test runs out of
FILES = ("mlperf_log_summary.txt", "mlperf_log_detail.txt", "mlperf_log_accuracy.json")
SEEDS = {"qsl_rng_seed": 2085463073848966840, "sample_index_rng_seed": 2747215439041700203,
         "schedule_rng_seed": 16159082839903944936}
LOADGEN_NAME = {"server": "Server", "single-stream": "SingleStream",
                "multi-stream": "MultiStream", "offline": "Offline"}


def images():
    data = np.random.default_rng(1).integers(0, 256, (SAMPLES, 28, 28), dtype=np.uint8)
    np.save("images.npy", data)
    return data


def ridge(scenario, *flags, runtime="null"):
    done = subprocess.run(
        ["ridge", "eval", str(SOURCE / "examples/digits/digits.onnx"), "--runtime", runtime,
         "--data", "images.npy", "--steps", "normalize(divide=255) layout(nchw)", "--scenario",
         scenario, "--duration", "50ms", "--min-queries", str(QUERIES), "--mlperf-logs", "out",
         "--format", "json", *flags], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)["points"][0]["mlperf"]


def loadgen(scenario, mode="PerformanceOnly", **settings):
    rate = {"server_target_qps": QPS, "offline_expected_qps": QPS,
            "single_stream_expected_latency_ns": 10**9 // STREAM_QPS,
            "multi_stream_expected_latency_ns": 10**9 // STREAM_QPS}
    return loadgen_oracle.run({
        "total": SAMPLES, "performance": SAMPLES,
        "settings": {"scenario": LOADGEN_NAME[scenario], "mode": mode, "min_duration_ms": 50,
                     "min_query_count": QUERIES, **SEEDS, **rate, **settings}})


def read_logs(folder):
    return [(pathlib.Path(folder) / name).read_text() for name in FILES]


def detail_keys(text):
    keys = set(re.findall(r':::MLLOG \{"key": "([^"]+)"', text))
    # The last is there or not by the verdict, which depends on how busy the machine is.
    return keys - {"generic_message", "warning_generic_message", "result_invalid_reason"}


def summary_keys(text):
    return {line.split(":")[0] for line in text.splitlines()
            if ": " in line and not line.startswith(("Written by", " * "))}


def compare_keys(theirs):
    summary, detail, accuracy = read_logs("out")
    assert detail_keys(detail) == detail_keys(theirs["detail"]), (
        detail_keys(detail) ^ detail_keys(theirs["detail"]))
    assert summary_keys(summary) == summary_keys(theirs["summary"]), (
        summary_keys(summary) ^ summary_keys(theirs["summary"]))
    assert json.loads(accuracy) == json.loads(theirs["accuracy"])
    pattern = r'"key": "(requested_\w+|effective_\w+|generated_\w+|loaded_qsl_set)", "value": (.*?), "time_ms"'
    ours, loaded = dict(re.findall(pattern, detail)), dict(re.findall(pattern, theirs["detail"]))
    assert ours == loaded, set(ours.items()) ^ set(loaded.items())
    assert len(ours) > 40
    print("keys and settings are equal")


def load(scenario, flags=(), settings=None, every=1):
    rate = STREAM_QPS if "stream" in scenario else QPS
    ridge(scenario, "--qps", str(rate), "--queries", "queries.csv", "--runtime-option",
          "ridge.service=constant:5", *flags)
    theirs = loadgen(scenario, **(settings or {}))
    rows = sorted(csv.DictReader(open("queries.csv", encoding="utf-8")),
                  key=lambda row: int(row["issued_ns"]))
    samples = [int(row["sample"]) for row in rows]
    queries = [[int(word) for word in line.split()] for line in theirs["queries"].splitlines()]
    expected = queries[0][::every] if scenario == "offline" else [q[0] for q in queries]
    common = min(len(samples), len(expected))
    assert common >= QUERIES // every, (len(samples), len(expected))
    assert samples[:common] == expected[:common]
    if scenario in ("server", "offline"):
        assert len(samples) == len(expected)
    if scenario == "server":
        moments = [int(row["scheduled_ns"]) for row in rows]
        assert moments == [int(word) for word in theirs["scheduled"].split()]
        print("moments are equal")
    print("samples are equal")
    compare_keys(theirs)


def check_outputs(folder, data, count):
    """The null runtime's output is its input: that of each sample is known, and so is its best class,
    the float32 that MLCommons' accuracy-imagenet.py reads."""
    log = json.loads((pathlib.Path(folder) / FILES[2]).read_text())
    assert len(log) == count if count else len(log) > 0, len(log)
    for entry in log:
        predicted = np.frombuffer(bytes.fromhex(entry["data"]), np.float32)
        assert predicted.tolist() == [data[entry["qsl_idx"]].argmax()], entry["qsl_idx"]
    return log


def accuracy(data):
    theirs = json.loads(loadgen("offline", mode="AccuracyOnly")["accuracy"])
    for batch in ("1", "8"):
        ridge("accuracy", "--bind", f"batch={batch}")
        log = check_outputs("out", data, SAMPLES)
        key = lambda e: (e["seq_id"], e["qsl_idx"])
        assert sorted(map(key, log)) == sorted(map(key, theirs))
    print("outputs are equal")


def test01(data):
    """In LoadGen the audit logs the same samples; ours are compared with the inputs as well."""
    theirs = json.loads(loadgen("offline", accuracy_log_rng_seed=720381539243781796,
                                accuracy_log_sampling_target=SAMPLES)["accuracy"])
    for batch in ("1", "8"):
        audit = ridge("offline", "--qps", str(QPS), "--audit", "test01", "--bind", f"batch={batch}")["audit"]
        check_outputs("out/accuracy", data, SAMPLES)
        log = check_outputs("out/TEST01", data, None)
        assert [(e["seq_id"], e["qsl_idx"]) for e in log] == [
            (e["seq_id"], e["qsl_idx"]) for e in theirs]
        assert audit["outputs_compared"] == len(log) and audit["outputs_different"] == 0, audit
    print("outputs are equal")


def main():
    case, data = sys.argv[1], images()
    if case == "accuracy":
        accuracy(data)
    elif case == "test01":
        test01(data)
    elif case == "batches":
        load("offline", ("--bind", "batch=8"), every=8)
    elif case == "equal-issue":
        pathlib.Path("user.conf").write_text("*.*.sample_concatenate_permutation = 1\n")
        load("server", ("--user-conf", "user.conf"), {"sample_concatenate_permutation": True})
    else:
        load(case)


if __name__ == "__main__":
    main()
