# SPDX-License-Identifier: Apache-2.0
"""Runs LoadGen itself: what it asks for, when, and what it logs.

usage: loadgen_oracle.py cases.json folder

cases.json: a list of {"settings": {field: value}, "total": n, "performance": n}, or, to read a
configuration file alone, {"settings": ..., "config": [path, model]}. For case i the folder gets
i.queries and i.loaded (indices, a line per query or set), i.scheduled (nanoseconds from the first
query), i.samples (scheduled, issued and done of each sample, in nanoseconds), i.summary, i.detail and i.accuracy (LoadGen's logs), or i.settings ("name value" lines).
"""

import array
import json
import pathlib
import re
import sys
import tempfile

import mlperf_loadgen as lg


def settings_of(case):
    settings = lg.TestSettings()
    for key, value in case["settings"].items():
        if key in ("scenario", "mode"):
            value = getattr(lg.TestScenario if key == "scenario" else lg.TestMode, value)
        setattr(settings, key, value)
    return settings


def read_config(case):
    settings = settings_of(case)
    path, model = case["config"]
    settings.FromConfig(path, model, case["settings"]["scenario"], 2)
    names = sorted(n for n in dir(settings) if isinstance(getattr(settings, n), (int, float)))
    return {"settings": "".join(f"{n} {float(getattr(settings, n))!r}\n" for n in names)}


def lines(rows):
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def run(case):
    queries, loaded = [], []
    data = array.array("B", b"\x01\x02\xff")

    def issue(samples):
        queries.append([s.index for s in samples])
        address, size = data.buffer_info()
        lg.QuerySamplesComplete([lg.QuerySampleResponse(s.id, address, size) for s in samples])

    sut = lg.ConstructSUT(issue, lambda: None)
    qsl = lg.ConstructQSL(
        case["total"], case["performance"], lambda s: loaded.append(list(s)), lambda s: None
    )
    with tempfile.TemporaryDirectory() as folder:
        logs = lg.LogSettings()
        logs.log_output.outdir = folder
        logs.enable_trace = True
        lg.StartTestWithLogSettings(sut, qsl, settings_of(case), logs, folder + "/none")
        text = lambda name: (pathlib.Path(folder) / ("mlperf_log_" + name)).read_text()
        answer = {
            "queries": lines(queries),
            "loaded": lines(loaded),
            "summary": text("summary.txt"),
            "detail": text("detail.txt"),
            "accuracy": text("accuracy.json"),
            **trace_of(text("trace.json")),
        }
    lg.DestroyQSL(qsl)
    lg.DestroySUT(sut)
    return answer


def trace_of(trace):
    number = r": *([0-9.]+)[^{}]*"
    spans = re.findall(
        r'\{"name": *"Sample"[^{}]*"ph": *"b"[^{}]*"ts"' + number
        + r'\{[^{}]*"sample_seq"' + number + '"query_seq"' + number
        + '"issue_start_ns"' + number + '"complete_ns"' + number,
        trace,
    )
    rows = sorted(
        (int(sample), int(query), round(float(ts) * 1000), int(issued), int(done))
        for ts, sample, query, issued, done in spans
    )
    start = min((row[2] for row in rows), default=0)
    starts = {query: ts - start for _, query, ts, _, _ in rows}
    return {
        "scheduled": lines([[starts[query] for query in sorted(starts)]]),
        "samples": lines(
            (ts - start, ts - start + issued, ts - start + done) for _, _, ts, issued, done in rows
        ),
    }


if __name__ == "__main__":
    for i, case in enumerate(json.loads(pathlib.Path(sys.argv[1]).read_text())):
        for name, text in (read_config if "config" in case else run)(case).items():
            (pathlib.Path(sys.argv[2]) / f"{i}.{name}").write_text(text)
