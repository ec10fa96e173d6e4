"""Name scopes: which columns an expression can see, and who wins.

A column name is looked up in this order, and the first that has it wins:

1. the merged columns of USING and NATURAL joins of this SELECT;
2. the items of its FROM clause whose columns are known;
3. where the clause and the dialect allow it, the aliases of its select list (in ORDER BY these come first);
4. an item of its FROM clause whose columns are not known, if there is just one such;
5. the scope around it, by the same order (correlation).

```sql
SELECT a AS b, b FROM t          -- b is t.b if t is known to have it, else (Spark, Snowflake, DuckDB) the alias, that is t.a
SELECT x FROM t, u               -- t known without x, u unknown: u.x
SELECT (SELECT a FROM u) FROM t  -- u known without a: t.a
```
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from headwater.model.diagnostic import Code
from headwater.model.entity import EntityKind
from headwater.model.kind import FROM_ROWS, IDENTITY, candidate
from headwater.model.resolution import Edge, EntityRow
from headwater.resolve.builder import Builder, Owner, Table, listed_names

NO_ALIASES, ALIASES_LAST, ALIASES_FIRST, ALIASES_OUTSIDE_AGGREGATES = range(4)
"""Whether select aliases are visible: not at all, after FROM, before FROM (ORDER BY), before FROM but not inside aggregates (HAVING)."""


class ResultSet(Owner):
    """The result of a query. `outputs` are its columns in order, with their names; two of them may share a name.

    `stars` are the open owners behind its `*`: a column that it does not list may come from one of them.
    """

    __slots__ = (
        "_owned",
        "claims",
        "is_counted",
        "is_struct",
        "is_union",
        "namesakes",
        "outputs",
        "stars",
        "untyped",
    )

    def __init__(self, builder: Builder, type: str, place: Any) -> None:
        entity = builder.entity(EntityRow(EntityKind.RESULT_SET, type, place))
        super().__init__(builder, entity, None, False, place)
        self.outputs: list[tuple[str, int]] = []
        self.namesakes: dict[str, list[int]] = {}
        self.stars: list[Owner] = []
        self.claims: dict[str, int] = {}
        self._owned: dict[tuple[str, int], bool] | None = None
        """What `may_own` has found out, by the name and the number of stars; made when a star is first asked."""
        self.is_union = False
        self.is_counted = False
        """Whether each `*` among its outputs is one column, whose name is not known."""
        self.is_struct = False
        """Whether its rows are structs, as those of BigQuery's `SELECT AS STRUCT` are."""
        self.untyped = False
        """Whether its rows may have fields of which nothing is known: it owns what nothing else can own."""

    @property
    def row(self) -> EntityRow:
        """Its entity record."""
        return self.builder.entities[self.entity]

    def add(self, name: str, place: Any) -> int:
        """A new output column."""
        columns = self.builder.columns
        column = len(columns)
        columns.append((self.entity, name, place))
        self.outputs.append((name, column))
        first = self.columns.setdefault(name, column)
        if first != column:
            self.namesakes.setdefault(name, [first]).append(column)
        return column

    def add_inside(self, name: str, place: Any) -> int:
        """A new output that stands somewhere inside an open star."""
        column = self.add(name, place)
        self.builder.inside.add(column)
        return column

    def by_position(self) -> ResultSet:
        """Itself, for whoever goes by position: an output inside an open star may be any column of it."""
        inside = self.builder.inside
        star = self.columns.get("*")
        if inside and star is not None:
            within = [column for _, column in self.outputs if column in inside]
            self.builder.edges.extend((star, column, candidate(IDENTITY), None) for column in within)
            self.outputs = [output for output in self.outputs if output[1] not in inside]
        return self

    def add_open_star(self, owner: Owner, place: Any) -> int:
        """A `*` over an owner whose columns are not all known."""
        column = self.add("*", place)
        self.open = True
        self.stars.append(owner)
        return column

    def pass_on(self, owner: Owner, name: str, column: int, place: Any, renamed: str | None = None) -> int:
        """An output that is another owner's column; that owner's open `*` stays open."""
        if name == "*" and owner.open:
            output = self.add_open_star(owner, place)
        else:
            output = self.add(renamed or name, place)
        builder = self.builder
        if builder.inside and column in builder.inside:
            builder.inside.add(output)
        builder.edges.append((output, column, IDENTITY, place))
        builder.origins[output] = column
        return output

    def having(self, name: str) -> Sequence[int]:
        """All outputs of that name."""
        return self.namesakes.get(name) or (self.columns[name],)

    def claim(self, name: str) -> int:
        """A column behind one of the open stars; of several stars, each may have it."""
        found = self.columns.get(name)
        if found is None:
            found = self.claims.get(name)
        if found is None:
            builder = self.builder
            builder.check()
            found = self.claims[name] = builder.column(self.entity, name, None)
            sources = dict.fromkeys(owner.claim(name) for owner in self.stars if owner.may_own(name))
            kind = IDENTITY
            if len(sources) > 1 and not self.is_union:
                kind = candidate(IDENTITY)
                owners = [builder.name_of(owner.entity) for owner in self.stars if owner.may_own(name)]
                message = f"column {name}, behind *, could come from {listed_names(owners, 'or')}"
                hint = f"give a schema for {listed_names(owners, 'and')}"
                builder.say(Code.AMBIGUOUS_COLUMN, message, None, name, hint)
            for source in sources:
                builder.edges.append((found, source, kind, None))
                builder.origins[found] = source
        return found

    def may_own(self, name: str) -> bool:
        """Whether one of the open stars could have a column of that name."""
        if not self.stars:
            return True
        if self._owned is None:
            self._owned = {}
        key = name, len(self.stars)
        found = self._owned.get(key)
        if found is None:
            found = self._owned[key] = any(owner.may_own(name) for owner in self.stars)
        return found

    def star(self) -> list[tuple[str, int]]:
        """All outputs in order."""
        return self.outputs

    def rename(self, names: list[str]) -> None:
        """Give the outputs new names, by position, as a column list does."""
        builder = self.builder
        if self.open:
            self.by_position()._spread(len(names))
        renamed = names + [name for name, _ in self.outputs[len(names) :]]
        self.outputs = [(new, column) for new, (_, column) in zip(renamed, self.outputs, strict=False)]
        self.columns, self.namesakes = {}, {}
        self.listed = self.columns
        for name, column in self.outputs:
            entity, _, place = builder.columns[column]
            builder.columns[column] = (entity, name, place)
            if name in self.columns:
                self.namesakes.setdefault(name, [self.columns[name]]).append(column)
            else:
                self.columns[name] = column

    def _spread(self, width: int) -> None:
        """Let open stars make way for as many columns as a list of *width* names leaves to them: each is made of the stars."""
        stars = [i for i, (name, _) in enumerate(self.outputs) if name == "*"]
        if not stars:
            return
        first, behind = stars[0], stars[-1] + 1
        starred = [column for _, column in self.outputs[first:behind]]
        missing = width - len(self.outputs) + len(starred)
        if missing < 1:
            return
        if not (self.is_counted and missing == len(starred)):
            self.outputs[first:behind] = [("*", self._one_of(starred)) for _ in range(missing)]
        self.open = False

    def _one_of(self, starred: list[int]) -> int:
        """A new column that is one of those behind a star; of several stars, it may be any one's."""
        builder = self.builder
        place = builder.columns[starred[0]][2]
        made = builder.column(self.entity, "*", place)
        kind = IDENTITY if len(starred) == 1 else candidate(IDENTITY)
        builder.edges.extend((made, star, kind, place) for star in starred)
        return made

    def complete(self) -> ResultSet:
        """Mark it as done: result sets are numbered in this order."""
        self.builder.check()
        self.builder.numbered.append(self.entity)
        return self


class Item:
    """One item of a FROM clause: an owner under the name by which the query calls it."""

    __slots__ = ("aliased", "name", "owner")

    def __init__(self, name: str | None, owner: Owner, aliased: bool) -> None:
        self.name = name
        self.owner = owner
        self.aliased = aliased

    def answers_to(self, qualifier: tuple[str, ...]) -> bool:
        """Whether a qualifier of several parts, such as `db.t`, means this item."""
        owner = self.owner
        return isinstance(owner, Table) and not self.aliased and owner.name[-len(qualifier) :] == qualifier


class Environment:
    """The CTEs in reach: those of this WITH, then those around it."""

    __slots__ = ("ctes", "outer")

    def __init__(self, outer: Environment | None = None) -> None:
        self.ctes: dict[str, ResultSet] = {}
        self.outer = outer

    def find(self, name: str) -> ResultSet | None:
        """The CTE of that name, the innermost first."""
        environment: Environment | None = self
        while environment is not None:
            found = environment.ctes.get(name)
            if found is not None:
                return found
            environment = environment.outer
        return None


_NOWHERE: Mapping[str, int] = {}


class Scope:
    """What one SELECT (or UPDATE, MERGE, DELETE) sees."""

    __slots__ = (
        "aggregates",
        "alias_rule",
        "aliases",
        "builder",
        "by_name",
        "counts",
        "dialect",
        "edges",
        "environment",
        "fold_column",
        "groupings",
        "groups",
        "hidden",
        "implied",
        "inner",
        "items",
        "merged",
        "merged_at",
        "merged_before",
        "names",
        "parent",
        "rows",
        "windows",
    )

    def __init__(self, builder: Builder, parent: Scope | None, environment: Environment, rows: int = -1) -> None:
        self.builder = builder
        self.rows = rows
        """The row set that this scope's joins and conditions decide over."""
        self.dialect = builder.dialect
        self.fold_column = builder.dialect.column
        self.edges = builder.edges
        self.parent = parent
        self.environment = environment
        self.items: list[Item] = []
        self.by_name: dict[str, Item] = {}
        """The items by the name they go by; of two with one name the first."""
        self.names: dict[str, int | tuple[int, ...]] = {}
        """Names that were looked up before."""
        self.merged: dict[str, int] = {}
        self.merged_at: Mapping[str, int] = _NOWHERE
        """For a merged column: the first item of the join that merged it."""
        self.merged_before: list[tuple[int, str, int]] = []
        """The same for merged columns whose name a join behind a comma merged anew: first item, name, column."""
        self.hidden: set[tuple[int, str]] = set()
        """Columns, by item and name, that a merged one stands for."""
        self.aliases: dict[str, int] = {}
        self.implied: dict[str, int] = {}
        """Outputs of fields and qualified columns without an alias, where later items or GROUP BY may use their names as aliases."""
        self.alias_rule = NO_ALIASES
        self.aggregates: list[int] = []
        self.counts: list[int] = []
        self.groupings: list[int] = []
        """Values that number the groups: `grouping_id()`, Hive's `grouping__id`."""
        self.groups: tuple[list[Edge], bool] | None = None
        """What decides over the aggregates, once the SELECT is complete: its keys, and whether it has GROUP BY."""
        self.inner: dict[int, tuple[Any, ResultSet]] | None = None
        """The subqueries in its expressions that were resolved, by the identity of their nodes (see `subquery`)."""
        self.windows: dict[str, Any] = {}

    def add(self, name: str | None, owner: Owner, aliased: bool = True) -> Item:
        """Put an owner into FROM."""
        item = Item(name, owner, aliased)
        self.items.append(item)
        if name is not None:
            self.by_name.setdefault(name, item)
        if self.names:
            self.names.clear()
        return item

    def open_names(self) -> str:
        """The names of the FROM items whose columns are not all known, for a message."""
        names = [item.name or self.builder.name_of(item.owner.entity) for item in self.items if item.owner.open]
        return listed_names(list(dict.fromkeys(names)), "and")

    def see(self, items: Iterable[Item]) -> None:
        """Put items of another scope into FROM."""
        for item in items:
            self.add(item.name, item.owner, item.aliased)

    def take(self, first: int, end: int | None = None) -> list[Item]:
        """Take the items from number *first* on, to before *end*, out of FROM."""
        taken = self.items[first:end]
        del self.items[first:end]
        for item in taken:
            if item.name is not None and self.by_name.get(item.name) is item:
                del self.by_name[item.name]
        self.names.clear()
        return taken

    @contextmanager
    def with_items(self, count: int) -> Iterator[None]:
        """See only the first items of FROM, as an expression does that stands there."""
        if len(self.items) <= count:
            yield
            return
        before = self.items, self.by_name, self.names
        self.items = self.items[:count]
        self.by_name = {name: item for name, item in self.by_name.items() if item in self.items}
        self.names = {}
        yield
        self.items, self.by_name, self.names = before

    def close_from(self) -> None:
        """FROM is complete: the row sets in it make the row set above."""
        for item in self.items:
            self.edges.append((self.rows, item.owner.rows, FROM_ROWS, None))
        if self.names:
            self.names.clear()


class Beside(Scope):
    """What a derived table sees of the FROM items before it, where the dialect lets it see them without LATERAL.

    It has no say in who owns a column of an unknown table inside: only names that nobody inside can own are looked up here.
    """

    __slots__ = ()

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope.builder, scope.parent, scope.environment, scope.rows)
        self.see(scope.items)
        self.merged = scope.merged
