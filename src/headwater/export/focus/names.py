"""From a name, as somebody types it, to what it means in a feed: a column, or a table with all of its columns.

Who wins is the same as in a store:

1. the table of that name, whatever its case
2. the column exactly of that name, `db.t.c`, then without regard to case; cut at the last dot that works
3. the column that the name is the end of, at a dot: `t.c`, then only `c`; then the table: `t`
4. of several, those that last

`id:12` is the column or table with that id, whatever its name. A name in quotes that nothing is called like, `"My Table"."Col A"`, is
the same without its quotes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from headwater.export.feed import Feed
from headwater.export.format import ExportError
from headwater.export.records import Entity
from headwater.model.entity import EntityKind
from headwater.model.quoted_name import without_quotes
from headwater.model.suggestion import did_you_mean, nearest

_SHOWN = 5
"""Names that a message lists."""
_COMPARED = 20_000
"""Names that are compared for a suggestion."""


class Meant(NamedTuple):
    """What a name means: columns, by their ids; how well the name fits (the lower the better), and what to call it."""

    fit: tuple[int, int]
    columns: tuple[int, ...]
    lasting: bool
    shown: str


def find(feed: Feed, name: str) -> Meant:
    """What a name means in a feed."""
    best = _best(feed, name)
    bare = without_quotes(name)
    if not best and bare != name:
        best = _best(feed, bare)
    if not best:
        raise ExportError(f"there is no column or table {name}{_hint(feed, bare)}")
    if len(best) > 1:
        listed = ", ".join(found.shown for found in best[:_SHOWN])
        more = f" and {len(best) - _SHOWN} more" if len(best) > _SHOWN else ""
        raise ExportError(f"{name} may be any of {len(best)}: {listed}{more}; name one in full, or by its id")
    return best[0]


def _best(feed: Feed, name: str) -> list[Meant]:
    """What fits a name best, lasting ones before others."""
    best: list[Meant] = []
    for entity in feed.entities():
        for found in _by_id(entity, name) if name.startswith("id:") else _by_name(entity, name):
            if best and found.fit < best[0].fit:
                best = []
            if not best or found.fit == best[0].fit:
                best.append(found)
    return [found for found in best if found.lasting] or best


def _by_id(entity: Entity, name: str) -> Iterator[Meant]:
    wanted = name.removeprefix("id:")
    if str(entity.id) == wanted:
        yield _table(entity, 0)
    yield from (_column(entity, c.id, c.name, (0, 0)) for c in entity.columns if str(c.id) == wanted)


def _by_name(entity: Entity, name: str) -> Iterator[Meant]:
    """The ways in which a name can mean an entity or one of its columns."""
    names = {entity.name, ".".join(entity.parts)}
    lower, lowered = name.lower(), {each.lower() for each in names}
    if lower in lowered:
        yield _table(entity, 0)
    elif any(each.endswith(f".{lower}") for each in lowered):
        yield _table(entity, 5)
    for table, column in _cuts(name):
        low = table.lower()
        exactly = table in names
        if exactly or low in lowered or any(each.endswith(f".{low}") for each in lowered):
            for each in entity.columns:
                if exactly and each.name == column:
                    yield _column(entity, each.id, each.name, (1, len(column)))
                elif each.name.lower() == column.lower():
                    yield _column(entity, each.id, each.name, (2 if low in lowered else 3, len(column)))
    yield from (_column(entity, c.id, c.name, (4, 0)) for c in entity.columns if c.name.lower() == lower)


def _table(entity: Entity, rule: int) -> Meant:
    columns = tuple(column.id for column in entity.columns)
    return Meant((rule, 0), columns, _lasting(entity), f"{entity.name} (id:{entity.id})")


def _column(entity: Entity, id: int, name: str, fit: tuple[int, int]) -> Meant:
    return Meant(fit, (id,), _lasting(entity), f"{entity.name}.{name} (id:{id})")


def _lasting(entity: Entity) -> bool:
    return not entity.temporary and entity.kind not in (EntityKind.RESULT_SET, EntityKind.ORPHAN)


def _hint(feed: Feed, name: str) -> str:
    """What was perhaps meant: a column of the table whose name begins this one; or a column or table with a name like it."""
    lower = name.lower()
    for entity in feed.entities():
        if lower.startswith(f"{entity.name.lower()}."):
            known = {column.name.lower(): column.name for column in entity.columns if not column.row_set}
            near = [known[each] for each in nearest(lower[len(entity.name) + 1 :], known)]
            listed = ", ".join(islice(known.values(), _SHOWN)) + (", …" if len(known) > _SHOWN else "")
            return f"; {entity.name} has {listed}" + (f"; did you mean {' or '.join(near)}?" if near else "")
    near_name = did_you_mean(name, islice(_known(feed, name), _COMPARED))
    return f"; {near_name}" if near_name else ""


def _known(feed: Feed, name: str) -> Iterator[str]:
    """Names that are about as long as this one."""
    for entity in feed.entities():
        for known in (entity.name, *(f"{entity.name}.{column.name}" for column in entity.columns)):
            if abs(len(known) - len(name)) <= 2:
                yield known


def _cuts(name: str) -> Iterator[tuple[str, str]]:
    """A name cut at each of its dots, the longest first part first."""
    at = name.rfind(".")
    while at > 0:
        yield name[:at], name[at + 1 :]
        at = name.rfind(".", 0, at)
