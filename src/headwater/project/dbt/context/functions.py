"""Functions that dbt gives to every template, and that need nothing of the project."""

from __future__ import annotations

import datetime
import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace
from typing import Any

import jinja2

from headwater.project.dbt.context.time_zones import time_zones
from headwater.project.yaml_document import InvalidDocument, NoYaml, read_document
from headwater.project.yaml_plain import plain
from headwater.source.jinja_bounds import bounded_range, measured
from headwater.source.jinja_unknown import keeping, with_marks

_MOST = 100_000
"""Items that one call may give."""
_DAY = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)
"""When a run begins: always the same, so that the same template gives the same text."""


def plain_functions() -> dict[str, Any]:
    """The functions by name."""
    return {
        "as_bool": keeping(_as_bool),
        "as_native": lambda value: value,
        "as_number": keeping(_as_number),
        "as_text": str,
        "fromjson": _from_json,
        "tojson": _to_json,
        "fromyaml": _from_yaml,
        "toyaml": _to_yaml,
        "set": _set,
        "set_strict": lambda value: set(measured(value)),
        "zip": _zip,
        "zip_strict": lambda *lists: list(itertools.islice(zip(*lists, strict=False), _MOST)),
        "local_md5": lambda value: hashlib.md5(str(value).encode(), usedforsecurity=False).hexdigest(),
        "diff_of_two_dicts": _difference,
        "try_or_compiler_error": _try_or_compiler_error,
        "log": _nothing,
        "write": _nothing,
        "print": _nothing,
        "range": bounded_range,
        "dict": dict,
        "namespace": jinja2.utils.Namespace,
        "modules": SimpleNamespace(datetime=_datetime(), re=_regular(), itertools=_iterators(), pytz=time_zones()),
        "exceptions": Exceptions(),
        "dbt_version": "1.11.0",
        "invocation_id": "00000000-0000-0000-0000-000000000000",
        "run_started_at": _DAY,
        "selected_resources": [],
        "invocation_args_dict": {},
        "dbt_metadata_envs": {},
        "thread_id": "Thread-1",
        "set_sql_header": _nothing,
        "doc": lambda *names: "",
        "debug": _nothing,
    }


FILTERS: Mapping[str, Callable[..., Any]] = {
    "as_bool": keeping(lambda value: _as_bool(value)),
    "as_native": lambda value: value,
    "as_number": keeping(lambda value: _as_number(value)),
    "as_text": lambda value: str(value),
    "tojson": lambda value, **_: _to_json(value),
}


class Exceptions:
    """`exceptions.raise_compiler_error(…)`: the template says that it cannot be rendered."""

    def raise_compiler_error(self, message: object = "", *_: object) -> str:
        """Stop rendering."""
        raise jinja2.TemplateRuntimeError(f"it says: {message}")

    def raise_not_implemented(self, message: object = "", *_: object) -> str:
        """Stop rendering."""
        raise jinja2.TemplateRuntimeError(f"it says: {message}")

    raise_parsing_error = raise_database_error = raise_dependency_error = raise_compiler_error
    missing_config = missing_relation = relation_wrong_type = missing_materialization = raise_compiler_error
    raise_contract_error = column_type_missing = raise_fail_fast_error = raise_compiler_error

    def warn(self, *_: object) -> str:
        """A warning that nobody sees."""
        return ""

    warn_snapshot_timestamp_data_types = warn


@jinja2.pass_context
def _try_or_compiler_error(
    context: Any, message: object, function: Callable[..., Any], *args: object, **named: object
) -> object:
    """What a function gives; where it fails, the template does, with a message of its own."""
    try:
        return context.environment.call(context, function, *args, **named)
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise jinja2.TemplateRuntimeError(f"it says: {message}") from error


def _nothing(*args: object, **named: object) -> str:
    return ""


def _as_bool(value: object) -> object:
    return {"true": True, "false": False}.get(value.strip().lower(), value) if isinstance(value, str) else value


def _as_number(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return int(value) if value.strip().lstrip("-").isdigit() else float(value)
    except ValueError:
        return value


def _from_json(text: str, default: object = None) -> object:
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return default


def _to_json(value: object, default: object = None, sort_keys: bool = False) -> object:
    try:
        return with_marks(json.dumps(measured(value), sort_keys=bool(sort_keys), default=str))
    except (TypeError, ValueError, RecursionError):
        return default


def _from_yaml(text: str, default: object = None) -> object:
    try:
        value, _ = read_document(str(text), "")
    except (NoYaml, InvalidDocument):
        return default
    return plain(value)


def _to_yaml(value: object, default: object = None, sort_keys: bool = False) -> object:
    """A value in YAML, as dbt writes it; in JSON, which is YAML, where PyYAML is not installed."""
    try:
        import yaml
    except ModuleNotFoundError:
        return _to_json(value, default, sort_keys)
    try:
        return yaml.safe_dump(_simple(measured(value)), sort_keys=bool(sort_keys), allow_unicode=True)
    except (yaml.YAMLError, TypeError, ValueError, RecursionError):
        return default


def _simple(value: Any) -> Any:
    """A value of Python's own types: what is a kind of text is a text."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {_simple(key): _simple(each) for key, each in value.items()}
    return [_simple(each) for each in value] if isinstance(value, (list, tuple)) else value


def _set(value: Iterable[Any], default: object = None) -> object:
    try:
        return set(measured(value))
    except TypeError:
        return default


def _zip(*lists: Iterable[Any], default: object = None) -> object:
    try:
        return list(itertools.islice(zip(*lists, strict=False), _MOST))
    except TypeError:
        return default


def _difference(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> dict[Any, list[Any]]:
    """What the lists of one mapping hold that those of another do not, whatever their case."""
    found: dict[Any, list[Any]] = {}
    for key, values in one.items():
        there = {str(value).lower() for value in other.get(key, ())}
        missing = [value for value in values if str(value).lower() not in there]
        if missing:
            found[key] = missing
    return found


def _datetime() -> SimpleNamespace:
    """Python's `datetime`, whose clock stands still."""

    class Moment(datetime.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return _DAY.astimezone(tz) if tz is not None else _DAY.replace(tzinfo=None)

        @classmethod
        def utcnow(cls) -> Any:
            return _DAY.replace(tzinfo=None)

        @classmethod
        def today(cls) -> Any:
            return _DAY.replace(tzinfo=None)

    class Day(datetime.date):
        @classmethod
        def today(cls) -> Any:
            return _DAY.date()

    return SimpleNamespace(
        datetime=Moment, date=Day, time=datetime.time, timedelta=datetime.timedelta, timezone=datetime.timezone
    )


def _regular() -> SimpleNamespace:
    """Python's `re` over short texts and short patterns: a hostile one must end."""

    def bounded(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(pattern: object, *args: object, **named: object) -> Any:
            text = str(pattern)
            longest = max((len(arg) for arg in args if isinstance(arg, str)), default=0)
            steps = max(longest, 1) ** len(_REPEAT.findall(text))
            if len(text) > 500 or longest > 10_000 or steps > _STEPS or _NESTED_REPEAT.search(text):
                raise jinja2.TemplateRuntimeError("a regular expression that may take too long")
            return function(str(pattern), *args, **named)

        return call

    names = ("match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer")
    functions = {name: bounded(getattr(re, name)) for name in names}
    flags = {name: getattr(re, name) for name in ("I", "IGNORECASE", "M", "MULTILINE", "S", "DOTALL", "X", "VERBOSE")}
    return SimpleNamespace(
        **functions, **flags, escape=re.escape, compile=lambda pattern, *_: _Pattern(functions, pattern)
    )


_STEPS = 50_000_000
"""Steps that matching may take: a text's length to the power of how many parts may be of any length."""
_REPEAT = re.compile(r"(?<!\\)[*+]|\{\d*,\d*\}")
_NESTED_REPEAT = re.compile(r"[*+}]\)*[*+{]|\([^()]*[*+][^()]*\)[*+{]|\([^()]*\|[^()]*\)[*+{]")
"""What may need time that is no polynomial of the text's length."""


class _Pattern:
    """A compiled regular expression."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]], pattern: object) -> None:
        self.pattern = str(pattern)
        self._functions = functions
        for name, function in functions.items():
            setattr(self, name, lambda *args, _f=function, **named: _f(self.pattern, *args, **named))


def _iterators() -> SimpleNamespace:
    """Python's `itertools`, cut off where it would go on for too long."""

    def bounded(function: Callable[..., Iterable[Any]]) -> Callable[..., list[Any]]:
        return lambda *args, **named: list(itertools.islice(function(*args, **named), _MOST))

    found: dict[str, Any] = {name: bounded(getattr(itertools, name)) for name in _ITERATORS}
    found["chain"].from_iterable = bounded(itertools.chain.from_iterable)
    return SimpleNamespace(**found)


_ITERATORS = (
    *("chain", "product", "permutations", "combinations", "combinations_with_replacement", "zip_longest", "islice"),
    *("accumulate", "groupby", "compress", "count", "cycle", "repeat", "dropwhile", "takewhile", "filterfalse"),
    *("starmap", "tee", "pairwise"),
)
