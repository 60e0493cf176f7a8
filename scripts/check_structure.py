#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules of the tree that no compiler knows, over the files that git lists.

    scripts/check_structure.py [--statistics]

Include direction folder by folder, include cycles, size of folders, headers that only tests include, length of files and lines, what the
library must not use, names of unnamed namespaces, error codes used in one place and documented, first words of doc comments, the line
that names the license, and things that do not belong into a commit. Prints one line per finding; exit status 1 if there is any.
"""
import collections
import graphlib
import pathlib
import re
import subprocess
import sys

import spdx

TOP = pathlib.Path(__file__).resolve().parent.parent
MAX_LINES = 700
MAX_NAMES = 40
MAX_COLUMNS = 100
# Expected texts in tests stand as they are printed, and scripts have no formatter: there a line may be longer.
MAX_COLUMNS_UNFORMATTED = 170


def is_test(path):
    """Tests and what only tests include."""
    return path.name.endswith(("_test.cc", "_testing.h")) or path.name == "testing.h" or "testing" in path.parts


def folders():
    """The lines of src/folders.txt: {folder: (library, [below], [below for tests])}."""
    found = {}
    for line in (TOP / "src" / "folders.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            folder, library, *lists = line.split()
            below, tests = (c.split(",") if c != "-" else [] for c in lists)
            if higher := set(below) - set(found):
                sys.exit(f"src/folders.txt: {', '.join(sorted(higher))} does not stand above {folder}, which includes it")
            found[folder] = (library, below, tests)
    return found


FOLDERS = folders()

# What is installed for programs that use the library, which may be all that includes it.
PUBLIC = [line for line in (TOP / "src/public_headers.txt").read_text().splitlines() if not line.startswith("#")]

# Files that a script makes, which nobody reads from top to bottom.
MADE = {pathlib.Path("python/ridgeline", name) for name in ("records.py", "verbs.py")}

# Written so that this file does not find itself.
UNFINISHED = re.compile(r"\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b|not implemente[d]|unimplemente[d]", re.IGNORECASE)
LOCAL_PATH = re.compile(r"/(wor[k]|far[m]|tmp/bash_job[s])/[a-z]")
REGISTRY = re.compile(r'"resolved": *"htt[p]|(extra-)?index-ur[l] *=? *http|registr[y] *= *http')
TIME_ASSERTION = re.compile(r"EXPECT_(LT|LE|GT|GE)\([^;]*(millis|micros|seconds|elapsed|duration)")
# The library neither prints nor looks at the environment; the program does.
FORBIDDEN = [
    (re.compile(r"#include <(iostream|regex)>"), "use sinks and fmt, parse by hand"),
    (re.compile(r"\b(getenv|setlocale|std::exit|std::abort)\("), "belongs into src/cli"),
    (re.compile(r"\bprintf\(|std::c(out|err)\b"), "output goes through sinks"),
]
# A doc comment begins with a noun phrase or a verb.
RIDDLE = re.compile(r"(?:Of|What|Those|That|The same|Which|Who)\b", re.IGNORECASE)
DOC_COMMENT = re.compile(r"\s*/// ?(.*)")
TRAILING_DOC = re.compile(r"\S.*///< ?(.*)")
BRITISH = re.compile(r"(?i)(optimi|initiali|quanti|normali|seriali|recogni|summari|speciali)s(e|ed|es|er|ation|ing)\b"
                     r"|(?i:\b(neighbour|behaviour|colour|favour|modelled|labelled|cancelled|artefact)\w*)")
ERROR_CODE = re.compile(r'"(RIDGE-[A-Z]+-\d{4})"')
ENUM = re.compile(r"\benum class (\w+)[^{;]*(\{[^}]*\})")
# Comments, texts, characters and lines of the preprocessor.
NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/"
                      r'|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
                      r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^ *#(?:[^\n]*\\\n)*[^\n]*", re.S | re.M)


def allowed(folder):
    found, waiting = {folder}, [folder]
    while waiting:
        for below in FOLDERS[waiting.pop()][1]:
            if below not in found:
                found.add(below)
                waiting.append(below)
    return found


def allowed_in_test(folder):
    library, _, tests = FOLDERS[folder]
    beside = [f for f, (of, _, _) in FOLDERS.items() if of == library]
    return set().union(*(allowed(f) for f in [*beside, *tests]))


def folder_of(parts):
    """The line of src/folders.txt for a file: that of its room if the room has one."""
    room = "/".join(parts[:2])
    return room if room in FOLDERS else parts[0]


def check_map(page):
    """HACKING.md names each folder of src/, and each has a page that says what it is."""
    for folder in sorted({f.split("/")[0] for f in FOLDERS}):
        if f"| `src/{folder}/` |" not in page:
            yield f"the map has no src/{folder}/"
        if not (TOP / "src" / folder / "README.md").is_file():
            yield f"src/{folder} has no README.md"


def check_sizes(files):
    """Names in a folder of src/: a header, its .cc and its tests are one."""
    names = collections.defaultdict(set)
    for path in files:
        if path.parts[0] == "src" and path.suffix in {".h", ".cc"} and not is_test(path):
            names[path.parent].add(path.stem)
    for folder, of in sorted(names.items()):
        if len(of) > MAX_NAMES:
            yield folder, f"{len(of)} names, at most {MAX_NAMES}: give some of them a room"


def check_includes(path, folder, lines):
    if folder not in FOLDERS:
        yield 1, f"folder src/{folder} is not in src/folders.txt"
        return
    rule = allowed_in_test(folder) if is_test(path) else allowed(folder)
    for number, line in enumerate(lines, 1):
        match = re.match(r'#include "([^"]+)/[^/"]+"', line)
        if match and (included := folder_of(match[1].split("/"))) not in rule:
            yield number, f"src/{folder} must not include {included}/ (it is not below it)"
        elif re.match(r'#include "\.\.?/', line) or re.match(r'#include "[^/"]+"', line):
            yield number, "includes start at src/"


def check_cycles(files):
    """Modules that include each other, directly or through others; a module is a header with the .cc of its name."""
    below = collections.defaultdict(list)
    for path, lines in files.items():
        if path.parts[0] == "src" and path.suffix in {".cc", ".h"} and not is_test(path):
            module = str(path.relative_to("src").with_suffix(""))
            included = [m[1] for line in lines if (m := re.match(r'#include "([^"]+)\.h"', line))]
            below[module] += [m for m in included if m not in (module, *below[module])]
    while True:
        try:
            return graphlib.TopologicalSorter(below).prepare()
        except graphlib.CycleError as error:
            cycle = error.args[1][::-1]
            yield f"src/{cycle[0]}.h", f"an include cycle: {' -> '.join(cycle)}"
            below[cycle[0]].remove(cycle[1])


def check_used(files):
    """A header serves production code beside its own .cc, or programs that use the library, or it is a test's."""
    headers = {str(path.relative_to("src")): path
               for path in files if path.parts[0] == "src" and path.suffix == ".h" and not is_test(path)}
    used = {m[1] for path, lines in files.items() if path.parts[0] == "src" and not is_test(path)
            for line in lines if (m := re.match(r'#\s*include "([^"]+)"', line)) and path != pathlib.Path("src", m[1]).with_suffix(".cc")}
    for name, path in headers.items():
        if name not in used and name not in PUBLIC:
            yield path, "only tests include it: it belongs into testing/ or *_testing.h, or goes"


def check_public(files):
    """Public headers are headers of the library, in order, with all that they include."""
    page = pathlib.Path("src/public_headers.txt")
    if PUBLIC != sorted(set(PUBLIC)):
        yield page, "not in alphabetical order"
    for name in PUBLIC:
        path = pathlib.Path("src", name)
        if path not in files or is_test(path) or name.startswith("cli/"):
            yield page, f"{name} is no header of the library"
            continue
        for line in files[path]:
            if (match := re.match(r'#include "([^"]+)"', line)) and match[1] not in PUBLIC:
                yield page, f"{match[1]} is missing, which the public {name} includes"


def check_cpp(path, lines):
    test = is_test(path)
    if path.suffix == ".h":
        if not "".join(lines[1:2]).startswith("//"):
            yield 2, "a header begins with its contract"
        if "#pragma once" not in lines:
            yield 1, "a header says #pragma once"
    for number, line in enumerate(lines, 1):
        if test and TIME_ASSERTION.search(line):
            yield number, "a test asserts a time; that belongs into bench/"
        if test or "cli" in path.parts or path.parts[0] != "src":
            continue
        for pattern, instead in FORBIDDEN:
            if pattern.search(line.split("//")[0]):
                yield number, f"{pattern.search(line)[0]}: {instead}"


def check_any(path, lines):
    code = path.suffix in {".cc", ".h", ".py", ".sh", ".cmake"} or path.name == "CMakeLists.txt"
    licensed = spdx.license_line(path, lines)
    if licensed and lines[licensed[0]:licensed[0] + 1] != [licensed[1]]:
        yield licensed[0] + 1, f"a source file names its license: {licensed[1]} (scripts/spdx.py)"
    if code and len(lines) - bool(licensed) > MAX_LINES and path not in MADE:
        yield len(lines), f"longer than {MAX_LINES} lines, the license aside"
    for number, line in enumerate(lines, 1):
        most = MAX_COLUMNS if path.suffix in (".cc", ".h") and not is_test(path) else MAX_COLUMNS_UNFORMATTED
        if code and len(line) > most and "http" not in line:
            yield number, f"{len(line)} columns, at most {most}"
        if path.suffix != ".md" and UNFINISHED.search(line):
            yield number, "unfinished: " + line.strip()[:60]
        if LOCAL_PATH.search(line):
            yield number, "a path of one machine"
        if REGISTRY.search(line):
            yield number, "a registry address"


def check_words(lines):
    """First words of doc comments, and American spelling in comments."""
    inside = False
    for number, line in enumerate(lines, 1):
        doc = DOC_COMMENT.match(line)
        first = doc[1] if doc and not inside else None
        if trailing := TRAILING_DOC.search(line):
            first = trailing[1]
        if first and RIDDLE.match(first):
            yield number, f"a doc comment begins with a noun phrase or a verb: {first[:50]}"
        comment = re.search(r"(?:^|\s)//.*", line)
        if comment and (british := BRITISH.search(comment[0])) and "'" not in comment[0] and '"' not in comment[0]:
            yield number, f"American spelling: {british[0]}"
        inside = doc is not None


def check_error_codes(files):
    """Each code has one home, and a paragraph in the reference where that exists."""
    homes = collections.defaultdict(set)
    for path, lines in files.items():
        if (path.parts[0] == "src" and not is_test(path)) or path.parts[:2] == ("python", "ridgeline"):
            for code in ERROR_CODE.findall("\n".join(lines)):
                homes[code].add(path)
    reference = files.get(pathlib.Path("docs/reference/messages.md"))
    for code, paths in sorted(homes.items()):
        if len(paths) > 1:
            yield min(paths), f"{code} is used in {', '.join(map(str, sorted(paths)))}"
        if reference is not None and not any(code in line for line in reference):
            yield min(paths), f"{code} is not in docs/reference/messages.md"


def check_types(files):
    """A type has one definition in its namespace: of two, the linker takes the functions of either."""
    homes = collections.defaultdict(list)
    for path, lines in files.items():
        if path.parts[0] != "src" or path.suffix != ".h" or is_test(path):
            continue
        namespace = ""
        specialized = False
        for number, line in enumerate(lines, 1):
            if opened := re.match(r"namespace (ridge[\w:]*) \{", line):
                namespace = opened[1]
            # A specialization is no definition of a further type.
            before, specialized = specialized, line.startswith("template <>")
            if before or re.match(r"(?:struct|class)\s+[\w:]+<", line):
                continue
            if defined := re.match(r"(?:struct|class|enum class)\s+(\w+)\b(?!::)[^;]*\{", line):
                homes[namespace, defined[1]].append((path, number))
    for (namespace, name), places in sorted(homes.items()):
        for path, number in places[1:]:
            if path != places[0][0]:
                yield path, number, f"{namespace}::{name} is defined in {places[0][0]} as well"


def declared(head):
    """The kind of a declaration at namespace scope, and its names: {name: what it is another name for, or ""}.

    `head` is the declaration up to its first brace or semicolon, without what NOT_CODE matches:
    "constexpr int kMost = 3, kLeast = 1" is ("variable", {"kMost": "", "kLeast": ""}).
    """
    head = head.removeprefix("__extension__ ")
    if alias := re.match(r"(?:using|namespace) (\w+) =\s*(.*)", head, re.S):
        return "alias", {alias[1]: alias[2]}
    if using := re.match(r"using (?!namespace|enum)([\w:,\s]+)$", head):
        return "alias", {name.strip().rpartition("::")[2]: name.strip() for name in using[1].split(",")}
    if using := re.match(r"using enum ([\w:]+)$", head):
        return "alias", {"using enum": using[1]}
    if re.match(r"using|static_assert|friend", head) or "operator" in head:
        return "", {}
    if test := re.match(r"TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)", head):
        return "type", {f"{test[1]}_{test[2]}_Test": ""}
    head = re.sub(r"\b(?:struct|class|union)$|\[\[.*?\]\]|alignas\(.*?\)|__attribute__\(\(.*?\)\)+", "", head)
    while (shorter := re.sub(r"<[^<>]*>", "", head)) != head:
        head = shorter
    head = re.sub(r"^template\s*", "", head.strip())
    if made := re.match(r"(?:enum\s+(?:class\s+)?|struct\s+|class\s+|union\s+)(\w+)\s*(?:final\s*)?(?::[^:].*)?$", head, re.S):
        return "type", {made[1]: ""}
    before = re.split(r"(?<![=<>!])=(?!=)", head)[0].rstrip()
    if "(" in before:
        function = re.search(r"[\s&*](\w+)\s*$", before[:before.index("(")])
        return "function", {function[1]: ""} if function and "(*" not in before else {}
    variable = re.search(r"[\s&*](\w+)\s*(?:\[[^\]]*\]\s*)*$", before)
    further = re.findall(r"[\s&*]([A-Za-z_]\w*)(?=,| =)", head)
    return "variable", dict.fromkeys([variable[1], *further], "") if variable else {}


def declarations(lines):
    """Yields (line, namespace, True if no other file knows the names, names as from declared()) of what stands at namespace scope."""
    code = NOT_CODE.sub(lambda m: ('""' if m[0][0] in 'R"' else "") + "\n" * m[0].count("\n"), "\n".join(lines))
    scopes, start, braces, parentheses, initialized = [], 0, 0, 0, False
    for token in re.finditer(r"[{}();]", code):
        if braces:
            braces += {"{": 1, "}": -1}.get(token[0], 0)
        elif parentheses or token[0] in "()":
            parentheses += {"(": 1, ")": -1}.get(token[0], 0)
            continue
        elif initialized:  # behind the first braces of a variable
            if further := re.findall(r",\s*(\w+)(?=\s*=|\s*$)", code[start:token.start()]):
                yield line, *scope, dict.fromkeys(further, "")
            initialized = token[0] != ";"
            braces = int(token[0] == "{")
        elif token[0] == "}":
            scopes.pop()
        elif opened := re.fullmatch(r'\s*(?:(?:inline )?namespace\s*([\w:]*)|extern "")\s*', code[start:token.start()]):
            around = "::".join(filter(None, scopes))
            for part in filter(None, (opened[1] or "").split("::")):
                yield code.count("\n", 0, token.start()) + 1, around, "" in scopes, {part: around + "::" + part}
                around += "::" + part
            scopes.append(opened[1])
        else:
            text = code[start:token.start()]
            head = text.strip()
            kind, names = declared(head)
            own = "" in scopes or kind == "alias" or bool(re.match(r"(static|constexpr)\b", head))
            line = code.count("\n", 0, start + len(text) - len(text.lstrip())) + 1
            scope = "::".join(filter(None, scopes)), own
            if token[0] == "{" and re.match(r"enum\s+(?!class)", head):
                members = code[token.end():code.index("}", token.end())]
                names |= dict.fromkeys(re.findall(r"(?:^|,)\s*(\w+)", members), "")
            yield line, *scope, names
            braces = int(token[0] == "{")
            initialized = bool(braces) and kind == "variable"
        if not braces:
            start = token.end()


def same_entity(name, other):
    """True if two names that aliases stand for may be one, of which one has less of its namespaces."""
    return bool(name and other) and (f"::{name}".endswith(f"::{other}") or f"::{other}".endswith(f"::{name}"))


def check_unnamed(files):
    """A name of an unnamed namespace occurs once in the namespace around it, so that files can be compiled as one.

    Nor is it a name that headers declare there or further out. Aliases may repeat, and tests may have names of production code. Programs
    and plug-ins, outside all namespaces, and files for an instruction set are never compiled together with others.
    """
    homes = collections.defaultdict(dict)
    in_headers = {}
    texts = {path: "\n".join(lines) for path, lines in files.items() if path.suffix in {".cc", ".h"}}
    enums = {m[1]: re.findall(r"\bk[A-Z]\w*(?=\s*[,=}/])", m[2]) for text in texts.values() for m in ENUM.finditer(text)}
    for path, lines in files.items():
        if path.parts[0] not in {"src", "tests"} or path.suffix not in {".cc", ".h"} or re.search(r"_avx\w*\.cc$", path.name):
            continue
        for number, namespace, own, names in declarations(lines):
            if "using enum" in names:
                names = {name: f"{names['using enum']}::{name}" for name in enums.get(names["using enum"].rpartition("::")[2], [])}
            for name, target in names.items():
                if path.suffix == ".h" and namespace:
                    in_headers.setdefault((namespace, name), (path, target))
                elif path.suffix == ".cc" and own and namespace:
                    homes[path.name.endswith("_test.cc"), namespace, name].setdefault(path, (number, target))
    for (test, namespace, name), places in sorted(homes.items()):
        first, (_, meant) = next(iter(places.items()))
        around = namespace.split("::")
        outer = ["::".join(around[:depth]) for depth in range(len(around), 0, -1)]
        declared_in = [(space, *in_headers[space, name]) for space in outer if (space, name) in in_headers]
        for path, (number, target) in places.items():
            if path != first and not same_entity(target, meant):
                yield path, number, f"{name} is the name of something else in an unnamed namespace of {first}"
            for space, header, meant_there in declared_in:
                if header != path.with_suffix(".h") and not same_entity(target, meant_there):
                    yield path, number, f"{header} declares {space}::{name}; in an unnamed namespace it has another name"


def read_tree():
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, check=True, capture_output=True)
    files = {}
    for name in listing.stdout.decode().split("\0"):
        path = pathlib.Path(name)
        if not name or path.parts[0] == "third_party" or not (TOP / path).is_file():
            continue
        try:
            files[path] = (TOP / path).read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue  # a picture or a fuzz seed
    return files


def findings(files):
    for path, lines in files.items():
        if not lines:
            continue
        for number, text in check_any(path, lines):
            yield path, number, text
        if path.suffix in {".cc", ".h"}:
            for number, text in [*check_cpp(path, lines), *check_words(lines)]:
                yield path, number, text
            if path.parts[0] == "src" and len(path.parts) > 2:
                for number, text in check_includes(path, folder_of(path.parts[1:-1]), lines):
                    yield path, number, text
    for path, text in check_error_codes(files):
        yield path, 1, text
    for path, text in [*check_cycles(files), *check_sizes(files), *check_used(files), *check_public(files)]:
        yield path, 1, text
    yield from check_types(files)
    yield from check_unnamed(files)
    page = pathlib.Path("HACKING.md")
    for text in check_map("\n".join(files[page])):
        yield page, 1, text


def print_statistics(files):
    lengths = sorted(len(lines) for path, lines in files.items() if path.suffix in {".cc", ".h"})
    if not lengths:
        return
    def at(share):
        return lengths[min(len(lengths) - 1, int(share * len(lengths)))]
    tests = sum(len(lines) for path, lines in files.items() if is_test(path))
    print(f"{len(lengths)} C++ files, {sum(lengths)} lines ({tests} of tests); "
          f"half have at most {at(0.5)} lines, nine in ten at most {at(0.9)}, the longest {lengths[-1]}")


def main():
    files = read_tree()
    count = 0
    for path, number, text in findings(files):
        print(f"{path}:{number}: {text}")
        count += 1
    print_statistics(files)
    print(f"structure: {count} findings")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
