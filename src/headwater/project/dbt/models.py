"""dbt's models and analyses: queries that are compiled already.

Ephemeral models stand as common table expressions inside of those that use them, so they become nothing of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from headwater.model.diagnostic import Code
from headwater.project.dbt.document import Document, inner, inners, text, texts
from headwater.project.dbt.documented import tags_of_columns
from headwater.project.dbt.naming import table_of
from headwater.project.dbt.python_frames import query_of_frame
from headwater.project.dbt.python_models import Asked, read_program
from headwater.project.dbt.reading import Reading
from headwater.project.dbt.template_places import template_places
from headwater.project.objects import Model, Place
from headwater.project.program import query_of_program
from headwater.source.template_map import TemplateMap
from headwater.sql.quoted import bare_name

Materialized = Literal["view", "table", "nothing"]

_LINE = re.compile(r"line (\d+): ")
_VIEWS = frozenset({"view", "materialized_view", "materializedview"})


def read_models(reading: Reading) -> Iterator[Model]:
    """The project's models and those of its packages."""
    for node in reading.manifest.of_type("model"):
        if text(node, "language") == "python":
            yield _python_model(node, reading)
        else:
            sql = compiled_sql(node, reading)
            yield query_model(node, reading, sql, _materialized(node), template_places(node, reading, sql))


def read_analyses(reading: Reading) -> Iterator[Model]:
    """Queries that become no table."""
    for node in reading.manifest.of_type("analysis"):
        sql = compiled_sql(node, reading)
        yield query_model(node, reading, sql, "view" if sql else "nothing", template_places(node, reading, sql))


def compiled_sql(node: Document, reading: Reading) -> str:
    """The SQL that the database gets; empty, with a remark, where it was not compiled."""
    sql = text(node, "compiled_code") or text(node, "compiled_sql")
    if not sql:
        name = text(node, "unique_id")
        problem = text(node, "template_problem")
        message = f"{name} cannot be rendered: {problem}" if problem else f"{name} is not compiled: its SQL is unknown"
        compile = "run `dbt compile`" if problem else "run `dbt compile`; `dbt parse` and `dbt ls` compile nothing"
        hint = text(node, "template_hint") or compile
        reading.remarks.add(Code.UNREAD_MODEL, message, _place_of(problem, node, reading), subject=name, hint=hint)
    return sql


def _place_of(problem: str, node: Document, reading: Reading) -> Place:
    """The line of a node's file that a problem names."""
    place = reading.places.of_file(node)
    line = _LINE.match(problem)
    return place._replace(line=int(line[1])) if line else place


def query_model(
    node: Document, reading: Reading, sql: str, materialized: Materialized, places: TemplateMap | None = None
) -> Model:
    """A node that is a query; without its SQL it is a table of which only columns are known."""
    columns = reading.columns_of(node) if not sql else None
    added_places = node.get("incremental_map")
    return Model(
        name=text(node, "unique_id"),
        sql=sql,
        source=reading.source,
        place=reading.places.of_file(node),
        table=table_of(node, reading.dialect),
        materialized=materialized if sql else "nothing",
        columns=columns or None,
        tags=tags_of_columns(node),
        description=text(node, "description"),
        added=text(node, "incremental_code") if sql else "",
        hooks=_hooks(node),
        places=places,
        added_places=added_places if isinstance(added_places, TemplateMap) else None,
        before=_header(node) if sql else (),
    )


def _header(node: Document) -> tuple[str, ...]:
    """The statements that `sql_header` puts before a model; in a manifest it is a template, of which only a plain one can be read."""
    header = text(inner(node, "config"), "sql_header").strip().rstrip(";")
    return (header,) if header and "{{" not in header and "{%" not in header else ()


def _hooks(node: Document) -> tuple[str, ...]:
    """What runs before and after a model; hooks in a manifest are templates, of which only plain ones can be read."""
    config = inner(node, "config")
    keys = ("pre-hook", "pre_hook", "post-hook", "post_hook")
    given = (
        found for key in keys for found in (*texts(config, key), *(text(each, "sql") for each in inners(config, key)))
    )
    plain = (hook for hook in dict.fromkeys(given) if "{{" not in hook and "{%" not in hook)
    return tuple(each for each in (*texts(node, "hooks"), *(() if "hooks" in node else plain)) if each.strip())


def _python_model(node: Document, reading: Reading) -> Model:
    """A program: each of its columns, where these are known, is made of all that it reads."""
    name, program = text(node, "unique_id"), text(node, "compiled_code") or text(node, "compiled_sql")
    asked = _asked(node, reading)
    sql = query_of_frame(program, lambda call: asked.get(call, ""), reading.dialect)
    if sql:
        return query_model(node, reading, sql, "table")
    made = read_program(program)
    needed = (reading.relations.get(each, "") for each in texts(inner(node, "depends_on"), "nodes"))
    tables = dict.fromkeys((*asked.values(), *needed, *made.tables, *(f"({query})" for query in made.queries)))
    listed = map(bare_name, reading.columns_of(node))
    sql = query_of_program([table for table in tables if table], listed, reading.dialect)
    known = "each of its columns is taken to be made of all that it reads" if sql else "nothing in it is analysed"
    hint = "`headwater.spark.capture` records what such programs do"
    message = f"{name} is written in Python: {known}"
    reading.remarks.add(Code.UNSUPPORTED_CONSTRUCT, message, reading.places.of_file(node), subject=name, hint=hint)
    return query_model(node, reading, sql, "table" if sql else "nothing")


def _asked(node: Document, reading: Reading) -> Mapping[Asked, str]:
    """The relations that a program asks for: known from the project's files, or by the names of what a manifest says that it needs."""
    known = node.get("asked")
    if isinstance(known, Mapping):
        return known
    found: dict[Asked, str] = {}
    for call in read_program(text(node, "compiled_code") or text(node, "compiled_sql")).asked:
        for unique_id in texts(inner(node, "depends_on"), "nodes"):
            parts = tuple(unique_id.split("."))
            names = call.names[-1:] if call.function == "ref" else call.names
            if parts[-len(names) :] == names or (call.function == "ref" and parts[2:3] == names):
                found.setdefault(call, reading.relations.get(unique_id, ""))
    return found


def _materialized(node: Document) -> Materialized:
    """What a model becomes; custom materializations make tables, as far as anybody knows."""
    how = text(inner(node, "config"), "materialized") or "view"
    if how == "ephemeral":
        return "nothing"
    return "view" if how in _VIEWS else "table"
