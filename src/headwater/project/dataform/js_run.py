"""`Machine`: runs the JavaScript of a Dataform project, as far as SQL is made by it, within bounds.

Nothing of the outside is reached: no files but the project's own, no clock, no network. What is not worked out is an `Unknown` value;
texts that are made of it have a placeholder in its place. A test of an unknown value decides nothing: both branches run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import singledispatchmethod

from headwater.model.span import LineIndex
from headwater.project.dataform import js_tree as tree
from headwater.project.dataform.js_class import (
    accessor,
    build_parent,
    class_of,
    is_instance,
    made_by,
    member,
    own,
    plain,
    put,
    put_member,
)
from headwater.project.dataform.js_meter import Meter, TooMuch
from headwater.project.dataform.js_methods import functions, pattern_method, property_of, same
from headwater.project.dataform.js_operators import COMPARED, EQUALITY, arithmetic, type_of
from headwater.project.dataform.js_tokens import JsProblem
from headwater.project.dataform.js_values import (
    MAX_ITEMS,
    MAX_TEXT,
    Accessor,
    Builtin,
    Class,
    Closure,
    Instance,
    NoMethod,
    Pattern,
    PlacedText,
    Scope,
    Super,
    Unknown,
    Value,
    is_true,
    placeholders_in,
    text_of,
)
from headwater.project.objects import Place

_QUICK = frozenset({"Array.isArray", "Object.freeze", "console.log", "console.warn", "console.error"})
"""Functions that do not look into what they are given."""
_MAX_CALLS = 40
"""How deep functions may call each other."""


@dataclass(slots=True)
class Module:
    """A file, and what its programs see."""

    path: str
    """As it is shown."""
    lines: LineIndex
    scope: Scope = field(repr=False)

    def place(self, offset: int) -> Place:
        """Where an offset stands."""
        return Place(self.path, *self.lines.position(offset))


class _Returned(Exception):
    def __init__(self, value: Value) -> None:
        self.value = value


class _Jumped(Exception):
    def __init__(self, word: str) -> None:
        self.word = word


class Thrown(JsProblem):
    """What a program threw."""


class Machine:
    """Runs programs; *noticed* hears of each unknown value that became a part of a text."""

    def __init__(self, noticed: Callable[[Unknown], None]) -> None:
        self.globals = Scope(functions(self))
        self.placeholders: dict[str, Unknown] = {}
        """Those that texts have, and what they stand for."""
        self._noticed = noticed
        self._calling: tuple[Module, int] | None = None
        """The call that is being made."""
        self.meter = Meter()
        self._calls = 0

    def start(self) -> None:
        """Begin with another file or action: it has steps of its own."""
        self.meter.start()
        self._calls = 0

    def run(self, program: tree.Block, module: Module) -> None:
        """Run the statements of a file."""
        try:
            self._hoisted(program.statements, module.scope, module)
            for statement in program.statements:
                self._run(statement, module.scope, module)
        except (_Returned, _Jumped):
            return

    def value(self, node: tree.Node, module: Module, scope: Scope | None = None) -> Value:
        """The value of an expression."""
        return self._value(node, scope or module.scope, module)

    @property
    def place(self) -> Place:
        """Where the call stands that is being made."""
        return self._calling[0].place(self._calling[1]) if self._calling is not None else Place("")

    def called(
        self, function: Value, given: list[Value], otherwise: Unknown | None = None, this: Value = None
    ) -> Value:
        """What a function gives, as a method of *this*."""
        if isinstance(function, Builtin):
            try:
                if function.name not in _QUICK:
                    self.meter.whole(*given)
                return function.call(*given)
            except NoMethod:
                return otherwise or Unknown(function.name, Place(""))
            except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RuntimeError) as error:
                if isinstance(error, JsProblem):
                    raise
                return otherwise or Unknown(function.name, Place(""))
        if isinstance(function, Closure):
            return self._closure(function, given, this)
        if isinstance(function, Unknown):
            self._call_back(function, given)
            return function
        return otherwise or Unknown("function", Place(""))

    def _call_back(self, unknown: Unknown, given: list[Value]) -> None:
        """What an unknown function may do with a function: call it, as `items.forEach(…)` does, with what nobody knows."""
        for each in given:
            if isinstance(each, Closure):
                try:
                    self._closure(each, [unknown for _ in each.function.parameters])
                except Thrown:
                    continue

    def text(self, value: Value) -> str:
        """A value as a part of a text; an unknown one is noticed."""
        self.meter.whole(value)
        return self._text(value)

    def _text(self, value: Value) -> str:
        if isinstance(value, Unknown):
            self.placeholders[value.placeholder] = value
            self._noticed(value)
        if isinstance(value, list):
            return ",".join("" if item is None else self._text(item) for item in value)
        if isinstance(value, (dict, Instance)):
            method = value.get("toString") if isinstance(value, dict) else member(value, "toString")
            if isinstance(method, (Closure, Unknown)):
                return self._text(self.called(method, [], this=value))
        return text_of(value)

    def plain(self, value: Value) -> Value:
        """An object of a class as a mapping; any other value as it is."""
        return plain(self, value)

    def read(self, found: Value, this: Value) -> Value:
        """The value of a property: an accessor's is what its function gives."""
        if not isinstance(found, Accessor):
            return found
        return None if found.getter is None else self.called(found.getter, [], this=this)

    def key(self, value: Value) -> str:
        """A value as the name of a property."""
        self.meter.whole(value)
        return text_of(value)

    def _closure(self, closure: Closure, given: list[Value], this: Value = None) -> Value:
        if self._calls >= _MAX_CALLS:
            raise TooMuch("functions call each other too deeply", closure.function.offset)
        self._calls += 1
        try:
            scope = Scope(outer=closure.scope)
            if closure.bound:
                this, given = closure.bound[0], [*closure.bound[1:], *given]
                self.meter.items(given)
            if not closure.function.is_arrow:
                unknown = Unknown("this", closure.module.place(closure.function.offset))
                scope.declare("this", unknown if this is None else this)
            for number, parameter in enumerate(closure.function.parameters):
                value = given[number:] if parameter.rest else given[number] if number < len(given) else None
                self._bind(parameter, value, scope, closure.module)
            self._block(closure.function.body, scope, closure.module)
        except _Returned as returned:
            return returned.value
        finally:
            self._calls -= 1
        return None

    def _step(self, node: tree.Node) -> None:
        self.meter.step(node.offset)

    # Statements

    def _hoisted(self, statements: Iterable[tree.Node], scope: Scope, module: Module) -> None:
        """Functions are known before the statements above them run."""
        for each in statements:
            if isinstance(each, tree.Declare) and isinstance(each.targets[0].default, tree.Function):
                function, target = each.targets[0].default, each.targets[0].target
                if isinstance(target, tree.Name) and function.name == target.name:
                    scope.declare(target.name, Closure(function, scope, module))

    def _block(self, block: tree.Block, scope: Scope, module: Module) -> None:
        self._hoisted(block.statements, scope, module)
        for statement in block.statements:
            self._run(statement, scope, module)

    def _run(self, node: tree.Node, scope: Scope, module: Module) -> None:
        self._step(node)
        if isinstance(node, tree.Declare):
            for target in node.targets:
                value = None if target.default is None else self._value(target.default, scope, module)
                self._bind(tree.Parameter(target.offset, target.target), value, scope, module)
        elif isinstance(node, tree.Block):
            self._block(node, Scope(outer=scope), module)
        elif isinstance(node, tree.If):
            self._if(node, scope, module)
        elif isinstance(node, tree.Return):
            raise _Returned(None if node.value is None else self._value(node.value, scope, module))
        elif isinstance(node, tree.ForEach):
            self._for_each(node, scope, module)
        elif isinstance(node, tree.Loop):
            self._loop(node, scope, module)
        elif isinstance(node, tree.Switch):
            self._switch(node, scope, module)
        elif isinstance(node, tree.Try):
            self._try(node, scope, module)
        elif isinstance(node, tree.Jump):
            if node.word == "throw":
                raise Thrown("the program throws an error", node.offset)
            raise _Jumped(node.word)
        else:
            self._value(node, scope, module)

    def _if(self, node: tree.If, scope: Scope, module: Module) -> None:
        test = self._value(node.test, scope, module)
        if isinstance(test, Unknown):
            self._maybe(node.yes, test, scope, module)
            if node.no is not None:
                self._maybe(node.no, test, scope, module)
        elif is_true(test):
            self._run(node.yes, scope, module)
        elif node.no is not None:
            self._run(node.no, scope, module)

    def _maybe(self, node: tree.Node, test: Unknown, scope: Scope, module: Module) -> None:
        """Run what nobody knows whether it runs: what it returns is unknown, what it throws is not thrown."""
        try:
            self._run(node, scope, module)
        except _Returned as returned:
            raise _Returned(test) from returned
        except (Thrown, _Jumped):
            return

    def _for_each(self, node: tree.ForEach, scope: Scope, module: Module) -> None:
        items = self._value(node.items, scope, module)
        self.meter.items(items, node.offset)
        if isinstance(items, (Instance, Class, Closure)):
            items = own(self, items) if node.keys else Unknown(_shown(node.items), module.place(node.offset))
        if isinstance(items, dict):
            items = list(items)
        elif node.keys and isinstance(items, list):
            items = list(range(len(items)))
        if isinstance(items, Unknown):
            items = [items]
        for item in list(items) if isinstance(items, (list, str)) else ():
            inner = Scope(outer=scope)
            self._bind(node.target, item, inner, module)
            if not self._round(node.body, inner, module):
                return

    def _loop(self, node: tree.Loop, scope: Scope, module: Module) -> None:
        inner = Scope(outer=scope)
        if node.first is not None:
            self._run(node.first, inner, module)
        while True:
            test = True if node.test is None else self._value(node.test, inner, module)
            self._step(node)
            if not is_true(test):
                return
            if not self._round(node.body, Scope(outer=inner), module) or isinstance(test, Unknown):
                return
            if node.step is not None:
                self._value(node.step, inner, module)

    def _round(self, body: tree.Node, scope: Scope, module: Module) -> bool:
        """One round of a loop, and whether another one follows."""
        try:
            self._run(body, scope, module)
        except _Jumped as jumped:
            return jumped.word == "continue"
        return True

    def _switch(self, node: tree.Switch, scope: Scope, module: Module) -> None:
        value = self._value(node.value, scope, module)
        entered = False
        inner = Scope(outer=scope)
        ordered = sorted(enumerate(node.cases), key=lambda case: case[1][0] is None)
        start = next(
            (n for n, (test, _) in ordered if test is None or same(self._value(test, scope, module), value)), None
        )
        for number, (_, body) in enumerate(node.cases):
            entered = entered or number == start
            if entered and not self._round(body, inner, module):
                return

    def _try(self, node: tree.Try, scope: Scope, module: Module) -> None:
        try:
            self._run(node.body, scope, module)
        except Thrown:
            if node.handler is not None:
                self._run(node.handler, scope, module)
        finally:
            if node.last is not None:
                self._run(node.last, scope, module)

    def _bind(self, parameter: tree.Parameter, value: Value, scope: Scope, module: Module) -> None:
        """Give the names of a pattern their parts of a value."""
        if value is None and parameter.default is not None:
            value = self._value(parameter.default, scope, module)
        target = parameter.target
        if isinstance(target, tree.Name):
            scope.declare(target.name, value)
        elif isinstance(target, tree.ObjectPattern):
            taken = {key for key, _ in target.entries}
            for key, each in target.entries:
                self._bind(each, self._property(value, key, module, target.offset), scope, module)
            if target.rest:
                self.meter.items(value, target.offset)
                value = plain(self, value)
                rest = (
                    {key: item for key, item in value.items() if key not in taken} if isinstance(value, dict) else value
                )
                scope.declare(target.rest, rest)
        else:
            for number, item in enumerate(target.items):
                if item is not None:
                    self._bind(item, self._property(value, number, module, target.offset), scope, module)
            if target.rest:
                self.meter.items(value, target.offset)
                rest = value[len(target.items) :] if isinstance(value, list) else value
                scope.declare(target.rest, rest)

    # Expressions

    def _value(self, node: tree.Node, scope: Scope, module: Module) -> Value:
        self._step(node)
        return self._worked_out(node, scope, module)

    @singledispatchmethod
    def _worked_out(self, node: tree.Node, scope: Scope, module: Module) -> Value:
        self._run(node, scope, module)
        return None

    @_worked_out.register
    def _(self, node: tree.Literal, scope: Scope, module: Module) -> Value:
        return node.value

    @_worked_out.register
    def _(self, node: tree.Template, scope: Scope, module: Module) -> Value:
        parts = (part if isinstance(part, str) else self.text(self._value(part, scope, module)) for part in node.parts)
        made = PlacedText("".join(parts))
        if len(made) > MAX_TEXT:
            raise TooMuch("the program makes too much text", node.offset)
        self.meter.text(len(made), node.offset)
        made.place = module.place(node.offset + 1)
        return made

    @_worked_out.register
    def _(self, node: tree.Regex, scope: Scope, module: Module) -> Value:
        return Pattern(node.pattern, node.flags)

    @_worked_out.register
    def _(self, node: tree.Name, scope: Scope, module: Module) -> Value:
        return scope.get(node.name) if scope.has(node.name) else Unknown(node.name, module.place(node.offset))

    @_worked_out.register
    def _(self, node: tree.ArrayLiteral, scope: Scope, module: Module) -> Value:
        return self._listed(node.items, scope, module)

    def _listed(self, items: tuple[tree.Node, ...], scope: Scope, module: Module) -> list[Value]:
        found: list[Value] = []
        for item in items:
            if isinstance(item, tree.Spread):
                spread = self._value(item.value, scope, module)
                self.meter.items(spread, item.offset)
                if isinstance(spread, (list, str)) and len(found) + len(spread) > MAX_ITEMS:
                    raise TooMuch(f"the program makes a list of more than {MAX_ITEMS:,} items", item.offset)
                if isinstance(spread, (Instance, Class)):
                    spread = Unknown(_shown(item.value), module.place(item.offset))
                found += spread if isinstance(spread, (list, str)) else [spread] if isinstance(spread, Unknown) else []
            else:
                found.append(self._value(item, scope, module))
        return found

    @_worked_out.register
    def _(self, node: tree.ObjectLiteral, scope: Scope, module: Module) -> Value:
        made: dict[str, Value] = {}
        for key, item in node.entries:
            value = (
                accessor(item, scope, module) if isinstance(item, tree.Accessor) else self._value(item, scope, module)
            )
            if key is None:
                self.meter.items(value, item.offset)
                value = plain(self, value)
                made |= value if isinstance(value, dict) else {}
            else:
                put_member(made, self.key(self._value(key, scope, module)), value)
        return Instance(None, made) if any(isinstance(each, tree.Accessor) for _, each in node.entries) else made

    @_worked_out.register
    def _(self, node: tree.Function, scope: Scope, module: Module) -> Value:
        return Closure(node, scope, module)

    @_worked_out.register
    def _(self, node: tree.Opaque, scope: Scope, module: Module) -> Value:
        return Unknown(node.name or "class", module.place(node.offset))

    @_worked_out.register
    def _(self, node: tree.Class, scope: Scope, module: Module) -> Value:
        return class_of(self, node, scope, module)

    @_worked_out.register
    def _(self, node: tree.New, scope: Scope, module: Module) -> Value:
        function = self._value(node.function, scope, module)
        given = self._listed(node.arguments, scope, module)
        self._calling = (module, node.offset)
        return made_by(self, function, given, Unknown(_shown(node.function), module.place(node.offset)))

    @_worked_out.register
    def _(self, node: tree.Member, scope: Scope, module: Module) -> Value:
        return self._member(node, scope, module)[0]

    def _member(self, node: tree.Member, scope: Scope, module: Module) -> tuple[Value, Value]:
        """A property, and the object that it is called on."""
        owner = self._value(node.owner, scope, module)
        key = self._value(node.key, scope, module)
        this = scope.get("this") if isinstance(owner, Super) else owner
        return self._property(owner, key, module, node.offset, _shown(node), this), this

    def _property(
        self, owner: Value, key: Value, module: Module, offset: int, shown: str = "", this: Value = None
    ) -> Value:
        if isinstance(owner, Unknown):
            return owner
        if isinstance(key, Unknown):
            return key
        if not isinstance(key, (int, float)):
            key = self.key(key)
        try:
            if isinstance(owner, Pattern):
                return pattern_method(self, owner, key)
            return self.read(property_of(self, owner, key), owner if this is None else this)
        except NoMethod:
            return Unknown(shown or text_of(key), module.place(offset))

    @_worked_out.register
    def _(self, node: tree.Call, scope: Scope, module: Module) -> Value:
        this: Value = None
        if isinstance(node.function, tree.Member):
            self._step(node.function)
            function, this = self._member(node.function, scope, module)
        else:
            function = self._value(node.function, scope, module)
        given = self._listed(node.arguments, scope, module)
        self._calling = (module, node.offset)
        if isinstance(function, Super):
            return build_parent(self, function.kind, scope.get("this"), given)
        return self.called(function, given, Unknown(_shown(node.function), module.place(node.offset)), this)

    @_worked_out.register
    def _(self, node: tree.Unary, scope: Scope, module: Module) -> Value:
        value = self._value(node.operand, scope, module)
        if node.operator == "typeof":
            return type_of(value)
        if isinstance(value, Unknown):
            return value
        if node.operator == "!":
            return not is_true(value)
        if node.operator in ("-", "+") and isinstance(value, (int, float)):
            return -value if node.operator == "-" else value
        return None

    @_worked_out.register
    def _(self, node: tree.Logical, scope: Scope, module: Module) -> Value:
        left = self._value(node.left, scope, module)
        if isinstance(left, Unknown):
            return left
        decided = left is not None if node.operator == "??" else is_true(left) is (node.operator == "||")
        return left if decided else self._value(node.right, scope, module)

    @_worked_out.register
    def _(self, node: tree.Conditional, scope: Scope, module: Module) -> Value:
        test = self._value(node.test, scope, module)
        if isinstance(test, Unknown):
            return test
        return self._value(node.yes if is_true(test) else node.no, scope, module)

    @_worked_out.register
    def _(self, node: tree.Binary, scope: Scope, module: Module) -> Value:
        left, right = self._value(node.left, scope, module), self._value(node.right, scope, module)
        return self._combined(node.operator, left, right, node.offset)

    def _combined(self, operator: str, left: Value, right: Value, offset: int) -> Value:
        if operator == ",":
            return right
        if operator == "+" and (isinstance(left, (str, list)) or isinstance(right, (str, list))):
            made = self.text(left) + self.text(right)
            if len(made) > MAX_TEXT:
                raise TooMuch("the program makes too much text", offset)
            return made
        for value in (left, right):
            if isinstance(value, Unknown):
                return value
        if (operator in EQUALITY or operator in COMPARED) and isinstance(left, str) and isinstance(right, str):
            unknown = self._unknown_in(left) or self._unknown_in(right)
            if unknown is not None:
                return unknown
        if operator in EQUALITY:
            return same(left, right) is operator.startswith("=")
        if operator == "instanceof":
            found = is_instance(self, left, right)
            return Unknown(operator, Place("")) if found is None else found
        self.meter.whole(left if operator == "in" else None)
        if operator == "in" and isinstance(right, (Instance, Class)):
            return member(right, text_of(left)) is not None
        return arithmetic(operator, left, right)

    def _unknown_in(self, text: str) -> Unknown | None:
        """What a placeholder in a text stands for: how such texts compare is not known."""
        self.meter.items(text)
        spans = placeholders_in(text, self.placeholders)
        return self.placeholders[text[slice(*spans[0])]] if spans else None

    @_worked_out.register
    def _(self, node: tree.Assign, scope: Scope, module: Module) -> Value:
        value = self._value(node.value, scope, module)
        if node.operator != "=":
            before = self._value(node.target, scope, module)
            if node.operator in ("??=", "||=", "&&="):
                keep = before is not None if node.operator == "??=" else is_true(before) is (node.operator == "||=")
                value = before if keep else value
            else:
                value = self._combined(node.operator[:-1], before, value, node.offset)
        if isinstance(node.target, tree.Name):
            scope.assign(node.target.name, value)
        elif isinstance(node.target, tree.Member):
            self._put(node.target, value, scope, module)
        return value

    def _put(self, target: tree.Member, value: Value, scope: Scope, module: Module) -> None:
        owner = self._value(target.owner, scope, module)
        key = self._value(target.key, scope, module)
        if isinstance(owner, Super):
            owner = scope.get("this")
        if isinstance(owner, dict):
            owner[self.key(key)] = value
        elif isinstance(owner, (Instance, Class, Closure)):
            put(self, owner, self.key(key), value)
        elif isinstance(owner, list) and isinstance(key, int) and 0 <= key <= len(owner):
            owner[key : key + 1] = [value]


def _shown(node: tree.Node) -> str:
    """A function as it is written: `constants.month`, `Date`."""
    if isinstance(node, tree.Name):
        return node.name
    if isinstance(node, tree.Member) and isinstance(node.key, tree.Literal):
        owner = _shown(node.owner)
        return f"{owner}.{node.key.value}" if owner else str(node.key.value)
    if isinstance(node, (tree.Call, tree.New)):
        return _shown(node.function)
    return ""
