# SPDX-License-Identifier: Apache-2.0
"""Table and page of eval_demo.py, from documents of the schema ridge.evaluation/1."""
import dataclasses
import html
import math
import statistics

HEAD = ["network", "scenario", "runtime", "verdict", "p50", "p99", "queries/s", "samples/s", "right"]
STYLE = """
td.invalid { color: var(--slower); font-weight: 600; } td.undecided { color: var(--soft); font-weight: 600; } td.valid { color: var(--faster); }
tr.next td { border-top: 2px solid var(--grid); } td small { color: var(--soft); display: block; font-weight: 400; }
td.name { white-space: nowrap; min-width: 0; }
"""


@dataclasses.dataclass
class Row:
    network: str
    scenario: str
    runtime: str
    verdict: str  # "" for accuracy alone
    reasons: list
    figures: list  # texts and intervals, one for each of HEAD after the verdict

    @property
    def files(self):
        return f"{self.network}-{self.scenario}"


def wilson(right, count):
    """95 % interval of a share (Wilson, 1927)."""
    z, p = statistics.NormalDist().inv_cdf(0.975), right / count
    center, half = p + z * z / (2 * count), z * math.sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    return [(center - half) / (1 + z * z / count), (center + half) / (1 + z * z / count)]


def significant(value):
    """Three digits, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:#.3g}".rstrip(".")


def duration(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{significant(ns / size)} {unit}"
    return f"{ns:.0f} ns"


def with_interval(value, interval, text):
    return (text(value), f"{text(interval[0])} to {text(interval[1])}" if interval else "")


def percentile(figures, wanted):
    p = next(p for p in figures["latency"]["percentiles"] if p["percentile"] == wanted)
    return with_interval(p["value_ns"], p["ci95_ns"], duration)


def share_right(accuracy, right):
    """Top-1 as ridge judged it, or, where a sample has several right classes, here."""
    percent = lambda share: f"{100 * share:.1f} %"
    if accuracy["top1"]:
        return with_interval(accuracy["top1"]["value"], accuracy["top1"]["ci95"], percent)
    judged = [p in classes for p, classes in zip(accuracy["predicted"], right) if classes]
    value, interval = with_interval(sum(judged) / len(judged), wilson(sum(judged), len(judged)), percent)
    return f"{sum(judged)} of {len(judged)}", f"{value}, {interval}"


def row_of(point, network, scenario):
    nothing = ("", "")
    f = point["figures"]
    load = [nothing] * 4
    if f:
        latency = [nothing] * 2 if scenario == "offline" else [percentile(f, 50), percentile(f, 99)]  # all of its queries are due at once
        load = latency + [with_interval(f[key]["per_s"], f[key]["ci95_per_s"], significant) for key in ("completed", "samples")]
    validity = point["validity"] or {"state": "", "reasons": []}
    return Row(network.name, scenario, point["runtime"]["name"], validity["state"], validity["reasons"],
               [*load, share_right(point["accuracy"], network.right)])


def rows_of(document, network, scenario):
    return [row_of(point, network, scenario) for point in document["points"]]


def text_of(rows):
    """The table for a terminal, then why evaluations do not count."""
    lines = [HEAD] + [[row.network, row.scenario, row.runtime, row.verdict, *(value for value, _ in row.figures)] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    lines.insert(1, ["-" * width for width in widths])
    out = ["  ".join(c.ljust(w) if i < 4 else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths))).rstrip() for line in lines]
    out += [f"{row.network}, {row.scenario}, {row.runtime}: {row.verdict}: {reason}" for row in rows for reason in row.reasons]
    return "\n".join(out) + "\n"


def html_row(row, first):
    cells = [f'<td class="name">{html.escape(x)}</td>' for x in (row.network, row.scenario, row.runtime)]
    reasons = "".join(f"<small>{html.escape(reason)}</small>" for reason in row.reasons)
    cells.append(f'<td class="{row.verdict}">{row.verdict}{reasons}</td>')
    cells += [f'<td class="n">{html.escape(value)}<small>{html.escape(interval)}</small></td>' for value, interval in row.figures]
    cells.append(f'<td><a href="{row.files}.html">report</a><br><a href="{row.files}.json">document</a><br>'
                 f'<a href="{row.files}.lock">lock</a></td>')
    return f'<tr{" class=next" if first else ""}>{"".join(cells)}</tr>'


def html_of(rows, style):
    head = "".join(f'<th{" class=n" if i > 3 else ""}>{h}</th>' for i, h in enumerate(HEAD)) + "<th>files</th>"
    body = "".join(html_row(row, i == 0 or rows[i - 1].files != row.files) for i, row in enumerate(rows))
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Evaluations</title><style>{style}{STYLE}</style><main>
<h1>Two networks, two runtimes, five scenarios</h1>
<p class="sub">Digits: 2,000 held-out digits of MNIST. Photographs: EfficientNet-Lite0 on 17 photographs, of which some show a class of ImageNet.</p>
<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>
<p class="legend">Below each figure: its 95 % interval; none where the queries are too few for one. Latencies count from the moment for which a query was
scheduled. Offline, all queries are due at once, so only the rate says something. Samples of the load are those of the data.</p>
</main></html>
"""
