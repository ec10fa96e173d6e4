"""A disk whose process ends, or whose power fails, at a chosen call: what has not been flushed may be lost then."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from headwater.storage.system_calls import SystemCalls


class Killed(BaseException):
    """The process has ended: no more calls, not even those that clean up."""


class FaultPoint:
    """Counts calls, and ends the process before one of them, which is the same as after the one before."""

    def __init__(self, at: int | None = None) -> None:
        self.calls: list[str] = []
        self._at, self._dead = at, False

    def run(self, name: str, call: Callable[[], Any]) -> Any:
        """Make a call, unless the process has ended."""
        if self._dead:
            raise Killed
        self._dead = len(self.calls) == self._at
        if self._dead:
            raise Killed
        self.calls.append(name)
        return call()


class FailingCalls(SystemCalls):
    """System calls with fault points, and a model of what has reached the disk.

    A flushed file keeps its content, a flushed folder its names. What is kept is held open, so that no new file gets its number.
    """

    def __init__(self, root: Path, point: FaultPoint) -> None:
        self._root, self._point = root, point
        self._contents: dict[int, bytes] = {}
        self._names: dict[int, dict[str, int]] = {}
        self._held: list[int] = []
        self.settle()

    def settle(self) -> None:
        """Take everything that is there for flushed."""
        for at, _, names in os.walk(self._root):
            for path in (Path(at), *(Path(at, name) for name in names)):
                self._keep(path)

    def close(self) -> None:
        for handle in self._held:
            os.close(handle)

    def _keep(self, path: Path) -> None:
        self._held.append(os.open(path, os.O_RDONLY))
        number = path.stat().st_ino
        if path.is_dir():
            self._names[number] = {each.name: each.stat().st_ino for each in path.iterdir()}
        else:
            self._contents[number] = path.read_bytes()

    def after_power_failure(self, target: Path) -> None:
        """Write what is surely on the disk to a folder: flushed names, and of files the flushed content, which may be none."""
        self._write(self._root.stat().st_ino, target)

    def _write(self, folder: int, target: Path) -> None:
        target.mkdir()
        for name, number in self._names.get(folder, {}).items():
            if number in self._folders:
                self._write(number, target / name)
            else:
                (target / name).write_bytes(self._contents.get(number, b""))

    @property
    def _folders(self) -> set[int]:
        made = {Path(at).stat().st_ino for at, _, _ in os.walk(self._root)}
        return made | self._names.keys()

    def with_names_only(self, target: Path) -> None:
        """What is there, but of files that were not flushed the names only: file systems may write names before contents."""
        shutil.copytree(self._root, target)
        for path in target.rglob("*"):
            original = self._root / path.relative_to(target)
            if path.is_file():
                path.write_bytes(self._contents.get(original.stat().st_ino, b""))

    def make_folder(self, path: Path) -> None:
        self._point.run("make folder", lambda: super(FailingCalls, self).make_folder(path))

    def create(self, path: Path, content: bytes) -> None:
        half = content[: len(content) // 2]
        self._point.run("create file", lambda: super(FailingCalls, self).create(path, half))
        self._point.run("write file", lambda: path.write_bytes(content))

    def copy(self, source: Path, target: Path) -> None:
        self._point.run("copy file", lambda: super(FailingCalls, self).copy(source, target))

    def link(self, source: Path, target: Path) -> None:
        self._point.run("link", lambda: super(FailingCalls, self).link(source, target))

    def replace(self, source: Path, target: Path) -> None:
        self._point.run("rename", lambda: super(FailingCalls, self).replace(source, target))

    def remove(self, path: Path) -> None:
        self._point.run("remove", lambda: super(FailingCalls, self).remove(path))

    def remove_folder(self, path: Path) -> None:
        self._point.run("remove folder", lambda: super(FailingCalls, self).remove_folder(path))

    def flush(self, path: Path) -> None:
        self._point.run("flush folder" if path.is_dir() else "flush file", lambda: self._keep(path))


class FailingStorage:
    """A storage with a fault point at each of its calls."""

    def __init__(self, storage: Any, point: FaultPoint) -> None:
        self._storage, self._point = storage, point

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._storage, name)
        if not callable(found):
            return found
        return lambda *values: self._point.run(name, lambda: found(*values))
