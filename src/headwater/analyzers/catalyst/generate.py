"""Generators: LATERAL VIEW, explode and its kin, in FROM and in the select list."""

from __future__ import annotations

from headwater.analyzers.catalyst.flow import flow
from headwater.analyzers.catalyst.nested import field_names, value_of
from headwater.analyzers.catalyst.operators import reads
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Attribute, Scope, Select, Unread
from headwater.model.kind import AGGREGATE_ROWS, LATERAL, TRANSFORMATION
from headwater.resolve.field import field_of
from headwater.resolve.scope import ResultSet

_COLUMNS = frozenset({"AttributeReference", "OuterReference", "GetStructField", "GetArrayStructFields"})


@reads("Generate")
def generate(select: Select, node: Node) -> list[Attribute]:
    """A generator's argument flows into its columns, and decides how many rows there are."""
    inputs = select.read(node.children[0])
    scope = Scope(select, inputs)
    generator = node.tree("generator")
    if generator is None:
        raise Unread("a generator that Spark does not show")
    result = ResultSet(select.builder, "function", None)
    outputs = []
    for each in node.trees("generatorOutput"):
        outputs.append(Attribute(each.id, each.label, result.add(select.fold(each.label), None)))
    while generator.name == "GeneratorOuter":
        generator = generator.children[0]
    for argument in _deciding(generator):
        flow(scope, argument, result.rows, LATERAL)
    _fill(scope, generator, [a.column for a in outputs], result.rows)
    select.items.append(result.complete().rows)
    return inputs + outputs


def _deciding(generator: Node) -> list[Node]:
    """The arguments that decide how many rows there are: of `stack(n, …)` only n, of any other all."""
    if generator.name == "Stack":
        return [each for each in generator.children[:1] if each.name != "Literal"]
    return generator.children


def _fill(scope: Scope, generator: Node, columns: list[int], rows: int) -> None:
    arguments = generator.children
    if generator.name == "PosExplode" and columns:
        scope.edges.append((columns.pop(0), rows, AGGREGATE_ROWS, None))
    if generator.name == "Stack":
        for i, column in enumerate(columns):
            for cell in arguments[1:][i :: len(columns)]:
                flow(scope, cell, column, TRANSFORMATION)
    elif generator.name == "JsonTuple":
        for i, column in enumerate(columns):
            for argument in (arguments[0], *arguments[i + 1 : i + 2]):
                flow(scope, argument, column, TRANSFORMATION)
    elif generator.name == "Inline" and field_names(arguments[0]):
        array = value_of(scope, arguments[0])
        for column, name in zip(columns, field_names(arguments[0]), strict=False):
            scope.edges.append((column, field_of(scope.builder, array, scope.select.fold(name)), TRANSFORMATION, None))
    else:
        for column in columns:
            for argument in arguments:
                flow(scope, argument, column, TRANSFORMATION)
        known = len(arguments) == 1 and (arguments[0].name in _COLUMNS or field_names(arguments[0]))
        if generator.name in ("Explode", "PosExplode") and known:
            scope.builder.elements[columns[-1]] = value_of(scope, arguments[0])
