# SPDX-License-Identifier: Apache-2.0
"""A bar of tqdm for calls without `progress`, where somebody looks: a notebook, a terminal.

    bar = bar_here()                     # None: nobody looks, or tqdm is not installed
    bar("process 1 of 3: measuring", 2, 8)
    bar.close()

tqdm is imported, and the bar made, when there is something to show. Thread rule: one thread.
"""

from __future__ import annotations

import importlib.util
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_KNOWN, _UNKNOWN = "{desc} {bar} {n_fmt}/{total_fmt}", "{desc}"


def _module() -> str | None:
    """Name of the module of tqdm for what shows standard error."""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    if type(shell).__name__ == "ZMQInteractiveShell":
        return "tqdm.notebook"
    return "tqdm" if sys.stderr is not None and sys.stderr.isatty() else None


def bar_here() -> Bar | None:
    module = _module()
    if module is None or importlib.util.find_spec("tqdm") is None:
        return None
    return Bar(module)


class Bar:
    def __init__(self, module: str):
        self._module, self._bar = module, None

    def _made(self, what: str) -> Any:
        for module in (self._module, "tqdm"):  # without widgets, a notebook shows text
            try:
                tqdm = importlib.import_module(module).tqdm
                return tqdm(desc=what, total=1, leave=False, bar_format=_UNKNOWN, file=sys.stderr)
            except ImportError:
                continue
        return None

    def __call__(self, what: str, done: int, total: int) -> None:
        """As `progress` of a call: a part of unknown size is a text without a bar."""
        if self._bar is None:
            self._bar = self._made(what)
        if self._bar is None:
            return
        self._bar.set_description_str(what, refresh=False)
        self._bar.bar_format = _KNOWN if total else _UNKNOWN
        self._bar.total, self._bar.n = total or 1, done
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
