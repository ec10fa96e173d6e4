"""Recursion on input: each function that calls itself is here, with the reason why it may.

Python gives up after a thousand calls, so a function that calls itself once for each level of the input fails on deep scripts. A list
of what is still to be done has no such limit. The test reads the source code: it finds functions that call themselves, directly or by
way of others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import headwater

ROOT = Path(headwater.__file__).parent
Function = tuple[str, str]
"""A module of ours, and the name of a function or method in it."""

STATEMENT = "runs inside of the statement boundary, where RecursionError sends the statement to a worker"
PROGRAM = "one call per nested block of a program, inside of the boundary that makes `too-deep` of RecursionError"

SCRIPT = "one call per level of syntax or of values: RecursionError is a diagnostic for the file in `dataform.session` and `dataform.read`"
DOCUMENT = "one call per level of a document, of which `files.parse_json` and `yaml_value` take 200"
SPARK_PLAN = "runs inside of `answer._read` or `capturing.reading.guarded`, which make a diagnostic of RecursionError"
ANALYZER = "runs inside of `analyzers.answer._read`, which makes a diagnostic of RecursionError"
TEMPLATE = "runs while a template is rendered, where `jinja_sandbox` makes `unreadable-file` or `unread-model` of RecursionError"
SCHEMA_FILE = "at most `_MAX_DEPTH` levels of a type, which it counts"
PYTHON = "one call per level of a Python program: RecursionError is a diagnostic for the file or model"
NESTED_TAGS = "one call per nested tag of a template that Jinja has parsed, which takes fewer levels"
TESTED_TYPE = "one call per level of a type, of which `verify.tables` takes 16"
OWN_TYPE = "one call per level of a type of our own tables"
NO_INPUT = "goes through our own values, which have one or two levels"
WRAPPED = "calls the method of the same name of an object that it holds, which is of another class"

NESTING = "one call per level of syntax, which the parser counts (`js_tokens.MAX_NESTING`)"

REASONS = {
    "procedural.escape:_escapes": PROGRAM,
    "procedural.origin:State.get": PROGRAM,
    "procedural.program:_of_program": PROGRAM,
    "procedural.run:Run._do": PROGRAM,
    "project.dataform.js_class:_build": "one call per parent of a class, at most `_MAX_ANCESTORS`",
    "project.dataform.js_parser:Parser._arguments": NESTING,
    "project.dataform.js_tokens:Lexer._until": NESTING,
    "project.dataform.js_run:Machine._value": SCRIPT,
    "project.dataform.js_run:Machine._text": SCRIPT,
    "project.dataform.js_run:_shown": SCRIPT,
    "project.dataform.js_values:text_of": "one level: lists inside of lists are followed by a list of those under way",
    "project.dataform.session:Session._exports": "one call per file that requires another, each once; too many cost the rest of a file",
    "order.schedule:Schedule._next": "goes on to a script that is not begun, and that one asks only for those that are",
    "sql.possessive:_Translation.run": "reads patterns of our own, not input",
    "sql.mentions.strings:unswallowed": "at most three levels, which it counts",
    "sql.template_loops:_Unrolling.tokens": "one call per nested loop of a template, at most `MAX_NESTING`",
    "sql.template_loops:_value": "makes RecursionError an unknown value",
    "sql.variables:_trees": STATEMENT,
    "sql.place:Places.span": "unwraps one `Elsewhere`, which never holds another",
    "sql.reading.table_elements:_element": STATEMENT,
    "sql.reading.table_source:_table": STATEMENT,
    "sql.reading.yaml_outline:_flow": STATEMENT,
    "sql.reading.yaml_outline:_Reader.block": STATEMENT,
    "sql.reading.metric_view:_Yaml._joins": STATEMENT,
    "sql.respell.json_functions:without_options": STATEMENT,
    "sql.respell.oracle_model:_Columns._written_out": STATEMENT,
    "sql.parse:parse": PROGRAM,
    "sql.procedural.declare:declared_as": PROGRAM,
    "sql.procedural.javascript:_Script._value": PROGRAM,
    "sql.procedural.javascript:_Script.steps": PROGRAM,
    "sql.procedural.label:_goes_to": PROGRAM,
    "sql.procedural.label:without_labels": PROGRAM,
    "sql.procedural.loop:_depends_on_order": PROGRAM,
    "sql.procedural.loop:_named": PROGRAM,
    "sql.procedural.routine:_routine": PROGRAM,
    "sql.procedural.text:_operands": PROGRAM,
    "sql.procedural.text:texts_of": PROGRAM,
    "sql.procedural.tree:inner_programs": PROGRAM,
    "analyzers.catalyst.alias:named": SPARK_PLAN,
    "analyzers.catalyst.expression_text:_text": "at most `_DEEP` levels, which it counts",
    "analyzers.catalyst.flow:flow": SPARK_PLAN,
    "analyzers.catalyst.nested:_aggregates": SPARK_PLAN,
    "analyzers.catalyst.nested:_fields": SPARK_PLAN,
    "analyzers.catalyst.nested:_parts": SPARK_PLAN,
    "analyzers.catalyst.places:_is_of_iceberg": SPARK_PLAN,
    "analyzers.catalyst.plan:_inlined": SPARK_PLAN,
    "analyzers.catalyst.reading:_around": SPARK_PLAN,
    "analyzers.catalyst.reading:_statements": SPARK_PLAN,
    "analyzers.catalyst.rewritten:_is_same": SPARK_PLAN,
    "analyzers.catalyst.struct_change:_changed_fields": SPARK_PLAN,
    "analyzers.catalyst.update:_path": SPARK_PLAN,
    "analyzers.zetasql.flow:flow": ANALYZER,
    "analyzers.zetasql.message:Messages.tree": ANALYZER,
    "analyzers.zetasql.message:Messages.type": ANALYZER,
    "analyzers.zetasql.tree:Type.struct": "an array's element is no array in GoogleSQL",
    "analyzers.zetasql.type_text:_typed": ANALYZER,
    "catalog.catalog:Catalog.find": WRAPPED,
    "catalog.catalog:_columns": "a description has columns, and these have none",
    "catalog.catalog:_flat": DOCUMENT,
    "catalog.known:Known.as_json": WRAPPED,
    "catalog.known:Known.of_json": WRAPPED,
    "catalog.schema_file:_avro_type": SCHEMA_FILE,
    "catalog.schema_file:_bigquery": SCHEMA_FILE,
    "catalog.schema_file:_json_type": SCHEMA_FILE,
    "catalog.source:read_catalog": "of a folder, for the files in it",
    "export.atlas.types:slim": NO_INPUT,
    "graph.graph:Graph.column": WRAPPED,
    "graph.graph:Graph.columns": WRAPPED,
    "graph.graph:Graph.find": WRAPPED,
    "graph.graph:Graph.table": WRAPPED,
    "lineage.script_level:_Collapsing._follow": "gives generators to `run`, which keeps a list of those under way",
    "pipeline.extract.unit:_Analysis.__init__": "names its own class, and makes no object of it",
    "project.dbt.context.functions:_simple": TEMPLATE,
    "project.dbt.known_columns:KnownColumns.of": "columns of what a model reads are found before, from a list",
    "project.dbt.macros.unknown_arguments:_arguments": TEMPLATE,
    "project.dbt.macros.unknown_calls:UnknownCalls._called": "at most `_DEEPEST` levels, which it counts",
    "project.dbt.places:_entries": "at most eight names, which it counts",
    "project.dbt.python_frames:_Frames._columns": PYTHON,
    "project.dbt.python_frames:_Frames._item": PYTHON,
    "project.dbt.python_frames:_Frames._query": PYTHON,
    "project.dbt.rendering:Rendering._collect": "at most `_DEEPEST` levels, which it counts",
    "project.dbt.rendering:rendered_settings": DOCUMENT,
    "project.dbt.surroundings:Surroundings._value": DOCUMENT,
    "project.sqlmesh.config_program:_Reader._value": PYTHON,
    "project.sqlmesh.macros:Macros.written": "`Macros` counts the levels, and `read` makes a diagnostic of RecursionError",
    "project.sqlmesh.macros:Macros.items": "`Macros` counts the levels, and `read` makes a diagnostic of RecursionError",
    "project.sqlmesh.truth:_one": "`read` makes a diagnostic of RecursionError",
    "project.sqlmesh.variables:_sql": "one call per level of a value, of which YAML and `config_program` take 200",
    "project.visivo.dashboards:_rows": DOCUMENT,
    "project.visivo.expressions:properties": DOCUMENT,
    "project.visivo.models:read_model": DOCUMENT,
    "project.yaml_plain:_plain": DOCUMENT,
    "report.html:_cell": NO_INPUT,
    "report.markdown:_cell": NO_INPUT,
    "resolve.alter:alter": STATEMENT,
    "resolve.create_semantic_view:_written_out": STATEMENT,
    "resolve.field:field_of": STATEMENT,
    "resolve.foreign_key:foreign_keys": STATEMENT,
    "resolve.foreign_key:primary_key": STATEMENT,
    "resolve.json_table:_declared": STATEMENT,
    "resolve.name_pattern:_predicate": STATEMENT,
    "resolve.naming:_postgres": STATEMENT,
    "resolve.pivot_names:_value_name": STATEMENT,
    "resolve.routine:_heads": STATEMENT,
    "resolve.trimmed_struct:_trim": STATEMENT,
    "resolve.update:_mentioned": STATEMENT,
    "resolve.update:target_name": STATEMENT,
    "resolve.window_order:arrange": STATEMENT,
    "runtime.arrow_ddl:type_of": OWN_TYPE,
    "server.playground.analysts:Analysts.end_unused": "asks the event loop to call it later",
    "source.jinja_counts:_shape": TEMPLATE,
    "source.jinja_marks:_Marks.mark": TEMPLATE,
    "source.jinja_unknown:spread": TEMPLATE,
    "source.jinja_unknown:unmarked": TEMPLATE,
    "source.template_alignment:_Alignment.sequence": NESTED_TAGS,
    "source.template_alignment:_Tree.items": NESTED_TAGS,
    "spark.capturing.connect.expression:Expressions._is_structure": SPARK_PLAN,
    "spark.capturing.connect.leaf:know": SPARK_PLAN,
    "spark.capturing.live:Capture.stop": WRAPPED,
    "spark.capturing.new_sessions:NewSessions.of": "wraps methods: it is called again when a program makes a session",
    "spark.session_catalog:_described": "RecursionError is the `problem` of the table",
    "spark.session_catalog:_type": "RecursionError is the `problem` of the table",
    "store.document:_type": OWN_TYPE,
    "verify.in_duckdb:_literal": TESTED_TYPE,
    "verify.in_spark:_literal": TESTED_TYPE,
    "verify.one_row:has_one_row": "deep statements go to a worker, and have no tree here",
    "verify.values:Maker.value": TESTED_TYPE,
}
"""One function of each group of functions that call each other, and why they may."""


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _functions(module: str, tree: ast.Module) -> Iterator[tuple[Function, ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield (module, node.name), node
        elif isinstance(node, ast.ClassDef):
            yield from (((module, f"{node.name}.{m.name}"), m) for m in node.body if isinstance(m, ast.FunctionDef))


def _of_own_kind(tree: ast.Module) -> set[str]:
    """The classes whose objects may hold others of the same class: something in them is annotated with it."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            parameters = (p for m in ast.walk(node) if isinstance(m, ast.FunctionDef) for p in m.args.args)
            fields = (each for each in node.body if isinstance(each, ast.AnnAssign))
            held = (word for each in (*parameters, *fields) if each.annotation for word in ast.walk(each.annotation))
            found |= {node.name for word in held if isinstance(word, ast.Name) and word.id == node.name}
    return found


def _imports(tree: ast.Module) -> dict[str, Function]:
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("headwater."):
            module = str(node.module).removeprefix("headwater.")
            found.update({a.asname or a.name: (module, a.name) for a in node.names})
    return found


def _parts(body: ast.FunctionDef) -> Iterator[ast.AST]:
    """All nodes of a function's body but annotations, which call nothing."""
    pending: list[ast.AST] = list(body.body)
    while pending:
        node = pending.pop()
        yield node
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns"):
                pending += [
                    each for each in (value if isinstance(value, list) else [value]) if isinstance(each, ast.AST)
                ]


def _own_names(body: ast.FunctionDef) -> set[str]:
    """The names that a function binds itself: they hide those of its module."""
    every = body.args
    parameters = [*every.posonlyargs, *every.args, *every.kwonlyargs, every.vararg, every.kwarg]
    stored = {n.id for n in _parts(body) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {p.arg for p in parameters if p is not None}


def _named_in(
    function: Function, body: ast.FunctionDef, imported: dict[str, Function], of_own_kind: set[str]
) -> Iterator[Function]:
    """The functions that a function may call: those it names, and the methods of its own object and of others of its class."""
    module, own = function[0], _own_names(body)
    owner = function[1].rpartition(".")[0]
    for node in _parts(body):
        if isinstance(node, ast.Name) and node.id not in own:
            named = imported.get(node.id, (module, node.id))
            yield named
            yield named[0], f"{named[1]}.__init__"
        elif isinstance(node, ast.Attribute) and owner:
            is_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            if is_own or owner in of_own_kind:
                yield module, f"{owner}.{node.attr}"


def _registers(body: ast.FunctionDef, module: str, imported: dict[str, Function]) -> Iterator[Function]:
    """The registries that a function is put into by its decorators; who asks them may call it."""
    for decorator in body.decorator_list:
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(named, ast.Name):
            yield imported.get(named.id, (module, named.id))


def calls(sources: dict[str, str]) -> dict[Function, set[Function]]:
    """What each function of some modules, and each registry of functions, may call, by the modules' source code."""
    found: dict[Function, set[Function]] = {}
    for module, source in sources.items():
        tree = ast.parse(source)
        imported, of_own_kind = _imports(tree), _of_own_kind(tree)
        for function, body in _functions(module, tree):
            found.setdefault(function, set()).update(_named_in(function, body, imported, of_own_kind))
            for registry in _registers(body, module, imported):
                found.setdefault(registry, set()).add(function)
    return {function: called & found.keys() for function, called in found.items()}


def groups(graph: dict[Function, set[Function]]) -> list[set[Function]]:
    """The functions that reach themselves, those together that reach each other."""
    reached: dict[Function, set[Function]] = {}
    for function, called in graph.items():
        pending, seen = list(called), set(called)
        while pending:
            new = graph[pending.pop()] - seen
            seen |= new
            pending += new
        reached[function] = seen
    found: list[set[Function]] = []
    for function in graph:
        if function in reached[function] and not any(function in group for group in found):
            found.append({other for other in reached[function] if function in reached[other]})
    return found


def test_a_group_is_found_directly_and_through_a_partner() -> None:
    one = "def f(x):\n    return f(x)\ndef g(x):\n    return x"
    two = "from headwater.one import g\nfrom headwater.three import there\nclass C:\n    def back(self):\n        return there(self)"
    three = "from headwater.two import C\ndef there(x):\n    return C().back()\nclass D:\n    def m(self):\n        self.m()"
    found = groups(calls({"one": one, "two": two, "three": three}))
    assert {("one", "f")} in found
    assert {("three", "D.m")} in found
    assert not any(("one", "g") in group for group in found)


@pytest.mark.slow
def test_every_function_that_reaches_itself_has_a_reason() -> None:
    paths = sorted(ROOT.rglob("*.py"))
    graph = calls({_module(path): path.read_text(encoding="utf-8") for path in paths})
    assert len(graph) > 9_000
    found = groups(graph)
    named = [{f"{module}:{name}" for module, name in group} for group in found]
    assert [sorted(group) for group in named if not group & REASONS.keys()] == []
    assert sorted(REASONS.keys() - set().union(*named)) == []
