"""Templates of a project that is not compiled: rendered with its own macros, as far as that goes without a database.

`ref` gives the name of a model, `source` the schema and name of a source's table; what a template says with `config` is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.project.dbt.document import written
from headwater.source.template import MISSING, TemplateProblem
from headwater.source.template_map import TemplateMap

if TYPE_CHECKING:
    from headwater.source.jinja_sandbox import Sandbox

_SNAPSHOT = re.compile(r"\{%-?\s*snapshot\s+(\w+)\s*-?%\}(.*?)\{%-?\s*endsnapshot\s*-?%\}", re.DOTALL)
_MACRO = re.compile(r"\{%-?\s*macro\b.*?\{%-?\s*endmacro\s*-?%\}", re.DOTALL)
RefersTo = Callable[[tuple[str, ...], str], str]
"""The name of the table behind `ref`, by the texts that it is given and a version."""


class Rendered(NamedTuple):
    """What a template makes: SQL, and what it configures; or the reason why not."""

    sql: str
    config: Mapping[str, object]
    problem: str = ""
    map: TemplateMap | None = None
    """Where the SQL stands in the template."""


class _Config:
    """`config(…)` writes nothing and is kept; `config.get(…)` gives what was kept."""

    def __init__(self) -> None:
        self.kept: dict[str, object] = {}

    def __call__(self, *args: object, **settings: object) -> str:
        self.kept.update(settings)
        return ""

    def get(self, name: str, default: object = None, **_: object) -> object:
        """What was kept under a name."""
        return self.kept.get(name, default)

    require = get


class _Adapter:
    """`adapter.dispatch('m')` gives the macro that is meant for the project's database; nothing else is to be had."""

    def __init__(self, macros: Mapping[str, Any], type: str) -> None:
        self._macros, self._type = macros, type

    def dispatch(self, name: str, *args: object, **named: object) -> object:
        """The macro `<adapter>__m`, else `default__m`."""
        found = self._macros.get(f"{self._type}__{name}") or self._macros.get(f"default__{name}")
        if found is None:
            raise LookupError(f"there is no macro {name} for this database")
        return found


class Templates:
    """Renders the templates of one project."""

    def __init__(
        self,
        project: str,
        variables: Mapping[str, object],
        environment: Mapping[str, str],
        adapter: str,
        ref: RefersTo,
        source: Callable[[str, str], str],
    ) -> None:
        self._config = _Config()
        self._macros: dict[str, Any] = {}
        functions: dict[str, Any] = {
            "config": self._config,
            "adapter": _Adapter(self._macros, adapter),
            "target": {"name": "", "schema": "", "database": "", "type": adapter, "profile_name": ""},
            project: self._macros,
            "ref": lambda *names, v=None, version=None: _relation(ref(names, written(v) or written(version))),
            "source": lambda schema, table: _relation(source(str(schema), str(table))),
        }
        self._sandbox = _sandbox(variables, environment, functions)

    def define(self, texts: Iterable[str]) -> list[str]:
        """Make macros known; what is wrong with those that cannot be."""
        problems: list[str] = []
        for macro in (found[0] for text in texts for found in _MACRO.finditer(text)):
            try:
                self._macros |= self._sandbox.define(macro)
            except TemplateProblem as problem:
                problems.append(str(problem))
        return problems

    def render(self, text: str, name: str) -> Rendered:
        """What a template makes; *name* is its own table's."""
        self._config.kept = {}
        try:
            sql, places = self._sandbox.rendered_with_map(text, name)
            return Rendered(sql, self._config.kept, map=places)
        except TemplateProblem as problem:
            return Rendered("", self._config.kept, str(problem))


def snapshots_in(text: str) -> dict[str, str]:
    """The templates between `{% snapshot name %}` and `{% endsnapshot %}`, by name."""
    return dict(_SNAPSHOT.findall(text))


def snapshot_offsets(text: str) -> dict[str, int]:
    """Where these templates begin, by name."""
    return {found[1]: found.start(2) for found in _SNAPSHOT.finditer(text)}


def _sandbox(variables: Mapping[str, object], environment: Mapping[str, str], functions: Mapping[str, Any]) -> Sandbox:
    try:
        from headwater.source.jinja_sandbox import Sandbox
    except ModuleNotFoundError as error:
        raise TemplateProblem(MISSING) from error
    return Sandbox(variables, environment, functions)


def _relation(name: str) -> Any:
    from headwater.source.jinja_sandbox import Relation

    schema, _, identifier = name.rpartition(".")
    return Relation(schema, identifier)
