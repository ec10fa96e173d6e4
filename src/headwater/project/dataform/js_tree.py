"""The syntax of JavaScript that Dataform's files use, as a tree."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of syntax, and where it stands."""

    offset: int


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A string, a number, a truth value or null."""

    value: str | float | bool | None


@dataclass(frozen=True, slots=True)
class Template(Node):
    """A template literal: texts, and expressions between them."""

    parts: tuple[str | Node, ...]


@dataclass(frozen=True, slots=True)
class Regex(Node):
    """A regular expression."""

    pattern: str
    flags: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name."""

    name: str


@dataclass(frozen=True, slots=True)
class Spread(Node):
    """`...value`."""

    value: Node


@dataclass(frozen=True, slots=True)
class ArrayLiteral(Node):
    """`[a, ...b]`."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ObjectLiteral(Node):
    """`{a: 1, b, ...c}`: keys and values; a spread has no key."""

    entries: tuple[tuple[Node | None, Node], ...]


@dataclass(frozen=True, slots=True)
class ObjectPattern(Node):
    """`{a, b: c = 1, ...rest}` on the left of an assignment."""

    entries: tuple[tuple[str, Parameter], ...]
    rest: str = ""


@dataclass(frozen=True, slots=True)
class ArrayPattern(Node):
    """`[a, b = 1, ...rest]` on the left of an assignment."""

    items: tuple[Parameter | None, ...]
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """A name or pattern that takes a value, and its default."""

    target: Name | ObjectPattern | ArrayPattern
    default: Node | None = None
    rest: bool = False


@dataclass(frozen=True, slots=True)
class Function(Node):
    """A function of any form. An arrow function without braces has a body that returns; it has no `this` of its own."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Block
    is_arrow: bool = False


@dataclass(frozen=True, slots=True)
class Accessor(Node):
    """`get name() {…}`, or `set name(value) {…}`."""

    function: Function
    is_setter: bool


@dataclass(frozen=True, slots=True)
class ClassMember(Node):
    """A method, an accessor, a field or, without a key, a static block. A field is a function that returns its value."""

    key: Node | None
    value: Function | Accessor | Opaque
    is_static: bool = False
    is_field: bool = False


@dataclass(frozen=True, slots=True)
class Class(Node):
    """`class Name extends Parent {…}`."""

    name: str
    parent: Node | None
    members: tuple[ClassMember, ...]


@dataclass(frozen=True, slots=True)
class Opaque(Node):
    """Syntax that is not looked into: a generator, a class that cannot be read."""

    name: str


@dataclass(frozen=True, slots=True)
class Member(Node):
    """`owner.key`, `owner[key]`, `owner?.key`."""

    owner: Node
    key: Node


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`function(arguments)`."""

    function: Node
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class New(Node):
    """`new Name(arguments)`."""

    function: Node
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`!x`, `-x`, `typeof x`."""

    operator: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """An operator with both sides worked out."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Logical(Node):
    """`&&`, `||`, `??`."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """`test ? yes : no`."""

    test: Node
    yes: Node
    no: Node


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """`target = value`, `target += value`."""

    target: Node
    operator: str
    value: Node


@dataclass(frozen=True, slots=True)
class Declare(Node):
    """`const target = value`."""

    targets: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Block(Node):
    """Statements."""

    statements: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class If(Node):
    """`if (test) yes else no`."""

    test: Node
    yes: Node
    no: Node | None


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    """`for (const target of items)`; with *keys*, `in`."""

    target: Parameter
    items: Node
    body: Node
    keys: bool


@dataclass(frozen=True, slots=True)
class Loop(Node):
    """`for (first; test; step)`, `while (test)`."""

    first: Node | None
    test: Node | None
    step: Node | None
    body: Node


@dataclass(frozen=True, slots=True)
class Return(Node):
    """`return value`."""

    value: Node | None


@dataclass(frozen=True, slots=True)
class Jump(Node):
    """`break`, `continue`, `throw`."""

    word: str


@dataclass(frozen=True, slots=True)
class Switch(Node):
    """`switch (value) { case test: … }`; the default has no test."""

    value: Node
    cases: tuple[tuple[Node | None, Block], ...]


@dataclass(frozen=True, slots=True)
class Try(Node):
    """`try {…} catch {…} finally {…}`."""

    body: Block
    handler: Block | None
    last: Block | None
