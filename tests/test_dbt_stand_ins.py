"""Stand-ins for macros of dbt and its packages: all adapters give the same lineage, and all of it is read.

Whether it is the lineage of the real macros is the business of `benchmarks/stand_ins.py`, which needs a dbt.
"""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import pytest

import headwater
from headwater.model.entity import PSEUDO_ROWS
from headwater.project.dbt.stand_ins import stand_in_macros, stand_in_names
from stand_in_models import MODELS, MORE_MODELS, TABLES, VARIABLES, whole_model

DIALECTS = {
    "snowflake": "snowflake",
    "bigquery": "bigquery",
    "databricks": "databricks",
    "spark": "spark",
    "redshift": "redshift",
    "duckdb": "duckdb",
    "postgres": "postgres",
}
ALL_MODELS = [
    (package, name, text)
    for package, models in itertools.chain(MODELS.items(), MORE_MODELS.items())
    for name, text in models.items()
]
ROOT = Path(__file__).parent.parent


class Returned(Exception):
    def __init__(self, value: object) -> None:
        self.value = value


class Column(SimpleNamespace):
    def is_string(self) -> bool:
        return bool(self.dtype == "varchar")


class Relation(SimpleNamespace):
    def __str__(self) -> str:
        return str(self.identifier)


class Environment(jinja2.Environment):
    """dbt's Jinja, as far as stand-ins need it; *known* says whether the columns of tables are known."""

    def __init__(self, adapter: str, known: bool = True) -> None:
        super().__init__(extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"], undefined=jinja2.StrictUndefined)
        self.adapter, self.known = adapter, known
        quote = "`" if adapter in ("bigquery", "databricks", "spark") else '"'
        self.globals |= {
            "target": SimpleNamespace(type=adapter, name="dev", schema="main", database="scratch"),
            "adapter": SimpleNamespace(
                get_columns_in_relation=self.columns,
                quote=lambda name: f"{quote}{self.stored(name)}{quote}",
                get_relation=lambda database, schema, identifier: None,
            ),
            "api": SimpleNamespace(Relation=SimpleNamespace(create=Relation)),
            "ref": lambda name: Relation(database="scratch", schema="main", identifier=name),
            "return": self.returned,
            "var": lambda name, default=None: VARIABLES.get(name, default),
            "execute": True,
            "run_query": lambda sql: None,
            "graph": SimpleNamespace(sources={}, nodes=dict(self.nodes())),
            "model": SimpleNamespace(name="model"),
            "config": SimpleNamespace(get=lambda name: None),
            "flags": SimpleNamespace(FULL_REFRESH=False),
            "log": lambda message, info=False: "",
            "modules": SimpleNamespace(
                datetime=datetime, re=re, pytz=SimpleNamespace(timezone=lambda name: datetime.timezone.utc)
            ),
        }
        for package, files in stand_in_macros().items():
            self.globals[package] = SimpleNamespace()
            for _, text in files:
                for name, macro in self.macros(text).items():
                    setattr(self.globals[package], name, self.callable(macro))

    def macros(self, text: str) -> dict[str, Any]:
        template = self.from_string(text)
        context = template.new_context(self.globals, shared=True)
        assert "".join(template.root_render_func(context)).strip() == ""
        return context.vars

    def callable(self, macro: Any) -> Any:
        def called(*args: object, **named: object) -> object:
            try:
                return macro(*args, **named)
            except Returned as returned:
                return returned.value

        return called

    def returned(self, value: object) -> None:
        raise Returned(value)

    def stored(self, name: str) -> str:
        return name.upper() if self.adapter == "snowflake" and name.islower() else name

    def columns(self, relation: object) -> list[Column]:
        columns = TABLES[str(relation)] if self.known else {}
        return [Column(name=self.stored(name), dtype=type, quoted=name) for name, type in columns.items()]

    def nodes(self) -> Iterator[tuple[str, SimpleNamespace]]:
        for table in TABLES:
            yield table, SimpleNamespace(resource_type="model", alias=table, schema="main", database="scratch")


ENVIRONMENTS: dict[tuple[str, bool], Environment] = {}


def rendered(text: str, adapter: str, known: bool = True) -> str:
    if (adapter, known) not in ENVIRONMENTS:
        ENVIRONMENTS[adapter, known] = Environment(adapter, known)
    return ENVIRONMENTS[adapter, known].from_string(whole_model(text)).render()


def schema(adapter: str) -> Mapping[str, Any]:
    return {table: dict.fromkeys(columns, "int") for table, columns in TABLES.items()}


def analysed(sql: str, adapter: str, known: bool = True) -> headwater.Lineage:
    return headwater.analyze(sql, dialect=DIALECTS[adapter], schema=schema(adapter) if known else None)


def lineage_of(sql: str, adapter: str) -> tuple[list[str], set[tuple[str, str]]]:
    """The output columns, and which column flows into which or decides about it; case is the adapter's."""
    lineage = analysed(sql, adapter)
    assert [f"{each.code.value}: {each.message}" for each in lineage.diagnostics] == [], sql
    [statement] = lineage.statements
    resolution = statement.resolution
    outputs = [resolution.columns[each][1].lower() for each in resolution.outputs]
    edges = [each for each in lineage.column_edges() if PSEUDO_ROWS not in (each.source.column, each.target.column)]
    return outputs, {(each.target.column.lower(), str(each.source).lower()) for each in edges}


def test_every_file_is_jinja() -> None:
    environment = jinja2.Environment(extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"])
    for files in stand_in_macros().values():
        for _, text in files:
            environment.parse(text)


def test_every_macro_stands_once_in_its_package() -> None:
    for package, names in stand_in_names().items():
        assert len(set(names)) == len(names), package


@pytest.mark.parametrize(
    ("package", "name", "text"), ALL_MODELS, ids=[f"{package}.{name}" for package, name, _ in ALL_MODELS]
)
def test_all_adapters_give_the_same_lineage(package: str, name: str, text: str) -> None:
    found = {adapter: lineage_of(rendered(text, adapter), adapter) for adapter in DIALECTS}
    assert {adapter: each for adapter, each in found.items() if each != found["duckdb"]} == {}, found["duckdb"]
