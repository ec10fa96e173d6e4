"""Classes and their objects: how they are made, and how their properties are found, set and listed.

A class keeps its methods, accessors and static members as values; its scope has `super`. Functions that `new` calls are classes, too:
their methods are the properties of their `prototype`. An object whose class has a parent that is not known has unknown properties
beside its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.project.dataform import js_tree as tree
from headwater.project.dataform.js_meter import TooMuch
from headwater.project.dataform.js_values import (
    Accessor,
    Builtin,
    Class,
    Closure,
    Instance,
    NoMethod,
    Scope,
    Super,
    Unknown,
    Value,
    name_of,
    text_of,
)

if TYPE_CHECKING:
    from headwater.project.dataform.js_run import Machine, Module

_MAX_ANCESTORS = 40
"""How many parents a class may have, one of the other."""


# Making


def class_of(machine: Machine, node: tree.Class, scope: Scope, module: Module) -> Class:
    """The class that a program writes."""
    outer = Scope(outer=scope)
    parent = _parent(machine, node, scope, module)
    of_instances, of_class = Scope(outer=outer), Scope(outer=outer)
    constructor: Closure | None = None
    members: dict[str, Value] = {}
    statics: dict[str, Value] = {}
    fields: list[tuple[str, Closure]] = []
    started: list[tuple[str | None, Closure]] = []
    for member in node.members:
        key = None if member.key is None else machine.key(machine.value(member.key, module, scope))
        value = _member(machine, member, of_class if member.is_static else of_instances, module)
        if key is None or (member.is_static and member.is_field):
            started.append((key, value))
        elif member.is_field:
            fields.append((key, value))
        elif key == "constructor" and isinstance(value, Closure) and not member.is_static:
            constructor = value
        else:
            put_member(statics if member.is_static else members, key, value)
    ancestors = parent.ancestors + 1 if isinstance(parent, Class) else 0
    if ancestors > _MAX_ANCESTORS:
        raise TooMuch(f"a class has more than {_MAX_ANCESTORS} parents", node.offset)
    made = Class(node.name, parent, constructor, members, statics, tuple(fields), ancestors)
    if node.name:
        outer.declare(node.name, made)
    of_instances.declare("super", Super(made, False))
    of_class.declare("super", Super(made, True))
    for key, function in started:
        given = machine.called(function, [], this=made)
        if key is not None:
            statics[key] = given
    return made


def _parent(machine: Machine, node: tree.Class, scope: Scope, module: Module) -> Class | Unknown | None:
    if node.parent is None:
        return None
    found = machine.value(node.parent, module, scope)
    if found is None or isinstance(found, (Class, Unknown)):
        return found
    kind = _kind(found)
    return kind if kind is not None else Unknown(node.name or "class", module.place(node.parent.offset))


def _member(machine: Machine, member: tree.ClassMember, scope: Scope, module: Module) -> Value:
    if isinstance(member.value, tree.Accessor):
        return accessor(member.value, scope, module)
    return machine.value(member.value, module, scope)


def accessor(node: tree.Accessor, scope: Scope, module: Module) -> Accessor:
    """A getter or setter alone."""
    function = Closure(node.function, scope, module)
    return Accessor(setter=function) if node.is_setter else Accessor(getter=function)


def put_member(members: dict[str, Value], key: str, value: Value) -> None:
    """Add a member; a getter and a setter of one name are one accessor."""
    before = members.get(key)
    if isinstance(value, Accessor) and isinstance(before, Accessor):
        value = Accessor(value.getter or before.getter, value.setter or before.setter)
    members[key] = value


def _kind(maker: Value) -> Class | None:
    """The class that `new` makes an object of."""
    if isinstance(maker, Class):
        return maker
    if isinstance(maker, Closure) and not maker.function.is_arrow:
        return Class(maker.function.name, None, maker, _prototype(maker), {}, ())
    return None


def _prototype(function: Closure) -> dict[str, Value]:
    found = function.properties.setdefault("prototype", {})
    return found if isinstance(found, dict) else {}


def made_by(machine: Machine, maker: Value, given: list[Value], otherwise: Unknown) -> Value:
    """What `new` gives: an object, or what the constructor returns in its place."""
    kind = _kind(maker)
    if kind is None:
        return otherwise
    made = Instance(kind, {})
    returned = _build(machine, kind, made, given)
    return returned if isinstance(returned, (dict, list, Instance, Unknown)) else made


def _build(machine: Machine, kind: Class, made: Instance, given: list[Value]) -> Value:
    """Run the constructor of a class for an object; a class with a parent gets its fields when `super(…)` has run."""
    if kind.constructor is None:
        build_parent(machine, kind, made, given)
        return None
    if kind.parent is None:
        _put_fields(machine, kind, made)
    return machine.called(kind.constructor, given, this=made)


def build_parent(machine: Machine, kind: Class, made: Value, given: list[Value]) -> None:
    """What `super(…)` does in a constructor."""
    if not isinstance(made, Instance):
        return
    if isinstance(kind.parent, Class):
        _build(machine, kind.parent, made, given)
    elif kind.parent is not None:
        machine.called(kind.parent, given)
    _put_fields(machine, kind, made)


def _put_fields(machine: Machine, kind: Class, made: Instance) -> None:
    for key, function in kind.fields:
        made.fields[key] = machine.called(function, [], this=made)


# Properties


def member(owner: Class | Instance | Closure | Super, key: str) -> Value:
    """A property as it is written, which may be an accessor."""
    found: Value = None
    if isinstance(owner, Instance):
        if key in owner.fields:
            return owner.fields[key]
        found = _of_class(owner.kind, key, static=False) if owner.kind is not None else None
        return _of_instance(owner, key) if found is None else found
    if isinstance(owner, Super):
        parent = owner.kind.parent
        if isinstance(parent, Unknown):
            return parent
        return None if parent is None else _of_class(parent, key, static=owner.is_static)
    if isinstance(owner, Class):
        found = owner.members if key == "prototype" else _of_class(owner, key, static=True)
    elif key == "prototype":
        found = _prototype(owner)
    else:
        found = owner.properties.get(key)
    return name_of(owner) if found is None and key == "name" else found


def _of_class(kind: Class, key: str, *, static: bool) -> Value:
    for each in _line(kind):
        if isinstance(each, Unknown):
            return each
        members = each.statics if static else each.members
        if key in members:
            return members[key]
    return None


def _of_instance(owner: Instance, key: str) -> Value:
    if key == "constructor":
        return owner.kind
    if key == "hasOwnProperty":
        return Builtin(key, lambda wanted=None: text_of(wanted) in owner.fields)
    if key == "toString":
        return Builtin(key, lambda: text_of(owner))
    return None


def _line(kind: Class | Unknown | None) -> Iterator[Class | Unknown]:
    """A class and its parents."""
    while isinstance(kind, Class):
        yield kind
        kind = kind.parent
    if kind is not None:
        yield kind


def put(machine: Machine, owner: Class | Instance | Closure, key: str, value: Value) -> None:
    """Set a property; a setter takes the value, and an accessor without one leaves it."""
    before = member(owner, key)
    if isinstance(before, Accessor):
        if before.setter is not None:
            machine.called(before.setter, [value], this=owner)
    elif isinstance(owner, Instance):
        owner.fields[key] = value
    elif isinstance(owner, Class):
        owner.statics[key] = value
    else:
        owner.properties[key] = value


def function_method(machine: Machine, function: Closure, key: Value) -> Value:
    """`call`, `apply` and `bind` of a function; raises `NoMethod`."""
    if key == "call":
        return Builtin("call", lambda this=None, *given: machine.called(function, list(given), this=this))
    if key == "apply":
        return Builtin("apply", lambda this=None, given=None: machine.called(function, list(given or ()), this=this))
    if key == "bind":
        return Builtin("bind", lambda this=None, *given: _bound(machine, function, this, given))
    raise NoMethod(key)


def _bound(machine: Machine, function: Closure, this: Value, given: tuple[Value, ...]) -> Closure:
    machine.meter.items(list(function.bound))
    return replace(function, bound=(*(function.bound or (this,)), *given))


def is_instance(machine: Machine, value: Value, kind: Value) -> bool | None:
    """Whether an object is of a class; None where nobody knows."""
    for name, types in (("Array", list), ("Object", (list, dict, Instance, Closure, Class))):
        if kind is machine.globals.get(name):
            return isinstance(value, types)
    if not isinstance(kind, (Class, Closure)):
        return None
    for each in _line(value.kind) if isinstance(value, Instance) else ():
        if isinstance(each, Unknown):
            return None
        if each is kind or each.constructor is kind:
            return True
    return False


# Listing


def own(machine: Machine, value: Value) -> dict[str, Value]:
    """The properties of an object that programs list, with the values of accessors; of a list, its items by number."""
    machine.meter.items(value.fields if isinstance(value, Instance) else value)
    if isinstance(value, dict):
        return value
    if isinstance(value, (list, str)):
        return {str(number): item for number, item in enumerate(value)}
    if isinstance(value, (Unknown, Builtin)):
        raise NoMethod("entries")
    return {key: machine.read(item, value) for key, item in _fields(value).items() if not key.startswith("#")}


def _fields(value: Value) -> dict[str, Value]:
    if isinstance(value, Instance):
        return value.fields
    if isinstance(value, Class):
        return {key: item for key, item in value.statics.items() if not isinstance(item, (Closure, Accessor))}
    if isinstance(value, Closure):
        return {key: item for key, item in value.properties.items() if key != "prototype"}
    return {}


def plain(machine: Machine, value: Value) -> Value:
    """An object as a mapping of its properties; any other value as it is."""
    return own(machine, value) if isinstance(value, Instance) else value
