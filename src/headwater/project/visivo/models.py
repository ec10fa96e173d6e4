"""Models: SQL of a source, the output of a command, or a merge of other models."""

from __future__ import annotations

from headwater.model.diagnostic import Code
from headwater.project.objects import Model, Source
from headwater.project.text import reference
from headwater.project.visivo.expressions import filled
from headwater.project.visivo.fields import read_fields, read_relations
from headwater.project.visivo.merge import MODEL_TABLE, models_schema, with_references, with_schemas
from headwater.project.visivo.reading import Reading
from headwater.project.visivo.sources import echoed_columns, source_of
from headwater.project.yaml_value import Entries, Items, Text, Value


def read_models(reading: Reading, value: Value | None, what: str = "models") -> None:
    """The models of a list."""
    for entries in reading.objects(value, what):
        read_model(reading, entries)


def read_model(reading: Reading, entries: Entries, otherwise: str = "") -> str:
    """A model and what is defined in it; its name comes back, empty if it has none."""
    name = reading.name(entries, "a model", otherwise)
    if not name or not reading.claim(name, entries.place):
        return name
    model = _model(reading, entries, name)
    if model is not None:
        reading.models.append(model)
    read_fields(reading, entries, name)
    read_relations(reading, entries.get("relations"))
    return name


def model_named(reading: Reading, value: Value | None, owner: str) -> str:
    """The name of the model that stands at a place, by reference or as a whole; empty if there is none."""
    if isinstance(value, Entries):
        return read_model(reading, value, f"{owner}.model")
    text = reading.text(value, f"the model of {owner}")
    if text is None:
        return ""
    meant = reference(text.value)
    return meant.name if meant else reading.setting(text, f"the model of {owner}")


def note_commands(reading: Reading, value: Value | None) -> None:
    """Notes the tables of models that are a command's output: a merge that comes before them has to know."""
    for entries in value.values if isinstance(value, Items) else ():
        if isinstance(entries, Entries) and "args" in entries.values:
            name = entries.get("name")
            table = entries.get("table_name")
            if isinstance(name, Text) and isinstance(table, Text):
                reading.command_tables[name.value.strip()] = table.value.strip()


def _model(reading: Reading, entries: Entries, name: str) -> Model | None:
    description = reading.wording(entries.get("description"), f"the description of {name}")
    if "args" in entries.values:
        made = Source(f"{name}.source", "duckdb", entries.place)
        columns = echoed_columns(reading, entries.get("args"))
        return Model(name, "", made, entries.place, materialized="nothing", columns=columns, description=description)
    text = reading.text(entries.get("sql"), f"the SQL of {name}")
    if text is None:
        hint = "give it sql, or args"
        reading.remark(Code.INVALID_PROJECT, f"the model {name} has no SQL", entries.place, name, hint)
        return None
    is_merge = "models" in entries.values
    merge = Source(f"{name}.source", "duckdb", entries.place, models_schema(reading.project))
    source = merge if is_merge else source_of(reading, entries, name)
    sql = with_references(filled(reading, text, 0, len(text.value)), reading.project, source.dialect)
    if is_merge:
        sql = with_schemas(sql, _merged(reading, entries.get("models"), name))
    return Model(name, sql.strip(), source, text.at(0), description=description)


def _merged(reading: Reading, value: Value | None, name: str) -> dict[str, str]:
    """The models that a merge reads, and the table that it finds each in."""
    note_commands(reading, value)
    items = reading.items(value, f"the models of {name}")
    names = [model_named(reading, item, f"{name}.{number}") for number, item in enumerate(items)]
    return {merged: reading.command_tables.get(merged, MODEL_TABLE) for merged in names if merged}
