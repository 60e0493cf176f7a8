# SPDX-License-Identifier: Apache-2.0
"""A call of a verb: arguments to a request, one run of the program, its document to a result.

    @verb("analyze", many=("bind", "shape", "input"), line=("runtime_option",))
    def analyze(model, *, bind=None, ...) -> Analysis: ...     # verbs.py

The keyword arguments go to ridge as a request (docs/requests.md), whatever their names are, so
that its messages name the nearest one; arguments of `line`, which no file may decide, go on the
command line. Thread rule: any thread; calls share nothing.
"""

from __future__ import annotations

import functools
import json
import mmap
import os
import warnings

from .errors import CheckFailed, InputError, Interrupted, UsageError, error_of
from .files import Folder, is_array, is_model_proto
from .record import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterable, Literal, Optional, TypeVar

    from .program import Progress

    Function = TypeVar("Function", bound=Callable[..., Any])


class RidgelineWarning(UserWarning):
    """What ridge warns of: a size that it assumed, a machine that is too busy to measure on."""


def _text(value: Any, folder: Folder, name: str) -> Any:
    """One value as ridge takes it: a number, True or False, or text."""
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (Result, bytes, bytearray, memoryview)) or is_model_proto(value):
        return folder.model(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if is_array(value):
        return value.item() if getattr(value, "shape", None) == () else folder.array(value, name)
    if isinstance(value, (list, tuple, range)):
        return ",".join(str(_text(item, folder, name)) for item in value)
    raise UsageError(
        f"'{name}' takes no {type(value).__name__}",
        "a model is a path, zoo:NAME, bytes or an onnx.ModelProto; other values are numbers, "
        "texts, paths, arrays, and lists and dictionaries of them",
        "RIDGE-PY-0011",
    )


def _pair(key: str, value: Any, folder: Folder, name: str) -> str:
    """KEY=VALUE of an entry of a dictionary."""
    if name == "input" and isinstance(value, (list, tuple)):
        return f"{key}={json.dumps(value)}"
    if name == "input" and getattr(value, "shape", None) == () and is_array(value):
        return f"{key}={folder.array(value, key)}"
    return f"{key}={_text(value, folder, key)}"


def _setting(name: str, value: Any, many: bool, folder: Folder) -> Any:
    if isinstance(value, dict):
        pairs = [_pair(key, item, folder, name) for key, item in value.items()]
        return pairs if many else ",".join(pairs)
    if many and isinstance(value, (list, tuple)):
        return [_text(item, folder, name) for item in value]
    return _text(value, folder, name)


def _unicode(name: str, setting: Any) -> Any:
    """The setting, if a request, which is JSON, can state it."""
    try:
        json.dumps(setting, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        shown = str(setting).encode(errors="backslashreplace").decode()
        raise InputError(
            f"'{name}' is no text of Unicode: {shown}",
            "rename the file or folder; a model may be handed over as its bytes",
            "RIDGE-PY-0018",
        ) from None
    return setting


def _line(name: str, setting: Any) -> list[str]:
    """A setting as arguments of a command line."""
    flag = "--" + name.replace("_", "-")
    if setting is True or setting is False:
        return [flag] if setting else []
    values = setting if isinstance(setting, list) else [setting]
    return [f"{flag}={value}" for value in values]


def _mapped(path: str) -> Any:
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _result(document: str, page: str) -> Optional[Result]:
    """The result that ridge wrote to these files, if it did: columns, or .json."""
    if not os.path.exists(document) or os.path.getsize(document) == 0:
        return None
    from . import records

    if document.endswith(".json"):
        with open(document, encoding="utf-8") as text:
            fields = json.load(text)
        result = records.DOCUMENTS[fields["schema"]]._of(fields)
    else:
        from .columns import ColumnFile

        file = ColumnFile(document)
        cls = records.DOCUMENTS[file.document["schema"]]
        result = cls._of(file.document, file.tables, file.rows)
    if os.path.exists(page):
        result._page = _mapped(page)
    return result


def _warn(said: str) -> None:
    for line in said.splitlines():
        if line.startswith("warning: "):
            warnings.warn(line[len("warning: "):], RidgelineWarning, stacklevel=4)


#: Flags that this module states.
_OURS = {"format", "output", "report", "request", "help"}


def call(
    name: str,
    settings: dict[str, Any],
    *,
    many: Iterable[str] = (),
    line: Iterable[str] = (),
    page: bool = False,
    document: Literal["columns", "json", ""] = "columns",
    progress: Any = None,
) -> Any:
    """Runs a verb and returns its `Result`, or None of a verb that writes none.

    `settings`: by the names of its flags and arguments; None: not given. `many`: those that may be
    repeated. `line`: arguments of the command line. `page`: ask for the report too. `document`: how
    ridge writes its own; "" of a verb that writes none. Errors: errors.py.
    """
    from .bar import bar_here
    from .program import run

    for key in _OURS & settings.keys():
        raise UsageError(
            f"'{key}' is no argument of a function: it returns its result",
            "results have save(path), report(path) and tables",
            "RIDGE-PY-0012",
        )
    bar = bar_here() if progress is None else None
    with Folder() as folder:
        request, arguments = {}, name.split()
        for key, value in settings.items():
            if value is None:
                continue
            setting = _setting(key, value, key in many, folder)
            if key in line:
                arguments += _line(key, setting)
            else:
                request[key] = _unicode(key, setting)
        files = folder.name("result", f".{document}"), folder.name("page", ".html")
        asked = folder.text(json.dumps(request), "request")
        arguments.append(f"--request={asked}")
        if document:
            arguments += [f"--format={document}", f"--output={files[0]}"]
        if page:
            arguments.append(f"--report={files[1]}")
        try:
            status, said, interrupted = run(arguments, progress or bar)
        finally:
            if bar:
                bar.close()
        said = said.replace(f"{asked}: ", "")  # the user wrote no file
        _warn(said)
        result = _result(*files)
    if interrupted or status:
        error = error_of(130 if interrupted else status, said)
        if isinstance(error, CheckFailed):
            error.result = result
        elif isinstance(error, Interrupted):
            error.partial = result
        raise error
    return result


#: What an action of a verb has none of.
_WITHOUT = {("bricks", "run"): "document", ("bricks", "estimate"): "page"}


def _named(function: str, positional: tuple[str, ...], values: tuple) -> dict[str, Any]:
    """Arguments without names under those that they have in a request."""
    out: dict[str, Any] = {}
    for i, name in enumerate(positional):
        if name.endswith("..."):
            out[name[:-3]], values = list(values[i:]), values[:i]
        elif i < len(values):
            out[name] = values[i]
    if len(values) > len(positional):
        raise TypeError(
            f"{function}() takes {len(positional)} arguments without a name, not {len(values)}"
        )
    return out


def verb(
    name: str,
    *,
    positional: tuple[str, ...] = (),
    many: tuple[str, ...] = (),
    line: tuple[str, ...] = (),
    page: bool = False,
) -> Callable[[Function], Function]:
    """Makes a function of verbs.py run `ridge NAME`. `positional`: names in a request of the
    arguments without a name; "run..." takes all that are left. The rest: as in call()."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def wrapper(*values: Any, progress: Any = None, **settings: Any) -> Optional[Result]:
            settings.update(_named(function.__name__, positional, values))
            without = _WITHOUT.get((name, str(settings.get("action"))))
            return call(
                name,
                settings,
                many=(*many, *(key[:-3] for key in positional if key.endswith("..."))),
                line=line,
                page=page and without is None,
                document="" if without == "document" else "columns",
                progress=progress,
            )

        return wrapper  # type: ignore[return-value]

    return decorate
