"""What a name that fits nobody may have meant: a hint for its diagnostic, never a resolution.

A statement with very many unknown names gets hints for the first of them only: looking for near names costs far more than
anything else about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from headwater.model.suggestion import did_you_mean
from headwater.resolve.builder import Builder, Table
from headwater.resolve.scope import Item, Scope
from headwater.sql.spelled_name import in_quotes

_MOST = 50
"""Diagnostics of a statement that may carry a hint."""


def near_name(builder: Builder, name: str, known: Iterable[str]) -> str:
    """A hint at the known names that look like *name*: first at one that only quotes tell from it."""
    if len(builder.diagnostics) >= _MOST:
        return ""
    known = list(known)
    fold = builder.dialect.fold_column
    quoted = next((k for k in known if k.lower() == name.lower() and fold(k, False) != k), None)
    return did_you_mean(name, known) if quoted is None else f"did you mean {in_quotes(quoted)}, in quotes?"


def near_item(scope: Scope, qualifier: str, column: str) -> str:
    """A hint at the FROM item that a qualifier may mean.

    The first of these that there is: the item whose table has that name but goes by another one (`FROM orders ord`, then
    `orders.id`); an item with a similar name; the only one that the qualifier abbreviates or spells out (`o.id` for `ord.id`);
    the only one that is known to have the column.
    """
    if len(scope.builder.diagnostics) >= _MOST:
        return ""
    items = [item for item in _items(scope) if item.name]
    names = [item.name for item in items if item.name]
    for item in items:
        if isinstance(item.owner, Table) and item.owner.name[-1] == qualifier:
            return f"{qualifier} is called {item.name} here; did you mean {item.name}.{column}?"
    near = did_you_mean(qualifier, names)
    if near:
        return near
    for meant in (
        [name for name in names if _abbreviates(qualifier, name)],
        [item.name for item in items if column in item.owner.listed],
    ):
        if len(meant) == 1:
            return f"did you mean {meant[0]}.{column}?"
    return ""


def _items(scope: Scope) -> Iterator[Item]:
    """What stands in FROM, from the inside out."""
    current: Scope | None = scope
    while current is not None:
        yield from current.items
        current = current.parent


def _abbreviates(one: str, other: str) -> bool:
    """Whether the letters of the shorter name occur in the longer one, in order and from its first letter on."""
    short, long = sorted((one.lower(), other.lower()), key=len)
    letters = iter(long)
    return short[:1] == long[:1] and all(letter in letters for letter in short)
