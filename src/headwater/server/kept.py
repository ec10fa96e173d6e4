"""What takes long to work out and never changes: worked out once for each thing, while others who ask wait; the last few are kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """A function whose last results are kept."""

    def __init__(self, made: Callable[[Key], Value], most: int = 4) -> None:
        self._made = made
        self._most = most
        self._entries: OrderedDict[Key, _Entry[Value]] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, key: Key) -> Value:
        """The result for a key."""
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            if len(self._entries) > self._most:
                self._entries.popitem(last=False)
        with entry.lock:
            if not entry.found:
                entry.found.append(self._made(key))
        return entry.found[0]


class _Entry(Generic[Value]):
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.found: list[Value] = []
