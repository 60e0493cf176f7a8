# SPDX-License-Identifier: Apache-2.0
"""A run database: what `store="runs.db"` of the functions fills.

    store = ridgeline.Store("runs.db")
    ridgeline.profile("zoo:resnet50", store=store)
    store.runs().runs.to_pandas()          # a row a run
    store["last"].layers.to_pandas()       # the result as profile() returned it
    store.query("A8", "last").rows.to_pandas()
    store.export("tables", "parquet")      # for DuckDB and other programs

Thread rule: any thread; calls share nothing but the file.
"""

from __future__ import annotations

import os

from .call import call
from .errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Literal

    from .arguments import Path
    from .records import Evaluation, Generation, Profile, Runs, TraceQuery
    from .record import Result


class Store:
    """The database at `path`, which the first result makes. Methods raise what errors.py says."""

    def __init__(self, path: Path):
        self.path = os.fspath(path)

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"Store({self.path!r})"

    def runs(
        self,
        *,
        model: str | None = None,
        runtime: str | None = None,
        threads: int | None = None,
        host: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> Runs:
        """The stored runs, a row each, evaluations and generations. `model`, `host`: a part of the
        path or name; `since`, `until`: days, 2026-11-01 (UTC)."""
        asked = {"model": model, "runtime": runtime, "threads": threads, "host": host}
        days = {"since": since, "until": until}
        return call("runs", {"action": "list", "store": self.path, **asked, **days})

    def __getitem__(self, run: int | str) -> Profile | Evaluation | Generation | Any:
        """A result: the number of a run, "last", "evaluation:N" or "generation:N"."""
        asked = {"action": "show", "store": self.path, "what": str(run)}
        # These are stored as their documents, so they have no columns.
        kept = str(run).startswith(("evaluation:", "generation:"))
        return call("runs", asked, document="json" if kept else "columns")

    def add(self, *results: Path | Result) -> None:
        """Adds results of profile(), or their documents."""
        self._change("add", results)

    def delete(self, *runs: int | str) -> None:
        """Deletes runs by number, "last", "evaluation:N" or "generation:N"."""
        self._change("delete", [str(run) for run in runs])

    def merge(self, *stores: Path | Store) -> None:
        """Adds the runs of other databases; those that are here already are skipped."""
        self._change("merge", stores)

    def export(
        self, folder: Path, format: Literal["csv", "parquet"] = "csv"
    ) -> dict[str, str]:
        """Writes the views of the database (docs/data.md) to files in this folder, which is made
        where it is not there; view to the path of its file. Files are not overwritten.

        CSV: as `ridge runs export` does. Parquet keeps types, nulls and names as they are; needs
        pyarrow.

            store.export("tables", "parquet")["layer_times"]     # tables/layer_times.parquet
        """
        folder = os.fspath(folder)
        if format == "parquet":
            from . import parquet

            self.runs()  # ridge says what is wrong with a file that is no database
            return parquet.export(self.path, folder)
        if format != "csv":
            raise UsageError(
                f"export writes csv or parquet, not {format!r}",
                "results have to_pandas(), whose frames write other formats",
                "RIDGE-PY-0013",
            )
        from .views import VIEWS

        settings = {"action": "export", "store": self.path, "out": folder}
        call("runs", settings, line=("out",), document="")
        return {view: os.path.join(folder, f"{view}.csv") for view in VIEWS}

    def _change(self, action: str, what: Iterable[Any]) -> None:
        settings = {"action": action, "store": self.path, "what": list(what)}
        call("runs", settings, many=("what",), document="")

    def query(self, name: str, *runs: int | str) -> TraceQuery:
        """A named query of docs/trace.md over runs (default: the last): A8, layers, ..."""
        sources = [f"{self.path}:{run}" for run in runs or ("last",)]
        settings = {"action": "query", "arguments": [name, *sources]}
        return call("trace", settings, many=("arguments",))
