"""Recursion on input: each function of the SQL reader that calls itself is here, with the reason why it may.

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
NESTING = "one call per level of syntax, which the parser counts (`js_tokens.MAX_NESTING`)"

REASONS = {
    "model.work:Work.__init__": "names its own class in an annotation, and calls nothing",
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
}
"""One function of each group of functions that call each other, and why they may."""


PACKAGES = ("sql", "order", "budget", "witness", "files", "model", "procedural", "project/dataform")
"""What reads input on its own; `resolve` runs inside of the statement boundary."""


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _functions(module: str, tree: ast.Module) -> Iterator[tuple[Function, ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield (module, node.name), node
        elif isinstance(node, ast.ClassDef):
            yield from (((module, f"{node.name}.{m.name}"), m) for m in node.body if isinstance(m, ast.FunctionDef))


def _imports(tree: ast.Module) -> dict[str, Function]:
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("headwater."):
            module = str(node.module).removeprefix("headwater.")
            found.update({a.asname or a.name: (module, a.name) for a in node.names})
    return found


def _named_in(function: Function, body: ast.FunctionDef, imported: dict[str, Function]) -> Iterator[Function]:
    """The functions that a function may call: those it names, and the methods of its own object."""
    module = function[0]
    for node in (each for part in body.body for each in ast.walk(part)):
        if isinstance(node, ast.Name):
            named = imported.get(node.id, (module, node.id))
            yield named
            yield named[0], f"{named[1]}.__init__"
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            yield module, f"{function[1].rpartition('.')[0]}.{node.attr}"


def calls(sources: dict[str, str]) -> dict[Function, set[Function]]:
    """What each function of some modules may call, by the modules' source code."""
    found: dict[Function, set[Function]] = {}
    for module, source in sources.items():
        tree = ast.parse(source)
        imported = _imports(tree)
        for function, body in _functions(module, tree):
            found[function] = set(_named_in(function, body, imported))
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
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    graph = calls({_module(path): path.read_text(encoding="utf-8") for path in paths})
    assert len(graph) > 1_000
    found = groups(graph)
    named = [{f"{module}:{name}" for module, name in group} for group in found]
    assert [sorted(group) for group in named if not group & REASONS.keys()] == []
    assert sorted(REASONS.keys() - set().union(*named)) == []
