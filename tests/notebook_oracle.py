# SPDX-License-Identifier: Apache-2.0
"""Executes a notebook of examples/notebook in the current folder, and compares what its cells show
with the documents that ridge prints of the same runs.

    notebook_oracle.py first_profile.ipynb     # prints a line about what was compared

Needs nbclient and ipykernel (scripts/fetch_python_clients.sh), the package on PYTHONPATH, the program
in RIDGE_PROGRAM. A wrong figure ends with an AssertionError that names the cell.
"""
import base64
import html.parser
import io
import json
import os
import subprocess
import sys

import matplotlib.image
import nbclient
import nbformat
from views_oracle import leader

# What the plots hold, which their pictures do not say.
PLOTTED = """
print(json.dumps({
    "bars": [[label.get_text(), bar.get_width()] for label, bar in zip(bars.get_yticklabels(), bars.patches)],
    "dots": dots.get_offsets().tolist(),
    "lines": [[line.get_label(), *line.get_ydata()] for line in roofline.get_lines()],
}))
"""


def ridge(*arguments):
    done = subprocess.run([os.environ["RIDGE_PROGRAM"], *arguments, "--format", "json"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Rows(html.parser.HTMLParser):
    """Cells of an HTML table, row by row."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.inside = [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag):
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data


class Shown:
    """What the cells of an executed notebook show, by the cells' ids."""

    def __init__(self, notebook):
        self.cells = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
        self.compared = 0

    def printed(self, cell):
        return "".join(o.text for o in self.cells[cell]
                       if o.output_type == "stream" and o.name == "stdout")

    def data(self, cell, kind):
        found = [o.data[kind] for o in self.cells[cell] if kind in o.get("data", {})]
        assert len(found) == 1, f"{cell}: {len(found)} outputs of {kind}"
        return found[0]

    def expect(self, cell, shown, expected):
        """Equal, numbers as far as they are shown."""
        assert len(shown) == len(expected), f"{cell}: {len(shown)} of {len(expected)}: {shown}"
        for one, other in zip(shown, expected):
            if isinstance(other, list):
                self.expect(cell, one, other)
                continue
            other = "NaN" if other is None else other
            equal = one == other if isinstance(other, str) else near(one, other)
            assert equal, f"{cell}: '{one}' is shown of {other!r}"
            self.compared += 1

    def expect_table(self, cell, expected):
        """Rows of the table less its header and the frame's own index."""
        rows = [row[1:] for row in Rows(self.data(cell, "text/html")).rows]
        self.expect(cell, [row for row in rows[-len(expected):]], expected)
        assert len(rows) - len(expected) in (1, 2), f"{cell}: {len(rows)} rows"  # the header

    def expect_picture(self, cell):
        picture = matplotlib.image.imread(io.BytesIO(base64.b64decode(self.data(cell, "image/png"))))
        colors = {tuple(pixel) for row in picture for pixel in row.tolist()}
        assert len(colors) > 50, f"{cell}: {len(colors)} colors"


def near(shown, value):
    """A number as text or not: to half a unit of its last decimal, or six digits."""
    decimals = len(shown.partition(".")[2]) if isinstance(shown, str) else 12
    return abs(float(shown) - value) <= max(0.5000001 * 10**-decimals, 1e-6 * abs(value))


def execute(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    notebook.cells.append(nbformat.v4.new_code_cell(PLOTTED, id="plotted"))
    nbclient.NotebookClient(notebook, timeout=1200, kernel_name="python3").execute()
    for position, cell in enumerate(code, 1):
        assert cell.execution_count == position, f"{cell.id} did not run"
        assert position == 1 or cell.outputs, f"{cell.id} shows nothing"
    return Shown(notebook)


def time_by_operator(run):
    out = {}
    for layer in run["layers"]:
        if layer["members"]:
            operator = run["nodes"][leader(run, layer)]["op_type"]
            out[operator] = out.get(operator, 0) + layer["corrected_ns"] / 1e6
    return out


def check_counts(shown, counts):
    totals = counts["totals"]
    assert shown.printed("analyze") == (
        f"{totals['macs'] / 1e6:.1f} million MACs, {totals['params'] / 1e6:.2f} million parameters, "
        f"{len(counts['nodes'])} nodes\n")
    most = sorted(counts["nodes"], key=lambda n: (-n["macs"], n["index"]))[:5]
    shown.expect_table("analyze", [[n[k] for k in ("name", "op_type", "macs", "params")] for n in most])


def check_layers(shown, run):
    latency, runtime = run["latency"], run["runtime"]
    low, high = latency["ci95_ns"]
    said = (f"latency {latency['median_ns'] / 1e6:.2f} ms, 95 % interval {low / 1e6:.2f} to "
            f"{high / 1e6:.2f} ms, {runtime['name']} {runtime['version']}\n")
    assert shown.printed("profile") == said + "".join(f"note: {n}\n" for n in run["notes"])

    layers = run["layers"]
    assert shown.printed("layers-table") == f"{len(layers)} layers for {len(run['nodes'])} nodes\n"
    slowest = sorted(layers, key=lambda l: -l["corrected_ns"])[:8]
    shown.expect_table("layers-table", [
        [l["name"], l["type"], len(l["members"]), l["corrected_ns"] / 1e3, l["share"], l["macs"],
         l["roof_share"]] for l in slowest])
    shown.expect_table("members-table", [
        [m["node"], run["nodes"][m["node"]]["name"], run["nodes"][m["node"]]["op_type"], m["role"],
         m["evidence"]] for m in slowest[0]["members"]])


def check_plots(shown, run):
    plotted = json.loads(shown.printed("plotted"))
    modules = {}
    for layer in run["layers"]:
        modules[layer["module"]] = modules.get(layer["module"], 0) + layer["corrected_ns"] / 1e6
    shown.expect("plot-modules-code", plotted["bars"], [
        [module or "(the whole model)", ms] for module, ms in modules.items()])

    dots = []
    for layer in run["layers"]:
        operations = 2 * layer["macs"] + layer["flops"] + layer["special"] + layer["int_ops"]
        if operations > 0 and layer["corrected_ns"] > 0:
            dots.append([operations / layer["bytes"], operations / layer["corrected_ns"]])
    shown.expect("plot-roofline-code", plotted["dots"], dots)

    compute = max(c["value"] for c in run["ceilings"]
                  if c["kind"] == "compute" and c["dtype"] == "float32") / 1e9
    lines = []
    for c in run["ceilings"]:
        if c["kind"] == "read":
            left = min(x for x, _ in dots) / 2
            label = f"read {c['level']}: {c['value'] / 1e9:.0f} GB/s (measured)"
            slow = c["value"] / 1e9 * left
            lines.append([label, slow, max(slow, compute)])
    lines.append([f"float32: {compute:.0f} GFLOP/s (measured)", compute, compute])
    shown.expect("plot-roofline-code", plotted["lines"], lines)
    for cell in ("plot-modules-code", "plot-roofline-code"):
        shown.expect_picture(cell)


def check_comparison(shown, run, plain, change):
    latency = change["latency"]["runs"][1]
    assert shown.printed("compare-table") == (
        f"{len(run['layers'])} layers with optimizations, {len(plain['layers'])} without\n"
        f"latency x {latency['ratio']:.2f}: {latency['verdict']}\n")
    rows = []
    for operator in change["operators"]:
        r = operator["runs"][1]
        rows.append([operator["name"], r["time_ns"] / 1e3, r["ratio"], r["verdict"]])
    shown.expect_table("compare-table", rows)


def check_store(shown, runs):
    rows = Rows(shown.data("store-list", "text/html")).rows[1:]
    shown.expect("store-list", [row[1:2] + row[3:] for row in rows], [
        [number, run["model"]["path"], run["runtime"]["name"], 1, run["latency"]["median_ns"] / 1e6,
         len(run["layers"])] for number, run in enumerate(runs, 1)])
    times = [time_by_operator(run) for run in runs]
    rows = Rows(shown.data("store-sql", "text/html")).rows[2:]
    names = sorted({node["op_type"] for run in runs for node in run["nodes"]})
    shown.expect("store-sql", rows, [[n, *(t.get(n) for t in times)] for n in names])


def main(path):
    shown = execute(path)
    run, plain = (ridge("runs", "show", "runs.db", number) for number in ("1", "2"))
    assert (run["model"]["path"], run["runtime"]["name"]) == ("zoo:squeezenet1_1", "ONNX Runtime")
    check_counts(shown, ridge("analyze", "zoo:squeezenet1_1", "--bind", "batch=1"))
    check_layers(shown, run)
    check_plots(shown, run)
    check_comparison(shown, run, plain, ridge("compare", "runs.db:1", "runs.db:2"))
    check_store(shown, [run, plain])
    print(f"{len(shown.cells) - 1} cells ran, {shown.compared} values equal the documents")


if __name__ == "__main__":
    main(sys.argv[1])
