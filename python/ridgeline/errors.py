# SPDX-License-Identifier: Apache-2.0
"""Exceptions: one class for each exit status of ridge.

    try:
        ridgeline.analyze("model.onnx", bind={"batch": 8})
    except ridgeline.InputError as error:
        print(error.code, error.hint)

Each has `message` (what and where, with the evidence), `hint` (the next step, or None) and `code`
(a row of docs/reference/messages.md, or None). `str(error)` is the whole text.
"""

from __future__ import annotations

import re
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .record import Result

_CODE = re.compile(r"^  \[(RIDGE-[A-Z]+-\d{4})\]$")

#: Of a text without an error's form: what another program said.
_LAST_LINES = 5


class Fault:
    """What all exceptions of this package have; `except` takes `Error` or `Interrupted`."""

    def __init__(self, message: str, hint: str | None = None, code: str | None = None):
        self.message, self.hint, self.code = message, hint, code
        super().__init__(message, hint, code)

    def __str__(self) -> str:
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return self.message + hint + (f"\n  [{self.code}]" if self.code else "")


class Error(Fault, Exception):
    """Base class."""


class UsageError(Error):
    """An argument is wrong (exit status 2)."""


class InputError(Error):
    """The input was rejected: the model, its data, the sizes given (exit status 3)."""


class HostError(Error):
    """This computer lacks something: a file, a runtime, memory, the program (exit status 4)."""


class CheckFailed(Error):
    """ridge did its work, and a check failed: `strict`, `fail_on`, a point of a sweep (status 1).

    `result`: what was found, or None where ridge wrote nothing.
    """

    result: Result | None = None


class BugError(Error):
    """A defect of ridge (exit status 70)."""


class Killed(Error):
    """A signal ended ridge; `signal` is its number."""

    signal = 0


class Interrupted(Fault, KeyboardInterrupt):
    """Ctrl-C (exit status 130). `partial`: the result of what was done by then, or None."""

    partial: Result | None = None


_CLASSES = {1: CheckFailed, 2: UsageError, 3: InputError, 4: HostError, 130: Interrupted}


def _parts(said: str) -> tuple[str, str | None, str | None]:
    """Message, hint and code of the last error in a text of standard error."""
    lines = said.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("error: ")]
    if not starts:
        checks = [line for line in lines if line.startswith("check failed: ")]
        other = [line for line in lines if not line.startswith(("warning: ", "wrote "))]
        return "\n".join(checks or other[-_LAST_LINES:]), None, None
    message, hint, code = [lines[starts[-1]][len("error: "):]], None, None
    for line in lines[starts[-1] + 1:]:
        found = _CODE.match(line)
        if found:
            code = found.group(1)
            break
        if line.startswith("  hint: "):
            hint = line[len("  hint: "):]
        elif line.startswith("  ") and hint is None:
            message.append(line)
    return "\n".join(message), hint, code


def error_of(status: int, said: str) -> Error | Interrupted:
    """The exception for an exit status that is not 0. `said`: the text of standard error.

    A negative status is the signal that ended the process, as in `subprocess`; ridge itself ends
    with 128 and the signal after SIGTERM and SIGHUP.
    """
    message, hint, code = _parts(said)
    number = -status if status < 0 else status - 128
    if status in _CLASSES:
        return _CLASSES[status](message or _SILENT.get(status, f"status {status}"), hint, code)
    if status != 70 and 0 < number < signal.NSIG:
        error = Killed(message or f"ridge was ended by {signal.Signals(number).name}", hint, code)
        error.signal = number
        return error
    return BugError(message or f"ridge ended with status {status}", hint, code)


_SILENT = {1: "a check failed", 130: "interrupted"}
