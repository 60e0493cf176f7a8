#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the tests notice small mistakes? Plants seeded mutants in src/, all in one build, and runs each against the tests that reach its line.

    bench/mutants.py DIR                         # 200 mutants in DIR/tree; goes on where it was stopped; a second seed builds little
    bench/mutants.py DIR --folders store,ipc --count 20

    --seed 1             of the mutants        --jobs 2        tests at the same time
    --budget 120         seconds of tests for one mutant, the quickest first; a mutant that outlives them has survived
    --programs a,b       test programs that are used (default all), as ridge_store_tests; nothing else is built: add ridge_everything
                         for those that start ridge
    --longest 20         tests that take longer, in seconds, are not used
    --out FILE           results as JSON (default DIR/results.json), written after each mutant
    --plant-only         stops after the build     --tree DIR     where the copy is (default DIR/tree), its build folder below it

The source tree is copied. In the copy each mutated expression becomes `(ridge_mutant(17) ? mutated : original)`, and the variable RIDGE_MUTANT
chooses one; nothing of it is in the product. Kinds:

  comparison   < <= > >= == != replaced by a neighbor, && by ||
  bound        the limit of a comparison plus 1, std::min for std::max
  sign         + for -, += for -=, and the other way round
  check        the condition of an `if` dropped (never true) or negated
  constant     an integer plus 1

Expressions in constexpr code, templates and macros are left out, and those that no compiler takes are taken out again. Each case of the test
programs then runs once and records which mutants it reaches; mutants that none reaches are replaced from a reserve. A failed case, a crash or a run past
8 times its usual time finds a mutant, if the same case passes without it. The output lists the survivors with their lines, and totals by folder.

Exit status 1: fewer than 85 % are found. Needs what the build needs, and the Python binding of libclang (Debian's python3-clang-16). The first build
takes as long as any; then some 20 minutes on two processors that are otherwise free, and 30 to 60 for 200 mutants.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

KINDS = {"comparison": 3, "bound": 2, "sign": 2, "check": 3, "constant": 1}  # how often each is chosen
NEIGHBORS = {"<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"]}
SIGNS = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
SWITCH = """// Which mutant is on, and which are reached. Neither allocates nor changes errno.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace {
std::atomic<bool> seen[4096];

void record(int mutant, const char* file) {
  const int before = errno;
  const int descriptor = ::open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  char line[16];
  const int size = std::snprintf(line, sizeof line, "%d\\n", mutant);
  if (descriptor >= 0) {
    ::syscall(SYS_write, descriptor, line, static_cast<unsigned>(size));
    ::close(descriptor);
  }
  errno = before;
}
}  // namespace

extern "C" __attribute__((visibility("hidden"))) bool ridge_mutant(int mutant) noexcept {
  static const char* const chosen = std::getenv("RIDGE_MUTANT");
  static const char* const file = std::getenv("RIDGE_MUTANTS_REACHED");
  static const int on = chosen != nullptr ? std::atoi(chosen) : -1;
  if (file != nullptr && !seen[mutant].exchange(true)) record(mutant, file);
  return mutant == on;
}
"""
DECLARED = 'extern "C" bool ridge_mutant(int) noexcept;\n#line 1 "%s"\n'


# --- the copy ---------------------------------------------------------------------------------------------------------------------------------------
def source_root():
    return pathlib.Path(__file__).resolve().parent.parent


def write_if_changed(path, data):
    if path.exists() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def copy_tree(root, source, tree):
    """Copies what git knows into `source`, which stays as it is, and `tree`. An equal file keeps its time, so that little is built again."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "-co", "--exclude-standard"], check=True, capture_output=True).stdout
    for name in listed.decode().split("\0"):
        for target in (source / name, tree / name):
            if not name or not (root / name).is_file() or (target.exists() and target.read_bytes() == (root / name).read_bytes()):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, target)
    write_if_changed(tree / "src/base/mutant_switch.cc", SWITCH.encode())


def configure(tree):
    subprocess.run(["cmake", "-S", tree, "-B", tree / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
                   check=True, stdout=subprocess.DEVNULL)
    return {command["file"]: command for command in json.load(open(tree / "build/compile_commands.json"))}


# --- candidates in one file -------------------------------------------------------------------------------------------------------------------------
class Candidates:
    """Mutations of one file: (kind, start, end, text of the mutant or a template of it, what it says)."""

    def __init__(self, path, command):
        sys.path.append("/usr/lib/python3/dist-packages")  # where Debian's package lies, whichever python3 runs
        from clang import cindex as clang

        if not clang.Config.loaded:
            clang.Config.set_library_file("/usr/lib/llvm-16/lib/libclang.so.1")
        self.clang, self.path, self.data = clang, str(path), path.read_bytes()
        arguments, skip = [], False
        for word in command["command"].split()[1:]:
            if skip or word in ("-include", "-o", "-c"):
                skip = not skip and word != "-c"
            elif word != self.path and not word.startswith(("-fpch", "-Winvalid-pch", "-Wno", "-W")):
                arguments.append(word)
        self.unit = clang.Index.create().parse(self.path, args=arguments + ["-w"])
        self.found = []
        for cursor in self.unit.cursor.get_children():
            if cursor.location.file is not None and cursor.location.file.name == self.path:
                self.visit(cursor)

    def text(self, start, end):
        return self.data[start:end].decode()

    def span(self, cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def add(self, kind, start, end, mutant, say):
        original = self.text(start, end)
        if "//" in original or "#" in original or "/*" in original or not original.strip():
            return
        self.found.append({"kind": kind, "start": start, "end": end, "mutant": mutant.replace("\n", " "), "original": original, "say": say})

    def is_number(self, cursor, floats):
        kinds = self.clang.TypeKind
        kind = cursor.type.get_canonical().kind
        whole = kind in (kinds.INT, kinds.UINT, kinds.LONG, kinds.ULONG, kinds.LONGLONG, kinds.ULONGLONG)
        return whole or (floats and kind in (kinds.FLOAT, kinds.DOUBLE))

    def visit(self, cursor):
        kinds = self.clang.CursorKind
        if cursor.kind in (kinds.FUNCTION_TEMPLATE, kinds.CLASS_TEMPLATE, kinds.STATIC_ASSERT, kinds.ENUM_DECL, kinds.CASE_STMT):
            if cursor.kind != kinds.CASE_STMT:
                return
            for child in list(cursor.get_children())[1:]:
                self.visit(child)
            return
        start, end = self.span(cursor)
        if cursor.kind in (kinds.VAR_DECL, kinds.FUNCTION_DECL, kinds.CXX_METHOD, kinds.CONSTRUCTOR):
            head = re.split(r"[{;]", self.text(start, end), maxsplit=1)[0]
            if re.search(r"\b(constexpr|consteval|constinit)\b", head):
                return
        if cursor.kind in (kinds.BINARY_OPERATOR, kinds.COMPOUND_ASSIGNMENT_OPERATOR, kinds.CALL_EXPR):
            self.operator(cursor, start, end)
        elif cursor.kind == kinds.IF_STMT:
            self.condition(cursor, start)
        elif cursor.kind == kinds.INTEGER_LITERAL and re.fullmatch(r"\d{1,9}[uUlL]*", self.text(start, end)):
            literal = self.text(start, end)
            self.add("constant", start, end, f"({literal} + 1)", f"{literal} -> {literal} + 1")
        for child in cursor.get_children():
            self.visit(child)

    def operator(self, cursor, start, end):
        children = list(cursor.get_children())
        if cursor.kind == self.clang.CursorKind.CALL_EXPR:
            if cursor.spelling in ("min", "max") and re.match(r"std::(min|max)\(", self.text(start, end)):
                other = {"min": "max", "max": "min"}[cursor.spelling]
                self.add("bound", start, end, f"std::{other}" + self.text(start + 8, end), f"std::{cursor.spelling} -> std::{other}")
            if cursor.spelling not in ("operator==", "operator!=") or len(children) != 3:
                return
            children = [children[0], children[2]]
        if len(children) != 2:
            return
        (left, left_end), (right, right_end) = self.span(children[0]), self.span(children[1])
        if not (start == left < left_end <= right < right_end == end):
            return  # in a macro
        sign = self.text(left_end, right).strip()
        begin, rest = self.text(left, left_end), self.text(right, right_end)
        numbers = [self.is_number(child, True) for child in children]
        if sign in NEIGHBORS and (cursor.type.get_canonical().kind == self.clang.TypeKind.BOOL):
            for other in NEIGHBORS[sign]:
                if sign in ("&&", "||"):  # their precedences differ
                    self.add("comparison", start, end, f"(({begin}) {other} ({rest}))", f"{sign} -> {other}")
                else:
                    self.add("comparison", start, end, f"({begin} {other} {rest})", f"{sign} -> {other}")
            if sign in ("<", "<=", ">", ">=") and self.is_number(children[0], False) and self.is_number(children[1], False):
                self.add("bound", right, right_end, f"(({rest}) + 1)", f"{rest} -> {rest} + 1")
        elif sign in SIGNS and all(numbers) and self.is_number(cursor, True):
            self.add("sign", start, end, f"({begin} {SIGNS[sign]} {rest})", f"{sign} -> {SIGNS[sign]}")

    def condition(self, cursor, start):
        children = list(cursor.get_children())
        if not children or not children[0].kind.is_expression():
            return
        begin, end = self.span(children[0])
        if not re.fullmatch(r"if \(", self.text(start, begin)):
            return
        text = self.text(begin, end)
        self.add("check", begin, end, f"!static_cast<bool>({text})", "condition negated")
        if len(children) == 2 and re.search(r"\b(return|continue|break|throw)\b", self.text(*self.span(children[1]))):
            self.add("check", begin, end, "false", "condition never true")


def candidates_of(job):
    path, command = job
    try:
        return str(path), Candidates(path, command).found
    except Exception as fault:  # a file that libclang does not take has no mutants
        print(f"{path}: {fault}", file=sys.stderr)
        return str(path), []


# --- planting ---------------------------------------------------------------------------------------------------------------------------------------
def files_to_mutate(tree, commands, folders):
    chosen = []
    for path in sorted((tree / "src").rglob("*.cc")):
        name = path.relative_to(tree).as_posix()
        if name.endswith("_test.cc") or "testing" in name or re.search(r"_(avx|amx)\w*\.cc$|mutant_switch|_tables\.cc$", name):
            continue
        if str(path) in commands and (not folders or name.split("/")[1] in folders):
            chosen.append(path)
    return chosen


def choose(rng, tree, commands, folders, count, jobs):
    """`count` mutants: files drawn by their lengths, up to two from each, no two that overlap."""
    files = files_to_mutate(tree, commands, folders)
    order = sorted(files, key=lambda path: rng.random() ** (1.0 / (1 + len(path.read_bytes()) / 1000)), reverse=True)
    rounds = order if len(order) * 2 >= count else order * (count // (2 * len(order)) + 1)
    wanted = order[: min(len(order), count)]
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        found = dict(pool.map(candidates_of, [(path, commands[str(path)]) for path in wanted], chunksize=4))
    mutants, taken = [], collections.defaultdict(list)
    for path in rounds:
        for _ in range(2):
            free = [one for one in found.get(str(path), [])
                    if all(one["end"] <= start or one["start"] >= end for start, end in taken[path])]
            kinds = sorted({one["kind"] for one in free})
            if len(mutants) == count or not kinds:
                break
            kind = rng.choices(kinds, [KINDS[kind] for kind in kinds])[0]
            one = dict(rng.choice([one for one in free if one["kind"] == kind]))
            data = path.read_bytes()
            one["file"] = path.relative_to(tree).as_posix()
            one["line"] = data.count(b"\n", 0, one["start"]) + 1
            one["last_line"] = data.count(b"\n", 0, one["end"]) + 1
            one["id"] = len(mutants)
            taken[path].append((one["start"], one["end"]))
            mutants.append(one)
    return mutants


def plant(source, tree, mutants):
    """Writes the files of the copy: those of the mutants, and the originals of all others."""
    planted_in = collections.defaultdict(list)
    for one in mutants:
        planted_in[one["file"]].append(one)
    for path in (tree / "src").rglob("*.cc"):
        name = path.relative_to(tree).as_posix()
        if not (source / name).exists():
            continue
        data = (source / name).read_bytes()
        for one in sorted(planted_in.get(name, []), key=lambda one: -one["start"]):
            whole = f'(ridge_mutant({one["id"]}) ? {one["mutant"]} : {one["original"]})'
            if one["kind"] == "check":
                whole = f'ridge_mutant({one["id"]}) ? {one["mutant"]} : static_cast<bool>({one["original"]})'
            data = data[: one["start"]] + whole.encode() + data[one["end"]:]
        if name in planted_in:
            data = (DECLARED % name).encode() + data
        write_if_changed(path, data)


def build(source, tree, mutants, programs, jobs):
    """Builds; takes out mutants in lines that do not compile. Returns those that are left."""
    for _ in range(8):
        plant(source, tree, mutants)
        targets = ["--target", *programs] if programs else []
        done = subprocess.run(["cmake", "--build", tree / "build", f"-j{jobs}", *targets, "--", "-k", "0"], capture_output=True, text=True, errors="replace")
        if done.returncode == 0:
            return mutants
        wrong = collections.defaultdict(set)
        for name, line in re.findall(r"^(?:\S*/)?(src/\S+?\.cc):(\d+):\d+: (?:fatal )?error", done.stdout, re.M):
            wrong[name].add(int(line))
        if not wrong:
            sys.exit(done.stdout[-4000:] + "the copy does not build")
        kept = []
        for one in mutants:
            lines = wrong.get(one["file"])
            here = lines and any(one["line"] <= line <= one["last_line"] for line in lines)
            elsewhere = lines and not any(other["line"] <= line <= other["last_line"]
                                          for other in mutants if other["file"] == one["file"] for line in lines)
            if not here and not elsewhere:
                kept.append(one)
        print(f"{len(mutants) - len(kept)} mutants do not compile", flush=True)
        mutants = kept
    sys.exit("the copy does not build")


# --- tests ------------------------------------------------------------------------------------------------------------------------------------------
class Tests:
    def __init__(self, tree, scratch, programs):
        self.tree, self.scratch, self.programs, self.local = tree, scratch, programs, threading.local()

    def environment(self, **more):
        if not hasattr(self.local, "folder"):
            self.local.folder = tempfile.mkdtemp(dir=self.scratch)
        return dict(os.environ, TEST_TMPDIR=self.local.folder, TMPDIR=self.local.folder, RIDGE_PROGRAM=str(self.tree / "build/ridge"),
                    RIDGE_SOURCE=str(self.tree), RIDGE_SHARED=str(self.tree.parent / "shared"),
                    RIDGE_CORPUS=str(self.tree / "build/fuzz/corpus"), **more)

    def cases(self):
        listed = []
        for program in sorted((self.tree / "build/tests").glob("*_tests")):
            if self.programs and program.name not in self.programs:
                continue
            suite = ""
            out = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, env=self.environment(), cwd=self.tree).stdout
            for line in out.splitlines():
                if line.startswith("  "):
                    listed.append((program.name, suite + line.strip().split(" ")[0]))
                elif line and not line.startswith("Running"):
                    suite = line.split(" ")[0]
        return [case for case in listed if "DISABLED" not in case[1]]

    def run(self, case, limit, **more):
        """(passed, seconds); a run past its limit did not pass."""
        environment = self.environment(**more)
        begin = time.monotonic()
        child = subprocess.Popen([self.tree / "build/tests" / case[0], f"--gtest_filter={case[1]}", "--gtest_brief=1"], env=environment, cwd=self.tree,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            status = child.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()
        for left in pathlib.Path(environment["TEST_TMPDIR"]).iterdir():
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() and not left.is_symlink() else left.unlink(missing_ok=True)
        return status == 0, time.monotonic() - begin


def record(tests, state, longest, jobs):
    """Runs each case once: its time, and the mutants that it reaches."""
    cases = [case for case in tests.cases() if " ".join(case) not in state["cases"]]
    print(f"{len(cases)} cases to record", flush=True)

    def one(case):
        handle, name = tempfile.mkstemp(dir=tests.scratch.parent)
        os.close(handle)
        passed, seconds = tests.run(case, longest, RIDGE_MUTANTS_REACHED=name)
        reached = sorted({int(line) for line in open(name).read().split()})
        os.unlink(name)
        return case, {"passed": passed, "seconds": round(seconds, 3), "reaches": reached}

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for case, result in pool.map(one, cases):
            state["cases"][" ".join(case)] = result


def judge(tests, mutant, state, budget):
    """Runs the cases that reach a mutant, the quickest first; returns what found it."""
    near = mutant["file"].split("/")[1]
    cases = [(name, case) for name, case in state["cases"].items() if mutant["id"] in case["reaches"] and case["passed"]]
    if not cases:
        return {"state": "not reached"}
    cases.sort(key=lambda pair: pair[1]["seconds"] * (0.2 if near in pair[0] else 1.0))
    spent, ran = 0.0, 0
    for name, case in cases:
        if spent > budget:
            break
        passed, seconds = tests.run(name.split(" "), 5 + 8 * case["seconds"], RIDGE_MUTANT=str(mutant["id"]))
        spent, ran = spent + seconds, ran + 1
        if not passed and tests.run(name.split(" "), 5 + 8 * case["seconds"])[0]:
            return {"state": "found", "by": name, "cases": ran, "seconds": round(spent, 1)}
    return {"state": "survived", "cases": ran, "of": len(cases), "seconds": round(spent, 1)}


# --- output -----------------------------------------------------------------------------------------------------------------------------------------
def report(mutants, count):
    judged = [one for one in mutants if one.get("state") in ("found", "survived")][:count]
    folders = collections.defaultdict(collections.Counter)
    for one in judged:
        folders[one["file"].split("/")[1]][one["state"]] += 1
        folders["kind " + one["kind"]][one["state"]] += 1
    print("| folder | found | survived |\n| --- | --- | --- |")
    for folder, states in sorted(folders.items()):
        print(f"| {folder} | {states['found']} | {states['survived']} |")
    print("\nsurvivors:")
    for one in judged:
        if one["state"] == "survived":
            print(f"{one['file']}:{one['line']}: {one['kind']}: {one['say']}: {' '.join(one['original'].split())} "
                  f"(mutant {one['id']}, {one['cases']} of {one['of']} cases)")
    found = sum(one["state"] == "found" for one in judged)
    missed = sum(one.get("state") == "not reached" for one in mutants)
    print(f"\n{found} of {len(judged)} found ({100 * found / max(1, len(judged)):.1f} %); {missed} more were not reached by any case")
    return found >= 0.85 * len(judged)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tree", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folders", type=lambda text: text.split(","), default=[])
    parser.add_argument("--programs", type=lambda text: text.split(","), default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--budget", type=float, default=120)
    parser.add_argument("--longest", type=float, default=20)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--plant-only", action="store_true")
    return parser.parse_args()


def planted(options, root, source, tree, saved):
    """The state of a run that was stopped, or a new one with its mutants built."""
    wanted = {"seed": options.seed, "count": options.count, "folders": options.folders}
    if saved.exists():
        state = json.loads(saved.read_text())
        if state["options"] == wanted:
            return state
    copy_tree(root, source, tree)
    commands = configure(tree)
    plant(source, tree, [])
    mutants = choose(random.Random(options.seed), tree, commands, options.folders, options.count * 14 // 10 + 5, options.jobs)
    print(f"{len(mutants)} mutants in {len({one['file'] for one in mutants})} files", flush=True)
    mutants = build(source, tree, mutants, options.programs, options.jobs)
    return {"options": wanted, "mutants": mutants, "cases": {}}


def main():
    options = read_arguments()
    root, folder = source_root(), options.folder.resolve()
    tree = (options.tree or folder / "tree").resolve()
    if tree == root or root in tree.parents:
        sys.exit("the copy must lie outside the source tree")
    folder.mkdir(parents=True, exist_ok=True)
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    saved = options.out or folder / "results.json"

    state = planted(options, root, folder / "source", tree, saved)
    lock = threading.Lock()

    def keep():
        with lock:
            saved.with_suffix(".part").write_text(json.dumps(state, indent=1))
            saved.with_suffix(".part").replace(saved)

    keep()
    if options.plant_only:
        return
    tests = Tests(tree, scratch, options.programs)
    record(tests, state, options.longest, options.jobs)
    keep()
    reached = {number for case in state["cases"].values() if case["passed"] for number in case["reaches"]}
    for one in state["mutants"]:
        if one["id"] not in reached:
            one["state"] = "not reached"
    chosen = [one for one in state["mutants"] if one["id"] in reached][: options.count]
    waiting = [one for one in chosen if "state" not in one]

    def run(one):
        one.update(judge(tests, one, state, options.budget))
        keep()
        print(f"{one['file']}:{one['line']}: {one['state']} {one.get('by', '')}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(run, waiting))
    shutil.rmtree(scratch, ignore_errors=True)
    if not report(chosen + [one for one in state["mutants"] if one.get("state") == "not reached"], options.count):
        sys.exit(1)


if __name__ == "__main__":
    main()
