"""Names that nobody has: a macro that is called but not defined becomes a call of an unknown function, with its arguments.

    {{ audit.mask('email') }}    audit.mask(email)

In an expression, that is an unknown function of its arguments; in FROM, an unknown table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import jinja2

from headwater.project.dbt.context.relation import Relation

_NAME = re.compile(r'[\w$]+(?:\.[\w$]+)*|"[^"]*"|`[^`]*`')
_EXPRESSION = re.compile(r"[-+*/|=<>()\[\],]")
_MOST = 50
"""Arguments that are written."""


def unknown_names(called: Callable[[str], None]) -> type[jinja2.Undefined]:
    """The class of names that nobody has; *called* is told of those that are called."""

    class Unknown(jinja2.Undefined):
        """Nothing where it is written, as in dbt; an unknown function where it is called."""

        def __getattr__(self, name: str) -> Any:
            if name[:2] == "__":
                raise AttributeError(name)
            own = self._undefined_name
            return Unknown(name=f"{own}.{name}" if own else name)

        def __getitem__(self, key: Any) -> Any:
            return self

        def __call__(self, *args: Any, **named: Any) -> Any:
            name = str(self._undefined_name or "unknown")
            called(name)
            return _Made(name=name, hint=f"{name}({', '.join(_arguments((*args, *named.values())))})")

    class _Made(Unknown):
        """What the call of an unknown macro gives."""

        def __str__(self) -> str:
            return str(self._undefined_hint)

        def __bool__(self) -> bool:
            return True

        def __add__(self, other: Any) -> Any:
            return f"{self}{other}"

        def __radd__(self, other: Any) -> Any:
            return f"{other}{self}"

        def __call__(self, *args: Any, **named: Any) -> Any:
            return self

        def __getattr__(self, name: str) -> Any:
            if name[:2] == "__":
                raise AttributeError(name)
            return self

    return Unknown


def _arguments(values: Iterable[Any]) -> list[str]:
    """The arguments of a call as SQL: texts are taken for what they mostly are, names and expressions."""
    found: list[str] = []
    for value in values:
        if isinstance(value, (list, tuple, set)):
            found += _arguments(list(value)[:_MOST])
        elif isinstance(value, Mapping):
            found += _arguments(list(value.values())[:_MOST])
        elif isinstance(value, bool) or value is None:
            continue
        elif isinstance(value, (int, float)):
            found.append(str(value))
        else:
            found.append(_argument(value))
    return [each for each in found if each][:_MOST]


def _argument(value: Any) -> str:
    text = str(value).strip()
    if isinstance(value, Relation) or _NAME.fullmatch(text) or (text and _EXPRESSION.search(text)):
        return text
    return "'" + text.replace("'", "''") + "'" if text else ""
