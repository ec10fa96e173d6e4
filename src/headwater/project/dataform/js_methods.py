"""Methods of texts, lists and objects, and the few functions of JavaScript that Dataform's files call.

A method that is not here gives an unknown value.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from headwater.project.dataform.js_class import function_method, member, own, put
from headwater.project.dataform.js_meter import TooMuch
from headwater.project.dataform.js_patterns import compiled, replace, test
from headwater.project.dataform.js_values import (
    MAX_ITEMS,
    MAX_TEXT,
    Builtin,
    Class,
    Closure,
    Instance,
    NoMethod,
    Pattern,
    Super,
    Unknown,
    Value,
    is_true,
    text_of,
)

if TYPE_CHECKING:
    from headwater.project.dataform.js_run import Machine

_UNMETERED = frozenset({"push", "pop", "shift"})
"""Methods of lists whose time does not depend on how long the list is."""
_OF_TEXTS = frozenset({"join", "sort", "toString"})
"""Methods of lists that look at all that the list holds."""


def property_of(machine: Machine, owner: Value, key: Value) -> Value:
    """A property of a value, or a method of it; raises `NoMethod`."""
    if isinstance(owner, dict):
        return _object_property(owner, key)
    if isinstance(owner, (str, list)):
        if key == "length":
            return len(owner)
        if isinstance(key, (int, float)) and not isinstance(key, bool):
            index = int(key)
            return owner[index] if 0 <= index < len(owner) else None
        if isinstance(key, str) and key.isdecimal() and int(key) < len(owner):
            return owner[int(key)]
        methods = _OF_TEXT if isinstance(owner, str) else _OF_LIST
        if key in methods:
            return _method(machine, owner, str(key), methods[str(key)])
    if isinstance(owner, (int, float)) and key in ("toString", "toFixed"):
        return Builtin(str(key), lambda *given: text_of(owner))
    if isinstance(owner, Closure) and key in ("call", "apply", "bind"):
        return function_method(machine, owner, key)
    if isinstance(owner, (Instance, Class, Closure, Super)):
        return member(owner, text_of(key))
    if owner is None or isinstance(owner, (int, float, Builtin)):
        return None
    raise NoMethod(key)


def _method(machine: Machine, owner: str | list[Value], name: str, method: Callable[..., Value]) -> Builtin:
    """A method of a text or list, which counts what it reads and makes."""

    def call(*given: Value) -> Value:
        if name in _OF_TEXTS:
            machine.meter.whole(owner)
        elif name not in _UNMETERED:
            machine.meter.items(owner)
        made = method(machine, owner, *given)
        if made is not owner:
            machine.meter.items(made)
        return made

    return Builtin(name, call)


def _object_property(owner: dict[str, Value], key: Value) -> Value:
    name = text_of(key)
    if name in owner:
        return owner[name]
    if name == "hasOwnProperty":
        return Builtin(name, lambda wanted=None: text_of(wanted) in owner)
    return None


def _bounded(text: str) -> str:
    _check_length(len(text))
    return text


def _check_length(characters: int) -> None:
    if characters > MAX_TEXT:
        raise TooMuch("the program makes too much text", 0)


def _check_items(count: int) -> None:
    if count > MAX_ITEMS:
        raise TooMuch(f"the program makes a list of more than {MAX_ITEMS:,} items", 0)


def _split(machine: Machine, text: str, at: Value = None, *_: Value) -> Value:
    if isinstance(at, Pattern):
        found = compiled(at, text)
        if found is None:
            raise NoMethod("split")
        return found.split(text)
    if at is None:
        return [text]
    between = text_of(at)
    _check_items(text.count(between) if between else len(text))
    return text.split(between) if between else list(text)


def _slice(text: str | list[Value], start: Value = 0, end: Value = None) -> Value:
    return text[_index(start) : None if end is None else _index(end)]


def _substring(machine: Machine, text: str, start: Value = 0, end: Value = None) -> str:
    bounds = sorted((max(_index(start), 0), len(text) if end is None else max(_index(end), 0)))
    return text[bounds[0] : bounds[1]]


def _index(value: Value) -> int:
    return int(value) if isinstance(value, (int, float)) and math.isfinite(value) else 0


def _find(text: str | list[Value], item: Value) -> int:
    if isinstance(text, str):
        return text.find(text_of(item))
    return next((number for number, each in enumerate(text) if same(each, item)), -1)


def same(left: Value, right: Value) -> bool:
    """Whether two values are the same; objects are by identity."""
    if isinstance(left, (list, dict)) or isinstance(right, (list, dict)):
        return left is right
    if isinstance(left, bool) is not isinstance(right, bool):
        return False
    return bool(left == right)


def _pad(text: str, width: Value, fill: Value, at_start: bool) -> str:
    missing = min(_index(width), 10_000) - len(text)
    padding = (text_of(fill) * (missing + 1))[: max(missing, 0)]
    return padding + text if at_start else text + padding


_OF_TEXT: dict[str, Callable[..., Value]] = {
    "toString": lambda machine, text: text,
    "trim": lambda machine, text: text.strip(),
    "trimStart": lambda machine, text: text.lstrip(),
    "trimEnd": lambda machine, text: text.rstrip(),
    "toUpperCase": lambda machine, text: text.upper(),
    "toLowerCase": lambda machine, text: text.lower(),
    "replace": replace,
    "replaceAll": lambda machine, text, old, new=None: replace(machine, text, old, new, every=True),
    "split": _split,
    "substring": _substring,
    "substr": lambda machine, text, start=0, size=None: _slice(text[_index(start) :], 0, size),
    "slice": lambda machine, text, start=0, end=None: _slice(text, start, end),
    "charAt": lambda machine, text, at=0: text[_index(at) : _index(at) + 1],
    "startsWith": lambda machine, text, start: text.startswith(text_of(start)),
    "endsWith": lambda machine, text, end: text.endswith(text_of(end)),
    "includes": lambda machine, text, part: text_of(part) in text,
    "indexOf": lambda machine, text, part: _find(text, part),
    "lastIndexOf": lambda machine, text, part: text.rfind(text_of(part)),
    "concat": lambda machine, text, *others: _bounded(text + "".join(map(machine.text, others))),
    "repeat": lambda machine, text, times=0: _bounded(text * min(_index(times), MAX_TEXT // max(len(text), 1) + 1)),
    "padStart": lambda machine, text, width=0, fill=" ": _pad(text, width, fill, True),
    "padEnd": lambda machine, text, width=0, fill=" ": _pad(text, width, fill, False),
}


def _push(machine: Machine, items: list[Value], *more: Value) -> int:
    _check_items(len(items) + len(more))
    items.extend(more)
    return len(items)


def _unshift(machine: Machine, items: list[Value], *more: Value) -> int:
    _check_items(len(items) + len(more))
    items[:0] = more
    return len(items)


def _join(machine: Machine, items: list[Value], between: Value = ",") -> str:
    written = text_of(between)
    _check_length(len(written) * len(items))
    return _bounded(written.join("" if item is None else machine.text(item) for item in items))


def _concat(machine: Machine, items: list[Value], *others: Value) -> list[Value]:
    _check_items(len(items) + sum(len(other) if isinstance(other, list) else 1 for other in others))
    return [*items, *(each for other in others for each in (other if isinstance(other, list) else [other]))]


def _flat(machine: Machine, items: list[Value], *_: Value) -> list[Value]:
    return _concat(machine, [], *items)


def _each(keep: Callable[[list[tuple[Value, Value]]], Value]) -> Callable[..., Value]:
    """A method that calls a function with each item; *keep* makes its result of items and what the function gave."""

    def method(machine: Machine, items: list[Value], function: Value = None, *_: Value) -> Value:
        given = ((item, machine.called(function, [item, number, items])) for number, item in enumerate(list(items)))
        return keep([*given])

    return method


def _reduce(machine: Machine, items: list[Value], function: Value = None, *first: Value) -> Value:
    rest = list(items)
    total = first[0] if first else rest.pop(0) if rest else None
    for number, item in enumerate(rest):
        total = machine.called(function, [total, item, number, items])
    return total


def _sort(machine: Machine, items: list[Value], *function: Value) -> list[Value]:
    if function:
        raise NoMethod("sort")
    items.sort(key=text_of)
    return items


_OF_LIST: dict[str, Callable[..., Value]] = {
    "toString": lambda machine, items: text_of(items),
    "map": _each(lambda pairs: [made for _, made in pairs]),
    "flatMap": _each(lambda pairs: _concat(None, [], *(made for _, made in pairs))),  # type: ignore[arg-type]
    "forEach": _each(lambda pairs: None),
    "filter": _each(lambda pairs: [item for item, made in pairs if is_true(made)]),
    "find": _each(lambda pairs: next((item for item, made in pairs if is_true(made)), None)),
    "findIndex": _each(lambda pairs: next((n for n, (_, made) in enumerate(pairs) if is_true(made)), -1)),
    "some": _each(lambda pairs: any(is_true(made) for _, made in pairs)),
    "every": _each(lambda pairs: all(is_true(made) for _, made in pairs)),
    "reduce": _reduce,
    "push": _push,
    "pop": lambda machine, items: items.pop() if items else None,
    "shift": lambda machine, items: items.pop(0) if items else None,
    "unshift": _unshift,
    "join": _join,
    "concat": _concat,
    "flat": _flat,
    "slice": lambda machine, items, start=0, end=None: _slice(items, start, end),
    "includes": lambda machine, items, item: _find(items, item) >= 0,
    "indexOf": lambda machine, items, item: _find(items, item),
    "reverse": lambda machine, items: items.reverse() or items,
    "sort": _sort,
    "entries": lambda machine, items: [[number, item] for number, item in enumerate(items)],
    "keys": lambda machine, items: list(range(len(items))),
}

_OF_PATTERN = {"test": test}


def pattern_method(machine: Machine, pattern: Pattern, key: Value) -> Value:
    """A method of a regular expression; raises `NoMethod`."""
    if key not in _OF_PATTERN:
        raise NoMethod(key)
    return Builtin(str(key), lambda text=None: test(machine, pattern, text))


def _assign(machine: Machine, first: Value = None, *others: Value) -> Value:
    for other in others:
        if isinstance(other, Unknown):
            continue
        for key, item in list(own(machine, other).items()):
            if isinstance(first, dict):
                first[key] = item
            elif isinstance(first, (Instance, Class, Closure)):
                put(machine, first, key, item)
            else:
                raise NoMethod("assign")
    return first


def _json(machine: Machine, value: Value) -> str:
    """A value as JSON; what it holds more than once counts as often."""

    def inner(each: Value) -> Value:
        if isinstance(each, (Instance, Class)):
            made = own(machine, each) if isinstance(each, Instance) else None
            machine.meter.whole(made)
            return made
        return machine.text(each)

    return json.dumps(value, default=inner, ensure_ascii=False, separators=(",", ":"))


def _number(value: Value = 0, *_: Value) -> Value:
    if isinstance(value, (int, float)):
        return value
    found = re.match(r"\s*(-?\d{1,15})(\.\d{1,15})?", text_of(value))
    if found is None:
        raise NoMethod("Number")
    return float(found[0]) if found[2] else int(found[0])


def _range(given: Value = None, function: Value = None) -> Value:
    if isinstance(given, list) and function is None:
        return list(given)
    raise NoMethod("Array.from")


def functions(machine: Machine) -> dict[str, Value]:
    """The names that every program sees."""

    def members(name: str, **methods: Callable[..., Value]) -> dict[str, Value]:
        return {key: Builtin(f"{name}.{key}", method) for key, method in methods.items()}

    return {
        "Object": members(
            "Object",
            keys=lambda value=None: list(own(machine, value)),
            values=lambda value=None: list(own(machine, value).values()),
            entries=lambda value=None: [[key, item] for key, item in own(machine, value).items()],
            fromEntries=lambda pairs=None: {text_of(key): item for key, item in pairs or ()},
            assign=lambda *given: _assign(machine, *given),
            freeze=lambda value=None: value,
        ),
        "Array": members("Array", isArray=lambda value=None: isinstance(value, list), **{"from": _range}),
        "JSON": members("JSON", stringify=lambda value=None, *_: _json(machine, value)),
        "Math": members(
            "Math",
            max=lambda *given: max(map(_number, given), default=0),
            min=lambda *given: min(map(_number, given), default=0),
            floor=lambda value=0: math.floor(_number(value)),
            ceil=lambda value=0: math.ceil(_number(value)),
            round=lambda value=0: math.floor(_number(value) + 0.5),
            abs=lambda value=0: abs(_number(value)),
        ),
        "console": members("console", log=lambda *_: None, warn=lambda *_: None, error=lambda *_: None),
        "String": Builtin("String", lambda value="": text_of(value)),
        "Number": Builtin("Number", _number),
        "parseInt": Builtin("parseInt", lambda value=0, *_: int(_number(value))),
        "parseFloat": Builtin("parseFloat", _number),
        "Boolean": Builtin("Boolean", is_true),
    }
