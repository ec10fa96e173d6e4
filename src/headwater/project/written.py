"""A project's statement as one line of JSON, and back, so that it travels as a script's text does."""

from __future__ import annotations

import json

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import EntityKind
from headwater.project.objects import Place
from headwater.project.statement import ProjectStatement
from headwater.source.template_map import TemplateMap


def written(statement: ProjectStatement) -> str:
    """A statement, written down in one order only, without its place."""
    content: dict[str, object] = {
        "entity": statement.entity,
        "kind": statement.kind.value,
        "dialect": statement.dialect,
        "default_schema": statement.default_schema,
        "sql": statement.sql,
        "reads": statement.reads,
        "spelled": statement.spelled,
        "remarks": [written_remark(said) for said in dict.fromkeys(said for said, _ in statement.remarks)],
    }
    if statement.places is not None:
        content["places"] = statement.places.numbers()
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def read(text: str, place: Place = Place("")) -> ProjectStatement:  # noqa: B008
    """A statement that was written down."""
    content = json.loads(text)
    default = content["default_schema"]
    return ProjectStatement(
        tuple(content["entity"]),
        EntityKind(content["kind"]),
        content["sql"],
        content["dialect"],
        tuple(default) if default else None,
        place,
        None if content["reads"] is None else tuple(map(tuple, content["reads"])),
        tuple((sql, shown) for sql, shown in content["spelled"]),
        tuple((read_remark(said), place) for said in content["remarks"]),
        TemplateMap.of_numbers(content["places"]) if "places" in content else None,
    )


def written_remark(said: Diagnostic) -> list[str]:
    """What is wrong, written down."""
    return [said.code.value, said.message, said.subject, said.hint]


def read_remark(said: list[str]) -> Diagnostic:
    """What is wrong, and was written down."""
    code, message, subject, hint = said
    return Diagnostic(Code(code), message, None, subject, hint)
