#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes bundles for fuzz/bundle_fuzz.cc, whole ones and damaged ones, with headers of Python's tarfile.

    fuzz/bundle_seeds.py FOLDER && scripts/add_to_corpus.sh bundle_fuzz FOLDER/*
"""
import hashlib
import json
import pathlib
import sys
import tarfile


def index(files, result="run"):
    libraries = [{"runtime": "ONNX Runtime", "version": "1.31.1", "sha256": None}]
    return json.dumps({"schema": "ridge.bundle/1", "result": result, "model": "net.onnx", "runtime": "ONNX Runtime",
                       "runtime_version": "1.31.1", "ridge": "0.1.0", "machine": "b1", "recorded_s": 1,
                       "files": files, "libraries": libraries}).encode()


def file(entry, content, place="model0/net.onnx"):
    return {"role": "model", "name": "net.onnx", "place": place, "entry": entry,
            "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}


def bundle(entries):
    lines = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in entries)
    seal = (lines + f"# {hashlib.sha256(lines.encode()).hexdigest()}\n").encode()
    return b"".join(map(entry, *zip(*entries, ("seal", seal)))) + b"\0" * 1024


def entry(name, content):
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(content), 0o444
    header = bytearray(info.tobuf(tarfile.USTAR_FORMAT))
    header[329:345] = b"\0" * 16  # numbers of devices, which tarfile writes as zeros
    header[148:156] = b" " * 8
    header[148:155] = b"%06o\0" % sum(header)
    return bytes(header) + content + b"\0" * (-len(content) % 512)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    model = b"\x08\x08" * 40
    whole = bundle([("run.db", b"SQLite format 3\0"), ("result.json", b"{}"), ("files/0", model),
                    ("index.json", index([file("files/0", model)]))])
    seeds = {
        "whole": whole,
        "reference": bundle([("index.json", index([file(None, model)]))]),
        "evaluation": bundle([("lock.toml", b"format = 'ridge.lock/1'\n"), ("index.json", index([], "evaluation"))]),
        "outside": bundle([("files/0", model), ("index.json", index([file("files/0", model, "../../x")]))]),
        "empty": bundle([]),
        "cut": whole[:-700],
        "changed": whole[:520] + b"#" + whole[521:],
        "link": whole[:156] + b"2" + whole[157:],
    }
    for name, content in seeds.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
