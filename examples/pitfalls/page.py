# SPDX-License-Identifier: Apache-2.0
"""The page of run.py: chart, table, and photographs whose answers changed; all in one file."""
import base64
import dataclasses
import html
import pathlib

SHOWN = ["jpeg75", "opencv_linear", "nearest", "squash", "bgr", "imagenet"]  # pipelines with photographs
PHOTOGRAPHS = 5  # of each

STYLE = """
svg.pitfalls { width: 100%; max-width: 900px; height: auto; display: block; }
svg.pitfalls text { font: 13px system-ui, sans-serif; fill: var(--ink); }
svg.pitfalls text.soft { fill: var(--soft); font-size: 12px; }
svg.pitfalls .bar { fill: var(--accent); opacity: .55; }
svg.pitfalls .spread { stroke: var(--ink); stroke-width: 1.5; }
svg.pitfalls .grid { stroke: var(--grid); }
tr.group th { position: static; color: var(--ink); padding-top: 14px; }
.crops { display: flex; flex-wrap: wrap; gap: 14px; }
.crops figure { margin: 0; width: 150px; font-size: .8rem; line-height: 1.35; }
.crops img { display: block; height: 96px; margin-bottom: 4px; border-radius: 3px; }
.crops .was { color: var(--soft); }
code { font-size: .92em; overflow-wrap: anywhere; }
"""


@dataclasses.dataclass
class Crop:
    name: str
    photograph: str
    right: set  # classes that are right; empty where ImageNet has none for the photograph


@dataclasses.dataclass
class Row:
    pipeline: object
    answers: list  # class of each crop
    changed: list  # of each crop: another answer than the right pipeline's
    interval: tuple  # of the share of changed ones
    kl: float  # mean divergence of the scores from the right pipeline's, in nats
    in_first_five: float  # share of crops with the right pipeline's answer among the first five
    right: int
    judged: int
    made_ns: float  # median over crops: from the file to the network's input

    @property
    def share(self):
        return sum(self.changed) / len(self.changed)


@dataclasses.dataclass
class Report:
    base: Row
    rows: dict  # by group
    crops: list
    names: list  # of classes
    thumbnails: pathlib.Path
    style: str
    times: dict  # median latency by runtime, ns

    @property
    def photographs(self):
        return len({crop.photograph for crop in self.crops})


def percent(share):
    return f"{100 * share:.1f}"


def milliseconds(ns):
    return f"{ns / 1e6:.2f} ms"


def cells(row):
    lo, hi = row.interval
    return [row.pipeline.change, f"{percent(row.share)} %", f"{percent(lo)} to {percent(hi)}", f"{row.kl:.3f}", f"{percent(row.in_first_five)} %",
            f"{row.right} of {row.judged}", milliseconds(row.made_ns)]


HEAD = ["change", "other answer", "95 % interval", "KL", "in first five", "right", "pre-processing"]


def text_of(report):
    """The table for a terminal."""
    rows = [HEAD, ["the right pipeline", "", "", "", "", f"{report.base.right} of {report.base.judged}", milliseconds(report.base.made_ns)]]
    rows += [cells(row) for group in report.rows.values() for row in group]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    lines = ["  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines) + "\n"


def chart(report):
    """Bars of the shares, with their intervals, in the order of the table."""
    left, right, step = 340, 880, 24
    y, parts = 24, []
    x_of = lambda share: left + (right - left) * share
    for group, rows in report.rows.items():
        parts.append(f'<text class="soft" x="0" y="{y + 4}">{html.escape(group)}</text>')
        y += step
        for row in rows:
            lo, hi = row.interval
            parts.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{html.escape(row.pipeline.change)}</text>'
                         f'<rect class="bar" x="{left}" y="{y - 7}" width="{x_of(row.share) - left:.1f}" height="14"/>'
                         f'<line class="spread" x1="{x_of(lo):.1f}" x2="{x_of(hi):.1f}" y1="{y}" y2="{y}"/>')
            y += step
        y += 6
    grid = "".join(f'<line class="grid" x1="{x_of(s / 4)}" x2="{x_of(s / 4)}" y1="14" y2="{y - 12}"/>'
                   f'<text class="soft" x="{x_of(s / 4)}" y="{y + 4}" text-anchor="middle">{25 * s} %</text>' for s in range(5))
    return f'<svg class="pitfalls" viewBox="0 0 900 {y + 12}" role="img" aria-label="share of changed answers">{grid}{"".join(parts)}</svg>'


def table(report):
    head = f"<th>{HEAD[0]}</th>" + "".join(f'<th class="n">{h}</th>' for h in HEAD[1:]) + "<th>what differs</th>"
    body = []
    for group, rows in report.rows.items():
        body.append(f'<tr class="group"><th colspan="8">{html.escape(group)}</th></tr>')
        for row in rows:
            p = row.pipeline
            steps = ["<code>" + html.escape(s or f"no {kind}") + "</code>" for kind, s in p.changed.items()]
            steps = steps or ["the files" if p.runtime == "ort" else "the runtime"]
            first, *rest = cells(row)
            body.append(f"<tr><td>{html.escape(first)}</td>" + "".join(f'<td class="n">{c}</td>' for c in rest) + f"<td>{', '.join(steps)}</td></tr>")
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(body)}</tbody></table></div>'


def examples(report, row):
    """Crops with another answer: right before and wrong now first, then one of each photograph."""
    lost = lambda i: report.base.answers[i] in report.crops[i].right and row.answers[i] not in report.crops[i].right
    order = sorted((i for i, changed in enumerate(row.changed) if changed), key=lambda i: (not lost(i), i))
    seen = {}
    for i in order:
        seen.setdefault(report.crops[i].photograph, []).append(i)
    turns = [i for turn in range(PHOTOGRAPHS) for crops in seen.values() for i in crops[turn:turn + 1]]
    return turns[:PHOTOGRAPHS]


def figure(report, row, i):
    picture = base64.b64encode((report.thumbnails / f"{report.crops[i].name}.jpg").read_bytes()).decode()
    was, now = (html.escape(report.names[answers[i]]) for answers in (report.base.answers, row.answers))
    return (f'<figure><img src="data:image/jpeg;base64,{picture}" alt="{html.escape(report.crops[i].name)}">'
            f'<span class="was">{was}</span><br>→ <b>{now}</b></figure>')


def gallery(report):
    out = []
    for name in SHOWN:
        row = next(r for rows in report.rows.values() for r in rows if r.pipeline.name == name)
        chosen = examples(report, row)
        if chosen:
            out.append(f"<h3>{html.escape(row.pipeline.change)}</h3><div class=crops>{''.join(figure(report, row, i) for i in chosen)}</div>")
    return "".join(out)


def html_of(report):
    times = " A run takes " + ", ".join(f"{milliseconds(ns)} in {name}" for name, ns in report.times.items()) + " (median)." if report.times else ""
    n = len(report.crops)
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Pitfalls of a pipeline</title><style>{report.style}{STYLE}</style><main>
<h1>One mistake in the pipeline: how many answers change</h1>
<p class="sub">EfficientNet-Lite0 with its ImageNet weights on {n} crops of {report.photographs} photographs.{html.escape(times)}</p>
<p>The right pipeline: <code>{html.escape(report.base.pipeline.steps)}</code> on JPEG files of quality 95. Each row changes one thing. Of the
{report.base.judged} crops whose photograph has a class in ImageNet, the right pipeline answers {report.base.right} correctly.</p>
{chart(report)}
<p class="legend">Bar: share of crops with another answer than by the right pipeline. Line: 95 % interval, in which crops of one photograph count as
alike.</p>
{table(report)}
<p class="legend">KL: divergence of Kullback and Leibler of the classes' probabilities from those of the right pipeline, in nats, mean over the
crops; it counts what changes although the answer does not. In first five: share of crops that have the answer of the right pipeline among their first five. Right:
answers that are a class of the photograph. <a href="compare.html">Every changed answer</a>.
Pre-processing: from the file to the input of the network, median over the crops, {milliseconds(report.base.made_ns)} by the right pipeline.</p>
<h2>Answers before and after</h2>{gallery(report)}
</main></html>
"""
