#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the fixtures of this folder that no program recorded: what trtexec, the PyTorch profiler and
Nsight Systems would write of ResNet-18 on a GPU, by the formats' documentation. Every time is made up.

    tests/data/imports/make_synthetic.py     writes them beside itself
"""
import json
import pathlib
import sqlite3

HERE = pathlib.Path(__file__).resolve().parent

# Layers of an engine: name, milliseconds, type, tactic, data type, nodes where the name does not list them.
STEM = "/conv1/Conv + /relu/Relu"
ENGINE = [
    ("Reformatting CopyNode for Input Tensor 0 to " + STEM, 0.0041, "Reformat", "", "FP16", []),
    (STEM, 0.0213, "CaskConvolution", "sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_tilesize128x64", "FP16",
     ["/conv1/Conv", "/bn1/BatchNormalization", "/relu/Relu"]),
    ("/maxpool/MaxPool", 0.0087, "CaskPooling", "sm50_xmma_pooling_max_nhwc_FP16", "FP16", ["/maxpool/MaxPool"]),
    ("/layer1/layer1.0/conv1/Conv + /layer1/layer1.0/relu/Relu", 0.0105, "CaskConvolution", "sm80_xmma_fprop_64x64", "FP16",
     ["/layer1/layer1.0/conv1/Conv", "/layer1/layer1.0/bn1/BatchNormalization", "/layer1/layer1.0/relu/Relu"]),
    ("/layer1/layer1.0/conv2/Conv + /layer1/layer1.0/Add + /layer1/layer1.0/relu/Relu_1", 0.0118, "CaskConvolution",
     "sm80_xmma_fprop_64x64", "FP16",
     ["/layer1/layer1.0/conv2/Conv", "/layer1/layer1.0/bn2/BatchNormalization", "/layer1/layer1.0/Add", "/layer1/layer1.0/relu/Relu_1"]),
    ("{ForeignNode[/layer1/layer1.1/conv1/Conv.../layer4/layer4.1/relu/Relu_1]}", 0.1903, "Myelin", "", "FP16", []),
    ("Reformatting CopyNode for Output Tensor 0 to {ForeignNode[/layer1/layer1.1/conv1/Conv.../layer4/layer4.1/relu/Relu_1]}", 1.2e-05,
     "NoOp", "", "FP16", []),
    ("/avgpool/GlobalAveragePool", 0.0061, "CaskPooling", "sm50_xmma_pooling_avg", "FP16", ["/avgpool/GlobalAveragePool"]),
    ("/Flatten + (Unnamed Layer* 73) [Shuffle]", 0.0009, "NoOp", "", "FP16", []),
    ("/fc/Gemm", 0.0072, "CaskGemmMatrixMultiply", "sm80_xmma_gemm_f16f16_f16f16_f16_tn_n", "FP16", ["/fc/Gemm"]),
]
RUNS = 500


def trtexec():
    total = sum(layer[1] for layer in ENGINE)
    rows = [f'{{ "name" : {json.dumps(name)}, "timeMs" : {ms * RUNS:g}, "averageMs" : {ms:g}, "medianMs" : {ms:g}, '
            f'"percentage" : {100 * ms / total:g} }}' for name, ms, *_ in ENGINE]
    text = f"[\n  {{ \"count\" : {RUNS} }}\n" + "".join(f", {row}\n" for row in rows) + "]\n"
    (HERE / "trtexec_resnet18_synthetic.json").write_text(text)
    layers = []
    for name, _, kind, tactic, dtype, nodes in ENGINE:
        layers.append({"Name": name, "LayerType": kind, "Inputs": [],
                       "Outputs": [{"Name": name + "_output", "Dimensions": [1, 64, 56, 56],
                                    "Format/Datatype": f"Channel major {dtype} format where channel % 8 == 0"}],
                       "TacticName": tactic, "StreamId": 0,
                       "Metadata": "\x1f".join(f"[ONNX Layer: {node}]" for node in nodes)})
    (HERE / "trtexec_resnet18_synthetic_layers.json").write_text(json.dumps({"Layers": layers, "Bindings": ["input", "output"]}, indent=1))
    plain = {"Layers": [name for name, *_ in ENGINE], "Bindings": ["input", "output"]}
    (HERE / "trtexec_resnet18_synthetic_plain.json").write_text(json.dumps(plain, indent=1))


# Operations of a step: a range called like a node (or None), operators inside, kernels of the innermost with microseconds.
OPERATIONS = [
    ("/conv1/Conv", ["aten::conv2d", "aten::cudnn_convolution"], [("sm80_xmma_fprop_implicit_gemm", 21.5)]),
    ("/bn1/BatchNormalization", ["aten::batch_norm", "aten::cudnn_batch_norm"], [("bn_fw_inf_1C11_kernel_NCHW", 6.25)]),
    ("/relu/Relu", ["aten::relu_", "aten::clamp_min_"], [("vectorized_elementwise_kernel<4, clamp>", 4.125)]),
    ("/maxpool/MaxPool", ["aten::max_pool2d"], [("max_pool_forward_nchw", 8.0)]),
    (None, ["aten::to"], []),
    ("/fc/Gemm", ["aten::linear", "aten::addmm"], [("splitKreduce_kernel", 2.5), ("ampere_sgemm_32x32_sliced1x4_tn", 9.75)]),
]
STEPS = 3


def kineto():
    pid, tid, base = 4711, 4711, 6081504337112.0
    events, ids = [], iter(range(1, 10000))

    def add(cat, name, ts, dur, pid_, tid_, **args):
        events.append({"ph": "X", "cat": cat, "name": name, "pid": pid_, "tid": tid_, "ts": round(base + ts, 3), "dur": round(dur, 3),
                       "args": args})

    device_at = 0.0
    for step in range(STEPS):
        host = 1000.0 * step
        add("user_annotation", f"ProfilerStep#{step}", host, 900.0, pid, tid)
        at = host + 10
        device_at = max(device_at, at)
        for node, operators, kernels in OPERATIONS:
            length = 30.0 * len(operators) + 20
            if node:
                add("user_annotation", node, at, length, pid, tid)
            for depth, operator in enumerate(operators):
                external = next(ids)
                add("cpu_op", operator, at + 2 + 5 * depth, length - 4 - 10 * depth, pid, tid, **{"External id": external})
            launch = at + 2 + 5 * len(operators)
            for kernel, us in kernels:
                correlation = next(ids)
                add("cuda_runtime", "cudaLaunchKernel", launch, 4.5, pid, tid, **{"External id": external, "correlation": correlation})
                device_at = max(device_at, launch + 7)
                add("kernel", kernel, device_at, us * (1 + 0.01 * step), 0, 7,
                    **{"External id": external, "correlation": correlation, "device": 0, "stream": 7, "grid": [64, 1, 1], "block": [256, 1, 1]})
                events.append({"ph": "s", "id": correlation, "pid": pid, "tid": tid, "ts": round(base + launch, 3), "cat": "ac2g", "name": "ac2g"})
                device_at += us + 1
                launch += 6
            at += length + 5
        correlation = next(ids)
        add("cuda_runtime", "cudaMemcpyAsync", at, 12.0, pid, tid, correlation=correlation)
        add("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", device_at + 12, 1.5, 0, 7,
            **{"correlation": correlation, "device": 0, "stream": 7, "bytes": 4000})
    document = {"schemaVersion": 1,
                "deviceProperties": [{"id": 0, "name": "Synthetic GPU", "computeMajor": 8, "computeMinor": 0, "numSms": 108}],
                "displayTimeUnit": "ms", "baseTimeNanoseconds": 1770000000000000000}
    head = json.dumps(document, indent=2)[:-2]
    rows = ",\n".join("  " + json.dumps(event) for event in events)
    (HERE / "kineto_resnet18_synthetic.json").write_text(f'{head},\n  "traceEvents": [\n{rows}\n  ],\n  "traceName": "trace.json"\n}}\n')


def nsight():
    path = HERE / "nsight_resnet18_synthetic.sqlite"
    path.unlink(missing_ok=True)
    db = sqlite3.connect(path)
    db.executescript("""
        PRAGMA page_size = 1024;
        CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
        CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, smCount INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
            globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
            contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
            demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, gridX INTEGER, blockX INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
            contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL);
        CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, text TEXT,
            globalTid INTEGER, textId INTEGER, domainId INTEGER);
        INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.11.0');
        INSERT INTO TARGET_INFO_GPU VALUES (0, 'Synthetic GPU', 108);
    """)
    strings = {}

    def string(text):
        if text not in strings:
            strings[text] = len(strings) + 1
            db.execute("INSERT INTO StringIds VALUES (?, ?)", (strings[text], text))
        return strings[text]

    thread, at, device_at, correlation = 281479274500000, 5_000_000_000, 5_000_000_000, 100
    db.execute("INSERT INTO NVTX_EVENTS VALUES (?, NULL, 75, NULL, 'TensorRT', ?, NULL, 1)", (at, thread))
    begin = at
    for name, ms, *_ in ENGINE:
        # TensorRT puts one range around the enqueue of each layer.
        kernels = 3 if "Foreign" in name and not name.startswith("Reformat") else 1
        db.execute("INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, NULL, NULL, ?, ?, 1)", (at, at + 9000 * kernels, thread, string(name)))
        for part in range(kernels):
            start = at + 1000 + 8000 * part
            correlation += 1
            db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, 0, ?, ?, ?, 0, NULL)",
                       (start, start + 5000, thread, correlation, string("cudaLaunchKernel_v7000")))
            device_at = max(device_at, start + 4000)
            length = round(ms * 1e6 / kernels)
            short = f"layer_kernel_{len(name) % 7}_{part}"
            db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 1, 14, ?, 281479274500000, ?, ?, 64, 256)",
                       (device_at, device_at + length, correlation, string("void " + short + "<float>(...)"), string(short)))
            device_at += length + 500
        at += 9000 * kernels + 700
    db.execute("INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, NULL, 'ExecutionContext::enqueueV3', ?, NULL, 1)", (begin - 2000, at + 2000, thread))
    correlation += 1
    db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, 0, ?, ?, ?, 0, NULL)",
               (at + 3000, at + 9000, thread, correlation, string("cudaMemcpyAsync_v3020")))
    db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?, ?, 0, 1, 14, ?, 4000, 2)", (device_at, device_at + 1500, correlation))
    db.commit()
    db.execute("VACUUM")
    db.close()


if __name__ == "__main__":
    trtexec()
    kineto()
    nsight()
