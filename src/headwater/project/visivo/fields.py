"""Dimensions, metrics and relations, of a model or of the project."""

from __future__ import annotations

from typing import Literal, get_args

from headwater.model.diagnostic import Code
from headwater.project.objects import Field, Relation
from headwater.project.visivo.expressions import sql
from headwater.project.visivo.reading import Reading
from headwater.project.yaml_value import Entries, Value

Kind = Literal["dimension", "metric"]
Join = Literal["inner", "left", "right", "full"]
_KINDS: tuple[Kind, ...] = get_args(Kind)
_JOINS: dict[str, Join] = {join: join for join in get_args(Join)}


def read_fields(reading: Reading, entries: Entries, model: str = "") -> None:
    """The dimensions and metrics that stand in a model, or in a file for the project as a whole."""
    for kind in _KINDS:
        for field in reading.objects(entries.get(f"{kind}s"), f"{kind}s of {model}" if model else f"{kind}s"):
            _read_field(reading, kind, field, model)


def _read_field(reading: Reading, kind: Kind, entries: Entries, model: str) -> None:
    name = reading.name(entries, f"a {kind}")
    text = reading.text(entries.get("expression", "sql"), f"the expression of {name}")
    if name and text is None:
        message = f"the {kind} {name} has no expression"
        reading.remark(Code.INVALID_PROJECT, message, entries.place, name, "say by which SQL it is worked out")
    if not name or text is None or not reading.claim(name, entries.place, model):
        return
    description = reading.wording(entries.get("description"), f"the description of {name}")
    reading.fields.append(Field(kind, name, sql(reading, text), entries.place, model, description=description))


def read_relations(reading: Reading, value: Value | None) -> None:
    """The relations of a list."""
    for entries in reading.objects(value, "relations"):
        condition = reading.text(entries.get("condition"), "the condition of a relation")
        if condition is None:
            hint = "say on what the models are joined"
            reading.remark(Code.INVALID_PROJECT, "a relation has no condition", entries.place, "relation", hint)
            continue
        expression = sql(reading, condition)
        name = reading.name(entries, "a relation", " and ".join(dict.fromkeys(r.name for r in expression.references)))
        if name and reading.claim(name, entries.place):
            default = reading.wording(entries.get("is_default"), f"is_default of {name}").lower() in {
                "true",
                "yes",
                "on",
            }
            reading.relations.append(Relation(name, expression, entries.place, _join(reading, entries, name), default))


def _join(reading: Reading, entries: Entries, name: str) -> Join:
    value = entries.get("join_type")
    join = reading.wording(value, f"the join_type of {name}").lower().removesuffix(" outer") or "inner"
    if value is not None and join not in _JOINS:
        hint = f"one of {', '.join(_JOINS)}; it is taken for inner"
        reading.remark(
            Code.INVALID_PROJECT, f"the relation {name} has no such join_type: {join}", value.place, name, hint
        )
    return _JOINS.get(join, "inner")
