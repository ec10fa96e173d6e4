"""What happens again: jobs that run units of the scripts once more, and a query log of repeated statements."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Generic, TypeVar

from pipeline.chance import Chance
from pipeline.scripts import BROKEN, LAYERS, TWIN, Plan, Unit, Warehouse
from pipeline.statements import Statement, broken, insert, show, star_of
from pipeline.tables import Table

T = TypeVar("T")

REPEATED = "sql/jobs/"
"""The folder of the scripts in which everything is met again."""


class Ranked(Generic[T]):
    """Things drawn by a power law, few of them very often; one draw in a hundred is of the broken ones."""

    def __init__(self, chance: Chance, sound: list[T], broken: list[T]) -> None:
        self._rng, self._sound, self._broken = chance.rng, sound, broken
        self._rng.shuffle(sound)
        self._weights = list(accumulate(1 / rank for rank in range(1, len(sound) + 1)))

    def draw(self) -> T:
        """One of them."""
        if self._broken and self._rng.random() < BROKEN:
            return self._rng.choice(self._broken)
        return self._rng.choices(self._sound, cum_weights=self._weights)[0]


def jobs(warehouse: Warehouse, home: list[Plan], statements: int) -> Iterator[Plan]:
    """Scripts that repeat units, of that many statements altogether."""
    units = [unit for plan in home for unit in plan.units if unit[0].template[:4] != "USE "]
    sound, failing = [unit for unit in units if not unit[0].broken], [unit for unit in units if unit[0].broken]
    ranked = Ranked(warehouse.chance, sound, failing)
    number = 0
    while statements > 0:
        number += 1
        plan = Plan(f"{REPEATED}nightly_{number:05d}.sql")
        _fill(plan, ranked, min(statements, warehouse.chance.rng.randint(1, 30)))
        statements -= len(plan.statements)
        yield plan


def _fill(plan: Plan, ranked: Ranked[Unit], size: int) -> None:
    """Units until the script is full; a name of a temporary view is used once, a default schema set where a unit needs it."""
    default, names = "", set[str]()
    while room := size - len(plan.statements):
        unit = ranked.draw()
        schema = next((statement.schema for statement in unit if statement.schema), "")
        change = (Statement(f"USE {schema}"),) if schema not in ("", default) else ()
        temporary = {s.defines.name for s in unit if s.defines is not None and not s.defines.schema}
        if len(unit) + len(change) > room or temporary & names:
            continue
        names |= temporary
        default = schema or default
        plan.units += [change, unit] if change else [unit]


def logged(warehouse: Warehouse, distinct: int, statements: int) -> Iterator[tuple[Statement, str]]:
    """Statements of a query log with the schema that they ran in: each at least once, most of them again."""
    chance = warehouse.chance
    warehouse.read.update(chance.tables[index] for index in chance.reads)
    chance.tables = warehouse.lasting
    place = {table: index for index, table in enumerate(chance.tables)}
    chance.reads = [place[table] for table, times in warehouse.read.most_common(50) for _ in range(times)]
    shapes = _shapes(warehouse, distinct)
    ranked = Ranked(chance, [each for each in shapes if not each.broken], [each for each in shapes if each.broken])
    again = (ranked.draw() for _ in range(statements - len(shapes)))
    usual = {statement.template: chance.one(LAYERS) for statement in shapes}
    for statement in (*shapes, *again):
        elsewhere = chance.likely(0.01)
        yield statement, statement.schema or (chance.one(LAYERS) if elsewhere else usual[statement.template])


def _shapes(warehouse: Warehouse, distinct: int) -> list[Statement]:
    chance = warehouse.chance
    found = [star_of(TWIN, table) for table in warehouse.lasting if table.name == TWIN]
    warehouse.shapes.add(found[0].template)
    goal = len(warehouse.shapes) + distinct - 1
    targets = [table for table in chance.tables if not table.view]
    while len(warehouse.shapes) < goal:
        chance.default = chance.one(LAYERS) if chance.likely(0.3) else ""
        made = _shape(chance, targets)
        if made.template not in warehouse.shapes:
            warehouse.shapes.add(made.template)
            found.append(made)
    chance.default = ""
    return found


def _shape(chance: Chance, targets: list[Table]) -> Statement:
    if chance.likely(BROKEN):
        return broken(chance)
    return insert(chance, chance.one(targets)) if chance.likely(0.25) else show(chance)
