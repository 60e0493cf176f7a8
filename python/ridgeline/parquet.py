# SPDX-License-Identifier: Apache-2.0
"""The views of a run database as Parquet files, with names, nulls and types as they are in it.

    files = export("runs.db", "tables")
    files["layer_times"]                   # tables/layer_times.parquet

Rows are read and written in groups, all of one state of the database. Text that is no UTF-8 has
U+FFFD in place of the bytes that are none. A server is read by psycopg, where that is installed.
Thread rule: any thread. Errors: errors.py, with the texts of `ridge runs export`.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3

from .errors import HostError, InputError, UsageError
from .table import _package
from .views import VIEWS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator

    Query = Callable[..., Iterator[tuple]]

_ROWS_OF_A_GROUP = 16384
_PATIENCE_S = 10
#: Column by which the rows of one run are ordered.
_WITHIN = {"layer_times": "layer", "node_times": "node"}


def _connect(path: str) -> sqlite3.Connection:
    """Opens the database read-only; of a folder that cannot be written, as a file that does not
    change, which it is as long as its log is empty."""
    from urllib.parse import quote

    uri = f"file:{quote(os.fsencode(os.path.abspath(path)))}?mode=ro"
    for more in ("", "&immutable=1"):
        db = sqlite3.connect(uri + more, uri=True, timeout=_PATIENCE_S, isolation_level=None)
        try:
            db.execute("PRAGMA schema_version")
            db.text_factory = lambda data: data.decode("utf-8", "replace")
            return db
        except sqlite3.OperationalError:
            db.close()
            log = path + "-wal"
            if more or (os.path.exists(log) and os.path.getsize(log) > 0):
                raise
    raise AssertionError("one of two ways returns or raises")


@contextlib.contextmanager
def _file(path: str) -> Iterator[Query]:
    """A function that executes a query of the file, all of one state of it."""
    try:
        with contextlib.closing(_connect(path)) as db:
            db.execute("BEGIN")
            yield db.execute
    except sqlite3.Error as error:
        raise HostError(f"{path}: {error}", None, "RIDGE-PY-0017") from None


def _is_server(store: str) -> bool:
    return store.startswith(("postgresql://", "postgres://"))


#: How ridge stores text that a server cannot: src/store/postgres/sql.h.
_ENCODED = "\x01bytes:"


def _text(value: Any) -> Any:
    if not (isinstance(value, str) and value.startswith(_ENCODED)):
        return value
    from urllib.parse import unquote_to_bytes

    return unquote_to_bytes(value[len(_ENCODED):]).decode("utf-8", "replace")


@contextlib.contextmanager
def _server(uri: str) -> Iterator[Query]:
    """The same of a server."""
    psycopg = _package("psycopg")

    def query(sql: str, parameters: tuple = ()) -> Iterator[tuple]:
        for row in db.execute(sql.replace("?", "%s"), parameters):
            yield tuple(map(_text, row))

    try:
        with psycopg.connect(uri, autocommit=True) as db:
            db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield query
            db.execute("COMMIT")
    except psycopg.Error as error:
        raise HostError(f"{uri}: {error}", None, "RIDGE-PY-0017") from None


def _groups(query: Query, view: str) -> Iterator[list[tuple]]:
    """Rows of a view, in order: runs by number, layers and nodes within them."""
    names = list(VIEWS[view])
    owner, order = names[0], _WITHIN.get(view, names[0])
    sql = f"SELECT {', '.join(names)} FROM {view} WHERE {owner} = ? ORDER BY {order}"
    owners = "evaluations" if view == "evaluations" else "run_list"
    rows: list[tuple] = []
    for (number,) in list(query(f"SELECT {owner} FROM {owners} ORDER BY {owner}")):
        for row in query(sql, (number,)):
            rows.append(row)
            if len(rows) == _ROWS_OF_A_GROUP:
                yield rows
                rows = []
    if rows:
        yield rows


def _write(query: Query, store: str, view: str, path: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"integer": pa.int64(), "real": pa.float64(), "text": pa.string()}
    schema = pa.schema([(name, types[of]) for name, of in VIEWS[view].items()])
    with pq.ParquetWriter(path, schema) as writer:
        for rows in _groups(query, view):
            columns = []
            for field, values in zip(schema, zip(*rows)):
                try:
                    columns.append(pa.array(values, field.type))
                except (pa.ArrowInvalid, pa.ArrowTypeError):
                    raise InputError(
                        f"{store}: view {view}: column {field.name}: a value of another type",
                        "restore it from a backup"
                        + ("" if _is_server(store) else f", or: sqlite3 {store} .recover"),
                        "RIDGE-PY-0016",
                    ) from None
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))


def _unwritable(path: str, error: OSError) -> HostError:
    why = os.strerror(error.errno) if error.errno else error  # the words of pyarrow are longer
    return HostError(f"{path}: cannot write it: {why}", None, "RIDGE-PY-0015")


def _make_folder(folder: str, paths: dict[str, str]) -> None:
    for path in paths.values():
        if os.path.exists(path):
            raise UsageError(
                f"{path}: the file is already there",
                "name a new folder, or delete the earlier files",
                "RIDGE-PY-0014",
            )
    try:
        os.mkdir(folder)
    except FileExistsError:
        pass
    except OSError as error:
        if os.path.isdir(os.path.dirname(os.path.abspath(folder))):
            raise _unwritable(folder, error) from None
        raise HostError(
            f"{folder}: cannot create the folder\n  {error.strerror}",
            "the folder above it must exist and be writable",
            "RIDGE-PY-0015",
        ) from None


def export(store: str, folder: str) -> dict[str, str]:
    """Writes a file for each view of a database that ridge has opened before; view to its path.

    A file is there once it is complete. Files that are there already are not overwritten.
    """
    _package("pyarrow")
    paths = {view: os.path.join(folder, f"{view}.parquet") for view in VIEWS}
    _make_folder(folder, paths)
    begun = ""
    try:
        with (_server if _is_server(store) else _file)(store) as query:
            for view, path in paths.items():
                begun = path + ".part"
                _write(query, store, view, begun)
                os.rename(begun, path)
    except OSError as error:
        raise _unwritable(begun[:-len(".part")], error) from None
    finally:
        with contextlib.suppress(OSError):
            os.unlink(begun)
    return paths
