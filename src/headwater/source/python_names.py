"""Names of a Python program that are only ever assigned to: the values that one may have where it is used, with what `+=` adds."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)


class Value(NamedTuple):
    """A value that a name may have: what was assigned, and what was added to that."""

    assigned: ast.expr
    added: tuple[ast.expr, ...] = ()
    left_out: int = 0
    """How much is added in branches that exclude one of these."""


class _Binding(NamedTuple):
    """One binding of a name: the value, if it is an assignment, its line, and the branches around it."""

    value: ast.expr | None
    line: int
    adds: bool = False
    branches: tuple[tuple[ast.AST, str], ...] = ()


_Branches = tuple[tuple[ast.AST, str], ...]
_BRANCHING = (ast.If, ast.Match)


class Names:
    """What is bound where in a program: looked up by the scope of a call."""

    def __init__(self, tree: ast.Module) -> None:
        self._bound: dict[ast.AST, dict[str, list[_Binding]]] = defaultdict(lambda: defaultdict(list))
        self._outer: dict[ast.AST, ast.AST] = {}
        self._scope: dict[ast.Call, ast.AST] = {}
        self._assigned: set[ast.Name] = set()
        self._collect(tree)

    def values(self, name: str, call: ast.Call) -> list[Value]:
        """The values that a name may have where a call uses it; none if it is ever bound to anything but by assignment.

        `q = "SELECT 1"` counts if it stands before the call, or outside of the call's function.
        """
        own = scope = self._scope[call]
        while name not in self._bound[scope] and scope in self._outer:
            scope = self._outer[scope]
            while isinstance(scope, ast.ClassDef):
                scope = self._outer[scope]
        bindings = self._bound[scope].get(name, [])
        if any(binding.value is None for binding in bindings):
            return []
        return _values(sorted((b for b in bindings if scope is not own or b.line <= call.lineno), key=lambda b: b.line))

    def _collect(self, tree: ast.Module) -> None:
        pending: list[tuple[ast.AST, ast.AST, _Branches]] = [(tree, tree, ())]
        while pending:
            node, scope, branches = pending.pop()
            if isinstance(node, ast.Call):
                self._scope[node] = scope
            self._bind(node, scope, tree, branches)
            inner = scope
            if isinstance(node, _SCOPES):
                self._outer[node] = scope
                inner = node
            for field, child in _children(node):
                around = (*branches, (node, field)) if isinstance(node, _BRANCHING) else branches
                pending.append((child, inner, around))

    def _bind(self, node: ast.AST, scope: ast.AST, tree: ast.Module, branches: _Branches) -> None:
        """Note what a node binds; of an assignment to a name, its value."""
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name):
            self._bound[scope][node.target.id].append(_Binding(node.value, node.lineno, True, branches))
            self._assigned.add(node.target)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    self._bound[scope][target.id].append(_Binding(node.value, node.lineno, False, branches))
                    self._assigned.add(target)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and node not in self._assigned:
            self._bound[scope][node.id].append(_Binding(None, node.lineno))
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            for name in node.names:
                self._bound[scope][name].append(_Binding(None, node.lineno))
                self._bound[tree][name].append(_Binding(None, node.lineno))
        else:
            self._bind_by_name(node, scope)

    def _bind_by_name(self, node: ast.AST, scope: ast.AST) -> None:
        """Parameters, imports, definitions, exceptions, captures: their names are plain strings."""
        name = None
        if isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.alias):
            name = (node.asname or node.name).partition(".")[0]
        elif isinstance(node, _NAMED):
            name = node.name
        if name is not None:
            self._bound[scope][name].append(_Binding(None, getattr(node, "lineno", 0)))


def _children(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The nodes below a node, each with the branch that it is in."""
    for field, value in ast.iter_fields(node):
        for number, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.AST):
                yield (f"{field} {number}" if field in ("handlers", "cases") else field), child


def _values(bindings: list[_Binding]) -> list[Value]:
    """What bindings, in order, give: what is added belongs to the assignment before it."""
    found: list[list[_Binding]] = []
    left_out: list[int] = []
    for each in bindings:
        if not each.adds:
            found.append([each])
            left_out.append(0)
            continue
        for number, group in enumerate(found):
            if group is found[-1] and len(group) <= _MAX_ADDED and not _is_excluded(each, group):
                group.append(each)
            elif group is found[-1] or _exclude(group[0].branches, found[-1][0].branches):
                left_out[number] += 1
    values = [[b.value for b in group if b.value is not None] for group in found]
    return [Value(assigned, tuple(added), left) for (assigned, *added), left in zip(values, left_out, strict=True)]


_MAX_ADDED = 100


def _is_excluded(binding: _Binding, others: list[_Binding]) -> bool:
    return bool(binding.branches) and any(_exclude(binding.branches, other.branches) for other in others)


def _exclude(one: _Branches, other: _Branches) -> bool:
    """Whether two places are in different branches of the same statement."""
    return any(node is choice and branch != taken for node, branch in one for choice, taken in other)
