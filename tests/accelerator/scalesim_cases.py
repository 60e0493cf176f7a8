#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scalesim_cases.py > scalesim.csv: what SCALE-Sim reports of small random layers in modes CALC and USER.

Needs PyPI scalesim 2.0.2 (pip install scalesim==2.0.2); takes two minutes.
"""
import contextlib
import csv
import io
import os
import random
import sys
import tempfile

from scalesim.scale_config import scale_config
from scalesim.single_layer_sim import single_layer_sim
from scalesim.topology_utils import topologies

CONFIG = """[general]
run_name = case
[architecture_presets]
ArrayHeight: {rows}
ArrayWidth: {columns}
IfmapSramSzkB: {ifmap_kb}
FilterSramSzkB: {filter_kb}
OfmapSramSzkB: {ofmap_kb}
IfmapOffset: 0
FilterOffset: 10000000
OfmapOffset: 20000000
Bandwidth: {bandwidth}
Dataflow: {dataflow}
MemoryBanks: 1
[run_presets]
InterfaceBandwidth: {mode}
"""
LAYER = ("ifmap_h", "ifmap_w", "filter_h", "filter_w", "channels", "filters", "stride")


def reported(case):
    with tempfile.TemporaryDirectory() as folder:
        config_file, topology_file = os.path.join(folder, "machine.cfg"), os.path.join(folder, "net.csv")
        with open(config_file, "w") as f:
            f.write(CONFIG.format(**case))
        with open(topology_file, "w") as f:
            f.write("name,h,w,fh,fw,c,n,s,\nL," + ",".join(str(case[k]) for k in LAYER) + ",\n")
        config, topology, layer = scale_config(), topologies(), single_layer_sim()
        config.read_conf_file(config_file)
        topology.load_arrays(topology_file)
        layer.set_params(layer_id=0, config_obj=config, topology_obj=topology, verbose=False)
        with contextlib.redirect_stdout(io.StringIO()):
            layer.run()
            compute, detail = layer.get_compute_report_items(), layer.get_detail_report_items()
    return case | {"total_cycles": compute[0], "stall_cycles": compute[1], "sram_ifmap_reads": detail[2], "sram_filter_reads": detail[5],
                   "dram_ifmap_reads": detail[11], "dram_filter_reads": detail[14], "dram_ofmap_writes": detail[17]}


def main():
    draw = random.Random(20261122)
    rows = []
    while len(rows) < 160:
        mode = "USER" if len(rows) % 2 else "CALC"
        most = 5 if mode == "USER" else 14  # SCALE-Sim takes minutes where it prefetches in vain
        filter_h, filter_w = draw.choice([(1, 1), (3, 3), (2, 3), (5, 5), (1, 7)])
        case = {"ifmap_h": filter_h + draw.randrange(most), "ifmap_w": filter_w + draw.randrange(most), "filter_h": filter_h, "filter_w": filter_w,
                "channels": draw.choice([1, 2, 3, 5, 8, 16, 33]), "filters": draw.choice([1, 3, 8, 17, 40]), "stride": draw.choice([1, 1, 2, 3]),
                "rows": draw.choice([2, 4, 7, 8, 16]), "columns": draw.choice([2, 3, 8, 12, 16]), "dataflow": draw.choice(["os", "ws", "is"]),
                "ifmap_kb": draw.choice([1, 1, 2, 16]), "filter_kb": draw.choice([1, 1, 2, 16]), "ofmap_kb": draw.choice([1, 2, 16]),
                "mode": mode, "bandwidth": draw.choice([1, 3, 4, 10, 32])}
        rows.append(reported(case))
    table = csv.DictWriter(sys.stdout, rows[0].keys(), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)


main()
