"""A generated warehouse load: statements that build staging, core and mart tables on each other, in Spark's dialect.

Deterministic by seed. Each kind of statement is one function that draws from the tables made so far and gives back its
text and the columns it writes; written tables join the schema, so that every statement can be analysed on its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle, islice

SEED = 20261115
STATEMENTS = 240

Columns = dict[str, str]

MEASURE = "decimal(18,2)"
SYSTEMS = ("crm", "erp", "web")
ENTITIES = ("orders", "customers", "products", "payments", "shipments", "returns", "visits", "campaigns", "invoices")
MEASURES = ("net", "gross", "tax", "discount", "shipping", "refund", "cost", "margin")
TEXTS = ("status", "country", "city", "segment", "channel", "currency", "email", "label", "category", "owner")


@dataclass(frozen=True, slots=True)
class Table:
    """A table's qualified name and its columns with their types."""

    name: str
    columns: Columns

    def of_type(self, kind: str) -> list[str]:
        """The names of the columns of one type."""
        return [name for name, column_kind in self.columns.items() if column_kind == kind]

    @property
    def layer(self) -> str:
        """The database that the table lies in."""
        return self.name.split(".")[0]

    @property
    def is_source(self) -> bool:
        """Whether it has what every kind of statement reads: an id, two times, a measure and a text."""
        has_keys = {"id", "created_at", "updated_at"} <= self.columns.keys()
        return has_keys and bool(self.of_type(MEASURE)) and bool(self.of_type("string"))


@dataclass(slots=True)
class Warehouse:
    """What exists while generating: the source of chance, the tables that may be read, and a counter for names."""

    rng: random.Random
    tables: list[Table] = field(default_factory=list)
    made: int = 0

    def name(self, layer: str, subject: str) -> str:
        """A fresh qualified name."""
        self.made += 1
        return f"{layer}.{subject}_{self.made:03d}"

    def table(self, layers: tuple[str, ...] = ("raw", "stage", "core")) -> Table:
        """Any readable table of these layers."""
        return self.rng.choice([table for table in self.tables if table.layer in layers and table.is_source])

    def some(self, names: list[str], low: int, high: int) -> list[str]:
        """Between `low` and `high` of these names, in their order."""
        count = min(len(names), self.rng.randint(low, high))
        chosen = set(self.rng.sample(names, count))
        return [name for name in names if name in chosen]


Made = tuple[str, Table]
Kind = Callable[[Warehouse], Made]


def generate(count: int = STATEMENTS, seed: int = SEED) -> tuple[list[tuple[str, str]], dict[str, Columns]]:
    """`count` named statements and the schema of every table that they read or write."""
    warehouse = Warehouse(random.Random(seed))
    warehouse.tables.extend(_sources(warehouse.rng))
    statements = []
    for number, kind in enumerate(islice(cycle(KINDS), count)):
        sql, table = kind(warehouse)
        statements.append((f"{number:03d}-{kind.__name__}", sql))
        warehouse.tables.append(table)
    return statements, {table.name: table.columns for table in warehouse.tables}


def _sources(rng: random.Random) -> Iterator[Table]:
    for system in SYSTEMS:
        for entity in ENTITIES:
            yield Table(f"raw.{system}_{entity}", _source_columns(rng, entity))


def _source_columns(rng: random.Random, entity: str) -> Columns:
    columns: Columns = {"id": "bigint"}
    columns |= {f"{other}_id": "bigint" for other in rng.sample(ENTITIES, 3) if other != entity}
    columns |= {f"{measure}_amount": MEASURE for measure in rng.sample(MEASURES, rng.randint(3, 6))}
    columns |= dict.fromkeys(rng.sample(TEXTS, rng.randint(4, 8)), "string")
    return columns | {"created_at": "timestamp", "updated_at": "timestamp", "is_active": "boolean"}


def deduplicated_stage(warehouse: Warehouse) -> Made:
    """INSERT OVERWRITE of cleaned columns, the newest row of each id."""
    source = warehouse.table(("raw",))
    columns = {name: kind for name, kind in source.columns.items() if name != "is_active"}
    outputs = [f"{_cleaned(name, kind)} AS {name}" for name, kind in columns.items()]
    target = Table(warehouse.name("stage", _subject(source)), columns)
    sql = f"""INSERT OVERWRITE TABLE {target.name}
SELECT
  {_lines(outputs)}
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY updated_at DESC) AS rn
  FROM {source.name}
  WHERE is_active
) newest
WHERE rn = 1"""
    return sql, target


def cte_chain(warehouse: Warehouse) -> Made:
    """CREATE TABLE AS over a chain of CTEs, each adding to the one before, the last joined to a second table."""
    source, other = warehouse.table(), warehouse.table(("raw", "stage"))
    target_name = warehouse.name("core", _subject(source))
    columns = dict(_core_columns(warehouse, source))
    steps = [_step(0, list(columns), f"{source.name}\n  WHERE created_at >= DATE '2024-01-01'")]
    for number in range(1, warehouse.rng.randint(3, 9)):
        name, kind, expression = _derived(warehouse, columns, number)
        steps.append(_step(number, [*columns, f"{expression} AS {name}"], f"step_{number - 1}"))
        columns[name] = kind
    text, joined = other.of_type("string")[0], f"joined_{warehouse.made}"
    chain = ",\n".join(steps)
    sql = f"""CREATE TABLE {target_name} AS
WITH {chain}
SELECT {", ".join(f"s.{name}" for name in columns)}, UPPER(o.{text}) AS {joined}
FROM step_{len(steps) - 1} s
LEFT JOIN {other.name} o ON o.id = s.id"""
    return sql, Table(target_name, {**columns, joined: "string"})


def running_totals(warehouse: Warehouse) -> Made:
    """A view of window functions over one table."""
    source = warehouse.table()
    group, measures = source.of_type("string")[0], warehouse.some(source.of_type(MEASURE), 2, 4)
    outputs: Columns = {"id": "id", group: group, "created_at": "created_at"}
    for name in measures:
        over = f"PARTITION BY {group} ORDER BY created_at"
        outputs[f"{name}_running"] = f"SUM({name}) OVER ({over} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
        outputs[f"{name}_change"] = f"{name} - LAG({name}, 1) OVER ({over})"
        outputs[f"{name}_share"] = f"{name} / NULLIF(SUM({name}) OVER (PARTITION BY {group}), 0)"
    target = Table(warehouse.name("mart", "running"), {name: source.columns.get(name, "double") for name in outputs})
    items = [f"{expression} AS {name}" for name, expression in outputs.items()]
    return f"CREATE OR REPLACE VIEW {target.name} AS\nSELECT\n  {_lines(items)}\nFROM {source.name}", target


def union_of_systems(warehouse: Warehouse) -> Made:
    """INSERT INTO of UNION ALL over the same entity in several systems."""
    entity = warehouse.rng.choice(ENTITIES)
    sources = [table for table in warehouse.tables if table.name in {f"raw.{system}_{entity}" for system in SYSTEMS}]
    columns = {"source_system": "string", **_shared_columns(sources)}
    branches = [
        f"SELECT '{source.name}' AS source_system, {', '.join(name for name in columns if name in source.columns)}\n"
        f"FROM {source.name}\nWHERE is_active"
        for source in sources
    ]
    target = Table(warehouse.name("core", entity), columns)
    return f"INSERT INTO {target.name} ({', '.join(columns)})\n" + "\nUNION ALL\n".join(branches), target


def widened_star(warehouse: Warehouse) -> Made:
    """A view of a table's star and a few columns of a second one."""
    source, other = warehouse.table(("raw", "stage")), warehouse.table(("raw", "stage"))
    extra = warehouse.some(other.of_type("string"), 2, 4)
    columns = {**source.columns, **{f"other_{name}": "string" for name in extra}}
    target = Table(warehouse.name("core", "wide"), columns)
    outputs = ["s.*", *(f"COALESCE(o.{name}, 'unknown') AS other_{name}" for name in extra)]
    sql = f"""CREATE OR REPLACE VIEW {target.name} AS
SELECT
  {_lines(outputs)}
FROM {source.name} s
LEFT JOIN {other.name} o ON s.id = o.id AND o.updated_at <= s.updated_at"""
    return sql, target


def fact_summary(warehouse: Warehouse) -> Made:
    """CREATE TABLE AS of aggregates over a fact and several joined dimensions."""
    fact = warehouse.table()
    dimensions = {f"d{n}": warehouse.table(("raw", "stage")) for n in range(warehouse.rng.randint(2, 6))}
    texts = {alias: dimension.of_type("string")[0] for alias, dimension in dimensions.items()}
    groups = {f"{text}_{alias}": f"{alias}.{text}" for alias, text in texts.items()}
    sums = {f"total_{name}": f"SUM(f.{name})" for name in warehouse.some(fact.of_type(MEASURE), 2, 5)}
    outputs = {**groups, "month": "DATE_TRUNC('month', f.created_at)", **sums, "ids": "COUNT(DISTINCT f.id)"}
    target = Table(warehouse.name("mart", "summary"), {name: _summary_type(name, groups) for name in outputs})
    joins = "\n".join(f"JOIN {dimension.name} {alias} ON f.id = {alias}.id" for alias, dimension in dimensions.items())
    sql = f"""CREATE TABLE {target.name} AS
SELECT
  {_lines([f"{expression} AS {name}" for name, expression in outputs.items()])}
FROM {fact.name} f
{joins}
WHERE {" AND ".join(f"{alias}.updated_at >= f.created_at" for alias in dimensions)}
GROUP BY {", ".join([*groups.values(), outputs["month"]])}
HAVING COUNT(DISTINCT f.id) > 10"""
    return sql, target


def merged_dimension(warehouse: Warehouse) -> Made:
    """MERGE of the newest source rows into a dimension."""
    source = warehouse.table(("raw", "stage"))
    columns = {name: source.columns[name] for name in ("id", *source.of_type("string"), "updated_at")}
    target = Table(warehouse.name("core", "dimension"), columns)
    values = [name for name in columns if name != "id"]
    sql = f"""MERGE INTO {target.name} t
USING (
  SELECT id, {", ".join(f"TRIM({name}) AS {name}" for name in source.of_type("string"))}, MAX(updated_at) AS updated_at
  FROM {source.name}
  GROUP BY id, {", ".join(source.of_type("string"))}
) s
ON t.id = s.id
WHEN MATCHED AND s.updated_at > t.updated_at THEN UPDATE SET {", ".join(f"t.{name} = s.{name}" for name in values)}
WHEN NOT MATCHED THEN INSERT ({", ".join(columns)}) VALUES ({", ".join(f"s.{name}" for name in columns)})"""
    return sql, target


def filtered_by_subqueries(warehouse: Warehouse) -> Made:
    """CREATE TABLE AS with EXISTS, IN and a scalar subquery."""
    source, first, second = warehouse.table(), warehouse.table(), warehouse.table(("raw",))
    measure, text = source.of_type(MEASURE)[0], source.of_type("string")[0]
    second_text = second.of_type("string")[0]
    columns = {"id": "bigint", text: "string", measure: MEASURE, "above_average": "boolean", "band": "string"}
    target = Table(warehouse.name("mart", "selected"), columns)
    sql = f"""CREATE TABLE {target.name} AS
SELECT
  a.id,
  a.{text},
  a.{measure},
  a.{measure} > (SELECT AVG(x.{measure}) FROM {source.name} x WHERE x.{text} = a.{text}) AS above_average,
  CASE WHEN a.{measure} > 1000 THEN 'high' WHEN a.{measure} > 100 THEN 'middle' ELSE 'low' END AS band
FROM {source.name} a
WHERE EXISTS (SELECT 1 FROM {first.name} b WHERE b.id = a.id AND b.created_at > a.created_at)
  AND a.{text} IN (SELECT c.{second_text} FROM {second.name} c WHERE c.is_active)"""
    return sql, target


KINDS: tuple[Kind, ...] = (
    deduplicated_stage,
    cte_chain,
    union_of_systems,
    fact_summary,
    merged_dimension,
    deduplicated_stage,
    cte_chain,
    widened_star,
    running_totals,
    filtered_by_subqueries,
)


def _subject(table: Table) -> str:
    """The entity that a table is about, without its layer, system and number."""
    parts = table.name.split(".")[1].split("_")
    return next(part for part in (*parts, "wide") if part in ENTITIES or part == "wide")


def _core_columns(warehouse: Warehouse, source: Table) -> Iterator[tuple[str, str]]:
    chosen = {"id", "created_at", "updated_at", source.of_type("string")[0], source.of_type(MEASURE)[0]}
    chosen |= set(warehouse.some(list(source.columns), 4, 12))
    return ((name, kind) for name, kind in source.columns.items() if name in chosen)


def _shared_columns(tables: list[Table]) -> Columns:
    first, *others = tables
    return {name: kind for name, kind in first.columns.items() if all(name in other.columns for other in others)}


def _cleaned(name: str, kind: str) -> str:
    if kind == "string":
        return f"NULLIF(LOWER(TRIM({name})), '')"
    if kind.startswith("decimal"):
        return f"COALESCE(CAST({name} AS DECIMAL(18, 2)), 0)"
    return name


def _step(number: int, outputs: list[str], source: str) -> str:
    return f"step_{number} AS (\n  SELECT {', '.join(outputs)}\n  FROM {source}\n)"


def _derived(warehouse: Warehouse, columns: Columns, number: int) -> tuple[str, str, str]:
    """A new column over the columns that a step has: its name, type and expression."""
    measure = warehouse.rng.choice([name for name, kind in columns.items() if kind == MEASURE])
    text = warehouse.rng.choice([name for name, kind in columns.items() if kind == "string"])
    if warehouse.rng.random() < 0.5:
        rate = f"ROUND({measure} * 100 / NULLIF(SUM({measure}) OVER (PARTITION BY {text}), 0), 2)"
        return f"rate_{warehouse.made}_{number}", MEASURE, rate
    band = f"CASE WHEN {measure} > {number * 100} THEN CONCAT({text}, '-high') ELSE {text} END"
    return f"band_{warehouse.made}_{number}", "string", band


def _summary_type(name: str, groups: Columns) -> str:
    if name in groups:
        return "string"
    return {"month": "timestamp", "ids": "bigint"}.get(name, MEASURE)


def _lines(items: list[str]) -> str:
    return ",\n  ".join(items)
