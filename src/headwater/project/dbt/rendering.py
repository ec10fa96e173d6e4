"""`Rendering`: the templates of a project and its packages, rendered as dbt would, without a database.

Each node is rendered when somebody needs it: `ref` needs the text of an ephemeral model, `get_columns_in_relation` the columns of a
model, which its rendered query tells. A model that asks `is_incremental()` is rendered for both answers. One whose rendering fails is
tried again as dbt parses it, with `execute` false.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from headwater.model.unknown_part import UNKNOWN_PART, has_unknown_part
from headwater.project.dbt.adapters import dialect_of_adapter
from headwater.project.dbt.calls import call_of
from headwater.project.dbt.context.adapter import Adapter, quoted_parts, quotes_of
from headwater.project.dbt.context.column import ColumnMaker
from headwater.project.dbt.context.config import Config
from headwater.project.dbt.context.functions import FILTERS, plain_functions
from headwater.project.dbt.context.graph import Graph
from headwater.project.dbt.context.relation import PARTS, Relation, RelationMaker
from headwater.project.dbt.context.results import Results
from headwater.project.dbt.document import Document, inner, texts, written
from headwater.project.dbt.hooks import hook_templates
from headwater.project.dbt.macros.library import INTERNAL, ContextView, Library, Namespace
from headwater.project.dbt.macros.mark_positions import Role
from headwater.project.dbt.macros.texts import MacroText, installed_macros, macros_in
from headwater.project.dbt.macros.unknown import unknown_names
from headwater.project.dbt.macros.unknown_calls import Call, UnknownCalls
from headwater.project.dbt.members import Members
from headwater.project.dbt.package import Package
from headwater.project.dbt.packages import search_orders
from headwater.project.dbt.plain_value import plain_value
from headwater.project.dbt.profiles import Target
from headwater.project.dbt.python_models import Asked, read_program
from headwater.project.dbt.stand_ins import stand_in_macros
from headwater.project.dbt.surroundings import Surroundings
from headwater.project.dbt.template_node import Rendered, TemplateNode
from headwater.project.dbt.variables import Var, Variables
from headwater.source.jinja_sandbox import Sandbox
from headwater.source.jinja_unknown import has_mark
from headwater.source.template import TemplateProblem
from headwater.source.template_map import TemplateMap
from headwater.source.template_watch import SETTING, templates_of
from headwater.sql.dialect import dialect

_LEADING = re.compile(r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*", re.DOTALL)
_NEEDS = re.compile(r"\b(?:ref|source)\s*\([^()]*\)")
_WITH = re.compile(r"with\s+(recursive\s+)?", re.IGNORECASE)
_DATABASES = ("database", "project", "catalog", "target_database")
_ANSWERED = frozenset({"get_columns_in_relation"})
"""Macros of dbt that send a query to the database for what `adapter` knows here: the stand-in is used, even if dbt is installed."""
_DEEPEST = 60
"""How many models may wait for each other while they are rendered."""


@dataclass(slots=True)
class _Now:
    """What is being rendered."""

    node: TemplateNode
    config: Config
    execute: bool = True
    incremental: bool = False
    asked_incremental: bool = False
    needs: dict[str, None] = field(default_factory=dict)
    ephemeral: dict[str, TemplateNode] = field(default_factory=dict)
    unknown: dict[str, dict[Role, None]] = field(default_factory=dict)
    asked: int = 0
    unset: dict[str, None] = field(default_factory=dict)
    required: dict[str, None] | None = None
    """Variables without a value for which their names stand; None if such a variable is an error."""
    of_settings: bool = False
    lone: Call | None = None
    """The call of a macro that nobody has and that makes all of the text."""


class Rendering:
    """Renders the templates of one project."""

    def __init__(
        self,
        packages: tuple[Package, ...],
        target: Target,
        surroundings: Surroundings,
        macros: Iterable[MacroText],
    ) -> None:
        """The project is the first of its *packages*; *macros* are theirs."""
        self.project, self.target = packages[0].name, target
        self.environment = surroundings.env_var
        self._packages = {package.name: package for package in packages}
        self.members = Members()
        self.columns: Callable[[str], Mapping[str, str] | None] = lambda unique_id: None
        """The columns of a node or source, as far as they are known without rendering it."""
        self.required: dict[str, None] = {}
        """Variables that models need and nobody sets: their names stand for them."""
        self.missing: dict[str, TemplateNode | None] = {}
        """Models that are referred to and are not there, each with the first that refers to it."""
        self.broken_hooks: dict[str, str] = {}
        """Why a hook of a node cannot be rendered, by unique id."""
        self.operations: dict[str, TemplateNode] = {}
        """Statements that run before or after all models."""
        self.missing_sources: dict[str, None] = {}
        """Tables of sources that are referred to and that no file declares."""
        self._variables = Variables(packages, surroundings.variables)
        self._results = Results(self._note_asked)
        self._stack: list[_Now] = []
        self._done: dict[str, Rendered] = {}
        self._calls = UnknownCalls(dialect(dialect_of_adapter(target.adapter) or "ansi"))
        self._unknown = unknown_names(self._called_unknown)
        self._sandbox = Sandbox({}, {}, undefined=self._unknown, filters=FILTERS)
        self._quotes = quotes_of(target.adapter)
        quoting = inner(packages[0].settings, "quoting")
        given = {part: value for part in PARTS if isinstance(value := quoting.get(part), bool)}
        self._quoted = {**quoted_parts(target.adapter), **given}
        self.make = RelationMaker(self._quotes, self._quoted)
        self._context = self._shared_context()
        forced = {
            "is_incremental": self._is_incremental,
            "statement": self._results.statement,
            "run_query": self._results.run,
            "load_result": self._results.load,
            "store_result": self._results.store,
            "should_full_refresh": lambda: False,
        }
        orders = search_orders(packages[0].settings)
        self.library = Library(self.project, target.adapter, orders, self._context, forced, self._compiled)
        self.library.add(macros)
        self._add_dbt()

    def _add_dbt(self) -> None:
        """Dbt's own macros as they are installed, and what stands for those and for packages that are not there."""
        stand_ins = {
            package: [macro for file, text in files for macro in macros_in(text, package, file)]
            for package, files in stand_in_macros().items()
        }
        self.library.add((macro for macro in stand_ins[INTERNAL] if macro.name in _ANSWERED), internal=True)
        self.library.add(installed_macros(self.target.adapter), internal=True)
        for package, macros in stand_ins.items():
            if package == INTERNAL or package not in self._packages:
                self.library.add(macros, internal=package == INTERNAL)

    def hint_for(self, macro: str) -> str:
        """What would help where a macro is not there: its package is not installed, or nobody defines it."""
        package, dot, _ = macro.partition(".")
        if dot and package not in self._packages:
            return f"run `dbt deps`: {package} is not installed"
        return "define the macro, or run `dbt compile`"

    def package_root(self, package: str) -> Path | None:
        """Where a package lies."""
        found = self._packages.get(package)
        return found.root if found else None

    # What is rendered

    def configured(self, node: TemplateNode) -> dict[str, Any]:
        """What a template says with `config`, as dbt finds out first: nothing is asked, errors do not count."""
        if "config" not in node.template:
            return {}
        now = _Now(node, Config(node.config), execute=False)
        with suppress(TemplateProblem):
            self._text(node.template, now)
        if now.config.kept.get("enabled") is False and now.unset:
            node.switches = (*node.switches, *now.unset)
        return now.config.kept

    def rendered(self, unique_id: str) -> Rendered:
        """The SQL of a node."""
        node = self.members.nodes.get(unique_id) or self.operations[unique_id]
        if unique_id not in self._done:
            if len(self._stack) > _DEEPEST or any(now.node is node for now in self._stack):
                return Rendered("", problem="it is needed to render itself")
            self._done[unique_id] = self._rendered_alone(node)
        return self._done[unique_id]

    def _rendered_alone(self, node: TemplateNode) -> Rendered:
        """What a node makes; whatever goes wrong costs this node only."""
        try:
            return self._rendered(node)
        except Exception as error:  # noqa: BLE001  (the boundary of a model)
            return Rendered("", problem=f"the template cannot be rendered: {error or type(error).__name__}")

    def text_of(self, text: str, package: str, unset: dict[str, None] | None = None) -> str:
        """A text of a YAML file, rendered; itself if it is no template. *unset* grows by variables that nobody sets."""
        if "{{" not in text and "{%" not in text:
            return text
        now = self._of_yaml(package)
        found = self._text(text, now).strip()
        if unset is not None:
            unset.update(now.unset)
        return found

    def setting_of(self, text: str, package: str, unset: dict[str, None]) -> str:
        """A setting of `dbt_project.yml`, rendered; *unset* grows by variables that nobody sets.

        dbt does not show such a setting the variables of the file that it stands in.
        """
        now = self._of_yaml(package)
        now.of_settings = True
        found = self._text(text, now).strip()
        unset.update(now.unset)
        return found

    @staticmethod
    def _of_yaml(package: str) -> _Now:
        return _Now(TemplateNode(f"yaml.{package}", "", "yaml", package, "", {}, {}), Config({}))

    def name(self, node: TemplateNode) -> None:
        """Give a node the name that its table has in the database."""
        config = node.config
        alias = written(config.get("alias"))
        own = f"{node.name}_v{node.version}" if node.version else node.name
        schema = written(config.get("schema")) or written(config.get("dataset"))
        database = next((found for key in _DATABASES if (found := written(config.get(key)))), "")
        made = self.make.create(
            self._named("generate_database_name", node, database or None) or database or self.target.database,
            self._named("generate_schema_name", node, schema or None)
            or (f"{self.target.schema}_{schema}" if schema else self.target.schema),
            self._named("generate_alias_name", node, alias or None) or alias or own,
            "view" if config.get("materialized", "view") == "view" else "table",
        )
        if node.kind == "snapshot" and written(config.get("target_schema")):
            made = made.incorporate({"schema": written(config.get("target_schema"))})
        quoting = config.get("quoting")
        given = quoting if isinstance(quoting, Mapping) else {}
        quoted = {part: value for part in PARTS if isinstance(value := given.get(part), bool)}
        self.members.name(node, made.quote(**quoted))
        tags = [*texts(node.document, "tags"), *texts(config, "tags")]
        node.document |= {"alias": made.identifier, "schema": made.schema, "database": made.database}
        node.document |= {"tags": list(dict.fromkeys(tags)), **self._dependencies(node)}

    def _dependencies(self, node: TemplateNode) -> dict[str, Any]:
        """What a node's own text says that it needs, as templates see it."""
        calls = [call for found in _NEEDS.finditer(node.template) if (call := call_of(found[0])) is not None]
        refs = [call for call in calls if call.function == "ref" and len(call.texts) <= 2]
        sources = [list(call.texts) for call in calls if call.function == "source" and len(call.texts) == 2]
        needed = [self.meant(call.texts, call.version) for call in refs]
        known = [self.members.sources[one, two][0] for one, two in sources if (one, two) in self.members.sources]
        return {
            "refs": [
                {
                    "name": call.texts[-1],
                    "package": call.texts[0] if len(call.texts) > 1 else None,
                    "version": call.version or None,
                }
                for call in refs
            ],
            "sources": sources,
            "depends_on": {
                "macros": [],
                "nodes": list(dict.fromkeys((*(each.unique_id for each in needed if each is not None), *known))),
            },
        }

    def _named(self, macro: str, node: TemplateNode, custom: str | None) -> str:
        """What the project's own macro makes of a name that is asked for; empty if it has none."""
        text = self.library.text(self.project, macro)
        made = self.library.macro(text) if text is not None else None
        if made is None:
            return ""
        try:
            with templates_of(node.unique_id), self._entered(_Now(node, Config(node.config))):
                return str(self._calls.plain(str(self._sandbox.called(made, custom, node.document) or "")).strip())
        except TemplateProblem:
            return ""

    def asked_by(self, node: TemplateNode) -> dict[Asked, tuple[str, str]]:
        """What a model in Python asks for: unique ids, empty for what is not there, and relations."""
        found: dict[Asked, tuple[str, str]] = {}
        for call in read_program(node.template).asked:
            now = _Now(node, Config(node.config))
            with self._entered(now), suppress(TypeError):
                ask = self._source if call.function == "source" else partial(self._ref, v=call.version)
                relation = replace(ask(*call.names), text="")
                found[call] = (next(iter(now.needs), ""), str(relation))
        return found

    def done(self, unique_id: str) -> Rendered:
        """What was rendered of a node so far."""
        return self._done.get(unique_id, Rendered(""))

    def _rendered(self, node: TemplateNode) -> Rendered:
        first = ""
        for now in self._attempts(node):
            try:
                sql, places = self._mapped(now)
            except TemplateProblem as problem:
                first = first or str(problem)
                if problem.refused:
                    return Rendered("", problem=first)
                continue
            if sql.strip() or not first:
                break
        else:
            return Rendered("", now.config.kept, first, unknown=_roles(now))
        self.required |= now.required or {}
        sql, places = self._with_ephemeral(sql, places, now)
        lone, hooks = now.lone, tuple(self._hooks(node, now))
        made = Rendered(
            sql,
            now.config.kept,
            asked=now.asked,
            needs=tuple(now.needs),
            unknown=_roles(now),
            hooks=hooks,
            places=places,
        )
        if lone is not None and not any(each.kind == "table" for each in lone.arguments):
            why = f"its SQL is made by {lone.name}, a macro that is not there"
            return replace(made, sql="", problem=why, made_by=lone.name)
        return self._with_increment(node, made, now)

    @staticmethod
    def _attempts(node: TemplateNode) -> Iterator[_Now]:
        """The ways to render a template, until one succeeds: as dbt runs it, as dbt parses it, with names for unset variables."""
        yield _Now(node, Config(node.config))
        yield _Now(node, Config(node.config), execute=False)
        yield _Now(node, Config(node.config), required={})

    def _with_increment(self, node: TemplateNode, made: Rendered, now: _Now) -> Rendered:
        how = now.config.get("materialized") or node.config.get("materialized")
        if not now.asked_incremental or how != "incremental":
            return made
        other = _Now(node, Config(node.config), execute=now.execute, incremental=True, required=now.required)
        try:
            sql, places = self._with_ephemeral(*self._mapped(other), other)
        except TemplateProblem as problem:
            return replace(made, problem=f"of a run that adds to the table, {problem}")
        needs = tuple(dict.fromkeys((*made.needs, *other.needs)))
        if sql.split() == made.sql.split():
            return replace(made, needs=needs)
        return replace(made, incremental=sql, incremental_places=places, needs=needs)

    def hooks_of(self, unique_id: str) -> tuple[str, ...] | None:
        """The hooks of a node that dbt has compiled; None if one cannot be rendered, or needs a macro that is not at hand."""
        node = self.members.nodes[unique_id]
        now = _Now(node, Config(node.config))
        made = tuple(self._hooks(node, now))
        return None if now.unknown or unique_id in self.broken_hooks else made

    def _hooks(self, node: TemplateNode, now: _Now) -> Iterator[str]:
        """The statements that run before and after a node; one that a macro makes which is not there is none."""
        for template in hook_templates(node.config, now.config.kept):
            hook = _Now(node, now.config, unknown=now.unknown, required={})
            try:
                made = self._text(template, hook).strip()
            except TemplateProblem as problem:
                self.broken_hooks.setdefault(node.unique_id, str(problem))
                continue
            self.required |= hook.required or {}
            if made and hook.lone is None:
                yield made

    def _with_ephemeral(self, sql: str, places: TemplateMap | None, now: _Now) -> tuple[str, TemplateMap | None]:
        """A query with the ephemeral models that it uses as CTEs in front, and theirs before them; and where it stands."""
        found: dict[str, str] = {}
        self._collect(now.ephemeral.values(), found, 0)
        if not found:
            return sql, places
        listed = ", ".join(f"{name} as (\n{text}\n)" for name, text in found.items())
        start = _LEADING.match(sql)
        at = start.end() if start else 0
        own = _WITH.match(sql, at)
        head, end = (f"with {own[1] or ''}{listed}, ", own.end()) if own else (f"with {listed}\n", at)
        return f"{sql[:at]}{head}{sql[end:]}", places and places.replaced(at, end, len(head))

    def _collect(self, nodes: Any, found: dict[str, str], depth: int) -> None:
        for node in nodes:
            name = _cte(node)
            if name in found or depth > _DEEPEST:
                continue
            now = _Now(node, Config(node.config))
            try:
                sql = self._text(node.template, now).strip().rstrip(";")
            except TemplateProblem:
                sql = "select * from unknown_ephemeral_model"
            self._collect(now.ephemeral.values(), found, depth + 1)
            found[name] = sql

    def _mapped(self, now: _Now) -> tuple[str, TemplateMap | None]:
        """What the template of a node makes, and where it stands in its file."""
        node = now.node
        if node.stands_in is None:
            return self._text(node.template, now), None
        with templates_of(node.unique_id), self._entered(now):
            names = self.library.namespace(node.package)
            sql, places = self._sandbox.rendered_in_with_map(node.template, names)
        sql, mapped = self._with_calls(sql, places, now)
        return sql, mapped and mapped.standing_in(*node.stands_in)

    def _text(self, template: str, now: _Now) -> str:
        subject = f"{SETTING}{template}" if now.node.kind == "yaml" else now.node.unique_id
        with templates_of(subject), self._entered(now):
            text = self._sandbox.rendered_in(template, self.library.namespace(now.node.package))
        return self._with_calls(text, None, now)[0]

    def _with_calls(self, text: str, places: TemplateMap | None, now: _Now) -> tuple[str, TemplateMap | None]:
        """A rendered text with the calls of macros that nobody has; what they stand for is noted."""
        if now.node.kind == "yaml":
            return str(self._calls.plain(text)), places
        now.lone = self._calls.only(text)
        made = self._calls.written(text, places)
        for name, role in made.roles:
            now.unknown.setdefault(name, {})[role] = None
        return made.sql, made.places

    def _compiled(self, text: MacroText, names: Namespace) -> Any:
        names.unknown = lambda name: self._unknown(name=name)
        with templates_of(f"macro {text.package}.{text.name}"):
            return self._sandbox.macro_in(text.text, text.name, names, text.path)

    # What templates see

    @contextmanager
    def _entered(self, now: _Now) -> Iterator[None]:
        """The context of a node, and behind it the one that was there before."""
        before, here = dict(self._context), self.library.here
        self.library.here = now.node.package
        self._stack.append(now)
        self.library.namespace(now.node.package).unknown = lambda name: self._unknown(name=name)
        self._context |= {
            "this": now.node.relation,
            "model": now.node.document,
            "config": now.config,
            "execute": now.execute,
            "var": self._var(now),
            **now.node.sees,
        }
        try:
            yield
        finally:
            self._stack.pop()
            self.library.here = here
            self._context.clear()
            self._context.update(before)

    def _var(self, now: _Now) -> Var:
        values = self._variables.of(now.node.package)
        render = partial(self._sandbox.rendered_in, names=self.library.namespace(now.node.package))
        if now.of_settings:
            return Var(self._variables.given, now.unset, render, values)
        return Var(values, now.unset, render, required=now.required)

    def _shared_context(self) -> dict[str, Any]:
        target = self.target
        seen = {
            "name": target.name,
            "target_name": target.name,
            "schema": target.schema,
            "type": target.adapter,
            "database": target.database,
            "dbname": target.database,
            "profile_name": target.profile,
            "threads": 1,
            "project": target.database,
            "dataset": target.schema,
            "catalog": target.database,
            "user": "headwater",
        }
        api = SimpleNamespace(Relation=self.make, Column=ColumnMaker(self._quotes))
        adapter = Adapter(target.adapter, self._results, self._dispatched, self._columns_in, self._relation_called, api)
        flags = SimpleNamespace(FULL_REFRESH=False, STORE_FAILURES=False, WHICH="run", PRINT=False, EMPTY=False)
        calls = {"ref": self._ref, "source": self._source, "config": lambda *args, **named: ""}
        return {
            "context": ContextView(lambda: self.library.namespace(self.library.here)),
            "function": self._function,
            **plain_functions(),
            **calls,
            "env_var": self.environment,
            "target": seen,
            "env": seen,
            "api": api,
            "adapter": adapter,
            "flags": flags,
            "builtins": calls,
            "graph": Graph(self.members),
            "schema": target.schema,
            "database": target.database,
            "project_name": self.project,
            "load_relation": lambda relation: relation,
            "return": self._sandbox.globals["return"],
            "schemas": [target.schema],
            "pre_hooks": [],
            "post_hooks": [],
            "sql": "",
            "compiled_code": "",
            "metric": lambda *names: names[-1] if names else "",
        }

    def _called_unknown(self, name: str, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        for now in self._stack[-1:]:
            now.unknown.setdefault(name, {})
        return self._calls.value(name, given, named)

    def _note_asked(self) -> None:
        for now in self._stack[-1:]:
            now.asked += 1

    def _is_incremental(self) -> bool:
        now = self._stack[-1]
        now.asked_incremental = True
        return now.incremental

    def _dispatched(self, name: str, namespace: str | None) -> Any:
        package = self._stack[-1].node.package if self._stack else self.project
        found = self.library.dispatched(name, namespace, package)
        return found if found is not None else self._unknown(name=f"{namespace}.{name}" if namespace else name)

    def _ref(self, *names: Any, v: object = None, version: object = None, **_: object) -> Relation:
        """`ref('model')`, `ref('package', 'model')`, `ref('model', v=2)`."""
        if not 1 <= len(names) <= 2:
            raise TypeError("ref takes a model, or a package and a model")
        node = self.meant(tuple(map(str, names)), written(v) or written(version))
        now = self._stack[-1] if self._stack else None
        if node is None:
            wanted = written(v) or written(version)
            if not any(map(has_mark, names)):
                self.missing.setdefault(str(names[-1]), now.node if now is not None else None)
            name = f"{names[-1]}_v{wanted}" if wanted else str(names[-1])
            return self.make.create(self.target.database, self.target.schema, name)
        if now is not None:
            now.needs[node.unique_id] = None
        if node.is_ephemeral and now is not None:
            now.ephemeral[node.unique_id] = node
            return replace(node.relation, text=_cte(node))
        return node.relation

    def _function(self, *names: Any) -> Relation:
        """`function('udf')`, `function('package', 'udf')`: a function of the database, by its name there."""
        if not 1 <= len(names) <= 2:
            raise TypeError("function takes a function, or a package and a function")
        return self.make.create(self.target.database, self.target.schema, str(names[-1]))

    def _source(self, *names: Any, database: Any = "", **_: Any) -> Relation:
        """`source('schema', 'table')`; projects whose own macro of that name takes options most often take a database."""
        if len(names) != 2:
            raise TypeError("source takes the name of a source and of its table")
        found = self.members.sources.get((str(names[0]), str(names[1])))
        if found is None:
            if not any(map(has_mark, names)):
                self.missing_sources[f"{names[0]}.{names[1]}"] = None
            return self.make.create(str(database or ""), str(names[0]), str(names[1]))
        if self._stack:
            self._stack[-1].needs[found[0]] = None
        return found[1]

    def meant(self, names: tuple[str, ...], version: str) -> TemplateNode | None:
        """The node that `ref` means: of the own package first, then of the project."""
        here = self._stack[-1].node.package if self._stack else self.project
        return self.members.meant(names, version, here, self.project)

    def _columns_in(self, relation: Relation) -> Mapping[str, str] | None:
        found = self.members.called(relation.database, relation.schema, relation.identifier)
        if found is None and has_unknown_part(relation.identifier):
            return {UNKNOWN_PART: "text"}
        return self.columns(found[0]) if found is not None else None

    def _relation_called(self, database: str, schema: str, identifier: str) -> Relation | None:
        found = self.members.called(database, schema, identifier)
        return found[1] if found is not None else None


def _roles(now: _Now) -> dict[str, tuple[Role, ...]]:
    return {name: tuple(roles) for name, roles in now.unknown.items()}


def _cte(node: TemplateNode) -> str:
    """What dbt calls the CTE of an ephemeral model."""
    return f"__dbt__cte__{node.relation.identifier or node.name}"


def rendered_settings(document: Document, render: Callable[[str], str]) -> dict[str, Any]:
    """Settings with their templates rendered; one that cannot be is left out."""
    found: dict[str, Any] = {}
    for key, value in document.items():
        if isinstance(value, str) and "{{" in value and not key.endswith("hook"):
            try:
                found[key] = plain_value(render(value))
            except TemplateProblem:
                continue
        elif isinstance(value, Mapping):
            found[key] = rendered_settings(value, render)
        else:
            found[key] = value
    return found
