#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the line that names the license into source files that lack it: the first line, below #! where
there is one. scripts/check_structure.py asks for it.

    scripts/spdx.py
"""
import pathlib
import subprocess

LICENSE = "SPDX-License-Identifier: Apache-2.0"
COMMENTS = dict.fromkeys((".cc", ".h", ".c", ".js", ".mjs"), "// {}") | {".css": "/* {} */"} \
    | dict.fromkeys((".py", ".pyi", ".sh", ".awk", ".cmake", "CMakeLists.txt", "Makefile"), "# {}")


def license_line(path, lines):
    """The index at which the line stands, and the line; None for a file that is no source."""
    script = lines[0].startswith("#!")
    comment = COMMENTS.get(path.suffix) or COMMENTS.get(path.name) or ("# {}" if script else None)
    return comment and (int(script), comment.format(LICENSE))


def main():
    top = pathlib.Path(__file__).resolve().parent.parent
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=top, check=True, capture_output=True)
    written = 0
    for name in listing.stdout.decode().split("\0"):
        path = top / name
        if not name or not path.is_file():
            continue
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
        except UnicodeDecodeError:
            continue
        found = license_line(path, lines)
        if found and lines[found[0]:found[0] + 1] != [found[1]]:
            lines.insert(*found)
            path.write_text("\n".join(lines), encoding="utf-8")
            written += 1
    print(f"spdx: wrote the line into {written} files")


if __name__ == "__main__":
    main()
