"""What can be set, in a file or on the command line, and what each setting may be.

A setting's key in a file is its option on the command line without the dashes in front. `Settings` are the effective ones: the
command line's before the file's before the defaults, each with where it comes from.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import click

from headwater.analysis import AMBIGUITY_POLICIES, ENGINES, INSERT_RULES, dialects_of
from headwater.budget import Budget
from headwater.catalog.cache import TTL
from headwater.catalog.live import TIMEOUT
from headwater.cli.diagnostic_text import FAIL_ON
from headwater.cli.shared_options import code_named
from headwater.lineage.lineage import ROWS
from headwater.model.diagnostic import Code
from headwater.model.work import MAX_COLUMNS, MAX_RELATIONS
from headwater.project.given_dialect import GivenDialect
from headwater.source.template_limits import DEFAULT as TEMPLATES
from headwater.sql.dialect import UnknownDialect
from headwater.sql.guess import AUTO

FORMATS = ("text", "json", "csv")
LEVELS = ("complete", "column", "table")

CHOICES: Mapping[str, tuple[str, ...]] = {
    "engine": tuple(ENGINES),
    "format": FORMATS,
    "level": LEVELS,
    "ambiguous": AMBIGUITY_POLICIES,
    "insert_by": INSERT_RULES,
    "rows": ROWS,
    "fail_on": tuple(FAIL_ON),
}
PER_SCRIPT = ("dialect", "schema", "default_schema")
"""What an override may set."""

DEFAULT = "default"
COMMAND_LINE = "command line"


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, with its default."""

    dialect: str = "spark"
    schema: tuple[str, ...] = ()
    default_schema: str | None = None
    catalog: str | None = None
    """A database that is asked for tables: its URL as written, or the name of a profile."""
    cache: str | None = None
    ttl: float = TTL
    """Seconds for which a database is not asked again."""
    offline: bool = False
    catalog_timeout: float = TIMEOUT
    """Seconds for which a database may leave a statement without an answer."""
    engine: str = "static"
    format: str = "text"
    level: str = "column"
    ambiguous: str = "candidates"
    insert_by: str = "position"
    follow_links: bool = False
    """Whether links are read that lead out of what was named."""
    timeout: float = 60
    """Seconds that one statement may take."""
    memory: float = 2048
    """Megabytes that one statement may take."""
    max_columns: int = MAX_COLUMNS
    """Columns behind the stars of one statement."""
    max_relations: int = MAX_RELATIONS
    """Relations of one statement."""
    template_timeout: float = TEMPLATES.seconds
    """Seconds that rendering one template may take."""
    template_size: float = TEMPLATES.characters
    """Characters that one template may make."""
    rows: str = "node"
    literals: bool = False
    collapse_temp: bool = False
    end_to_end: bool = False
    fail_on: str = "warning"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)
    """Where each setting that is not a default comes from."""

    def given(self, values: Mapping[str, Any], origin: Callable[[str], str]) -> Settings:
        """These settings with others laid over."""
        origins = {**self.origins, **{name: origin(name) for name in values}}
        return replace(self, **values, origins=origins)

    def origin(self, name: str) -> str:
        """Where a setting comes from."""
        return self.origins.get(name, DEFAULT)

    @property
    def budget(self) -> Budget:
        """What one statement may cost."""
        return Budget(self.timeout, int(self.memory), int(self.max_columns), int(self.max_relations))

    @property
    def limits(self) -> dict[str, Any]:
        """The same, as `analyze` takes it."""
        budget = self.budget
        sizes = {"memory": budget.memory, "max_columns": budget.columns, "max_relations": budget.relations}
        return {"timeout": budget.timeout, **sizes}

    def hidden(self) -> frozenset[Code]:
        """The diagnostics that are not to be shown: those not selected, and those ignored."""
        selected = {code_named(name) for name in self.select} or set(Code)
        return frozenset(set(Code) - selected | {code_named(name) for name in self.ignore})


def given_dialect(settings: Settings) -> GivenDialect | None:
    """The dialect that a user has named; None if nobody has, or if it is to be guessed."""
    origin = settings.origin("dialect")
    if origin == DEFAULT or settings.dialect == AUTO or "," in settings.dialect:
        return None
    return GivenDialect(settings.dialect, "--dialect" if origin == COMMAND_LINE else os.path.basename(origin))


NAMES = tuple(f.name for f in fields(Settings) if f.name != "origins")
_DEFAULTS = Settings()


def key_of(name: str) -> str:
    """The key of a setting in a file: `default-schema` for `default_schema`."""
    return name.replace("_", "-")


def checked(name: str, value: Any) -> Any:
    """A setting's value as `Settings` holds it; `ValueError` says in plain words what it should have been."""
    if isinstance(getattr(_DEFAULTS, name), bool):
        if not isinstance(value, bool):
            raise ValueError(f"must be true or false, not {value!r}")
        return value
    if isinstance(getattr(_DEFAULTS, name), (int, float)):
        if not isinstance(value, (int, float)) or isinstance(value, bool) or value < 0 or (not value and name != "ttl"):
            raise ValueError(f"must be a number above 0, not {value!r}")
        return value
    if name == "dialect":
        return _dialects(value)
    if isinstance(getattr(_DEFAULTS, name), tuple):
        return _names(name, value)
    if not isinstance(value, str):
        raise ValueError(f"must be a string, not {value!r}")
    if name in CHOICES and value not in CHOICES[name]:
        raise ValueError(f"must be one of {', '.join(CHOICES[name])}, not {value!r}")
    return value


def strings(value: Any) -> tuple[str, ...]:
    """A string, or a list of them."""
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
        raise ValueError(f"must be a string or a list of strings, not {value!r}")
    return tuple(values)


def _dialects(value: Any) -> str:
    names = ",".join(strings(value))
    try:
        if names != AUTO:
            dialects_of(names)
    except UnknownDialect as error:
        raise ValueError(f"names an {error}") from error
    return names


def _names(name: str, value: Any) -> tuple[str, ...]:
    names = strings(value)
    if name in ("select", "ignore"):
        try:
            return tuple(code_named(each).value for each in names)
        except click.ClickException as error:
            raise ValueError(f"names a diagnostic that does not exist: {error.message}") from error
    return names
