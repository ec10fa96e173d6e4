"""Jinja in a sandbox that ends: what a template does is counted, and stopped when it is too much.

Loops, calls, and everything that is written or put together are charged to one budget per rendering; what could make a huge value in one
step (`'x' * 10**9`, wide formats) is refused before. Nothing random is on offer: the same template gives the same text.
"""

from __future__ import annotations

import copy
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.exceptions import SecurityError
from jinja2.runtime import Macro
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import missing

from headwater.source.jinja_bounds import (
    bounded_indent,
    bounded_range,
    bounded_replace,
    bounded_tags,
    check_call,
    check_operands,
    counting,
    eager,
    measured,
    not_too_large,
    steps_for,
)
from headwater.source.jinja_context import MacroContext, names_called
from headwater.source.jinja_counts import count
from headwater.source.jinja_marks import Marked, mark_outputs
from headwater.source.jinja_meter import LimitExceeded, Meter
from headwater.source.jinja_unknown import UnknownValue, keeping, known_again, spread, unknown_among, with_items
from headwater.source.template import TemplateProblem
from headwater.source.template_limits import TemplateLimits, limits_in_force
from headwater.source.template_map import Segment, TemplateMap, template_map
from headwater.source.template_pieces import Piece, Pieces
from headwater.source.template_process import too_much_memory

_CALL = 200
"""Steps of a call."""
_FILE = "<template>"
_MACROS = "<macros>"
"""What stands before the name of a file that macros come from."""
_REMOVED = ("random", "center", "format", "urlize", "xmlattr", "wordwrap", "pprint", "batch", "slice", "tojson")
_ERRORS = Exception
"""What a template can cause: what it calls may raise anything, and one that is nested too deeply is a `SyntaxError` of Python's."""
_MAX_TEMPLATE = 5_000_000
"""Characters of a template."""
_NUMBERS = ("int", "float", "round", "abs")
"""Filters that make numbers."""
_QUICK = frozenset({"append", "add", "discard", "get", "items", "keys", "values", "pop", "setdefault"})
"""Methods whose time does not depend on how much their object holds."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What `ref`, `source` and `this` give: a table, written as its name."""

    schema: str
    identifier: str

    @property
    def name(self) -> str:
        """The table's own name."""
        return self.identifier

    def __str__(self) -> str:
        return f"{self.schema}.{self.identifier}" if self.schema else self.identifier


class _Config:
    """dbt's `config(…)`, which writes nothing, and `config.get(…)`, which knows nothing but its default."""

    def __call__(self, *args: object, **settings: object) -> str:
        return ""

    def get(self, name: str, default: object = None, **_: object) -> object:
        """The default."""
        return default


class _Returned(jinja2.TemplateError):
    """What a macro gives with `return(…)`, on its way to the call."""

    def __init__(self, value: object) -> None:
        super().__init__("return outside of a macro")
        self.value = value


_TreeOf = Callable[[str], nodes.Template]
"""How a template's text becomes its tree."""


class Sandbox(SandboxedEnvironment):
    """An environment that renders one template at a time; *functions* are laid over those that templates have anyway."""

    intercepted_binops = frozenset({"*", "**", "+", "%", "-", "/", "//"})
    context_class = MacroContext

    def __init__(
        self,
        variables: Mapping[str, object],
        environment: Mapping[str, str],
        functions: Mapping[str, Any] | None = None,
        *,
        undefined: type[jinja2.Undefined] = jinja2.StrictUndefined,
        filters: Mapping[str, Any] | None = None,
        limits: TemplateLimits | None = None,
    ) -> None:
        super().__init__(
            undefined=undefined,
            finalize=self._written,
            extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"],
            loader=jinja2.FunctionLoader(lambda name: None),
            keep_trailing_newline=True,
            cache_size=0,
        )
        self._meter = Meter(limits or limits_in_force())
        self._find: Callable[[str], str | None] = lambda name: None
        self._find_macro: Callable[[str], tuple[str, str] | None] = lambda name: None
        self._called: set[str] = set()
        self._macros: dict[str, Any] = {}
        self._cost_of_call = _CALL
        self._given, self._variables, self._process = variables, variables, environment
        for name in _REMOVED:
            self.filters.pop(name, None)
        self.filters["striptags"] = bounded_tags(self.filters["striptags"])
        self.filters["unique"] = eager(self.filters["unique"])
        named: dict[str, Any] = {**self.filters, **(filters or {})}
        tests: dict[str, Any] = {**self.tests}
        self.filters = {name: self._counting(filter) for name, filter in named.items()}
        self.tests = {name: self._counting(test) for name, test in tests.items()}
        self.filters |= {
            "indent": bounded_indent(self.filters["indent"]),
            "join": self._join,
            "replace": self._counting(bounded_replace),
        }
        self.filters |= {name: keeping(self.filters[name]) for name in _NUMBERS}
        self.filters |= {"_each": self._each, "_whole": self._whole, "_read": self._read, "_step": self._step}
        self.filters |= {"items": with_items(self.filters["items"]), "_spread": spread}
        self.filters |= {"_data": self._data, "_made": _made}
        self.globals = {**_plain_functions(), "var": self._var, "env_var": self._env_var, "return": _return}
        self.globals |= functions or {}

    def _counting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        bounded = counting(function, self._meter.step)

        @wraps(bounded)
        def surviving(*args: Any, **named: Any) -> Any:
            return _surviving(lambda: bounded(*args, **named), args, named)

        return surviving

    def rendered(self, text: str, name: str) -> str:
        """The text that a template makes; anything that goes wrong in it is a `TemplateProblem`."""
        return "".join(self._rendered(text, name, self._bounded))

    def rendered_with_map(self, text: str, name: str) -> tuple[str, TemplateMap]:
        """The text that a template makes, and where it stands in the template."""
        return self._with_map(text, lambda tree: self._rendered(text, name, tree))

    def _with_map(self, text: str, write: Callable[[_TreeOf], list[str]]) -> tuple[str, TemplateMap]:
        """What is written of a template whose outputs are marked, and where it stands."""
        marks: list[Piece] = []

        def marked(text: str) -> nodes.Template:
            tree = self._bounded(text)
            marks.extend(mark_outputs(tree, pieces.all))
            return tree

        try:
            pieces = Pieces(text)
        except _ERRORS as error:
            raise _problem(error) from error
        made = write(marked)
        return "".join(made), _map_of(made, marks, pieces)

    def _rendered(self, text: str, name: str, tree: _TreeOf) -> list[str]:
        """What a template writes, piece by piece."""
        self._cost_of_call = _CALL + len(text) // 16
        self._variables = copy.deepcopy(self._given)
        self.globals["this"] = Relation("", name)
        self._macros = {}
        try:
            with self._meter.template():
                code = self.compile(tree(text), None, _FILE)
                made = jinja2.Template.from_code(self, code, self.make_globals(dict(self._variables)))
                return list(map(_text, made.generate()))
        except _ERRORS as error:
            raise _problem(error) from error

    def rendered_in(self, text: str, names: Any) -> str:
        """The text that a template makes with other names than the sandbox's own; its budget begins anew, and ends with it."""
        return "".join(self._rendered_in(text, names, self._bounded))

    def rendered_in_with_map(self, text: str, names: Any) -> tuple[str, TemplateMap]:
        """The same, and where it stands in the template."""
        return self._with_map(text, lambda tree: self._rendered_in(text, names, tree))

    def _rendered_in(self, text: str, names: Any, tree: _TreeOf) -> list[str]:
        outer, self._cost_of_call = self._cost_of_call, _CALL + len(text) // 16
        try:
            with self._meter.template():
                made = jinja2.Template.from_code(self, self.compile(tree(text), None, _FILE), {})
                return self._run(made, made.new_context(names, shared=True))
        except _ERRORS as error:
            raise _problem(error) from error
        finally:
            self._cost_of_call = outer

    def find_templates(self, find: Callable[[str], str | None]) -> None:
        """Let templates include others, by a function that gives the text of a name."""
        self._find = find

    def _load_template(self, name: Any, globals: Any) -> jinja2.Template:
        """An included template: what it does counts as if it stood where it is included."""
        text = self._find(name) if isinstance(name, str) else None
        if text is None:
            raise jinja2.TemplateNotFound(name, f"{name} is not in the folders that were named")
        self._meter.step(_CALL + len(text))
        return jinja2.Template.from_code(
            self, self.compile(self._bounded(text), name, name), self.make_globals(globals)
        )

    def find_macros(self, find: Callable[[str], tuple[str, str] | None]) -> None:
        """Let templates call macros without importing them, by a function that gives the file that defines one, and its text."""
        self._find_macro = find

    def macro_called(self, name: str) -> Any:
        """The macro that a template calls without having it; Jinja's `missing` if no file defines it."""
        if name not in self._called:
            return missing
        if name not in self._macros:
            self._macros[name] = missing
            found = self._find_macro(name)
            if found is not None:
                self._macros[name] = self._macro_of(name, *found)
        return self._macros[name]

    def _macro_of(self, name: str, file: str, text: str) -> Any:
        """The macro that a file defines; what the file does counts as if it stood where the macro is called."""
        self._meter.step(_CALL + len(text))
        shown = f"{_MACROS}{file}"
        code = self.compile(self._bounded(text, shown), None, shown)
        made = jinja2.Template.from_code(self, code, self.make_globals(dict(self._variables)))
        context = made.new_context()
        self._run(made, context)
        return context.vars.get(name, missing)

    def macro_in(self, text: str, name: str, names: Any, file: str) -> Any:
        """The macro that a text defines; *file* is where its lines are counted."""
        try:
            shown = f"{_MACROS}{file}"
            with self._meter.template():
                made = jinja2.Template.from_code(self, self.compile(self._bounded(text, shown), None, shown), {})
                context = made.new_context(names, shared=True)
                self._run(made, context)
        except _ERRORS as error:
            raise _problem(error) from error
        return context.vars[name]

    def _call(self, macro: Any, arguments: Iterable[object]) -> object:
        try:
            return macro(*arguments)
        except _Returned:
            raise
        except _ERRORS:
            return self.handle_exception()

    def _run(self, template: jinja2.Template, context: Any) -> list[str]:
        """What a template makes, piece by piece; errors have the template's lines."""
        try:
            return list(map(_text, template.root_render_func(context)))
        except _ERRORS:
            return self.handle_exception()

    def called(self, macro: Any, *arguments: object) -> object:
        """What a macro gives."""
        try:
            with self._meter.template():
                return self._call(macro, arguments)
        except _Returned as returned:
            return returned.value
        except _ERRORS as error:
            raise _problem(error) from error

    def _bounded(self, text: str, file: str | None = None) -> nodes.Template:
        """The template's tree, in which loops, macros, comparisons and joined texts count."""
        if len(text) > _MAX_TEMPLATE:
            raise LimitExceeded(f"it has more than {_MAX_TEMPLATE:,} characters")
        tree = self.parse(text, None, file)
        self._called |= names_called(tree)
        count(tree)
        return tree

    def unsafe_undefined(self, obj: Any, attribute: str) -> jinja2.Undefined:
        """What Python keeps to itself is refused, not unknown."""
        return jinja2.StrictUndefined(f"{attribute} is not for templates", name=attribute, obj=obj, exc=SecurityError)

    def _each(self, items: Iterable[Any], cost: int, shape: tuple[Any, ...]) -> Iterator[Any]:
        for item in items:
            self._meter.step(cost)
            yield spread(item, shape) if shape else item

    def _step(self, value: Any, cost: int) -> Any:
        """A constant whose evaluation counts."""
        self._meter.step(cost)
        return value

    def _read(self, value: Any) -> Any:
        """A value that is compared, joined or looked up, all of which is read."""
        self._meter.step(steps_for(value))
        return value

    def _written(self, value: Any) -> Any:
        if isinstance(value, jinja2.Undefined):
            return value
        text = str(measured(value))
        self._meter.write(len(text))
        return text

    @jinja2.pass_context
    def _data(self, _: object, text: str, mark: int) -> Marked:
        """A text of the template, which knows its place; what is charged for it when it is written was charged before."""
        self._meter.unwrite(len(text))
        return Marked(text, mark)

    def _join(self, items: Iterable[Any], between: str = "", attribute: str | None = None) -> str:
        """Jinja's `join`, charged item by item."""
        if attribute is not None:
            items = (self.getattr(item, attribute) for item in items)
        return str(between).join(self._each_text(items, len(str(between))))

    def _each_text(self, items: Iterable[Any], extra: int) -> Iterator[str]:
        for item in items:
            text = str(measured(item))
            self._meter.step(len(text) + extra)
            yield text

    def _whole(self, value: Any) -> Any:
        """A text that was put together, if it is not too long."""
        self._meter.step(len(value))
        return not_too_large(value)

    def call(self, context: Any, obj: Any, /, *args: Any, **named: Any) -> Any:
        """A call, charged, and refused if its result could be huge."""
        self._meter.step(self._cost_of_call if isinstance(obj, Macro) else _CALL)
        owner = None if getattr(obj, "__name__", "") in _QUICK else getattr(obj, "__self__", None)
        self._meter.step(sum(steps_for(value) for value in (owner, *args, *named.values())))
        check_call(obj, args)
        named = {name: value for name, value in named.items() if not isinstance(name, UnknownValue)}
        return (
            _text(self._result(context, obj, args, named))
            if "caller" in named
            else self._result(context, obj, args, named)
        )

    def _result(self, context: Any, obj: Any, args: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
        """What a call gives."""
        function = super().call
        if not isinstance(obj, Macro):
            return _surviving(lambda: not_too_large(function(context, obj, *args, **named)), args, named)
        try:
            return not_too_large(function(context, obj, *args, **named))
        except _Returned as returned:
            return measured(returned.value)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """An item; one by an unknown key is unknown."""
        found = super().getitem(obj, argument)
        is_missing = isinstance(found, jinja2.Undefined) and isinstance(argument, UnknownValue)
        return argument if is_missing else found

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """An operator, refused if its result could be huge."""
        self._meter.step(steps_for(left) + steps_for(right))
        check_operands(operator, left, right)
        apply = super().call_binop
        result = _surviving(lambda: not_too_large(apply(context, operator, left, right)), (left, right), {})
        self._meter.step(len(result) if isinstance(result, (str, list, tuple)) else 1)
        return result

    def _var(self, name: str, *default: object) -> object:
        if name not in self._variables and not default:
            raise jinja2.UndefinedError(f"'{name}' is undefined")
        return self._variables[name] if name in self._variables else default[0]

    def _env_var(self, name: str, default: str | None = None) -> str:
        found = self._process.get(name, default)
        if found is None:
            raise jinja2.UndefinedError(f"environment variable '{name}' is undefined")
        return found


def _surviving(make: Callable[[], Any], args: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """What a step makes; where it fails because one of its arguments is not known, that argument."""
    try:
        return known_again(make())
    except (SecurityError, _Returned):
        raise
    except Exception:
        unknown = unknown_among((*args, *named.values()))
        if unknown is None:
            raise
        return unknown


def _text(value: Any) -> str:
    """What a block writes, as a text: `{% call %}` and `{% filter %}` write whatever their function gives."""
    if isinstance(value, str):
        return value
    return "" if value is None or isinstance(value, jinja2.Undefined) else str(measured(value))


@jinja2.pass_context
def _made(_: object, value: Any, mark: int) -> Any:
    """What an expression writes, which knows the place of the expression."""
    return Marked(str(measured(value)), mark)


def _map_of(made: Iterable[str], marks: Sequence[Piece], pieces: Pieces) -> TemplateMap:
    """The map of what a template wrote; what has no mark of its own was made by the tag that is marked before it."""
    segments: list[Segment] = []
    size = 0
    piece: Piece | None = None
    for text in made:
        piece = marks[text.mark] if isinstance(text, Marked) else piece
        if text and piece is not None:
            is_data = piece.kind == "data"
            place = Segment(size, piece.start, piece.end - piece.start)
            segments += pieces.segments(piece, size) if is_data else [place]
        size += len(text)
    return template_map(segments, size, pieces.text)


def _plain_functions() -> dict[str, Any]:
    return {
        "ref": _ref,
        "source": lambda schema, table: Relation(str(schema), str(table)),
        "config": _Config(),
        "is_incremental": lambda: False,
        "execute": False,
        "log": lambda *args, **named: "",
        "range": bounded_range,
        "dict": dict,
        "namespace": jinja2.utils.Namespace,
    }


def _return(value: object = "") -> object:
    raise _Returned(value)


def _ref(*names: str, v: object = None, version: object = None) -> Relation:
    """`ref('model')`, `ref('project', 'model')`, `ref('model', v=2)`."""
    if not 1 <= len(names) <= 2:
        raise TypeError("ref takes a model, or a project and a model")
    number = v if v is not None else version
    return Relation("", f"{names[-1]}_v{number}" if number is not None else str(names[-1]))


def _problem(error: Exception) -> TemplateProblem:
    made = TemplateProblem(_words(error))
    made.refused = isinstance(error, (SecurityError, MemoryError))
    return made


def _words(error: Exception) -> str:
    """What is wrong with a template, and where."""
    line, file = _place(error)
    place = f"{file} line {line}: " if file and line else f"line {line}: " if line else ""
    name = re.match(r"(environment variable )?'([^']*)' is undefined", str(error))
    if isinstance(error, jinja2.UndefinedError) and name:
        hint = "give a default, or allow the environment" if name[1] else "give it a value with --vars"
        return f"{place}{name[1] or ''}{name[2]} is not defined for this template; {hint}"
    if isinstance(error, jinja2.TemplateNotFound):
        return f"{place}the template needs another one, {error.name}, which is not at hand"
    if isinstance(error, RecursionError):
        return f"{place}the template calls itself too deeply"
    if isinstance(error, MemoryError):
        return f"{place}the template cannot be rendered: {too_much_memory(limits_in_force())}"
    return f"{place}the template cannot be rendered: {error or type(error).__name__}"


def _place(error: Exception) -> tuple[int | None, str]:
    """The line that an error comes from, and the file if it is one of macros."""
    if getattr(error, "lineno", None):
        name = str(getattr(error, "filename", None) or "")
        return getattr(error, "lineno", None), name.removeprefix(_MACROS) if name.startswith(_MACROS) else ""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == _FILE:
            return frame.lineno, ""
        if frame.filename.startswith(_MACROS):
            return frame.lineno, frame.filename.removeprefix(_MACROS)
    return None, ""
