"""Statements around models: hooks of a model's configuration, and what runs before and after all models.

    on-run-end: "{% for schema in schemas %} grant usage on schema {{ schema }} to reader; {% endfor %}"

They are templates. Those that run after all models see what has run: `schemas`, `database_schemas`, `results`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from headwater.model.diagnostic import Code
from headwater.project.dbt.document import Document, inner, text, texts, written
from headwater.project.dbt.package import Package
from headwater.project.dbt.reading import Reading
from headwater.project.objects import Operation, Place

if TYPE_CHECKING:
    from headwater.project.dbt.rendering import Rendering

RUN_START, RUN_END = "on-run-start", "on-run-end"
_OF_MODELS = (("pre_hook", "pre-hook"), ("post_hook", "post-hook"))
_RUN = ("model", "seed", "snapshot")
"""Kinds of nodes that a run makes tables of."""


def hook_templates(config: Mapping[str, object], also: Mapping[str, object]) -> Iterator[str]:
    """The hooks of a configuration, and those of another one that it lacks: those before the model first."""
    for keys in _OF_MODELS:
        own = [hook for key in keys for hook in _hooks(config.get(key))]
        yield from own
        yield from (hook for key in keys for hook in _hooks(also.get(key)) if hook not in own)


def _hooks(given: object) -> Iterator[str]:
    for hook in given if isinstance(given, (list, tuple)) else (given,):
        found = written(hook.get("sql")) if isinstance(hook, Mapping) else written(hook)
        if found:
            yield found


def run_hooks(package: Package) -> Iterator[Document]:
    """What a package runs before and after all models, as a manifest has it."""
    for kind in (RUN_START, RUN_END):
        for index, template in enumerate(texts(package.settings, kind)):
            name = f"{package.name}-{kind}-{index}"
            yield {
                "unique_id": f"operation.{package.name}.{name}",
                "name": name,
                "resource_type": "operation",
                "package_name": package.name,
                "original_file_path": "./dbt_project.yml",
                "tags": [kind],
                "index": index,
                "raw_code": template,
            }


def is_of_end(node: Document) -> bool:
    """Whether a statement runs after all models."""
    return RUN_END in texts(node, "tags") or RUN_END in texts(inner(node, "config"), "tags")


def names_of_run(rendering: Rendering) -> dict[str, Any]:
    """What a template sees of a run in which all models were made."""
    ran = [node for node in rendering.members.nodes.values() if node.kind in _RUN and not node.is_ephemeral]
    pairs = dict.fromkeys((node.relation.database, node.relation.schema) for node in ran)
    return {
        "schemas": list(dict.fromkeys(schema for _, schema in pairs)),
        "database_schemas": list(pairs),
        "results": [_result(node.document) for node in ran],
    }


def _result(node: Document) -> SimpleNamespace:
    """A result as templates see it: that of a success."""
    return SimpleNamespace(
        node=node,
        status="success",
        message="",
        failures=None,
        execution_time=0.0,
        adapter_response={},
        timing=[],
        thread_id="Thread-1",
    )


def read_operations(reading: Reading) -> Iterator[Operation]:
    """The statements of a project that run before and after all models."""
    unread = 0
    for node in reading.manifest.of_type("operation"):
        name, problem = text(node, "unique_id"), text(node, "template_problem")
        place = reading.places.of_item(node, RUN_END if is_of_end(node) else RUN_START)
        is_rendered = "compiled_code" in node
        sql = text(node, "compiled_code" if is_rendered else "raw_code").strip()
        if problem:
            message = f"{name} cannot be rendered: {problem}"
            reading.remarks.add(Code.UNREAD_MODEL, message, place, subject=name, hint="nothing of it is analysed")
        elif not is_rendered and is_template(sql):
            unread += 1
        elif sql:
            yield Operation(name, sql, reading.source, place, first=not is_of_end(node))
    if unread:
        _say_unread(f"{unread} statements before or after all models", reading)
    models = [node for node in reading.manifest.of_type("model", "snapshot") if _has_unread_hooks(node)]
    if models:
        _say_unread(f"hooks of {len(models)} model{'s' * (len(models) != 1)}", reading)


def _say_unread(what: str, reading: Reading) -> None:
    message = f"{what} are templates that cannot be rendered here: they are not read"
    hint = "read the project's folder with its packages: run `dbt deps`"
    reading.remarks.add(Code.TEMPLATE, message, Place(reading.folder.project_file), hint=hint)


def _has_unread_hooks(node: Document) -> bool:
    """Whether a manifest has templates for a node's hooks, and nobody has rendered them."""
    return "hooks" not in node and any(is_template(each) for each in hook_templates(inner(node, "config"), {}))


def is_template(sql: str) -> bool:
    """Whether a text has tags."""
    return "{{" in sql or "{%" in sql
