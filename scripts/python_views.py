#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the columns of the views of a run database for the Python package, from their page.

    scripts/python_views.py > python/ridgeline/views.py      # of docs/reference/views.md
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "views.md"
HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""Views of a run database, made by scripts/python_views.py from docs/reference/views.md: of each its
columns by name, with their types in SQLite."""

VIEWS = {'''


def main():
    print(HEAD)
    for part in PAGE.read_text().split("\n## ")[1:]:
        print(f'    "{part.splitlines()[0]}": {{')
        for name, of in re.findall(r"^\| `(\w+)` \| (integer|real|text) \|", part, re.MULTILINE):
            print(f'        "{name}": "{of}",')
        print("    },")
    print("}")


if __name__ == "__main__":
    main()
