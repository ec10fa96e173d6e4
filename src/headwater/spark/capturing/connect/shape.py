"""Relations over one other: columns chosen, made, renamed and dropped; rows filtered, sorted and cut off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from headwater.analyzers.select import Unread
from headwater.spark.capturing.connect.expression import Expressions
from headwater.spark.capturing.connect.naming import Column, Result, named, parts_of, quoted
from headwater.spark.capturing.connect.relation import Relations, star, writes

_NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal")
_KINDS = {"string": ("string", "varchar", "char"), "boolean": ("boolean",)}


@writes("repartition", "repartition_by_expression", "hint", "sample", "with_watermark", "collect_metrics", "sample_by")
def same(relations: Relations, relation: Any) -> Result:
    """What gives the rows that it gets, or some of them by chance."""
    return relations.result(_body(relation).input)


@writes("show_string", "html_string")
def shown(relations: Relations, relation: Any) -> Result:
    """`show`: the first rows of what is shown."""
    return _limited(relations, _body(relation).input)


@writes("project")
def project(relations: Relations, relation: Any) -> Result:
    """`select`; without an input, of constants."""
    body = relation.project
    below = relations.result(body.input) if body.HasField("input") else Result("", ())
    source = f" FROM {quoted(below.cte)}" if below.cte else ""
    items, columns = selected(relations.over(below), body.expressions)
    if columns is None:
        names = [column.name for column in relations.columns(relation)]
        items = _generated(items, names)
        columns = named(names)
    return relations.add(f"SELECT {', '.join(items) or '1'}{source}", columns)


def selected(
    scope: Expressions, expressions: Sequence[Any], write: Callable[[Any], str] | None = None
) -> tuple[list[str], tuple[Column, ...] | None]:
    """What stands in SELECT, and the columns of that, if their names are plain; *write* leaves out aliases."""
    write = write or scope.item
    items: list[str] = []
    names: list[str | None] = []
    kept: list[Column] = []
    for each in expressions:
        whole = scope.star(each)
        if whole is not None:
            items += [item.written(column) for item, column in whole]
            names += [column.name for _, column in whole]
            kept += [column for _, column in whole]
            continue
        items.append(write(each))
        names.append(scope.name(each))
        kept.append(scope.column(each) or Column("", ""))
    plain = [name for name in names if name is not None]
    return items, named(plain, kept) if len(plain) == len(names) else None


def _generated(items: list[str], names: list[str]) -> list[str]:
    """Items that give these columns: the one that gives several is a generator, or a star over the fields of a column."""
    more = len(names) - len(items)
    several = [i for i, item in enumerate(items) if item.endswith(".*") or item.lower().startswith(_GENERATORS)]
    if len(several) != 1:
        if more:
            raise Unread("a selection whose columns are not told apart")
        return items
    [place] = several
    item, outputs = items[place], names[place : place + more + 1]
    if item.endswith(".*"):
        given = [f"{item.removesuffix('*')}{quoted(name)}" for name in outputs]
    else:
        given = [f"{item} AS ({', '.join(map(quoted, outputs))})" if more else item]
    return [*items[:place], *given, *items[place + 1 :]]


_GENERATORS = ("explode", "posexplode", "inline", "stack", "json_tuple", "variant_explode")


@writes("with_columns")
def with_columns(relations: Relations, relation: Any) -> Result:
    """`withColumn`: columns of the same name are replaced, others come last."""
    below = relations.result(relation.with_columns.input)
    scope = relations.over(below)
    made = {}
    for alias in relation.with_columns.aliases:
        if len(alias.name) != 1:
            raise Unread("withColumns with several names for one expression")
        made[alias.name[0].lower()] = (alias.name[0], scope.sql(alias.expr))
    items, columns = [], []
    for column in below.columns:
        name, text = made.get(column.name.lower(), (None, quoted(column.sql)))
        items.append(text)
        columns.append(column if name is None else Column(name, ""))
    known = {column.name.lower() for column in below.columns}
    for key, (name, text) in made.items():
        if key not in known:
            items.append(text)
            columns.append(Column(name, ""))
    return _select(relations, below, items, columns)


def _select(relations: Relations, below: Result, items: Sequence[str], columns: Sequence[Column]) -> Result:
    after = named([c.name for c in columns], columns)
    return relations.add(f"SELECT {', '.join(items) or '1'} FROM {quoted(below.cte)}", after)


def _renamed(relations: Relations, below: Result, names: Sequence[str]) -> Result:
    columns = [c if c.name == n else Column(n, "") for n, c in zip(names, below.columns, strict=True)]
    return _select(relations, below, [quoted(c.sql) for c in below.columns], columns)


@writes("with_columns_renamed")
def with_columns_renamed(relations: Relations, relation: Any) -> Result:
    """`withColumnRenamed`, one name after the other."""
    body = relation.with_columns_renamed
    below = relations.result(body.input)
    pairs = [(each.col_name, each.new_col_name) for each in body.renames] or list(body.rename_columns_map.items())
    names = [column.name for column in below.columns]
    for old, new in pairs:
        names = [new if name.lower() == parts_of(old)[-1].lower() else name for name in names]
    return _renamed(relations, below, names)


@writes("to_df")
def to_df(relations: Relations, relation: Any) -> Result:
    """`toDF`: new names for all columns."""
    return _renamed(relations, relations.result(relation.to_df.input), list(relation.to_df.column_names))


@writes("to_schema")
def to_schema(relations: Relations, relation: Any) -> Result:
    """`to`: columns by name, in another order."""
    below = relations.result(relation.to_schema.input)
    mine = {column.name.lower(): column for column in below.columns}
    names = [column.name for column in relations.columns(relation)]
    chosen = [mine.get(name.lower()) for name in names]
    items = ["NULL" if column is None else quoted(column.sql) for column in chosen]
    return _select(relations, below, items, [Column(name, "") for name in names])


@writes("drop")
def drop(relations: Relations, relation: Any) -> Result:
    """`drop`: what is not there does not matter."""
    below = relations.result(relation.drop.input)
    scope = relations.over(below)
    gone = {column for each in relation.drop.columns if (column := scope.column(each)) is not None}
    names = {name.lower() for name in relation.drop.column_names}
    kept = [c for c in below.columns if c not in gone and c.name.lower() not in names]
    return _select(relations, below, [quoted(c.sql) for c in kept], kept)


@writes("filter")
def filter_(relations: Relations, relation: Any) -> Result:
    """`where`; right above groups it is their HAVING."""
    below = relations.result(relation.filter.input)
    condition = relations.over(below).sql(relation.filter.condition)
    if below.cte in relations.groups:
        return relations.add(f"{relations.groups[below.cte]} HAVING {condition}", below.columns)
    return _with(relations, below, f"WHERE {condition}")


def _with(relations: Relations, below: Result, clause: str, distinct: str = "") -> Result:
    return relations.add(f"SELECT {distinct}{star(below)} FROM {quoted(below.cte)} {clause}".rstrip(), below.columns)


@writes("sort")
def sort(relations: Relations, relation: Any) -> Result:
    """`orderBy`: alone it changes nothing that counts."""
    return relations.result(relation.sort.input)


@writes("limit", "offset", "tail")
def limit(relations: Relations, relation: Any) -> Result:
    """`limit`, by the order right below it."""
    return _limited(relations, _body(relation).input)


def _limited(relations: Relations, relation: Any) -> Result:
    below = relations.result(relation)
    keys = ""
    if relation.WhichOneof("rel_type") == "sort":
        keys = f"ORDER BY {', '.join(map(relations.over(below).sorted, relation.sort.order))} "
    return _with(relations, below, f"{keys}LIMIT 1")


@writes("deduplicate")
def deduplicate(relations: Relations, relation: Any) -> Result:
    """`distinct`, `dropDuplicates`."""
    below = relations.result(relation.deduplicate.input)
    names = {name.lower() for name in relation.deduplicate.column_names}
    keys = [quoted(c.sql) for c in below.columns if c.name.lower() in names]
    return _with(relations, below, "", f"DISTINCT ON ({', '.join(keys)}) " if keys else "DISTINCT ")


@writes("drop_na")
def drop_na(relations: Relations, relation: Any) -> Result:
    """`na.drop`: rows without nulls in some columns."""
    below = relations.result(relation.drop_na.input)
    names = {name.lower() for name in relation.drop_na.cols}
    tests = [f"{quoted(c.sql)} IS NOT NULL" for c in below.columns if not names or c.name.lower() in names]
    return _with(relations, below, f"WHERE {' AND '.join(tests)}")


@writes("fill_na")
def fill_na(relations: Relations, relation: Any) -> Result:
    """`na.fill`: a constant where there is a null, in columns whose type it has."""
    return _each(relations, relation, list(relation.fill_na.values), "coalesce({0}, ?)")


@writes("replace")
def replace(relations: Relations, relation: Any) -> Result:
    """`na.replace`: a constant for another."""
    values = [each.old_value for each in relation.replace.replacements]
    return _each(relations, relation, values, "CASE WHEN {0} = ? THEN ? ELSE {0} END")


def _each(relations: Relations, relation: Any, values: Sequence[Any], form: str) -> Result:
    body = _body(relation)
    below = relations.result(body.input)
    names = {name.lower() for name in body.cols}
    types = [column.type for column in relations.columns(body.input)]
    kinds = tuple(kind for value in values for kind in _KINDS.get(value.WhichOneof("literal_type") or "", _NUMBERS))
    items, columns = [], []
    for column, type in zip(below.columns, types, strict=True):
        hit = (not names or column.name.lower() in names) and type.startswith(kinds)
        items.append(form.format(quoted(column.sql)) if hit else quoted(column.sql))
        columns.append(Column(column.name, "") if hit else column)
    return _select(relations, below, items, columns)


def _body(relation: Any) -> Any:
    return getattr(relation, relation.WhichOneof("rel_type"))
