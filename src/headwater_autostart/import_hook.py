"""Calls a function after a module was imported, whenever that will be.

A finder in front of Python's own finds the module's loader. For one call, the loader's `exec_module` is ours. Afterwards module, spec and
loader are what they are without us.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # no import at run time: programs without Spark pay for these
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

    After = Callable[[ModuleType], None]


def after_import(hooks: dict[str, After]) -> None:
    """Call each function with the module of its name: now, if that is imported already, or after its import."""
    waiting = dict(hooks)
    for name in hooks:
        if name in sys.modules:
            waiting.pop(name)(sys.modules[name])
    if waiting:
        sys.meta_path.insert(0, _Finder(waiting))


class _Finder:
    """Finds what the others find."""

    def __init__(self, waiting: dict[str, After]) -> None:
        self._waiting = waiting
        self._is_finding = False

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module that is waited for; nothing for all others, which the next finder finds."""
        if name not in self._waiting or self._is_finding:
            return None
        self._is_finding = True  # another finder may ask all others as well
        try:
            spec = _found(name, path, target, self)
        finally:
            self._is_finding = False
        if spec is not None and spec.loader is not None:
            _run_after(spec.loader, name, self._done)
        return spec

    def _done(self, module: ModuleType) -> None:
        after = self._waiting.pop(module.__name__, None)
        if not self._waiting and self in sys.meta_path:
            sys.meta_path.remove(self)
        if after is not None:
            after(module)


def _found(name: str, path: Sequence[str] | None, target: ModuleType | None, own: _Finder) -> ModuleSpec | None:
    for finder in list(sys.meta_path):
        find: Any = getattr(finder, "find_spec", None)
        spec: ModuleSpec | None = find(name, path, target) if find is not None and finder is not own else None
        if spec is not None:
            return spec
    return None


def _run_after(loader: Any, name: str, after: After) -> None:
    """Have a loader call a function after it has run a module. Loaders of archives load several modules: the others pass."""
    run = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        if module.__name__ == name:
            vars(loader).pop("exec_module", None)
        try:
            run(module)
        except BaseException as error:
            error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next  # without this frame
            raise
        if module.__name__ == name:
            after(module)

    if hasattr(loader, "__dict__"):  # else it takes no attributes, and jobs are not captured
        loader.exec_module = exec_module
