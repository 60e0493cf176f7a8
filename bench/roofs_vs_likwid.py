#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ridge's roofs beside those of likwid-bench, in alternating pairs.

    bench/roofs_vs_likwid.py build/ridge [--threads 1] [--pairs 3]

Each pair measures, in alternating order, the float32 multiply-add peak and memory copy with both
programs: ridge as `ridge machine --refresh` into a cache of its own, likwid-bench as the widest
peakflops_sp_*fma kernel that this processor runs (32 kB per thread) and the fastest of all copy*
kernels over 256 MB. Both count a multiply-add as two operations and copy as bytes read + written;
likwid's MByte is 10^6 bytes. ridge takes its best burst, likwid-bench the mean of a run: so that a
busy machine does not count against it alone, the best of several runs of some 30 ms is taken, and
the load of others is printed with each. Both time all threads together: likwid-bench from one
barrier to the next, ridge from the first start to the last end.

In a virtual machine compare pairs only where both programs met the same placement: float32 at half
of its theory with two threads means that the host ran both on one core.

Exit status 1 where a goal is missed: float32 roof >= 97 % of its theory and >= 95 % of likwid,
memory copy >= 95 %, each by the best of the pairs. Needs Debian's `likwid`.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time


def cpu_flags():
    with open("/proc/cpuinfo") as f:
        for line in f:
            if line.startswith("flags"):
                return set(line.split(":")[1].split())
    return set()


def runs_here(kernel, flags):
    if "avx512" in kernel:
        return "avx512f" in flags
    if "avx" in kernel:
        return "avx" in flags and ("fma" not in kernel or "fma" in flags)
    return True


def likwid_kernels():
    run = subprocess.run(["likwid-bench", "-a"], capture_output=True, text=True, check=True)
    names = [line.split(" - ")[0].strip() for line in run.stdout.splitlines() if " - " in line]
    flags = cpu_flags()
    names = [n for n in names if runs_here(n, flags)]
    widest_first = ("avx512_fma", "avx_fma", "avx512", "avx", "sse")
    peaks = [f"peakflops_sp_{w}" for w in widest_first if f"peakflops_sp_{w}" in names]
    return peaks[0], [n for n in names if n.startswith("copy")]


def likwid(kernel, size, threads, unit, iterations, runs):
    """FLOP/s or B/s, the best of some runs."""
    work = f"S0:{size}:{threads}"
    command = ["likwid-bench", "-t", kernel, "-w", work, "-i", str(iterations)]
    rates = []
    for _ in range(runs):
        out = subprocess.run(command, capture_output=True, text=True).stdout
        found = re.search(rf"^{unit}/s:\s+([0-9.]+)", out, re.MULTILINE)
        if not found:
            sys.exit(f"no {unit}/s in the output of {' '.join(command)}:\n{out}")
        rates.append(float(found[1]) * 1e6)
    return max(rates)


def busy_seconds():
    with open("/proc/stat") as f:
        t = [int(x) for x in f.readline().split()[1:8]]
    return (t[0] + t[1] + t[2] + t[5] + t[6]) / os.sysconf("SC_CLK_TCK")


def children_seconds():
    t = os.times()
    return t.children_user + t.children_system + t.user + t.system


def measured(what):
    """The result of what() and how many processors others used meanwhile."""
    start, busy, own = time.monotonic(), busy_seconds(), children_seconds()
    result = what()
    span = time.monotonic() - start
    return result, max(0.0, (busy_seconds() - busy - (children_seconds() - own)) / span)


def ridge_roofs(ridge, threads):
    with tempfile.TemporaryDirectory() as cache:
        environment = dict(os.environ, XDG_CACHE_HOME=cache)
        command = [ridge, "machine", "--refresh", "--threads", str(threads), "--format", "json"]
        out = subprocess.run(command, capture_output=True, text=True, env=environment)
    if out.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{out.stderr}")
    rows = json.loads(out.stdout)["ceilings"]
    pick = {(r["kind"], r["dtype"], r["level"]): r for r in rows}
    return pick["compute", "float32", None], pick["copy", "float32", "memory"]


def likwid_roofs(peak, copies, threads):
    flops = likwid(peak, f"{32 * threads}kB", threads, "MFlops", 15000, 10)

    def copy(kernel, runs):
        return likwid(kernel, "256MB", threads, "MByte", 4, runs)

    rates = {k: copy(k, 1) for k in copies}
    for k in sorted(copies, key=rates.get)[-2:]:
        rates[k] = max(rates[k], copy(k, 5))
    best = max(rates, key=rates.get)
    return flops, rates[best], best


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ridge")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=3)
    a = parser.parse_args()
    peak, copies = likwid_kernels()
    print(f"{a.threads} thread(s), float32: {peak}; copy: fastest of {', '.join(copies)}")
    flops, share, copy = {"ridge": [], "likwid": []}, [], {"ridge": [], "likwid": []}
    for pair in range(a.pairs):
        for who in ("ridge", "likwid") if pair % 2 == 0 else ("likwid", "ridge"):
            if who == "ridge":
                (compute, memory), foreign = measured(lambda: ridge_roofs(a.ridge, a.threads))
                flops[who].append(compute["value"])
                share.append(compute["share"] or 0.0)
                copy[who].append(memory["value"])
                detail = (f"{compute['instruction']}, {100 * share[-1]:.1f} % of theory;"
                          f" {memory['instruction']}")
            else:
                (rate, bandwidth, detail), foreign = measured(
                    lambda: likwid_roofs(peak, copies, a.threads))
                flops[who].append(rate)
                copy[who].append(bandwidth)
            print(f"pair {pair + 1} {who:<6}  {flops[who][-1] / 1e9:8.2f} GFLOP/s"
                  f"  copy {copy[who][-1] / 1e9:7.2f} GB/s"
                  f"  others {foreign:4.2f} CPU  ({detail})", flush=True)
        print(f"pair {pair + 1} ridge/likwid:"
              f" float32 {flops['ridge'][-1] / flops['likwid'][-1]:.3f},"
              f" copy {copy['ridge'][-1] / copy['likwid'][-1]:.3f}", flush=True)

    def of_best(rates):
        return max(rates["ridge"]) / max(rates["likwid"])

    goals = [("float32 roof / theory", max(share), 0.97),
             ("float32 roof / likwid-bench, best of each", of_best(flops), 0.95),
             ("memory copy / likwid-bench, best of each", of_best(copy), 0.95)]
    for name, value, goal in goals:
        print(f"{name}: {value:.3f} (goal {goal}) {'ok' if value >= goal else 'MISSED'}")
    return 0 if all(value >= goal for _, value, goal in goals) else 1


if __name__ == "__main__":
    sys.exit(main())
