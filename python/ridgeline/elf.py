# SPDX-License-Identifier: Apache-2.0
"""Why a system does not start a program: what its file asks for, and what is here.

    message, hint = of_system(path, error)               # an OSError of subprocess
    message, hint = of_loader(path, status, said)        # the loader, or ridge, ended

The first needs the head of an ELF file only. Thread rule: any thread. Errors: none; a file that
cannot be read, or is none of ELF, gives the system's own words.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import struct

_AGAIN = "install the wheel for this processor and system"
_BUILD = "or build ridge on this computer (docs/install.md)"
#: Numbers of processors in ELF files to their names as `uname -m` has them.
_PROCESSORS = {
    3: "i686", 21: "ppc64le", 22: "s390x", 40: "armv7l", 62: "x86_64", 183: "aarch64",
    243: "riscv64", 258: "loongarch64",
}  # fmt: skip
_NEEDED = re.compile(r"version `GLIBC_(\d+(?:\.\d+)+)' not found")
_LARGEST_HEAD = 4096
_LOADER = 3  # PT_INTERP


def _head(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(_LARGEST_HEAD)
    except OSError:
        return b""


def processor(head: bytes) -> str | None:
    """Name of the processor that an ELF file is for; None: it is none of ELF."""
    if len(head) < 20 or head[:4] != b"\x7fELF":
        return None
    (number,) = struct.unpack_from(">H" if head[5] == 2 else "<H", head, 18)
    return _PROCESSORS.get(number, f"number {number} of ELF")


def loader(head: bytes) -> str | None:
    """Path of the loader of a program of 64 bits, little-endian; None: it names none here."""
    if len(head) < 64 or head[:6] != b"\x7fELF\x02\x01":
        return None
    (first,) = struct.unpack_from("<Q", head, 32)
    size, count = struct.unpack_from("<HH", head, 54)
    for row in range(first, min(first + size * count, len(head) - 55), max(size, 1)):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", head, row)
        if kind == _LOADER:
            return head[offset:offset + length].split(b"\0")[0].decode(errors="replace") or None
    return None


def of_system(path: str, error: OSError) -> tuple[str, str]:
    """Message and hint where the system refused the file."""
    head = _head(path)
    here, needed = os.uname().machine, processor(head)
    if error.errno == errno.ENOEXEC and needed not in (None, here):
        return (
            f"{path}: it is a program for the processor {needed}, and this one is {here}",
            f"install the wheel for {here}, {_BUILD}",
        )
    asked = loader(head)
    if error.errno == errno.ENOENT and asked is not None and not os.path.exists(asked):
        return (
            f"{path}: this system lacks its loader, {asked}",
            f"use a system with glibc (Alpine Linux has another C library), {_BUILD}",
        )
    return f"{path}: cannot be started: {error.strerror}", _AGAIN


def _glibc() -> str:
    """Version of the C library, as text: 2.36."""
    try:
        return (os.confstr("CS_GNU_LIBC_VERSION") or "").split()[-1]
    except (ValueError, OSError, IndexError):
        return "another C library"


def of_loader(path: str, status: int, said: str) -> tuple[str, str]:
    """Message and hint where `ridge --version` ended with this status and text of its own."""
    versions = _NEEDED.findall(said)
    if versions:
        newest = max(versions, key=lambda text: [int(part) for part in text.split(".")])
        return (
            f"{path}: it needs glibc {newest} or newer, and this system has {_glibc()}",
            f"use a system with glibc {newest} or newer, {_BUILD}",
        )
    if status == -signal.SIGILL:
        return (
            f"{path}: this processor lacks an instruction that it needs (SIGILL)",
            f"use another processor, {_BUILD}",
        )
    return f"{path} --version ended with status {status}: {said.strip()}", _AGAIN
