# SPDX-License-Identifier: Apache-2.0
"""The program `ridge`: where it is, and one run of it.

Thread rule: any thread; runs share nothing.
"""

from __future__ import annotations

import functools
import os
import re
import select
import signal
import subprocess

from . import __version__
from .errors import HostError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Optional, Sequence

    #: Called with what is done now, and how much of how much where that is known (else 0, 0).
    Progress = Callable[[str, int, int], object]

_LINE = re.compile(r"(.*): (\d+) of (\d+)$", re.DOTALL)
_ERASE = "\r\x1b[K"


def find() -> str:
    """Path of the program: RIDGE_PROGRAM, the scripts folder of this environment, then PATH."""
    import shutil
    import sysconfig

    named = os.environ.get("RIDGE_PROGRAM")
    if named:
        if os.access(named, os.X_OK) and os.path.isfile(named):
            return named
        raise HostError(
            f"RIDGE_PROGRAM is '{named}', which is no program",
            "set it to the path of ridge, or unset it",
            "RIDGE-PY-0001",
        )
    beside = os.path.join(sysconfig.get_path("scripts"), "ridge")
    found = beside if os.access(beside, os.X_OK) else shutil.which("ridge")
    if found:
        return found
    raise HostError(
        f"the program ridge is neither in {os.path.dirname(beside)} nor on the PATH",
        "install the wheel of ridgeline, or set RIDGE_PROGRAM to the path of ridge",
        "RIDGE-PY-0002",
    )


@functools.lru_cache(maxsize=8)
def _version(path: str, changed_ns: int, size: int) -> str:
    """What `ridge --version` says, once for each state of the file."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        from . import elf

        raise HostError(*elf.of_system(path, error), "RIDGE-PY-0003") from None
    words = done.stdout.split()
    if done.returncode != 0 or len(words) != 2:
        from . import elf

        refused = elf.of_loader(path, done.returncode, done.stderr)
        raise HostError(*refused, "RIDGE-PY-0003")
    return words[1]


def checked() -> str:
    """Path of the program, whose version is this package's."""
    path = find()
    state = os.stat(path)
    version = _version(path, state.st_mtime_ns, state.st_size)
    if version != __version__:
        raise HostError(
            f"{path} is ridge {version}, but this package is ridgeline {__version__}",
            "install both from one wheel, or set RIDGE_PROGRAM to the matching program",
            "RIDGE-PY-0004",
        )
    return path


class _Reader:
    """Splits what ridge writes to standard error into lines and drawings of its progress line.

    A drawing is "\\r", "erase to the end of the line", and text without an end of its own.
    """

    def __init__(self, progress: Optional[Progress]):
        self._progress, self._rest, self._drawn, self.said = progress, "", "", ""

    def take(self, text: str) -> None:
        *complete, self._rest = (self._rest + text).replace("\r\n", "\n").split(_ERASE)
        for part in complete:
            self._part(part)
        if "\n" not in self._rest and "\r" not in self._rest:
            self._draw(self._rest)

    def end(self) -> None:
        self._part(self._rest)
        self._rest = ""

    def _part(self, part: str) -> None:
        if "\n" in part:
            self.said += part
        else:
            self._draw(part)

    def _draw(self, line: str) -> None:
        if self._progress is None or line in ("", self._drawn):
            return
        self._drawn = line
        found = _LINE.match(line)
        if found:
            self._progress(found.group(1), int(found.group(2)), int(found.group(3)))
        else:
            self._progress(line, 0, 0)


def _terminal() -> tuple[int, int]:
    """A pseudo-terminal, on which ridge draws its progress line as in a shell: both ends."""
    import fcntl
    import struct
    import termios

    ours, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 400, 0, 0))
    return ours, its


def _read(ours: int, child: subprocess.Popen, reader: _Reader) -> None:
    """Reads until the other ends are closed, or ridge has ended and nothing more comes."""
    import codecs

    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while True:
        ready, _, _ = select.select([ours], [], [], 0.25)
        if not ready:
            if child.poll() is not None:
                return  # a process that it left behind holds the other end
            continue
        try:
            data = os.read(ours, 65536)
        except OSError:  # a pseudo-terminal whose other end is closed
            return
        if not data:
            return
        reader.take(decoder.decode(data))


def _start(arguments: list[str], its: int) -> tuple[subprocess.Popen, bool]:
    """Starts ridge; whether Ctrl-C came meanwhile, which would otherwise leave ridge behind.

    The program leads a session of its own: a terminal sends Ctrl-C to this process alone.
    """
    came: list = []
    handler = signal.getsignal(signal.SIGINT)
    deferred = callable(handler)
    try:
        if deferred:
            signal.signal(signal.SIGINT, lambda *signaled: came.append(signaled))
    except ValueError:  # not the main thread, which alone gets Ctrl-C
        deferred = False
    try:
        child = subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=its,
            start_new_session=True,
        )
    finally:
        os.close(its)
        if deferred:
            signal.signal(signal.SIGINT, handler)
    try:
        for signaled in came:
            handler(*signaled)
    except KeyboardInterrupt:
        return child, True
    return child, False


def _finish(ours: int, child: subprocess.Popen, reader: _Reader, came: bool) -> bool:
    """Waits for the end; True if Ctrl-C asked for it (`came`: already). A second Ctrl-C kills."""
    try:
        if came:
            raise KeyboardInterrupt
        _read(ours, child, reader)
        child.wait()
        return False
    except KeyboardInterrupt:
        child.send_signal(signal.SIGINT)
    try:
        _read(ours, child, reader)
        child.wait()
    except KeyboardInterrupt:
        child.kill()
        child.wait()
    return True


def run(arguments: Sequence[str], progress: Optional[Progress] = None) -> tuple[int, str, bool]:
    """Runs ridge: exit status as of `subprocess`, text of standard error, whether Ctrl-C ended it.

    `progress` is called in this thread. Errors: HostError.
    """
    path = checked()
    ours, its = _terminal() if progress else os.pipe()
    child = None
    reader = _Reader(progress)
    try:
        child, came = _start([path, *arguments], its)
        interrupted = _finish(ours, child, reader, came)
        reader.end()
        return child.returncode, reader.said, interrupted
    finally:
        os.close(ours)
        if child is not None and child.poll() is None:  # a callback raised
            child.kill()
            child.wait()
