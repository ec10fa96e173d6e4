"""Functions that the script defined in SQL, for the analyzer to look into."""

from __future__ import annotations

import re

from headwater.analyzers.zetasql.declaration import Function
from headwater.model.resolution import SqlFunction
from headwater.resolve.session import Session

_WORD = re.compile(r"\w+")


def called(session: Session, words: set[str]) -> tuple[Function, ...]:
    """The functions that a statement of these words may call, and those that their bodies may call."""
    known = {name.lower(): list(each.values()) for name, each in session.functions.items()}
    found: dict[str, list[Function]] = {}
    pending = [word for word in words if word in known]
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = [made for function in known[name] for made in _made(function)]
            inside = {word.lower() for made in found[name] for word in _WORD.findall(made.body)}
            pending += [word for word in inside if word in known]
    return tuple(function for name in sorted(found) for function in found[name])


def _made(function: SqlFunction) -> list[Function]:
    """A function under its name, and under each end of it: a default schema may stand for the rest."""
    if function.body is None:
        return []
    text = function.body.sql(dialect="bigquery")
    body = f"({text})" if function.body.key in ("select", "union", "except", "intersect") else text
    parameters = tuple(name for name, _ in function.parameters)
    return [Function(function.name[start:], parameters, body) for start in range(len(function.name))]
