"""The warehouse's scripts: layer upon layer of units, each in the script that first has it, then scripts that repeat them.

A unit is what has to stay together: one statement, or a temporary view with the statements that read it. Units come in an order
in which everything is defined before it is read; the paths of the scripts sort otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.chance import Chance
from pipeline.flow import NOTHING
from pipeline.statements import (
    Statement,
    broken,
    create_as,
    create_table,
    create_temporary,
    delete,
    insert,
    merge,
    raw_table,
    show,
    update,
)
from pipeline.tables import Column, Item, Query, Table

LAYERS = ("raw", "staging", "integration", "core", "marts", "reports", "exports")
CHAIN = 40
"""Scripts that hand a star on, one to the next."""
TWIN = "audit_log"
"""A table of this name is in every schema, each time with other columns."""
BROKEN = 0.01
"""How many of the statements nobody can read."""
_TEMPORARY = ("recent", "delta", "tmp", "stage_rows", "latest")
_SHARES = (0.06, 0.2, 0.18, 0.22, 0.16, 0.12, 0.06)
_HUBS = 6

Unit = tuple[Statement, ...]


@dataclass(slots=True)
class Plan:
    """A script's path and its units."""

    path: str
    units: list[Unit] = field(default_factory=list)

    @property
    def statements(self) -> list[Statement]:
        """All statements, in order."""
        return [statement for unit in self.units for statement in unit]


@dataclass(slots=True)
class Warehouse:
    """What exists so far: tables by layer, and the texts that were made, none twice."""

    chance: Chance
    shapes: set[str] = field(default_factory=set)
    tables: dict[str, list[Table]] = field(default_factory=lambda: {layer: [] for layer in LAYERS})
    read: Counter[Table] = field(default_factory=Counter)

    def define(self, table: Table) -> None:
        """A lasting table that later statements may read."""
        self.tables[table.schema].append(table)
        self.chance.tables.append(table)

    def enter(self, layer: str) -> None:
        """Read from the two layers below from now on, and from the tables that were read most."""
        chance = self.chance
        self.read.update(chance.tables[index] for index in chance.reads)
        below = LAYERS[max(0, LAYERS.index(layer) - 2) : LAYERS.index(layer)]
        near = [table for name in below for table in self.tables[name]]
        hubs = [table for table, _ in self.read.most_common(_HUBS) if table not in near]
        chance.tables, chance.reads = hubs + near, [i for i in range(len(hubs)) for _ in range(40)]

    @property
    def lasting(self) -> list[Table]:
        """All lasting tables, in the order of their definitions."""
        return [table for layer in LAYERS for table in self.tables[layer]]


def plans(warehouse: Warehouse, distinct: int) -> Iterator[Plan]:
    """Scripts with that many distinct statements, in an order in which definitions come first."""
    for layer, share in zip(LAYERS, _SHARES, strict=True):
        goal = len(warehouse.shapes) + round(share * distinct)
        warehouse.enter(layer)
        yield _twin(warehouse, layer)
        if layer == "core":
            for number in range(max(1, distinct // 3000)):
                yield from _chain(warehouse, number)
        while len(warehouse.shapes) < goal:
            yield _script(warehouse, layer, goal)


def _twin(warehouse: Warehouse, layer: str) -> Plan:
    chance = warehouse.chance
    table = raw_table(chance, layer, 2)
    table = Table(layer, TWIN, (*table.columns, (f"{layer}_note", "string")))
    warehouse.tables[layer].append(table)
    return Plan(f"sql/{layer}/{TWIN}.sql", [_kept(warehouse, (create_table(chance, table),))])


def _chain(warehouse: Warehouse, number: int) -> Iterator[Plan]:
    """One star after the other, each in its own script; the paths sort the other way round."""
    chance = warehouse.chance
    last = chance.one(warehouse.tables["staging"])
    for step in range(CHAIN):
        item = Item.of(last, "s")
        columns, star = item.columns, chance.one(("*", "s.*"))
        if step % 8 == 7:
            columns, star = (*columns, Column(f"step_{step}", "bigint", NOTHING)), f"{star}, {step} AS step_{step}"
        source = Query(f"SELECT {star} FROM {chance.written(last)} AS s", columns, item.rows)
        made = create_as(chance, "core", chance.likely(0.5), source, f"chain_{number}_{step}")
        assert made.defines is not None
        last = made.defines
        warehouse.define(last)
        yield Plan(f"sql/core/chain_{number}_{CHAIN - step:02d}.sql", [_kept(warehouse, (made,))])


def _script(warehouse: Warehouse, layer: str, goal: int) -> Plan:
    """A script of 1 to 30 statements; a third of them name their schema once, by USE."""
    chance = warehouse.chance
    number = chance.number()
    plan = Plan(f"sql/{layer}/{chance.rng.randrange(16**4):04x}_{number}.sql")
    size = chance.one((1, 1, 2, 3, 5, 8, 12, 20, 30))
    if layer != "raw" and size > 2 and chance.likely(0.35):
        chance.default = layer
        plan.units.append(_kept(warehouse, (Statement(f"USE {layer}"),)))
    names = list(_TEMPORARY)
    chance.rng.shuffle(names)
    while len(plan.statements) < size and len(warehouse.shapes) < goal:
        room = size - len(plan.statements)
        plan.units.append(_kept(warehouse, _unit(warehouse, layer, names, room)))
    chance.default = ""
    return plan


def _kept(warehouse: Warehouse, unit: Unit) -> Unit:
    warehouse.shapes.update(statement.template for statement in unit)
    return unit


def _unit(warehouse: Warehouse, layer: str, names: list[str], room: int) -> Unit:
    """A unit that the warehouse does not have yet, of no more statements than there is room for."""
    chance = warehouse.chance
    if chance.tables and chance.likely(BROKEN):
        return (broken(chance),)
    if layer == "raw":
        return _raw(warehouse)
    if names and room > 2 and chance.likely(0.12):
        return _temporary(warehouse, layer, names.pop())
    if room > 1 and chance.likely(0.15):
        return _loaded(warehouse, layer)
    written = [table for table in warehouse.tables[layer] if not table.view]
    if chance.likely(0.45) or len(written) < 3:
        return (_defining(warehouse, create_as(chance, layer, view=chance.likely(0.45))),)
    target = chance.one(written)
    makers = (insert, insert, insert, insert, merge, merge, merge, update, update, delete)
    return (show(chance) if chance.likely(0.06) else chance.one(makers)(chance, target),)


def _raw(warehouse: Warehouse) -> Unit:
    chance = warehouse.chance
    width = 60 if chance.likely(0.01) else chance.rng.randint(1, 14)
    return (_defining(warehouse, create_table(chance, raw_table(chance, "raw", width))),)


def _defining(warehouse: Warehouse, statement: Statement) -> Statement:
    if statement.defines is not None and statement.defines.schema:
        warehouse.define(statement.defines)
    return statement


def _loaded(warehouse: Warehouse, layer: str) -> Unit:
    """A table by its columns, and what fills it first."""
    chance = warehouse.chance
    table = raw_table(chance, layer, chance.rng.randint(0, 8))
    made = create_table(chance, table)
    filled = insert(chance, table)
    warehouse.define(table)
    return (made, filled)


def _temporary(warehouse: Warehouse, layer: str, name: str) -> Unit:
    """A temporary view and one or two statements that read it, mostly it alone."""
    chance = warehouse.chance
    view = create_temporary(chance, name)
    assert view.defines is not None
    tables, reads = chance.tables, chance.reads
    chance.tables, chance.reads = [view.defines, *tables[:3]], [0] * 9
    written = [table for table in warehouse.tables[layer] if not table.view]
    first = insert(chance, chance.one(written)) if written else show(chance)
    second = create_as(chance, layer, view=False) if chance.likely(0.5) else show(chance)
    chance.tables, chance.reads = tables, reads
    return (view, first, _defining(warehouse, second))
