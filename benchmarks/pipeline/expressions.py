"""Expressions over what stands in FROM, each with its type and what flows into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.chance import Chance
from pipeline.flow import AGGREGATION, CONDITIONAL, COUNTED, NOTHING, TRANSFORMATION, WINDOW, Flows, through, together
from pipeline.tables import FLAG, KEY, NUMBER, TEXT, TIME, Column, Item


@dataclass(frozen=True, slots=True)
class Expression:
    """Text, type and flows; `name` is the column's if it is nothing but one."""

    text: str
    type: str
    flows: Flows
    name: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may read."""

    chance: Chance
    items: tuple[Item, ...]
    qualified: bool = False
    """Whether every column must say whose it is."""

    @property
    def rows(self) -> Flows:
        """What decides over the rows of FROM, conditions aside."""
        return together(item.rows for item in self.items)

    def column(self, type: str) -> Expression | None:
        """Some column of a type, if there is one."""
        owners = [item for item in self.items if item.of_type(type)]
        if not owners:
            return None
        item = self.chance.one(owners)
        return self.of(item, self.chance.one(item.of_type(type)))

    def of(self, item: Item, column: Column) -> Expression:
        """A column; without its owner's name only where no other item has such a column."""
        unique = Counter(each.name for other in self.items for each in other.columns)[column.name] == 1
        bare = unique and not self.qualified and self.chance.likely(0.5)
        text = column.name if bare else f"{item.alias}.{column.name}"
        return Expression(text, column.type, column.flows, column.name)

    def any(self, type: str) -> Expression:
        """A column of a type, else a constant."""
        constants = {KEY: "0", NUMBER: "0.0", TEXT: "'none'", TIME: "current_timestamp()", FLAG: "true"}
        return self.column(type) or Expression(constants[type], type, NOTHING)


Form = Callable[[Scope], Expression]


def _made(type: str, text: str, *arguments: Expression, test: Sequence[Expression] = ()) -> Expression:
    """An expression of arguments and of columns that only choose between them."""
    values = (through(each.flows, TRANSFORMATION) for each in arguments)
    tests = (through(each.flows, CONDITIONAL) for each in test)
    return Expression(text, type, together([*values, *tests]))


def _test(scope: Scope) -> Expression:
    """A condition, with its columns as they are."""
    type = scope.chance.one((NUMBER, NUMBER, TEXT, TIME, FLAG, KEY))
    left = scope.any(type)
    if type == FLAG:
        return Expression(left.text if scope.chance.likely(0.5) else f"NOT {left.text}", FLAG, left.flows)
    if type == NUMBER and scope.chance.likely(0.3):
        right = scope.any(NUMBER)
        return Expression(f"{left.text} > {right.text}", FLAG, left.flows | right.flows)
    forms = {NUMBER: "{} > 0", TEXT: "{} IS NOT NULL", TIME: "{} < current_timestamp()", KEY: "{} IN (1, 2, 3)"}
    return Expression(forms[type].format(left.text), FLAG, left.flows)


def _arithmetic(scope: Scope) -> Expression:
    left, right = scope.any(NUMBER), scope.any(NUMBER)
    return _made(NUMBER, f"{left.text} {scope.chance.one('+-*')} {right.text}", left, right)


def _scaled(scope: Scope) -> Expression:
    value = scope.any(NUMBER)
    return _made(NUMBER, f"round({value.text} * 1.19, 2)", value)


def _coalesced(scope: Scope) -> Expression:
    type = scope.chance.one((NUMBER, TEXT, TIME))
    left, right = scope.any(type), scope.any(type)
    return _made(type, f"coalesce({left.text}, {right.text})", left, right)


def _case(scope: Scope) -> Expression:
    type = scope.chance.one((NUMBER, TEXT))
    test, left, right = _test(scope), scope.any(type), scope.any(type)
    text = f"CASE WHEN {test.text} THEN {left.text} ELSE {right.text} END"
    return _made(type, text, left, right, test=[test])


def _labelled(scope: Scope) -> Expression:
    tests = [_test(scope), _test(scope)]
    text = f"CASE WHEN {tests[0].text} THEN 'a' WHEN {tests[1].text} THEN 'b' ELSE 'c' END"
    return _made(TEXT, text, test=tests)


def _switched(scope: Scope) -> Expression:
    operand, value = scope.any(TEXT), scope.any(NUMBER)
    return _made(NUMBER, f"CASE {operand.text} WHEN 'x' THEN {value.text} END", value, test=[operand])


def _if(scope: Scope) -> Expression:
    test, left = _test(scope), scope.any(NUMBER)
    return _made(NUMBER, f"if({test.text}, {left.text}, 0)", left, test=[test])


def _nullif(scope: Scope) -> Expression:
    left, right = scope.any(NUMBER), scope.any(NUMBER)
    return _made(NUMBER, f"nullif({left.text}, {right.text})", left, test=[right])


def _spelled(scope: Scope) -> Expression:
    value = scope.any(TEXT)
    return _made(TEXT, scope.chance.one(("upper({})", "trim({})", "substr({}, 1, 3)")).format(value.text), value)


def _concatenated(scope: Scope) -> Expression:
    parts = [scope.any(TEXT), scope.any(TEXT), scope.any(KEY)]
    if scope.chance.likely(0.5):
        return _made(TEXT, f"concat({parts[0].text}, '-', {parts[1].text})", *parts[:2])
    return _made(TEXT, f"{parts[0].text} || '/' || {parts[2].text}", parts[0], parts[2])


def _hashed(scope: Scope) -> Expression:
    value = scope.any(TEXT)
    return _made(TEXT, f"sha2({value.text}, 256)", value)


def _truncated(scope: Scope) -> Expression:
    value = scope.any(TIME)
    return _made(TIME, f"date_trunc('MONTH', {value.text})", value)


def _compared(scope: Scope) -> Expression:
    left, right = scope.any(NUMBER), scope.any(NUMBER)
    return _made(FLAG, f"{left.text} >= {right.text}", left, right)


def _converted(scope: Scope) -> Expression:
    value = scope.any(NUMBER)
    return _made(KEY, f"cast({value.text} AS bigint)", value)


FORMS: tuple[Form, ...] = (
    *(_arithmetic, _arithmetic, _scaled, _coalesced, _case, _case, _labelled, _switched, _if, _nullif),
    *(_spelled, _concatenated, _hashed, _truncated, _compared, _converted),
)


def computed(scope: Scope) -> Expression:
    """Any expression that is more than a column."""
    return scope.chance.one(FORMS)(scope)


def aggregate(scope: Scope, influence: Flows) -> Expression:
    """An aggregate; *influence* is what GROUP BY and HAVING, or the lack of GROUP BY, do to each of them.

    `count(*)` depends on the row sets of FROM in any case.
    """
    chance = scope.chance
    counted = scope.any(chance.one((KEY, TEXT)))
    if counted.flows and chance.likely(0.25):
        distinct = "DISTINCT " if chance.likely(0.5) else ""
        return Expression(f"count({distinct}{counted.text})", KEY, influence | through(counted.flows, AGGREGATION))
    value = _case_number(scope) if chance.likely(0.3) else scope.any(NUMBER)
    if not value.flows or chance.likely(0.2):
        return Expression(chance.one(("count(*)", "count(1)")), KEY, influence | through(scope.rows, COUNTED))
    flows = influence | through(value.flows, AGGREGATION)
    if chance.likely(0.2):
        return Expression(f"coalesce(sum({value.text}), 0)", NUMBER, through(flows, TRANSFORMATION))
    return Expression(f"{chance.one(('sum', 'avg', 'min', 'max'))}({value.text})", NUMBER, flows)


def _case_number(scope: Scope) -> Expression:
    test, value = _test(scope), scope.any(NUMBER)
    return _made(NUMBER, f"CASE WHEN {test.text} THEN {value.text} END", value, test=[test])


def windowed(scope: Scope) -> Expression:
    """A window function."""
    chance = scope.chance
    by, order = scope.any(chance.one((KEY, TEXT))), scope.any(TIME)
    window = through(by.flows | order.flows, WINDOW)
    if not window:
        return computed(scope)
    over = f"OVER (PARTITION BY {by.text} ORDER BY {order.text}{chance.one((' DESC', ''))})"
    value = scope.any(NUMBER)
    if not value.flows or chance.likely(0.4):
        return Expression(f"{chance.one(('row_number', 'rank', 'dense_rank'))}() {over}", KEY, window)
    if chance.likely(0.3):
        return Expression(f"lag({value.text}) {over}", NUMBER, window | through(value.flows, TRANSFORMATION))
    if by.flows and chance.likely(0.3):
        counted = through(by.flows, WINDOW) | through(scope.rows, COUNTED)
        return Expression(f"count(*) OVER (PARTITION BY {by.text})", KEY, counted)
    return Expression(f"sum({value.text}) {over}", NUMBER, window | through(value.flows, AGGREGATION))


def condition(scope: Scope) -> Expression:
    """A condition with literals that may differ from one run to the next."""
    chance = scope.chance
    type = chance.one((KEY, NUMBER, TEXT, TIME))
    left = scope.column(type)
    if left is None:
        return _test(scope)
    forms = {
        KEY: (f"{left.text} = {chance.literal(KEY)}", f"{left.text} IN {chance.values()}"),
        NUMBER: (f"{left.text} > {chance.literal(NUMBER)}", f"{left.text} BETWEEN 0 AND {chance.literal(NUMBER)}"),
        TEXT: (f"{left.text} = {chance.literal(TEXT)}", f"{left.text} <> {chance.literal(TEXT)}"),
        TIME: (f"{left.text} >= {chance.literal(TIME)}", f"{left.text} < {chance.literal(TIME)}"),
    }
    return Expression(chance.one(forms[type]), FLAG, left.flows)
