"""A table of handlers by the names of an analyzer's node classes, which the modules of operators, expressions and commands fill."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

H = TypeVar("H")


class Registry(Generic[H]):
    """Handlers by class name. `@registry("A", "B")` registers a function for these."""

    __slots__ = ("handlers",)

    def __init__(self) -> None:
        self.handlers: dict[str, H] = {}

    def __call__(self, *names: str) -> Callable[[H], H]:
        """A decorator that registers a handler."""

        def register(handler: H) -> H:
            self.handlers.update(dict.fromkeys(names, handler))
            return handler

        return register
