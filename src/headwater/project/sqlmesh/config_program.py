"""SQLMesh's settings in `config.py`: what the program says in plain values. It is read, and never run.

Names of the module, `os.environ` and `os.getenv`, mappings that are taken apart (`**settings`), and the defaults of classes in the same
file are followed. What only a run would know is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from headwater.files.json_document import MAX_DEPTH

_CONNECTION = "ConnectionConfig"
_ENVIRON = frozenset({"os.environ", "environ"})
_GETENV = frozenset({"os.getenv", "getenv", *(f"{each}.get" for each in _ENVIRON)})
_MAX_PARTS = 100_000
"""Parts of one value."""


class Oversized(ValueError):
    """A program makes a value that is nested too deeply, or has too many parts."""


def config_of(program: str, environment: Mapping[str, str]) -> dict[str, object]:
    r"""The value of `config` in a program, as `config.yaml` would have it; empty if there is none. Raises `Oversized`.

    >>> config_of("dialect = 'tsql'\nconfig = Config(model_defaults=ModelDefaultsConfig(dialect=dialect))", {})
    {'model_defaults': {'dialect': 'tsql'}}
    """
    reader = _Reader(environment)
    for statement in ast.parse(program).body:
        reader.read(statement)
    found = reader.names.get("config")
    return found if isinstance(found, dict) else {}


@dataclass(slots=True)
class _Reader:
    """Reads the statements of a module in order."""

    environment: Mapping[str, str]
    names: dict[str, object] = field(default_factory=dict)
    """Values of the module's names; None where only a run would know it."""
    classes: dict[str, dict[str, object]] = field(default_factory=dict)
    """Defaults of the module's classes."""

    def read(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.ClassDef):
            assigned = (each for each in statement.body if isinstance(each, (ast.Assign, ast.AnnAssign)))
            pairs = ((target, self._value(each.value)) for each in assigned if each.value for target in _targets(each))
            self.classes[statement.name] = {
                target.id: value for target, value in pairs if isinstance(target, ast.Name) and value is not None
            }
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value:
            value = self._value(statement.value)
            for target in _targets(statement):
                self._assign(target, value)

    def _assign(self, target: ast.expr, value: object) -> None:
        if isinstance(target, ast.Name):
            self.names[target.id] = value
            _check(value)
        elif isinstance(target, ast.Subscript):
            inner, key = self._value(target.value), self._value(target.slice)
            if isinstance(inner, dict) and key is not None:
                inner[str(key)] = value
                _check(inner)

    def _value(self, node: ast.expr) -> object:
        """A value as YAML would have it: calls are mappings of their named arguments."""
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return self.names.get(node.id)
            case ast.Dict():
                return self._mapping((self._key(key), value) for key, value in zip(node.keys, node.values, strict=True))
            case ast.List() | ast.Tuple():
                return [self._value(item) for item in node.elts]
            case ast.Subscript():
                return self._item(node)
            case ast.Attribute():
                return node.attr  # of an enumeration: ModelKindName.VIEW
            case ast.Call():
                return self._call(node)
        return None

    def _key(self, node: ast.expr | None) -> str | None:
        return None if node is None else str(self._value(node))

    def _mapping(self, pairs: Iterable[tuple[str | None, ast.expr]]) -> dict[str, object]:
        """A mapping of what is named; `**other`, which has no name, adds its own."""
        made: dict[str, object] = {}
        for name, node in pairs:
            value = self._value(node)
            if name is not None and value is not None:
                made[name] = value
            elif name is None and isinstance(value, dict):
                made |= value
        return made

    def _item(self, node: ast.Subscript) -> object:
        key = self._value(node.slice)
        if _dotted(node.value) in _ENVIRON:
            return self.environment.get(str(key))
        inner = self._value(node.value)
        return inner.get(str(key)) if isinstance(inner, dict) else None

    def _call(self, node: ast.Call) -> object:
        name = _dotted(node.func)
        if name in _GETENV:
            return self._variable(node)
        made = self._mapping((word.arg, word.value) for word in node.keywords)
        if name == "dict" and node.args:
            given = self._value(node.args[0])
            return {**given, **made} if isinstance(given, dict) else made
        name = name.rpartition(".")[2]
        if name.endswith(_CONNECTION):
            made["type"] = name.removesuffix(_CONNECTION).lower()
        return {**self.classes.get(name, {}), **made} or None

    def _variable(self, node: ast.Call) -> object:
        """What `os.getenv(name, default)` gives."""
        name, *default = [self._value(argument) for argument in node.args] or [None]
        default += [self._value(word.value) for word in node.keywords if word.arg == "default"]
        return self.environment.get(str(name), default[0] if default else None)


def _check(value: object) -> None:
    """Raise `Oversized` for a value that is too large: each name may hold another one several times, and so double it."""
    pending: list[tuple[object, int]] = [(value, 0)]
    parts = 0
    while pending:
        each, depth = pending.pop()
        parts += 1
        if depth > MAX_DEPTH:
            raise Oversized(f"a value is nested more than {MAX_DEPTH} deep")
        if parts > _MAX_PARTS:
            raise Oversized(f"a value has more than {_MAX_PARTS:,} parts")
        inner = each.values() if isinstance(each, dict) else each if isinstance(each, list) else ()
        pending += [(one, depth + 1) for one in inner]


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def _dotted(node: ast.expr) -> str:
    """A name with dots: `os.environ`; empty if it is something else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else ""
