#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ridge accel`'s overlapped convention beside ZigZag and MAESTRO on one machine, layer by layer.

    bench/accel_vs_peers.py build/ridge [--zigzag PYTHON] [--maestro PROGRAM] [--csv FILE]

What ZigZag 3.8.5 and MAESTRO 4eb08d1 say of the layers is recorded in tests/accelerator/peers.csv. --zigzag and --maestro ask them
again and write the file: PYTHON is an interpreter that has the packages of bench/zigzag.lock (python3 -m venv V && V/bin/pip install
--require-hashes -r bench/zigzag.lock), PROGRAM the `maestro` of maestro-project/maestro. The machine: 32 x 32 units, weight stationary
(filters along columns, channels along rows; of a depthwise convolution the kernel's positions along rows), 512 KiB of shared SRAM,
DRAM of 16 bytes per cycle for reads and writes together, 8 bit operands and results, 32 bit sums; no padding, which MAESTRO does
not know. ZigZag searches loop orders and allocations (LOMA, uneven) as `ridge accel` searches tiles: for the latency, which gives
the cycles compared, and for the energy, which gives words and picojoules. Both energies are multiply-accumulates at 0.3 pJ, bytes
that cross the SRAM's ports at 1 pJ and bytes of DRAM at 64 pJ. MAESTRO gets one mapping, a row of outputs per step, and is compared
without DRAM's bandwidth (docs/accelerator-validation.md says why). Printed are ratios ridge / peer: the median, the 90th percentile
of the distance from 1 in either direction, and the least and greatest. Standard library only. ZigZag takes some 5 minutes of processor time.
"""
import argparse
import csv
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

SIDE, SRAM_KIB, DRAM_BYTES = 32, 512, 16
MAC_PJ, SRAM_PJ, DRAM_PJ = 0.3, 1.0, 64.0
RECORDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/accelerator/peers.csv")
COLUMNS = ["class", "layer", "out", "filter", "channels", "filters", "stride", "groups"]
COLUMNS += [f"zigzag {k}" for k in ("cycles", "compute", "stall", "load", "store", "read", "written", "pj")]
COLUMNS += [f"maestro {k}" for k in ("cycles", "read", "written")]

MACHINE = f"""
clock_mhz = 1000
energy = "peers-energy.toml"
[array]
rows = {SIDE}
columns = {SIDE}
dataflow = "ws"
[precision]
format = "int"
ifmap_bits = 8
filter_bits = 8
ofmap_bits = 8
accumulator_bits = 32
[sram]
shared_kib = {SRAM_KIB}
[dram]
gb_per_s = {DRAM_BYTES}
"""
ENERGY = f"""
source = "one table for all"
node_nm = 1
dram_pj_per_bit = {DRAM_PJ / 8}
mac = [ {{ bits = 8, accumulator_bits = 32, format = "int", pj = {MAC_PJ} }} ]
sram = [ {{ kib = {SRAM_KIB}, read_pj_per_byte = {SRAM_PJ}, write_pj_per_byte = {SRAM_PJ} }} ]
"""


class Layer:
    """A convolution of `groups` groups that are all alike; a product M x N x K is a 1 x 1 one of an M x 1 image."""

    def __init__(self, kind, name, out, f, c, n, s=1, groups=1):
        self.kind, self.name, self.groups = kind, name, groups
        self.oh, self.ow = out if isinstance(out, tuple) else (out, out)
        self.f, self.c, self.n, self.s = f, c, n, s
        self.h, self.w = (self.oh - 1) * s + f, (self.ow - 1) * s + f
        self.product = kind.startswith("GEMM")

    def macs(self):
        return self.groups * self.oh * self.ow * self.n * self.c * self.f * self.f

    def onnxim(self):
        """Folds x max(streamed, rows) + 3 rows + columns - 3: SystolicWS.cc of ONNXim, without memory."""
        k = self.c * self.f * self.f
        folds = math.ceil(k / SIDE) * math.ceil(self.n / SIDE)
        return self.groups * folds * max(self.oh * self.ow, SIDE) + 4 * SIDE - 3


def gemm(kind, m, n, k):
    return Layer(kind, f"{m}x{n}x{k}", (m, 1), 1, k, n)


LAYERS = [
    Layer("conv 3x3", "ResNet-18 layer1", 56, 3, 64, 64),
    Layer("conv 3x3", "ResNet-18 layer2.0", 28, 3, 64, 128, 2),
    Layer("conv 3x3", "ResNet-18 layer2", 28, 3, 128, 128),
    Layer("conv 3x3", "ResNet-18 layer3", 14, 3, 256, 256),
    Layer("conv 3x3", "ResNet-18 layer4", 7, 3, 512, 512),
    Layer("conv 1x1", "ResNet-50 layer1 reduce", 56, 1, 256, 64),
    Layer("conv 1x1", "ResNet-50 layer1 expand", 56, 1, 64, 256),
    Layer("conv 1x1", "ResNet-50 layer2 reduce", 28, 1, 512, 128),
    Layer("conv 1x1", "ResNet-50 layer3 reduce", 14, 1, 1024, 256),
    Layer("conv 1x1", "ResNet-50 layer4 expand", 7, 1, 512, 2048),
    Layer("depthwise 3x3", "MobileNetV2 32", 112, 3, 1, 1, 1, 32),
    Layer("depthwise 3x3", "MobileNetV2 144", 56, 3, 1, 1, 1, 144),
    Layer("depthwise 3x3", "MobileNetV2 384", 14, 3, 1, 1, 1, 384),
    Layer("depthwise 3x3", "MobileNetV2 960", 7, 3, 1, 1, 1, 960),
    gemm("GEMM large", 1024, 1024, 1024),
    gemm("GEMM large", 2048, 512, 1024),
    gemm("GEMM large", 512, 768, 3072),
    gemm("GEMM large", 256, 3072, 768),
    gemm("GEMM skinny", 1, 1024, 512),
    gemm("GEMM skinny", 1, 3072, 768),
    gemm("GEMM skinny", 8, 768, 3072),
    gemm("GEMM skinny", 16, 4096, 1024),
    gemm("GEMM skinny", 4096, 32, 64),
]


def energy_pj(macs, sram_bytes, read, written):
    return macs * MAC_PJ + sram_bytes * SRAM_PJ + (read + written) * DRAM_PJ


def ridge(program, layers, objective, gb_per_s=DRAM_BYTES):
    """Cycles, bytes read and written, picojoules of each layer."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("peers.toml", MACHINE), ("peers-energy.toml", ENERGY)):
            with open(os.path.join(folder, name), "w") as f:
                f.write(text)
        with open(os.path.join(folder, "net.csv"), "w") as f:
            f.write("name, h, w, fh, fw, c, n, s,\n")
            for i, l in enumerate(layers):
                name, channels = (f"DP {i}", l.groups) if l.groups > 1 else (i, l.c)  # DP: depthwise
                f.write(f"{name}, {l.h}, {l.w}, {l.f}, {l.f}, {channels}, {l.n}, {l.s},\n")
        command = [os.path.abspath(program), "accel", "--topology", "net.csv", "--machine", "peers.toml", "--objective", objective,
                   "--set", f"dram.gb_per_s={gb_per_s}", "--sensitivity", "off", "--format", "json"]
        run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if run.returncode:
        sys.exit(run.stderr)
    out = []
    for l, r in zip(layers, json.loads(run.stdout)["layers"]):
        assert r["macs"] == l.macs()
        out.append({"cycles": r["total_cycles"], "compute": r["compute_cycles"], "read": r["dram_read_bytes"],
                    "written": r["dram_write_bytes"], "pj": r["energy_pj"]["total"]})
    return out


ZIGZAG = r"""
import json, os, sys, tempfile, yaml
from zigzag.api import get_hardware_performance_zigzag
job = json.load(sys.stdin)
numbers = iter(range(1, 99))
kinds = {"r": "read", "w": "write", "rw": "read_write"}
def port(kind, bits, *uses):
    return dict(name=f"{kind}_port_{next(numbers)}", type=kinds[kind], bandwidth_min=8, bandwidth_max=bits, allocation=list(uses))
def memory(bits, pj, operands, dimensions, *ports):
    return dict(size=bits, r_cost=pj, w_cost=pj, area=0, latency=1, operands=operands, served_dimensions=dimensions, ports=list(ports))
side, every = job["side"], ["I1", "I2", "O"]
memories = {
    "weight": memory(16, 0, ["I2"], [], port("r", 8, "I2, tl"), port("w", 8, "I2, fh")),
    "sums": memory(32, 0, ["O"], ["D2"], port("r", 32, "O, tl"), port("r", 32, "O, th"), port("w", 32, "O, fh"), port("w", 32, "O, fl")),
    "sram": memory(job["sram_bits"], side * job["sram_pj"], every, ["D1", "D2"],
                   port("r", 8 * side, "I1, tl"), port("r", 8 * side, "I2, tl"), port("r", 32 * side, "O, tl"), port("w", 32 * side, "O, fl"),
                   port("r", 32 * side, "O, th"), port("w", 32 * side, "I1, fh", "I2, fh", "O, fh")),
    "dram": memory(10**12, job["dram_bytes"] * job["dram_pj"], every, ["D1", "D2"],
                   port("rw", 8 * job["dram_bytes"], *(f"{o}, {d}" for o in every for d in ("tl", "fh")), "O, fl", "O, th"))}
machine = dict(name="peers", memories=memories, operational_array=dict(unit_energy=job["mac_pj"], unit_area=1, dimensions=["D1", "D2"], sizes=[side, side]))
links = dict(O="O", W="I2", I="I1")
def run(layer, objective, folder):
    sizes = dict(B=1, G=layer["groups"], K=layer["n"], C=layer["c"], OY=layer["oh"], OX=layer["ow"], FY=layer["f"], FX=layer["f"])
    step, inputs = layer["s"], [layer["w"], layer["h"]]
    rows = [f"FX, {layer['f']}", f"FY, {layer['f']}"] if layer["groups"] > 1 else [f"C, {side}"]
    if layer["product"]:
        sizes = dict(D=layer["oh"], K=layer["n"], C=layer["c"])
        work = dict(operator_type="Gemm", equation="O[d][k]+=I[d][c]*W[c][k]", dimension_relations=[])
    else:
        work = dict(operator_type="Conv", equation="O[b][g][k][oy][ox]+=W[g][k][c][fy][fx]*I[b][g][c][iy][ix]",
                    dimension_relations=[f"ix={step}*ox+1*fx", f"iy={step}*oy+1*fy"], padding=[[0, 0], [0, 0]], pr_loop_dims=["IX", "IY"], pr_loop_sizes=inputs)
    work.update(id=0, name="layer", loop_dims=list(sizes), loop_sizes=list(sizes.values()),
                operand_precision=dict(W=8, I=8, O=32, O_final=8), operand_source=dict(W=0, I=0))
    mapping = dict(name="default", spatial_mapping=dict(D1=[f"K, {side}"], D2=rows), memory_operand_links=links)
    paths = []
    for name, value in (("work", [work]), ("machine", machine), ("mapping", [mapping])):
        paths.append(os.path.join(folder, name + ".yaml"))
        with open(paths[-1], "w") as f:
            yaml.safe_dump(value, f, sort_keys=False)
    cme = get_hardware_performance_zigzag(*paths, opt=objective, dump_folder=folder, loma_show_progress_bar=False)[2][0][1][0][0]
    bits = {"sram": 0, "read": 0, "written": 0}
    for op, levels in cme.memory_word_access.items():
        for at, level in enumerate(levels):
            of = cme.accelerator.get_memory_level(cme.memory_operand_links.layer_to_mem_op(op), at)
            for way, accesses in level.data.items():
                moved = accesses * (of.get_max_bandwidth(cme.memory_operand_links.layer_to_mem_op(op), way) or 0)
                if of.name == "dram":
                    bits["read" if way.value.startswith("rd") else "written"] += moved
                elif of.name == "sram":
                    bits["sram"] += moved
    at = [cme.ideal_temporal_cycle, cme.latency_total0, cme.latency_total1, cme.latency_total2]
    return dict(cycles=int(at[3]), compute=int(at[0]), stall=int(at[1] - at[0]), load=int(at[2] - at[1]), store=int(at[3] - at[2]),
                **{k: v // 8 for k, v in bits.items()})
for layer in job["layers"]:
    for objective in ("latency", "energy"):
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(run(layer, objective, folder)), flush=True)
"""


def zigzag(python, layers):
    """Per layer what the search for latency and the one for energy found."""
    job = {"side": SIDE, "sram_bits": SRAM_KIB * 8192, "dram_bytes": DRAM_BYTES, "mac_pj": MAC_PJ, "sram_pj": SRAM_PJ, "dram_pj": DRAM_PJ,
           "layers": [vars(l) for l in layers]}
    run = subprocess.run([python, "-c", ZIGZAG], input=json.dumps(job), capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr[-2000:])
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    for l, r in zip([l for l in layers for _ in range(2)], rows):
        r["pj"] = round(energy_pj(l.macs(), r["sram"], r["read"], r["written"]), 1)
    return list(zip(rows[::2], rows[1::2]))


def maestro_layer(i, l):
    return f"""Layer L{i} {{
  Type: CONV
  Stride {{ X: {l.s}, Y: {l.s} }}
  Dimensions {{ K: {l.n}, C: {l.c}, R: {l.f}, S: {l.f}, Y: {l.h}, X: {l.w} }}
  Dataflow {{
    SpatialMap(1,1) K;
    TemporalMap({SIDE},{SIDE}) C;
    TemporalMap(Sz(R),Sz(R)) R;
    TemporalMap(Sz(S),Sz(S)) S;
    TemporalMap({l.h if l.product else 'Sz(R)'},{l.h if l.product else 1}) Y;
    TemporalMap({l.w},{l.w}) X;
    Cluster({SIDE}, P);
    SpatialMap(1,1) C;
    TemporalMap(Sz(R),1) Y;
    TemporalMap(Sz(S),1) X;
    TemporalMap(Sz(R),Sz(R)) R;
    TemporalMap(Sz(S),Sz(S)) S;
  }}
}}
"""


def maestro(program, layers):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "hw.m"), "w") as f:
            f.write(f"num_pes: {SIDE * SIDE}\nl1_size_cstr: 1000000\nl2_size_cstr: 100000000\nnoc_bw_cstr: {2 * SIDE}\noffchip_bw_cstr: 1000000000\n")
        with open(os.path.join(folder, "net.m"), "w") as f:
            f.write("Network net {\n" + "".join(maestro_layer(i, l) for i, l in enumerate(layers)) + "}\n")
        subprocess.run([os.path.abspath(program), "--HW_file=hw.m", "--Mapping_file=net.m", "--print_res=false", "--print_res_csv_file=true",
                        "--print_log_file=false"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, "net.csv")) as f:
            rows = [{k.strip(): v.strip() for k, v in row.items() if k} for row in csv.DictReader(f)]
    assert len(rows) == len(layers), "maestro did not answer for every layer"
    return [{"cycles": int(r["Runtime (Cycles)"]), "read": int(r["input l2 write"]) + int(r["filter l2 write"]), "written": int(r["output l2 read"])}
            for r in rows]


def recorded():
    with open(RECORDED, newline="") as f:
        return list(csv.DictReader(f))


def ask(rows, layers, python, program):
    """The recorded rows anew, of one peer or both."""
    rows += [{} for _ in layers[len(rows):]]
    for row, l in zip(rows, layers):
        row.update({"class": l.kind, "layer": l.name, "out": f"{l.oh}x{l.ow}", "filter": l.f, "channels": l.c, "filters": l.n, "stride": l.s, "groups": l.groups})
    if python:
        for row, (t, e) in zip(rows, zigzag(python, layers)):
            row.update({"zigzag cycles": t["cycles"], "zigzag compute": t["compute"], "zigzag stall": t["stall"], "zigzag load": t["load"],
                        "zigzag store": t["store"], "zigzag read": e["read"], "zigzag written": e["written"], "zigzag pj": e["pj"]})
    if program:
        told = [(row, l) for row, l in zip(rows, layers) if l.groups == 1]
        for (row, _), m in zip(told, maestro(program, [l for _, l in told])):
            row.update({f"maestro {k}": v for k, v in m.items()})
    with open(RECORDED, "w", newline="") as f:
        writer = csv.DictWriter(f, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def summary(title, pairs):
    """`pairs`: kind, ours, theirs."""
    print(f"\n{title}\n{'class':<14} {'layers':>6} {'median':>7} {'p90 off':>8} {'least':>7} {'most':>7}")
    for kind in dict.fromkeys(k for k, _, _ in pairs):
        ratios = [a / b for k, a, b in pairs if k == kind]
        off = sorted(max(r, 1 / r) - 1 for r in ratios)
        p90 = off[math.ceil(0.9 * len(off)) - 1]
        print(f"{kind:<14} {len(ratios):>6} {statistics.median(ratios):>7.3f} {100 * p90:>6.1f} % {min(ratios):>7.3f} {max(ratios):>7.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ridge")
    parser.add_argument("--zigzag", metavar="PYTHON")
    parser.add_argument("--maestro", metavar="PROGRAM")
    parser.add_argument("--csv", metavar="FILE", help="every figure of every layer")
    a = parser.parse_args()
    layers = LAYERS
    others = recorded()
    if a.zigzag or a.maestro:
        ask(others, layers, a.zigzag, a.maestro)
    if [o["layer"] for o in others] != [l.name for l in layers]:
        sys.exit(f"{RECORDED} is of other layers: ask both programs again")
    fast, frugal = ridge(a.ridge, layers, "latency"), ridge(a.ridge, layers, "energy")
    free = ridge(a.ridge, layers, "latency", 1000000)
    rows = [{"class": l.kind, "layer": l.name, "macs": l.macs(), "ridge cycles": t["cycles"], "ridge array": d["compute"], "ridge read": e["read"],
             "ridge written": e["written"], "ridge pj": e["pj"], "ridge cycles, free DRAM": d["cycles"], "onnxim law": l.onnxim()}
            for l, t, e, d in zip(layers, fast, frugal, free)]
    summary("array cycles / ONNXim's law", [(r["class"], r["ridge array"], r["onnxim law"]) for r in rows])
    for r, other in zip(rows, others):
        r.update(other)
    for what in ("cycles", "read", "written", "pj"):
        summary(f"{what}: ridge / ZigZag", [(r["class"], r[f"ridge {what}"], float(r[f"zigzag {what}"])) for r in rows])
    told = [r for r in rows if r["maestro cycles"]]
    summary("cycles without DRAM's bandwidth: ridge / MAESTRO", [(r["class"], r["ridge cycles, free DRAM"], float(r["maestro cycles"])) for r in told])
    for what in ("read", "written"):
        summary(f"{what}: ridge / MAESTRO", [(r["class"], r[f"ridge {what}"], float(r[f"maestro {what}"])) for r in told])
    if a.csv:
        with open(a.csv, "w", newline="") as f:
            writer = csv.DictWriter(f, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
