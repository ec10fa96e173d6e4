"""A table of handlers by syntax node class, which the modules of the constructs fill by decorating their functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

H = TypeVar("H")


class Registry(Generic[H]):
    """Handlers by node class. `@registry(exp.A, exp.B)` registers a function for exactly these classes."""

    __slots__ = ("handlers",)

    def __init__(self) -> None:
        self.handlers: dict[type, H] = {}

    def __call__(self, *classes: type) -> Callable[[H], H]:
        """A decorator that registers a handler."""

        def register(handler: H) -> H:
            for cls in classes:
                self.handlers[cls] = handler
            return handler

        return register

    def of(self, node: object) -> H | None:
        """The handler of a node, if there is one."""
        return self.handlers.get(type(node))
