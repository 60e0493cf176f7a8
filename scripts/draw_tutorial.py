#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/tutorial.md: runs its blocks and photographs what they print, or the
page that they write, in headless Chromium.

    scripts/draw_tutorial.py [BUILD_FOLDER] [STEP...]     build, and all steps

Each step runs all blocks before it, so the whole takes two minutes. Needs the two runtimes and
Chromium; a picture is only as good as the machine is quiet.
"""
import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = {5: ("before.html", 1280, 1000), 8: ("runtimes.html", 1280, 900), 9: ("proof.html", 1280, 900)}
LINES, COLUMNS = 44, 150
STYLE = """body{margin:0;background:#15191f;color:#d7dde5;font:13px/18px 'DejaVu Sans Mono',monospace}
pre{margin:0;padding:14px 18px;font:inherit} b{color:#8fd0ff;font-weight:normal}"""


def steps(text):
    """[(number, picture, [commands])] of the page's sections; a section without a block has none."""
    found = []
    for section in re.split(r"^## (?=\d)", text, flags=re.M)[1:]:
        number = int(section.split(".")[0])
        picture = re.search(r"\]\((images/tutorial/[^)]+)\)", section).group(1)
        blocks = re.findall(r"^```sh run[^\n]*\n(.*?)^```", section, flags=re.M | re.S)
        found.append((number, picture, [c for b in blocks for c in b.splitlines() if c.strip()]))
    return found


def shot(url, picture, width, height):
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    f"--window-size={width},{height}", f"--screenshot={picture}", url],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def terminal(session, folder, picture):
    """Commands with what they printed, cut to what a picture can show."""
    rows = []
    for command, printed in session:
        rows.append(f"<b>$ {html.escape(re.sub('  +#.*', '', command))}</b>")
        lines = printed.splitlines()
        room = max(8, (LINES - sum(min(len(p.splitlines()), 4) for _, p in session)) // len(session))
        shown = lines[:room] + (["…"] if len(lines) > room else [])
        rows += [html.escape(x if len(x) <= COLUMNS else x[:COLUMNS - 1] + "…") for x in shown]
    page = folder / "terminal.html"
    page.write_text(f"<meta charset=utf-8><style>{STYLE}</style><pre>" + "\n".join(rows) + "</pre>")
    widest = max(len(html.unescape(re.sub("</?b>", "", row))) for row in rows)
    shot(page.as_uri(), picture, 8 * widest + 36, 18 * len(rows) + 28)


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
    wanted = [int(x) for x in sys.argv[2:]]
    paths = [build, build / "examples", ROOT / "examples/ci"]
    env = dict(os.environ, PATH=":".join(map(str, paths)) + ":" + os.environ["PATH"])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number, picture, commands in steps((ROOT / "docs/tutorial.md").read_text()):
            session = []
            for command in commands:
                ran = subprocess.run(command, shell=True, cwd=folder, env=env, text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
                session.append((command, ran.stdout))
            if wanted and number not in wanted:
                continue
            target = ROOT / "docs" / picture
            target.parent.mkdir(parents=True, exist_ok=True)
            if number in PAGES:
                page, width, height = PAGES[number]
                shot((folder / page).as_uri(), target, width, height)
            else:
                terminal(session, folder, target)
            print(target, target.stat().st_size, "bytes")


main()
