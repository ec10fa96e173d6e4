"""A rendered node as a manifest has it; and what is to be said of the rendering as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from headwater.model.diagnostic import Code
from headwater.model.span import LineIndex
from headwater.project.dbt.adapters import dialect_of_adapter
from headwater.project.dbt.document import Document, text
from headwater.project.dbt.files import COMPILE
from headwater.project.dbt.first_call import first_call
from headwater.project.dbt.hooks import is_of_end, names_of_run
from headwater.project.dbt.places import Places
from headwater.project.dbt.profiles import Target
from headwater.project.dbt.remarks import Remarks
from headwater.project.dbt.rendering import Rendering
from headwater.project.dbt.template_node import Rendered, TemplateNode
from headwater.project.objects import Place

_NAMED = 8
"""Names that a message lists."""
_UNSEEN = "the template alone works with its result, which is not known"
_QUERIES = ("model", "snapshot", "analysis")


def rendered_document(node: TemplateNode, rendering: Rendering) -> Document:
    """A node as a manifest has it."""
    is_query = node.kind in _QUERIES and node.document.get("language") != "python"
    is_program = node.document.get("language") == "python"
    asked = rendering.asked_by(node) if is_program else {}
    hooks = rendering.hooks_of(node.unique_id) if is_program else ()
    made = (
        rendering.rendered(node.unique_id)
        if is_query
        else Rendered("", needs=tuple(each for each, _ in asked.values() if each), hooks=hooks or ())
    )
    relation = "" if node.is_ephemeral or node.kind == "analysis" else str(node.relation)
    return {
        **node.document,
        "alias": node.relation.identifier,
        "schema": node.relation.schema,
        "database": node.relation.database,
        "relation_name": relation,
        "compiled_code": node.template if is_program else made.sql,
        "asked": {call: relation for call, (_, relation) in asked.items()},
        "incremental_code": made.incremental,
        **({} if hooks is None else {"hooks": list(made.hooks)}),
        "template_problem": made.problem,
        "template_hint": rendering.hint_for(made.made_by) if made.made_by else "",
        "template_map": made.places,
        "incremental_map": made.incremental_places,
        "config": {**made.config, **node.config},
        "depends_on": {"nodes": list(made.needs)},
    }


def rendered_operations(operations: Iterable[Document], rendering: Rendering) -> Iterator[Document]:
    """Statements that run before or after all models, as a manifest has them; they see all models."""
    for document in operations:
        unique_id, name, package = (text(document, key) for key in ("unique_id", "name", "package_name"))
        node = TemplateNode(unique_id, name, "operation", package, text(document, "raw_code"), {}, dict(document))
        node.sees = names_of_run(rendering) if is_of_end(document) else {}
        rendering.operations[unique_id] = node
        made = rendering.rendered(unique_id)
        is_known = made.sql or not made.unknown
        yield {**document, "compiled_code": made.sql, "template_problem": made.problem} if is_known else document


def tell_of_target(target: Target, place: Place, remarks: Remarks) -> None:
    """Say which database the project was taken to be for, and who said so."""
    if not target.adapter or dialect_of_adapter(target.adapter) is None:
        return
    said = f"it is read as one for {target.adapter} ({target.told_by})"
    message = f"the project is not compiled: its templates are rendered without dbt; {said}, in schema {target.schema}"
    remarks.add(Code.TEMPLATE, message, place, hint=COMPILE)


def _tell_of_macros(rendering: Rendering, deps: str, place: Place, places: Places, remarks: Remarks) -> None:
    """Say which macros nobody has: where the first call of each is, and what its result stands for in which models."""
    costs: dict[str, dict[str, list[str]]] = {}
    first: dict[str, TemplateNode] = {}
    for unique_id, node in (*rendering.members.nodes.items(), *rendering.operations.items()):
        for macro, roles in rendering.done(unique_id).unknown.items():
            first.setdefault(macro, node)
            for words in [role.value for role in roles] or [_UNSEEN]:
                costs.setdefault(macro, {}).setdefault(words, []).append(unique_id.rpartition(".")[2])
    for macro, models in sorted(costs.items()):
        said = "; ".join(f"in {_listed(names, 'models')} {words}" for words, names in models.items())
        where = first_call(macro, first[macro], rendering, place, places)
        message = f"macro {macro} is not defined anywhere: {said}"
        remarks.add(Code.UNKNOWN_MACRO, message, where, subject=macro, hint=deps or rendering.hint_for(macro))


def tell_of_rendering(
    rendering: Rendering, missing: Iterable[str], place: Place, places: Places, remarks: Remarks
) -> None:
    """Say what was not there: macros, models, variables; each once, with what it costs and what would help."""
    absent = tuple(missing)
    deps = f"run `dbt deps`: {', '.join(absent[:_NAMED])} are not installed" if absent else COMPILE
    _tell_of_macros(rendering, deps if absent else "", place, places, remarks)
    for (package, name), why in sorted(rendering.library.broken.items()):
        remarks.add(Code.TEMPLATE, f"macro {package}.{name} is not available: {why}", place, subject=name, hint=COMPILE)
    for unique_id, why in rendering.broken_hooks.items():
        message = f"a hook of {unique_id} cannot be rendered: {why}"
        remarks.add(Code.UNREAD_MODEL, message, place, subject=unique_id, hint="nothing of it is analysed")
    tell_of_missing(rendering, place, remarks, f"correct the name; or {deps}" if absent else _HOW_TO_MEND)
    if rendering.missing_sources:
        names = _listed([*rendering.missing_sources], "sources")
        message = f"sources that no file declares are taken for tables: {names}"
        remarks.add(Code.TEMPLATE, message, place, hint=deps if absent else "declare them in a YAML file")
    if rendering.environment.missing:
        names = _listed([*rendering.environment.missing], "environment variables")
        message = f"environment variables that are not set have their own names as values: {names}"
        remarks.add(Code.TEMPLATE, message, place, hint="set them")
    if rendering.required:
        names = _listed([*rendering.required], "variables")
        message = f"variables that have neither a value nor a default have their own names as values: {names}"
        remarks.add(Code.TEMPLATE, message, place, hint="set them with --vars, or in dbt_project.yml")
    off = [node for node in rendering.members.nodes.values() if node.switches]
    if off:
        switches = _listed(sorted({name for node in off for name in node.switches}), "variables")
        message = (
            f"{len(off)} models or seeds are disabled unless variables are set ({switches}); they are read all the same"
        )
        remarks.add(Code.TEMPLATE, message, place, hint="set the variables with --vars, or in dbt_project.yml")
    asked = [node.rpartition(".")[2] for node in rendering.members.nodes if rendering.done(node).asked]
    if asked:
        message = f"one row stands for all that models would ask the database for: {_listed(asked, 'models')}"
        remarks.add(Code.TEMPLATE, message, place, hint=COMPILE)


_HOW_TO_MEND = "correct the name, or add the model to the project"


def tell_of_missing(rendering: Rendering, project: Place, remarks: Remarks, hint: str) -> None:
    """Say which models are referred to and are not there: the first few where they are referred to, the others together."""
    names = list(rendering.missing)
    for name in names[:_NAMED]:
        message = f"ref names {name}, a model that is not there: it is taken for a table"
        place = _place_of_ref(rendering, name, project)
        remarks.add(Code.TEMPLATE, message, place, subject=name, hint=hint)
    if names[_NAMED:]:
        message = f"other models that are referred to, but not there, are taken for tables: {_listed(names[_NAMED:], 'models')}"
        remarks.add(Code.TEMPLATE, message, project, hint=hint)


def _place_of_ref(rendering: Rendering, name: str, project: Place) -> Place:
    """Where a template names a model; the project's file where no file of the project names it: a macro or a package does."""
    node = rendering.missing[name]
    if node is None or node.stands_in is None or node.package != rendering.project:
        return project
    quoted = re.search(rf"""["']{re.escape(name)}["']""", node.template)
    path = node.document.get("original_file_path")
    if quoted is None or not isinstance(path, str):
        return project
    content, offset = node.stands_in
    at = LineIndex(content).position(offset + quoted.start())
    return Place((PurePosixPath(project.path).parent / path).as_posix(), at.line, at.column)


def _listed(names: list[str], word: str) -> str:
    """Some names: all of them if they are few, else the first and how many there are."""
    if len(names) <= _NAMED:
        return ", ".join(names)
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} other {word}"
