# SPDX-License-Identifier: Apache-2.0
"""The bar of tqdm: with a stand-in that records what it is given, with the real one where the
environment has it, and without any."""
import fcntl
import importlib.util
import io
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import termios
import types
import unittest
from unittest import mock

import ridgeline
from ridgeline import bar
from support import Case

STAND_IN = """
made = []
class tqdm:
    def __init__(self, **given):
        self.total, self.n, self.seen, self.closed, self.given = 0, 0, [], 0, given
        made.append(self)
    def set_description_str(self, text, refresh):
        self.text = text
    def refresh(self):
        self.seen.append((self.text, self.n, self.total if "{bar}" in self.bar_format else 0))
    def close(self):
        self.closed += 1
"""
#: ridge's drawings: two parts of known size, one of unknown size, and a message between them.
DRAWN = r"\r\033[Kpoints: 1 of 7\r\033[Kpoints: 2 of 7\r\033[Kwarning: busy\r\n\r\033[Kroofs\r\033[K"
SHOWN = [("points", 1, 7), ("points", 2, 7), ("roofs", 0, 0)]


class Shell:
    """IPython's class in notebooks, by its name."""


Shell.__name__ = "ZMQInteractiveShell"


def terminal(is_one):
    return mock.Mock(isatty=mock.Mock(return_value=is_one))


class WithTqdm(Case):
    def setUp(self):
        super().setUp()
        for name in ("tqdm", "tqdm.notebook"):
            module = types.ModuleType(name)
            module.__spec__ = mock.Mock()
            exec(STAND_IN, module.__dict__)
            self.put(name, module)
        self.terminal, self.notebook = (sys.modules[n].made for n in ("tqdm", "tqdm.notebook"))
        version = f'[ "$1" = --version ] && {{ echo ridge {ridgeline.__version__}; exit 0; }}'
        path = self.program(f"{version}\nprintf '{DRAWN}' >&2; exit 0")
        patch = mock.patch.dict(os.environ, RIDGE_PROGRAM=path)
        patch.start()
        self.addCleanup(patch.stop)

    def put(self, name, module):
        """A module until the test ends; mock.patch.dict would forget all that it imports."""
        before = sys.modules.get(name)
        sys.modules[name] = module
        self.addCleanup(sys.modules.__setitem__ if before else sys.modules.pop, name, before)

    def in_notebook(self):
        self.put("IPython", mock.Mock(get_ipython=lambda: Shell()))

    def seen(self, made):
        self.assertEqual([one.closed for one in made], [1])
        return made[0].seen

    def test_the_bar_gets_what_the_callback_gets(self):
        got = []
        ridgeline.analyze("m.onnx", progress=lambda *shown: got.append(shown))
        self.assertEqual(got, SHOWN)
        with mock.patch("sys.stderr", terminal(True)):
            ridgeline.analyze("m.onnx")
        self.assertEqual(self.seen(self.terminal), got)
        self.assertEqual(self.notebook, [])

    def test_a_notebook_has_a_bar_of_its_own(self):
        self.in_notebook()
        with mock.patch("sys.stderr", terminal(False)):
            ridgeline.analyze("m.onnx")
        self.assertEqual(len(self.seen(self.notebook)), len(SHOWN))
        self.assertEqual(self.terminal, [])

    def test_a_notebook_without_widgets_shows_text(self):
        def without(**_):
            raise ImportError("IProgress not found")

        self.in_notebook()
        with mock.patch.object(sys.modules["tqdm.notebook"], "tqdm", without):
            ridgeline.analyze("m.onnx")
        self.assertEqual(len(self.seen(self.terminal)), len(SHOWN))

    def test_no_bar_where_nobody_looks_or_it_is_unwanted(self):
        with mock.patch("sys.stderr", terminal(False)):
            ridgeline.analyze("m.onnx")
        with mock.patch("sys.stderr", None):
            ridgeline.analyze("m.onnx")
        with mock.patch("sys.stderr", terminal(True)):
            ridgeline.analyze("m.onnx", progress=False)
            ridgeline.analyze("m.onnx", progress=lambda *_: None)
        self.assertEqual(self.terminal + self.notebook, [])

    def test_the_bar_is_closed_where_a_call_fails(self):
        path = pathlib.Path(os.environ["RIDGE_PROGRAM"])
        path.write_text(path.read_text().replace("exit 0\n", "exit 3\n").replace("exit 3; }", "exit 0; }"))
        with mock.patch("sys.stderr", terminal(True)), self.assertRaises(ridgeline.InputError):
            ridgeline.analyze("m.onnx")
        self.seen(self.terminal)

    def test_a_call_that_shows_nothing_makes_no_bar(self):
        shown = bar.Bar("tqdm")
        shown.close()
        self.assertEqual(self.terminal, [])


CODE = """
import sys, ridgeline
assert sys.stderr.isatty()
print(ridgeline.analyze("zoo:squeezenet1_1", bind={"batch": 1}).totals.params)
ridgeline.profile("zoo:squeezenet1_1", bind={"batch": 1}, budget="100ms", processes=1)
print(sys.modules.get("tqdm") is not None)
"""


class InATerminal(Case):
    """A process of its own, whose standard error is a terminal."""

    def run_there(self, before):
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        child = subprocess.Popen([sys.executable, "-W", "ignore", "-c", before + CODE],
                                 stdout=subprocess.PIPE, stderr=its, text=True)
        os.close(its)
        drawn = b""
        while True:
            try:
                drawn += os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
        os.close(ours)
        out = child.communicate()[0]
        self.assertEqual(child.returncode, 0, drawn)
        return out.splitlines(), drawn.decode()

    def test_without_tqdm_nothing_happens(self):
        hidden = "import sys\nsys.modules['tqdm'] = None\n"
        self.assertEqual(self.run_there(hidden), (["1235496", "False"], ""))

    @unittest.skipUnless(importlib.util.find_spec("tqdm"), "no tqdm here")
    def test_the_real_one_has_a_bar_where_the_size_is_known(self):
        import tqdm

        drawn = io.StringIO()
        with mock.patch("sys.stderr", drawn), mock.patch.object(tqdm.tqdm, "monitor_interval", 0):
            shown = bar.Bar("tqdm")
            for given in SHOWN:
                shown(*given)
            shown.close()
        lines = [line.strip() for line in drawn.getvalue().split("\r")]
        for text in ("points.* 1/7", "points.* 2/7", "roofs"):
            self.assertTrue(any(re.fullmatch(text, line) for line in lines), lines)

    @unittest.skipUnless(importlib.util.find_spec("tqdm"), "no tqdm here")
    def test_the_real_one_draws(self):
        out, drawn = self.run_there("")
        self.assertEqual(out, ["1235496", "True"])
        self.assertIn("\rprocess 1 of 1: measuring", drawn)
        last = re.split(r"[\r\n]", drawn.rstrip("\r\n"))[-1]
        self.assertEqual(last.replace("\x1b[A", "").strip(), "", "the bar does not stay")


if __name__ == "__main__":
    unittest.main()
