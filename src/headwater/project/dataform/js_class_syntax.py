"""The syntax of classes, and of the methods and accessors that objects have as well."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from headwater.project.dataform.js_cursor import Cursor
from headwater.project.dataform.js_tokens import JsProblem
from headwater.project.dataform.js_tree import (
    Accessor,
    Block,
    Class,
    ClassMember,
    Function,
    Literal,
    Name,
    Node,
    Opaque,
    Parameter,
    Return,
)

_ENDS_KEY = frozenset({"(", "=", ";", "}", ":", ","})
"""What stands behind a member that is called `get`, `static`, …"""


class ClassSyntax(Cursor, ABC):
    """Reads classes."""

    @abstractmethod
    def _block(self) -> Block: ...

    @abstractmethod
    def _parameters(self) -> tuple[Parameter, ...]: ...

    @abstractmethod
    def _expression(self) -> Node: ...

    @abstractmethod
    def _operand(self) -> Node: ...

    @abstractmethod
    def _postfix(self, found: Node) -> Node: ...

    def _class(self) -> Class | Opaque:
        """A class; one that cannot be read is skipped: it costs itself, not its file."""
        offset = self._next().offset
        name = self._word() if self._here.kind == "word" and not self._is("extends") else ""
        parent = self._postfix(self._operand()) if self._skip("extends") else None
        if not self._is("{"):
            raise self._unexpected("{")
        end, depth = self._closed[self._at] + 1, self._depth
        try:
            self._deeper()
            return Class(offset, name, parent, self._members())
        except JsProblem:
            return Opaque(offset, name)
        finally:
            self._at, self._depth = end, depth

    def _members(self) -> tuple[ClassMember, ...]:
        self._expect("{")
        found = []
        while not self._skip("}"):
            if not self._skip(";"):
                found.append(self._class_member())
        return tuple(found)

    def _class_member(self) -> ClassMember:
        offset = self._here.offset
        static = self._modifier("static")
        if static and self._is("{"):
            return ClassMember(offset, None, Function(offset, "", (), self._block()), is_static=True)
        written = self._written_member()
        if isinstance(written, tuple):
            return ClassMember(offset, *written, is_static=static)
        body = returning(self._expression()) if self._skip("=") else Block(offset, ())
        if not self._is(";", "}") and not self._here.newline:
            raise self._unexpected(";")
        return ClassMember(offset, written, Function(offset, "", (), body), is_static=static, is_field=True)

    def _written_member(self) -> tuple[Node, Function | Accessor | Opaque] | Node:
        """A method or accessor with its key; where there is none, the key alone."""
        offset = self._here.offset
        self._modifier("async")
        kind = next((word for word in ("get", "set") if self._modifier(word)), "")
        generates = self._skip("*")
        name = self._here.text
        key = self._key()
        if not self._is("("):
            return key
        if generates:
            return key, self._generator(offset, name)
        function = Function(offset, name, self._parameters(), self._block())
        return key, Accessor(offset, function, kind == "set") if kind else function

    def _modifier(self, word: str) -> bool:
        """A word before a key, which is no key itself."""
        behind = self._tokens[self._at + 1] if self._is(word) else None
        if behind is None or behind.kind == "end" or (behind.kind == "mark" and behind.text in _ENDS_KEY):
            return False
        return self._skip(word)

    def _key(self) -> Node:
        token = self._here
        if self._skip("["):
            key = self._expression()
            self._expect("]")
            return key
        if token.kind in ("mark", "end"):
            raise self._unexpected("a key")
        self._next()
        return Literal(token.offset, token.text)

    def _generator(self, offset: int, name: str) -> Opaque:
        """Skip the parameters and the body of a generator."""
        for bracket in ("(", "{"):
            if not self._is(bracket):
                raise self._unexpected(bracket)
            self._at = self._closed[self._at] + 1
        return Opaque(offset, name)


def named(value: Node, target: Node) -> Node:
    """A value behind the name that it is given: a class without a name takes it."""
    if isinstance(value, Class) and not value.name and isinstance(target, Name):
        return replace(value, name=target.name)
    return value


def returning(value: Node) -> Block:
    """The body of a function that gives a value."""
    return Block(value.offset, (Return(value.offset, value),))
