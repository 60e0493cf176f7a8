#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the functions of the Python package from the flags of the program.

    scripts/python_verbs.py > python/ridgeline/verbs.py      # of RIDGE_PROGRAM, or build/ridge

Names, meanings, choices and which flags may be repeated come from `ridge VERB --help`; which ones no
request may state (they say what is loaded or written), from ridge's refusal of a request with them.
"""
import functools
import json
import os
import pathlib
import re
import subprocess
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
RIDGE = os.environ.get("RIDGE_PROGRAM", ROOT / "build" / "ridge")
WIDTH = 100
HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""The verbs of ridge as functions, made by scripts/python_verbs.py from their flags; change those.

Arguments are the flags without their dashes, with underscores; None: not given. Where a flag takes
NAME=VALUE, a dictionary does too: `bind={"batch": 8}`, `shape={"input": (1, 3, 224, 224)}`,
`input={"image": array}`. Arrays travel as files of their bytes. A list is what may be repeated, or
values of a sweep. Durations and sizes in bytes are texts with a unit: "30s", "32MiB".

`progress`: called with what is done now, and how much of how much (0, 0 where that is not known);
None: a bar of tqdm in notebooks and terminals, where it is installed; False: never. It runs in the
caller's thread.

Ctrl-C reaches ridge once and raises Interrupted, whose `partial` has what was done by then; a second
one kills ridge. Several threads may call at once. Errors: errors.py. Warnings: RidgelineWarning.
"""

# The decorator has the bodies.
# mypy: disable-error-code="empty-body"

from __future__ import annotations

from .call import verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, Sequence

    from .arguments import (
        Data, Evaluated, Inputs, Lengths, Model, Numbers, Pairs, Path, Run, Shapes, Sizes
    )
    from .program import Progress
    from .records import (
        Accelerator, Advice, Analysis, Bricks, Comparison, Evaluation, EvaluationComparison,
        Generation, Machine, Profile
    )
'''
# Function, verb, its arguments without names, type of the result, its documents, example.
FUNCTIONS = [
    ("analyze", "analyze", "model: Model", "Analysis | Any",
     "An `Analysis`; with several sizes `Analyses`.",
     'ridgeline.analyze("zoo:resnet50", bind={"batch": 8}).nodes.to_pandas()'),
    ("profile", "profile", "model: Model", "Profile | Any",
     "A `Profile`; of a sweep `Profiles`. Times are nanoseconds.",
     'ridgeline.profile("model.onnx", threads=2, budget="10s").layers.to_pandas()'),
    ("compare", "compare", "*run: Run", "Comparison",
     "A `Comparison`. Runs are results of `profile`, their files, runs of a store "
     "(`runs.db:7`), or one model to measure.",
     'ridgeline.compare(before, after, fail_on="latency>5%").groups.to_pandas()'),
    ("advise", "advise", "model: Model | None = None", "Advice | Any",
     "An `Advice`; with `scoreboard` an `AdviceScoreboard`.",
     'ridgeline.advise("model.onnx", check="all").findings.to_pandas()'),
    ("evaluate", "eval", "model: Model | None = None", "Evaluation",
     "An `Evaluation`, with a point for each combination of sizes, threads and runtimes.",
     'ridgeline.evaluate("model.onnx", scenario="server", qps=12, duration="10s")'),
    ("compare_evaluations", "eval compare", "*document: Evaluated", "EvaluationComparison",
     "An `EvaluationComparison`. Evaluations are results of `evaluate`, results from a store "
     "(`store[\"evaluation:3\"]`), and their files.",
     'ridgeline.compare_evaluations(before, after, fail_on="accuracy<0%").differences.to_pandas()'),
    ("generate", "generate", "model: Model", "Generation",
     "A `Generation`. Times are nanoseconds.",
     'ridgeline.generate("zoo:llama_decode", prefill="zoo:llama_prefill", prompt=128, tokens=64)'),
    ("accelerate", "accel", "model: Model | None = None", "Accelerator | Any",
     "An `Accelerator`, with a point for each machine and size.",
     'ridgeline.accelerate("zoo:resnet50", machine="gemmini-16").layers.to_pandas()'),
    ("bricks", "bricks", "action: Literal[{action}], *model: Model", "Bricks | Any",
     "`Bricks` of plan, `Estimate` of estimate, `BricksCheck` of check; None of run, which fills "
     "the store.",
     'ridgeline.bricks("plan", "zoo:resnet18", "zoo:resnet34", out="suite").bricks.to_pandas()'),
    ("machine", "machine", "", "Machine", "A `Machine`. Roofs are FLOP/s and B/s.",
     'ridgeline.machine().ceilings.to_pandas()'),
]
# Flags that are methods of a result, or for which ridge prints or writes something else.
LEFT_OUT = {"help", "format", "output", "report", "request", "apply", "template", "list-machines"}
# Types of flags by their names, where the help says TEXT.
TYPES = {
    "bind": "Sizes", "shape": "Shapes", "input": "Inputs", "runtime-option": "Pairs",
    "label": "Pairs", "set": "Pairs", "mix": "Pairs", "threads": "Numbers", "data": "Data",
    "prefill": "Model", "prompt": "Lengths", "tokens": "Lengths", "store": "Path",
    "runtime-library": "Path", "scoreboard": "Path", "config": "Path", "topology": "Path",
    "scalesim-reports": "Path",
}
OF_PATHS = {"DIR", "FILE", "PATH"}
ROW = re.compile(r"^  (?:-\w,)?(--[\w,-]+)((?: \S+)*?)(?:  +(\S.*))?$")


@functools.lru_cache
def help_of(verb):
    done = subprocess.run([RIDGE, *verb.split(), "--help"], capture_output=True, text=True, check=True)
    return done.stdout


def flags_of(verb):
    """Name, value text and meaning of each flag, in their order."""
    out = []
    for line in help_of(verb).splitlines():
        found = ROW.match(line)
        if found:
            name = found.group(1).split(",")[0][2:]
            out.append([name, found.group(2).strip(), found.group(3) or ""])
        elif out and not out[-1][2] and line.startswith(" " * 20):
            out[-1][2] = line.strip()
    return [flag for flag in out if flag[0] not in LEFT_OUT]


def refused(verb, name, value):
    """Whether no request may state the flag, or the path of a plug-in as its value. The second key
    stops ridge before it does anything."""
    if not re.fullmatch(r"(TEXT|FILE|DIR)(:\{.*,PATH\.so\})?( \.\.\.)?", value):
        return False  # a switch, a number, a choice: no path
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({name: "x.so", "no-such-flag": 1}, file)
        file.flush()
        done = subprocess.run([RIDGE, *verb.split(), "--request", file.name], capture_output=True, text=True)
    codes = re.findall(r"\[(RIDGE-\w+-\d+)\]", done.stderr)
    refusals = [["RIDGE-CLI-0007"], ["RIDGE-WB-0395"]]  # it says where files go, or what is loaded
    assert codes in [*refusals, ["RIDGE-CLI-0008"]], (verb, name, done.stderr)
    return codes in refusals


def literal_type(words):
    return f"Literal[{', '.join(json.dumps(word) for word in words.split(','))}]"


def type_of(name, value):
    words = re.search(r"\{(.*)\}", value)
    many = value.endswith("...")
    if not value:
        return "bool"
    if words and words.group(1).endswith(",PATH.so"):
        one = f"{literal_type(words.group(1).removesuffix(',PATH.so'))} | Path"
    elif words:
        one = literal_type(words.group(1))
    elif name in TYPES:
        return TYPES[name]
    elif value in OF_PATHS:
        one = "Path"
    elif re.match(r"U?INT|\d+\.\.\d+|\[N\]", value):
        one = "int"
    elif value.startswith("FLOAT"):
        one = "float"
    else:
        one = "str"
    return f"{one} | Sequence[{one}]" if many else one


def wrapped(text, indent):
    return textwrap.fill(text, WIDTH - 4, initial_indent=indent, subsequent_indent=indent,
                         break_on_hyphens=False)


def literal(name, value):
    """"a, b" in quotes, on lines of their own where they are many."""
    line = f"    {name}={value},"
    if len(line) <= WIDTH:
        return line
    start, inside = line.index("(") + 1, value.strip("()")
    lines = textwrap.fill(inside, WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return f"{line[:start]}\n{lines}\n    ),"


def parameter(name, of):
    line = f"    {name}: {of} | None = None,"
    if len(line) <= WIDTH:
        return line
    lines = textwrap.wrap(of, WIDTH - 12, break_on_hyphens=False)
    body = "\n".join(" " * 8 + part for part in lines)
    return f"    {name}: (\n{body}\n    ) | None = None,"


def summary(verb):
    text = help_of(verb)
    return next(line for line in text[text.index("\n\n"):].splitlines() if line)


def function_text(name, verb, arguments, result, returns, example):
    flags = flags_of(verb)
    text = help_of(verb)
    action = re.search(r"ACTION TEXT:\{(.*?)\}", text)
    if action:
        arguments = arguments.format(action=", ".join(f'"{a}"' for a in action.group(1).split(",")))
    quoted = lambda names: "(" + "".join(f'"{n}", ' for n in names).rstrip(" ") + ")"
    plain = [n.replace("-", "_") for n, _, _ in flags]
    many = [p for p, (_, value, meaning) in zip(plain, flags)
            if value.endswith("...") or "repeatable" in meaning or "several times" in meaning]
    line = [p for p, (n, value, _) in zip(plain, flags)
            if n == "runtime-option" or refused(verb, n, value)]
    positional = [a.split(":")[0].replace("*", "") + ("..." if a.startswith("*") else "")
                  for a in re.findall(r"\*?\w+: ", arguments + " ")]
    positional = [p.strip() for p in positional]
    options = [f'    "{verb}",', literal("positional", quoted(positional))]
    options += [literal("many", quoted(many))] if many else []
    options += [literal("line", quoted(line))] if line else []
    options += ["    page=True,"] if "--report" in text else []
    star = [] if "*" in arguments else ["    *,"]
    head = [f"    {a}," for a in ([arguments] if arguments else [])]
    parameters = [parameter(p, type_of(n, value)) for p, (n, value, _) in zip(plain, flags)]
    about = []
    for p, (_, _, meaning) in zip(plain, flags):
        meaning = re.sub(r"--([a-z][\w-]*)", lambda m: f"`{m.group(1).replace('-', '_')}`", meaning)
        line = wrapped(f"{p}: {meaning}", " " * 8).replace("\\", "\\\\")
        about.append(line.replace("\n", "\n    "))
    return "\n".join([
        "@verb(", *options, ")", f"def {name}(", *head, *star, *parameters,
        "    progress: Progress | bool | None = None,", f") -> {result}:",
        f'    """{summary(verb)}', "", textwrap.fill(f"Returns: {returns}", WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 4),
        "", f"        {example}", "", "    Arguments:", *about, '    """', "    ...", ""])


def main():
    texts = [HEAD, *(function_text(*row) for row in FUNCTIONS)]
    print("\n\n".join(text.rstrip("\n") + "\n" for text in texts), end="")


if __name__ == "__main__":
    main()
