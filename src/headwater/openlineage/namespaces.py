"""Which names of captured jobs and of OpenLineage's events stand for which names in scripts.

A table over JDBC is called `postgres://db.example:5432.shop.public.orders`, after its server and database. Scripts of that database say
`public.orders`. Only the user knows that the two are one, and says so: `"postgres://db.example:5432/shop" = ""`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from headwater.model.entity import TableName
from headwater.openlineage.dataset_names import dialect_of
from headwater.sql.dialect import Dialect, UnknownDialect, dialect
from headwater.sql.folding import Fold

_MIN_PARTS = 2
"""Parts that a name needs to be taken for another one's: a bare `orders` may be anybody's."""


@dataclass(frozen=True, slots=True)
class Namespaces:
    """Beginnings of names, and what scripts write in their place; the longest that fits counts."""

    names: tuple[tuple[TableName, TableName], ...] = ()

    @classmethod
    def of(cls, told: Mapping[str, str]) -> Namespaces:
        """As they are written: a namespace, with the names of databases and schemas behind it after slashes.

        >>> Namespaces.of({"postgres://db:5432/shop": "", "mysql://db:3306": "crm"}).name(("mysql://db:3306", "sales", "orders"))
        ('crm', 'sales', 'orders')
        """
        found = [(beginning(key), tuple(part for part in value.split(".") if part)) for key, value in told.items()]
        return cls(tuple(sorted(found, key=lambda each: (-len(each[0]), each))))

    def covers(self, namespace: str) -> bool:
        """Whether names of a namespace stand for others."""
        return any(_fits(known[:1], (namespace,)) for known, _ in self.names)

    def name(self, parts: TableName) -> TableName | None:
        """What scripts call a table; None if nothing is said of it."""
        for known, meant in self.names:
            rest = parts[len(known) :]
            if rest and _fits(known, parts):
                fold = table_fold(parts[0])
                return (*(fold(part, False) for part in meant), *(folded(fold, part) for part in rest))
        return None


def beginning(key: str) -> TableName:
    """The parts of a name's beginning: `postgres://db:5432/shop` has two."""
    scheme, mark, rest = key.strip().rstrip("/").partition("://")
    if not mark:
        return (scheme,)
    server, *names = rest.split("/")
    return (f"{scheme}://{server}", *names)


def _fits(known: TableName, parts: TableName) -> bool:
    return tuple(map(str.casefold, parts[: len(known)])) == tuple(map(str.casefold, known))


def spoken_in(namespace: str) -> Dialect | None:
    """The dialect of a namespace's tables, if it is one of ours."""
    try:
        return dialect(dialect_of(namespace))
    except UnknownDialect:
        return None


def table_fold(namespace: str) -> Fold:
    """How the database of a namespace folds the names of tables."""
    spoken = spoken_in(namespace)
    return (spoken.fold_table or spoken.fold_column) if spoken is not None else _unfolded


def column_fold(namespace: str) -> Fold:
    """How the database of a namespace folds the names of columns."""
    spoken = spoken_in(namespace)
    return spoken.fold_column if spoken is not None else _unfolded


def folded(fold: Fold, name: str, exact: bool = False) -> str:
    """A name as its catalog has it, folded: it is exact, but for those who write lower case where the catalog has upper case."""
    return fold(name, exact or not name.islower())


def _unfolded(name: str, quoted: bool) -> str:
    return name


def suggested(tables: Iterable[TableName]) -> list[tuple[TableName, TableName, str]]:
    """Tables of namespaces that other tables may be: each with the shortest other name, and the key that would say so.

    >>> suggested([("postgres://db:5432", "shop", "public", "orders"), ("public", "orders")])
    [(('postgres://db:5432', 'shop', 'public', 'orders'), ('public', 'orders'), 'postgres://db:5432/shop')]
    """
    listed = sorted(set(tables))
    plain = {tuple(map(str.casefold, parts)): parts for parts in listed if "://" not in parts[0]}
    found = []
    for parts in (each for each in listed if "://" in each[0]):
        for cut in range(len(parts) - _MIN_PARTS, 0, -1):
            other = plain.get(tuple(map(str.casefold, parts[cut:])))
            if other is not None:
                found.append((parts, other, "/".join(parts[:cut])))
                break
    return found
