"""The clauses that queries are made of: FROM with its joins, WHERE with its subqueries, and the select list."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.chance import Chance
from pipeline.expressions import Expression, Scope, aggregate, computed, condition
from pipeline.flow import COUNTED, FILTER, JOIN, NOTHING, Flows, through, together
from pipeline.tables import FLAG, KEY, NUMBER, TEXT, TIME, Column, Item, Table

Wanted = Sequence[str] | None
"""Types of the outputs, in their order; None if they are free."""
Outputs = tuple[list[str], tuple[Column, ...]]
"""The select list's items, and the outputs."""


def one_table(chance: Chance) -> tuple[str, Item]:
    """A table in FROM, mostly under an alias, and the item that it is."""
    table = chance.table()
    return in_from(chance, table, chance.one(("a", "src", "t", "")))


def in_from(chance: Chance, table: Table, alias: str) -> tuple[str, Item]:
    """A table in FROM under an alias; an empty one is none."""
    word = "AS " if chance.likely(0.5) else ""
    text = f"{chance.written(table)} {word}{alias}" if alias else chance.written(table)
    return text, Item.of(table, alias or table.name)


def from_one(chance: Chance) -> tuple[Scope, str, Flows]:
    """One table, as `from_several` gives several."""
    source, item = one_table(chance)
    return Scope(chance, (item,)), source, NOTHING


def from_several(chance: Chance) -> tuple[Scope, str, Flows]:
    """Two or three tables on their keys: the scope, the text behind FROM, and the influence of ON."""
    source, first = in_from(chance, chance.table(), "a")
    items, influence = [first], NOTHING
    for alias in ("b", "c")[: chance.rng.randint(1, 2)]:
        text, item = in_from(chance, chance.table(), alias)
        test, flows = equal_columns(chance, chance.one(items), item)
        source += f" {chance.one(('JOIN', 'INNER JOIN', 'LEFT JOIN', 'LEFT OUTER JOIN'))} {text} ON {test}"
        items.append(item)
        influence |= through(flows, JOIN)
    return Scope(chance, tuple(items)), source, influence


def equal_columns(chance: Chance, left: Item, right: Item) -> tuple[str, Flows]:
    """A condition of equal columns of one type."""
    types = [type for type in (KEY, TEXT, TIME, NUMBER) if left.of_type(type) and right.of_type(type)]
    if not types:
        return "true", NOTHING
    mine, theirs = chance.one(left.of_type(types[0])), chance.one(right.of_type(types[0]))
    return f"{left.alias}.{mine.name} = {right.alias}.{theirs.name}", mine.flows | theirs.flows


def where(scope: Scope) -> tuple[str, Flows]:
    """WHERE with up to three conditions, a subquery among them now and then, and its influence."""
    chance = scope.chance
    if chance.likely(0.25):
        return "", NOTHING
    tests = [condition(scope) for _ in range(chance.rng.randint(1, 2))]
    if chance.likely(0.15) and (listed := _listed(scope)):
        tests.append(listed)
    if chance.likely(0.1) and (existing := _existing(scope)):
        tests.append(existing)
    text = chance.one((" AND ", " AND ", " OR ")).join(test.text for test in tests)
    return f" WHERE {text}", through(together(test.flows for test in tests), FILTER)


def _listed(scope: Scope) -> Expression | None:
    """IN with a subquery: its value and all that decides over its rows."""
    chance = scope.chance
    left, table = scope.column(KEY), chance.table()
    source, item = in_from(chance, table, "listed")
    if left is None or not item.of_type(KEY):
        return None
    key, test = chance.one(item.of_type(KEY)), condition(Scope(chance, (item,), qualified=True))
    flows = left.flows | key.flows | item.rows | test.flows
    text = f"{left.text} IN (SELECT listed.{key.name} FROM {source} WHERE {test.text})"
    return Expression(text, FLAG, flows)


def _existing(scope: Scope) -> Expression | None:
    """EXISTS with a correlated subquery: only what decides over its rows."""
    chance = scope.chance
    outer, table = chance.one(scope.items), chance.table()
    source, item = in_from(chance, table, "probe")
    test, flows = equal_columns(chance, outer, item)
    if not flows:
        return None
    return Expression(f"EXISTS (SELECT 1 FROM {source} WHERE {test})", FLAG, item.rows | flows)


def plain_columns(scope: Scope) -> list[Expression]:
    """Some columns as they are."""
    pairs = [(item, each) for item in scope.items for each in item.columns]
    return [scope.of(item, each) for item, each in scope.chance.some(pairs, 1, 6)]


def projected(scope: Scope, wanted: Wanted) -> Outputs:
    """A select list: columns, expressions, a lookup now and then."""
    chance = scope.chance
    if wanted is not None:
        return named(chance, [of_type(scope, type) for type in wanted], positional=True)
    expressions = [*plain_columns(scope), *(computed(scope) for _ in range(chance.rng.randint(0, 4)))]
    if chance.likely(0.1) and (found := _lookup(scope)):
        expressions.append(found)
    return named(chance, expressions, positional=False)


def _lookup(scope: Scope) -> Expression | None:
    """A correlated scalar subquery with an aggregate: its value, and its row set twice over."""
    chance = scope.chance
    outer, table = chance.one(scope.items), chance.table()
    source, item = in_from(chance, table, "hit")
    test, flows = equal_columns(chance, outer, item)
    if not flows:
        return None
    value = aggregate(Scope(chance, (item,), qualified=True), through(item.rows, COUNTED))
    rows = through(item.rows | through(flows, FILTER), FILTER)
    return Expression(f"(SELECT {value.text} FROM {source} WHERE {test})", value.type, value.flows | rows)


def of_type(scope: Scope, type: str) -> Expression:
    """A column of a type, or an expression that happens to have it."""
    if scope.chance.likely(0.4) and (found := computed(scope)).type == type:
        return found
    return scope.any(type)


def named(chance: Chance, expressions: Sequence[Expression], positional: bool) -> Outputs:
    """Select items with names that occur once; where only the place counts, not every expression gets a name."""
    items, outputs, taken = [], [], set[str]()
    for each in expressions:
        keeps = each.name and each.name not in taken and chance.likely(0.7)
        name = each.name if keeps else chance.column_name(each.type, taken)
        taken.add(name)
        bare = keeps or (positional and chance.likely(0.5))
        items.append(each.text if bare else f"{each.text} AS {name}")
        outputs.append(Column(name, each.type, each.flows))
    return items, tuple(outputs)
