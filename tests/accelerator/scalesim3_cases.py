#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scalesim3_cases.py > scalesim3.csv: what SCALE-Sim v3 reports of small random layers, dense and with N:M sparsity, in mode CALC.

Needs PyPI scalesim 3.0.0 and an older numpy (pip install scalesim==3.0.0 "numpy<2.3"); takes ten minutes.
"""
import contextlib
import csv
import io
import os
import random
import sys
import tempfile

from scalesim.layout_utils import layouts
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
Bandwidth: 10
Dataflow: {dataflow}
ReadRequestBuffer: 32
WriteRequestBuffer: 32
[layout]
IfmapCustomLayout: False
FilterCustomLayout: False
IfmapSRAMBankBandwidth: 10
IfmapSRAMBankNum: 10
IfmapSRAMBankPort: 2
FilterSRAMBankBandwidth: 10
FilterSRAMBankNum: 10
FilterSRAMBankPort: 2
[sparsity]
SparsitySupport: {sparse}
SparseRep: ellpack_block
OptimizedMapping: false
BlockSize: 4
RandomNumberGeneratorSeed: 40
[run_presets]
InterfaceBandwidth: CALC
UseRamulatorTrace: False
"""
CONV = ("ifmap_h", "ifmap_w", "filter_h", "filter_w", "channels", "filters", "stride", "sparsity")


def reported(case):
    with tempfile.TemporaryDirectory() as folder:
        config_file, topology_file, layout_file = (os.path.join(folder, name) for name in ("machine.cfg", "net.csv", "layout.csv"))
        with open(config_file, "w") as f:
            f.write(CONFIG.format(**case))
        with open(topology_file, "w") as f:
            f.write("name,h,w,fh,fw,c,n,s,sparsity,\nL," + ",".join(str(case[k]) for k in CONV) + ",\n")
        with open(layout_file, "w") as f:
            f.write("name,\nL," + "1," * 30 + "\n")
        config, topology, layout, layer = scale_config(), topologies(), layouts(), single_layer_sim()
        config.read_conf_file(config_file)
        topology.load_arrays(topology_file)
        layout.load_arrays(layout_file)
        layer.set_params(layer_id=0, config_obj=config, topology_obj=topology, layout_obj=layout, verbose=False)
        with contextlib.redirect_stdout(io.StringIO()):
            layer.run()
            compute, detail = layer.get_compute_report_items(), layer.get_detail_report_items()
    return case | {"cycles_with_prefetch": compute[0], "total_cycles": compute[1], "stall_cycles": compute[2], "overall_util": compute[3],
                   "mapping_efficiency": compute[4], "compute_util": compute[5], "sram_ifmap_reads": detail[2], "sram_filter_reads": detail[5],
                   "dram_ifmap_reads": detail[11], "dram_filter_reads": detail[14], "dram_ofmap_writes": detail[17]}


def main():
    draw = random.Random(20261127)
    rows = []
    while len(rows) < 120:
        filter_h, filter_w = draw.choice([(1, 1), (3, 3), (2, 3), (5, 5), (1, 7)])
        case = {"ifmap_h": filter_h + draw.randrange(14), "ifmap_w": filter_w + draw.randrange(14), "filter_h": filter_h, "filter_w": filter_w,
                "channels": draw.choice([1, 2, 3, 5, 8, 16, 33]), "filters": draw.choice([1, 3, 8, 17, 40]), "stride": draw.choice([1, 1, 2, 3]),
                "rows": draw.choice([2, 4, 7, 8, 16]), "columns": draw.choice([2, 3, 8, 12, 16]), "dataflow": draw.choice(["os", "ws", "is"]),
                "ifmap_kb": draw.choice([1, 1, 2, 16]), "filter_kb": draw.choice([1, 1, 2, 16]), "ofmap_kb": draw.choice([1, 2, 16]),
                "sparse": draw.choice(["true", "true", "false"]), "sparsity": draw.choice(["1:1", "1:2", "1:4", "2:4", "3:4", "2:8"])}
        rows.append(reported(case))
    table = csv.DictWriter(sys.stdout, rows[0].keys(), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)


main()
