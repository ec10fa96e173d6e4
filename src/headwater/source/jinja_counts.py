"""`count`: a template's tree in which loops, macros, comparisons, keys and joined texts count what they do.

The filters `_each`, `_spread`, `_step`, `_read` and `_whole` are the sandbox's.
"""

from __future__ import annotations

from typing import Any, cast

from jinja2 import nodes

_ROUND = 10
"""Steps of a round of a loop, beside those of what stands in it."""


def count(tree: nodes.Template) -> None:
    """Have everything below a tree counted that Jinja would do on its own."""
    for loop in list(tree.find_all(nodes.For)):
        loop.iter = _filter(cast("nodes.Expr", loop.iter), "_each", _steps(loop) + _ROUND, _shape(loop.target))
    for assigned in list(tree.find_all(nodes.Assign)):
        if isinstance(assigned.target, nodes.Tuple) and not isinstance(assigned.node, nodes.Tuple):
            assigned.node = _filter(cast("nodes.Expr", assigned.node), "_spread", _shape(assigned.target))
    for macro in _bodies(tree):
        step = nodes.ExprStmt(_filter(nodes.Name("true", "load", lineno=macro.lineno), "_step", _steps(macro)))
        macro.body.insert(0, step.set_lineno(macro.lineno))
    for compared in list(tree.find_all(nodes.Compare)):
        compared.expr = _filter(compared.expr, "_read")
        for operand in compared.ops:
            operand.expr = _filter(operand.expr, "_read")
    _read_keys(tree)
    for parent in [tree, *tree.find_all(nodes.Node)]:
        _wrap_joined(parent)


def _shape(target: nodes.Node) -> tuple[Any, ...]:
    """How many names a value is unpacked into, with what stands in brackets there; nothing for one name."""
    return tuple(map(_shape, target.items)) if isinstance(target, nodes.Tuple) else ()


def _bodies(tree: nodes.Template) -> list[nodes.Macro | nodes.CallBlock | nodes.Block]:
    """What is run whenever somebody calls it."""
    return [*tree.find_all(nodes.Macro), *tree.find_all(nodes.CallBlock), *tree.find_all(nodes.Block)]


def _read_keys(tree: nodes.Template) -> None:
    """Have what is looked up counted: keys, subscripts and names of templates, which are hashed, compared, or written into messages."""
    for pair in list(tree.find_all(nodes.Pair)):
        pair.key = _read(pair.key)
    for item in list(tree.find_all(nodes.Getitem)):
        if isinstance(item.arg, nodes.Slice):
            for bound in ("start", "stop", "step"):
                setattr(item.arg, bound, _read(getattr(item.arg, bound)))
        else:
            item.arg = _read(item.arg)
    for other in list(tree.find_all((nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends))):
        named: Any = other
        named.template = _read(named.template)


def _read(node: nodes.Expr | None) -> Any:
    """A node whose value counts; constants are as short as they are written."""
    return node if node is None or isinstance(node, (nodes.Const, nodes.TemplateData)) else _filter(node, "_read")


def _steps(node: nodes.Node) -> int:
    """What one pass through a node counts for: its nodes, and the characters of the text between them."""
    data = sum(len(data.data) for data in node.find_all(nodes.TemplateData))
    return data + sum(1 for _ in node.find_all(nodes.Node))


def _wrap_joined(parent: nodes.Node) -> None:
    """Have the length of each `a ~ b` below a node checked."""
    for field, value in parent.iter_fields():
        if isinstance(value, nodes.Concat):
            setattr(parent, field, _checked(value))
        elif isinstance(value, list):
            value[:] = [_checked(item) if isinstance(item, nodes.Concat) else item for item in value]


def _checked(joined: nodes.Concat) -> nodes.Filter:
    joined.nodes = [_filter(node, "_read") for node in joined.nodes]
    return _filter(joined, "_whole")


def _filter(node: nodes.Expr, name: str, *arguments: Any) -> nodes.Filter:
    given: list[nodes.Expr] = [nodes.Const(argument) for argument in arguments]
    return nodes.Filter(node, name, given, [], None, None, lineno=node.lineno)
