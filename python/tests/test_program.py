# SPDX-License-Identifier: Apache-2.0
"""The program: where it is found, how it ends, Ctrl-C, threads, forks."""
import ctypes
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

import ridgeline
from ridgeline import program
from support import RIDGE, Case, relu

VERSION = f'[ "$1" = --version ] && {{ echo ridge {ridgeline.__version__}; exit 0; }}'


class Found(Case):
    def found(self, **environment):
        with mock.patch.dict(os.environ, environment):
            return program.find()

    def test_the_named_program_comes_first(self):
        self.assertEqual(self.found(RIDGE_PROGRAM=RIDGE), RIDGE)

    def test_then_the_environment_then_the_path(self):
        path = self.program("exit 0")
        with mock.patch("sysconfig.get_path", return_value=str(self.folder)):
            self.assertEqual(self.found(RIDGE_PROGRAM="", PATH="/nowhere"), path)
        with mock.patch("sysconfig.get_path", return_value="/nowhere"):
            self.assertEqual(self.found(RIDGE_PROGRAM="", PATH=str(self.folder)), path)

    def test_none_is_an_error_with_a_next_step(self):
        with mock.patch("sysconfig.get_path", return_value="/nowhere"):
            with self.assertRaises(ridgeline.HostError) as caught:
                self.found(RIDGE_PROGRAM="", PATH="/none")
        self.assertEqual(
            str(caught.exception),
            "the program ridge is neither in /nowhere nor on the PATH\n"
            "  hint: install the wheel of ridgeline, or set RIDGE_PROGRAM to the path of ridge\n"
            "  [RIDGE-PY-0002]",
        )

    def test_a_name_of_no_program(self):
        with self.assertRaises(ridgeline.HostError) as caught:
            self.found(RIDGE_PROGRAM="/etc/passwd")
        self.assertEqual(
            caught.exception.message, "RIDGE_PROGRAM is '/etc/passwd', which is no program"
        )

    def test_the_version_is_the_package_s(self):
        version = subprocess.run([RIDGE, "--version"], capture_output=True, text=True).stdout
        self.assertEqual(version, f"ridge {ridgeline.__version__}\n")

    def test_another_version_is_refused(self):
        with mock.patch.dict(os.environ, RIDGE_PROGRAM=self.program("echo ridge 9.9.9")):
            with self.assertRaises(ridgeline.HostError) as caught:
                ridgeline.analyze("zoo:squeezenet1_1")
        self.assertEqual(caught.exception.code, "RIDGE-PY-0004")
        self.assertIn("is ridge 9.9.9, but this package is ridgeline", caught.exception.message)

    def test_no_folder_for_temporary_files(self):
        with mock.patch.dict(os.environ, TMPDIR="/proc/none"):
            with self.assertRaises(ridgeline.HostError) as caught:
                ridgeline.analyze("zoo:squeezenet1_1")
        self.assertEqual(caught.exception.code, "RIDGE-PY-0008")


class Refused(Case):
    """Programs that the kernel or the loader refuses: the real one, with a few bytes changed."""

    def refused(self, change):
        path = self.program("")
        (self.folder / "ridge").write_bytes(change(pathlib.Path(RIDGE).read_bytes()))
        with mock.patch.dict(os.environ, RIDGE_PROGRAM=path):
            with self.assertRaises(ridgeline.HostError) as caught:
                ridgeline.analyze("zoo:squeezenet1_1")
        self.assertEqual(caught.exception.code, "RIDGE-PY-0003")
        return str(caught.exception).replace(path, "ridge")

    def test_another_processor(self):
        here = os.uname().machine
        number, name = (0xB7, "aarch64") if here == "x86_64" else (0x3E, "x86_64")
        self.assertEqual(
            self.refused(lambda b: b[:18] + struct.pack("<H", number) + b[20:4096]),
            f"ridge: it is a program for the processor {name}, and this one is {here}\n"
            f"  hint: install the wheel for {here}, or build ridge on this computer "
            "(docs/install.md)\n  [RIDGE-PY-0003]",
        )

    def test_an_older_glibc(self):
        def newer(program):
            needed = re.findall(rb"GLIBC_2\.\d\d\0", program)
            return program.replace(max(needed), b"GLIBC_2.99\0")

        version = ctypes.CDLL(None).gnu_get_libc_version
        version.restype = ctypes.c_char_p
        self.assertEqual(
            self.refused(newer),
            "ridge: it needs glibc 2.99 or newer, and this system has "
            f"{version().decode()}\n"
            "  hint: use a system with glibc 2.99 or newer, or build ridge on this computer "
            "(docs/install.md)\n  [RIDGE-PY-0003]",
        )

    def test_the_newest_glibc_of_those_that_the_loader_misses(self):
        said = b"".join(b"libc.so.6: version `GLIBC_%s' not found\n" % of for of in (b"2.9", b"2.38", b"2.10"))
        error = self.refused(lambda _: b"#!/bin/sh\necho \"" + said.replace(b"`", b"\\`") + b"\" >&2; exit 1\n")
        self.assertTrue(error.startswith("ridge: it needs glibc 2.38 or newer, "), error)

    def test_a_system_without_its_loader(self):
        found = []

        def other(program):
            found.append(re.search(rb"/lib[\w./-]*/ld-[\w.-]*\.so\.\d(?=\0)", program).group())
            return program.replace(found[0] + b"\0", found[0][:-1] + b"9\0", 1)

        self.assertEqual(
            self.refused(other),
            f"ridge: this system lacks its loader, {found[0][:-1].decode()}9\n"
            "  hint: use a system with glibc (Alpine Linux has another C library), "
            "or build ridge on this computer (docs/install.md)\n  [RIDGE-PY-0003]",
        )

    def test_a_file_that_is_cut_short(self):
        for size in (5, 19, 63):
            self.assertEqual(
                self.refused(lambda b: b[:size]),
                "ridge: cannot be started: Exec format error\n"
                "  hint: install the wheel for this processor and system\n  [RIDGE-PY-0003]",
            )

    def test_an_instruction_that_the_processor_lacks(self):
        self.assertEqual(
            self.refused(lambda _: b"#!/bin/sh\nkill -ILL $$\n"),
            "ridge: this processor lacks an instruction that it needs (SIGILL)\n"
            "  hint: use another processor, or build ridge on this computer (docs/install.md)\n"
            "  [RIDGE-PY-0003]",
        )

    def test_what_else_ends_it_is_shown(self):
        self.assertEqual(
            self.refused(lambda _: b"#!/bin/sh\necho no luck >&2; exit 7\n"),
            "ridge --version ended with status 7: no luck\n"
            "  hint: install the wheel for this processor and system\n  [RIDGE-PY-0003]",
        )


class Ends(Case):
    """How a run ends, with a script in place of ridge where ridge itself cannot be made to."""

    def run_as(self, script):
        with mock.patch.dict(os.environ, RIDGE_PROGRAM=self.program(f"{VERSION}\n{script}")):
            ridgeline.analyze("m.onnx")

    def fails(self, kind, script):
        with self.assertRaises(kind) as caught:
            self.run_as(script)
        return caught.exception

    def test_each_status_has_a_class(self):
        text = "echo 'error: m.onnx: bad\n  at byte 3\n  hint: mend it\n  [RIDGE-X-0001]' >&2;"
        for status, kind in ((1, "CheckFailed"), (2, "UsageError"), (3, "InputError"),
                             (4, "HostError"), (70, "BugError"), (99, "BugError"),
                             (130, "Interrupted")):
            error = self.fails(getattr(ridgeline, kind), f"{text} exit {status}")
            self.assertEqual(error.message, "m.onnx: bad\n  at byte 3")
            self.assertEqual(error.hint, "mend it")
            self.assertEqual(error.code, "RIDGE-X-0001")

    def test_only_interrupted_is_no_exception_of_programs(self):
        self.assertFalse(issubclass(ridgeline.Interrupted, Exception))
        self.assertTrue(issubclass(ridgeline.Interrupted, KeyboardInterrupt))

    def test_a_status_without_words(self):
        self.assertEqual(self.fails(ridgeline.BugError, "exit 99").message, "ridge ended with status 99")

    def test_a_killed_program(self):
        error = self.fails(ridgeline.Killed, "kill -KILL $$")
        self.assertEqual((error.signal, error.message), (9, "ridge was ended by SIGKILL"))
        self.assertEqual(self.fails(ridgeline.Killed, "exit 143").signal, signal.SIGTERM)

    def test_a_process_left_behind_does_not_hold_the_call(self):
        error = self.fails(ridgeline.InputError, "sleep 60 & echo $! >pid; exit 3")
        self.assertEqual(error.message, "status 3")
        with open("pid") as file:
            os.kill(int(file.read()), signal.SIGKILL)
        os.unlink("pid")

    def test_warnings_are_python_s(self):
        import warnings

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            ridgeline.analyze("zoo:squeezenet1_1")
        self.assertEqual([w.category for w in caught], [ridgeline.RidgelineWarning])
        self.assertTrue(str(caught[0].message).startswith("zoo:squeezenet1_1: 'batch' defaults"))
        self.assertEqual(caught[0].filename, __file__)


class CtrlC(Case):
    """A terminal sends the signal to the whole group of the process of Python."""

    def interrupted(self, script, code, signals=1):
        environment = dict(os.environ, RIDGE_PROGRAM=self.program(f"{VERSION}\n{script}"))
        child = subprocess.Popen([sys.executable, "-W", "ignore", "-c", code], env=environment,
                                 cwd=self.folder, stdout=subprocess.PIPE, text=True,
                                 start_new_session=True)
        ready = self.folder / "ready"
        for count in range(signals):
            while not ready.exists() and child.poll() is None:
                time.sleep(0.01)
            ready.unlink()
            os.killpg(child.pid, signal.SIGINT)
        out, _ = child.communicate(timeout=600)
        return out

    CODE = (
        "import ridgeline\n"
        "try: ridgeline.analyze('m.onnx')\n"
        "except ridgeline.Interrupted as error: print(error, error.partial)\n"
    )

    def test_ridge_gets_one_signal_and_what_is_done_comes_with_the_exception(self):
        # The real program writes the document; the script is what takes its time.
        script = (
            "for a; do case $a in --output=*) out=$a;; esac; done\n"
            "trap 'echo got >>got; asked=1' INT\n"
            ": >ready; while [ -z \"$asked\" ]; do sleep 0.05; done; sleep 0.3; sleep 0.3\n"
            f'"{RIDGE}" analyze zoo:squeezenet1_1 --format=columns "$out" 2>err; exit 130'
        )
        out = self.interrupted(script, self.CODE)
        self.assertTrue(out.startswith("interrupted <Analysis 'zoo:squeezenet1_1'"), out)
        self.assertEqual((self.folder / "got").read_text(), "got\n")

    def test_a_signal_to_the_group_of_the_caller_is_not_ridge_s(self):
        code = ("import ridgeline, signal\n"
                "signal.signal(signal.SIGINT, lambda *_: None)\n"
                "try: ridgeline.analyze('m.onnx')\n"
                "except ridgeline.InputError: print('done')\n")
        script = "trap 'echo got >got; exit 3' INT; : >ready; sleep 0.5; sleep 0.5; exit 3"
        self.assertEqual(self.interrupted(script, code), "done\n")
        self.assertFalse((self.folder / "got").exists())

    def test_the_second_kills(self):
        out = self.interrupted("trap ': >ready' INT; : >ready; while :; do sleep 0.05; done",
                               self.CODE, signals=2)
        self.assertEqual(out, "interrupted None\n")

    def test_a_profile_that_is_interrupted(self):
        code = (
            "import os, ridgeline, signal\n"
            "sent = []\n"
            "def show(what, *_):\n"
            "    if 'process 2 of 5: measuring' in what and not sent:\n"
            "        sent.append(os.kill(os.getpid(), signal.SIGINT))\n"
            "try: ridgeline.profile('zoo:squeezenet1_1', budget='5s', processes=5, progress=show)\n"
            "except ridgeline.Interrupted as error: print(error.code, error.partial)\n"
        )
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True,
                              text=True, timeout=600)
        self.assertTrue(done.stdout.startswith("None <Profile 'zoo:squeezenet1_1'"),
                        done.stdout + done.stderr)


class Together(Case):
    def test_threads_call_at_once(self):
        found, models = {}, range(2, 10)

        def work(n):
            found[n] = ridgeline.analyze(relu(), bind={"n": n}).totals.flops

        threads = [threading.Thread(target=work, args=(n,)) for n in models]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {n: 3 * n for n in models})

    def test_a_fork_of_the_caller_calls_too(self):
        before = ridgeline.analyze(relu(), bind={"n": 2})
        child = os.fork()
        if child == 0:
            status = 1
            try:
                after = ridgeline.analyze(relu(), bind={"n": 3})
                status = 0 if (before.totals.flops, after.totals.flops) == (6, 9) else 2
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(before.nodes["flops"].tolist(), [6])

    def test_progress_is_called_in_this_thread(self):
        seen = []
        ridgeline.profile("zoo:squeezenet1_1", budget="1s", processes=1,
                          progress=lambda *shown: seen.append((threading.get_ident(), *shown)))
        self.assertTrue(any("measuring" in what for _, what, _, _ in seen), seen)
        self.assertEqual({thread for thread, *_ in seen}, {threading.get_ident()})

    def test_a_callback_that_raises_ends_ridge(self):
        def stop(*_):
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            ridgeline.profile("zoo:squeezenet1_1", budget="60s", processes=2, progress=stop)

    def test_lines_and_drawings_are_told_apart(self):
        seen = []
        reader = program._Reader(lambda *shown: seen.append(shown))
        for text in ("\r\x1b[Kpoints: 1 of 7", "\r\x1b[", "Kpoints: 2 of 7\r\x1b[Kwarning: busy\r\n",
                     "wrote x\r\n\r\x1b[Kroofs", "\r\x1b[K", "error: bad\r\n"):
            reader.take(text)
        reader.end()
        self.assertEqual(reader.said, "warning: busy\nwrote x\nerror: bad\n")
        self.assertEqual(seen, [("points", 1, 7), ("points", 2, 7), ("roofs", 0, 0)])


class Import(unittest.TestCase):
    def test_nothing_is_imported_before_it_is_needed(self):
        code = "import sys; before = set(sys.modules); import ridgeline; print(sorted(set(sys.modules) - before))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(done.stdout, "['__future__', 'ridgeline']\n")

    def test_numpy_and_pandas_are_not_needed_for_a_result(self):
        code = (
            "import sys, ridgeline\n"
            "result = ridgeline.analyze('zoo:squeezenet1_1')\n"
            "assert next(iter(result.nodes)).op_type == 'Conv'\n"
            "print([m for m in ('numpy', 'pandas', 'pyarrow', 'tempfile', 'dataclasses') if m in sys.modules])\n"
        )
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
        self.assertEqual(done.stdout, "[]\n", done.stderr)

    def test_unknown_names_are_attribute_errors(self):
        with self.assertRaisesRegex(AttributeError, "module 'ridgeline' has no attribute 'analyse'"):
            ridgeline.analyse


if __name__ == "__main__":
    unittest.main()
