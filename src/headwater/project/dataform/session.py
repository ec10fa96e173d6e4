"""A Dataform project while it is read: its programs are run, and the actions that they and the `.sqlx` files define are collected.

Files of `includes/` are global names; those of `definitions/` run in the order of their paths. Queries are written afterwards, when all
actions are known.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath

from headwater.files import parse_json
from headwater.model.diagnostic import Code
from headwater.model.span import LineIndex
from headwater.project.dataform.actions import Action, Writing
from headwater.project.dataform.js_parser import Parser, parse_script
from headwater.project.dataform.js_run import Machine, Module
from headwater.project.dataform.js_tokens import JsProblem
from headwater.project.dataform.js_values import Builtin, Scope, Unknown, Value, documents, text_of
from headwater.project.dataform.settings import DEFINITIONS, Settings
from headwater.project.dataform.sqlx import SqlxFile, read_sqlx
from headwater.project.dataform.targets import Targets
from headwater.project.dbt.property_files import files_below
from headwater.project.dbt.remarks import Remarks
from headwater.project.objects import Place
from headwater.sql.dialect import dialect
from headwater.sql.quoted import quoted_table
from headwater.sql.text import BINARY, read_text

_INCLUDES = "includes"
_SKIPPED = frozenset({"test", "notebook", "dataPreparation"})
_MAX_FILE = 5_000_000
COMPILE = "`dataform compile` shows what it gives"


class Session:
    """Reads the files of a project."""

    def __init__(self, root: Path, settings: Settings, remarks: Remarks) -> None:
        self.settings, self.remarks = settings, remarks
        self.actions: list[Action] = []
        self.targets = Targets(settings)
        self.files: list[str] = []
        self.machine = Machine(self._notice)
        self._root = root
        self._dialect = dialect(settings.dialect)
        self._loaded: dict[str, Value] = {}
        self._path = ""
        """The file whose SQL is being written."""
        self._unknown: dict[str, tuple[Place, dict[str, None]]] = {}
        self._packages: dict[str, dict[str, None]] = {}
        self._incremental = False
        self.machine.globals.declare("dataform", {"projectConfig": settings.project_config})

    def read(self) -> None:
        """Collect the actions of the project."""
        for path in files_below(self._root, (_INCLUDES,), ".js"):
            self.machine.start()
            self.machine.globals.declare(PurePosixPath(path).stem, self._exports(path))
        for path in files_below(self._root, (DEFINITIONS,), ".js", ".sqlx"):
            if path.endswith(".js"):
                self.machine.start()
                self._exports(path)
            else:
                self._sqlx(path)
        for action in self.actions:
            self.targets.add(action)

    # Files

    def _content(self, path: str) -> str | None:
        """What a file holds; None, with a remark, if it cannot be read."""
        shown = (self._root / path).as_posix()
        self.files.append(shown)
        try:
            if (self._root / path).stat().st_size > _MAX_FILE:
                self.remarks.add(Code.UNREADABLE_FILE, f"{shown} is too large to be read", Place(shown))
                return None
            read = read_text(self._root / path)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            self.remarks.add(Code.UNREADABLE_FILE, f"{shown} cannot be read: {reason}", Place(shown))
            return None
        if read.encoding == BINARY:
            self.remarks.add(Code.UNREADABLE_FILE, f"{shown} holds no text", Place(shown))
            return None
        return read.text

    def _module(self, path: str, text: str) -> Module:
        exports: dict[str, Value] = {}
        values = {
            "module": {"exports": exports},
            "exports": exports,
            "require": Builtin("require", lambda wanted="": self._require(text_of(wanted), path)),
            "__filename": path,
            "__dirname": PurePosixPath(path).parent.as_posix(),
        }
        shown = (self._root / path).as_posix()
        module = Module(shown, LineIndex(text), Scope(values, self.machine.globals))
        for kind in ("publish", "operate", "assert", "declare", "test", "notebook", "dataPreparation"):
            module.scope.declare(kind, Builtin(kind, self._defining(kind, module)))
        return module

    def _exports(self, path: str) -> Value:
        """What a program exports; it runs once."""
        if path in self._loaded:
            return self._loaded[path]
        self._loaded[path] = {}
        text = self._content(path)
        if text is None:
            return Unknown(path, Place(path))
        if path.endswith(".json"):
            self._loaded[path] = _json(text)
            return self._loaded[path]
        module = self._module(path, text)
        outer, self._path = self._path, module.path
        try:
            self.machine.run(parse_script(text), module)
        except (JsProblem, RecursionError) as problem:
            self._problem(problem, module, f"the rest of {module.path} is not read")
        finally:
            self._path = outer
        self._loaded[path] = documents(module.scope.get("module")).get("exports")
        return self._loaded[path]

    def _problem(self, problem: JsProblem | RecursionError, module: Module, cost: str, subject: str = "") -> None:
        place = module.place(problem.offset) if isinstance(problem, JsProblem) else Place(module.path)
        what = str(problem) if isinstance(problem, JsProblem) else "the text is nested too deeply"
        self.remarks.add(Code.UNREAD_MODEL, f"{cost}: {what}", place, subject=subject, hint=COMPILE)

    def _require(self, wanted: str, by: str) -> Value:
        folder = PurePosixPath(by).parent if wanted.startswith(".") else PurePosixPath()
        path = _normal(folder / wanted)
        if path is not None:
            for candidate in (path, f"{path}.js", f"{path}.json", f"{path}/index.js"):
                if candidate.endswith((".js", ".json")) and (self._root / candidate).is_file():
                    return self._exports(candidate)
        shown = (self._root / by).as_posix()
        self._packages.setdefault(wanted, {})[shown] = None
        return Unknown(wanted, Place(shown))

    # `.sqlx` files

    def _sqlx(self, path: str) -> None:
        text = self._content(path)
        if text is None:
            return
        module = self._module(path, text)
        name = PurePosixPath(path).stem
        self._path = module.path
        self.machine.start()
        try:
            file = read_sqlx(text)
            for program in file.programs:
                self.machine.run(Parser(program).script(), module)
            config = documents(self._config(file, module))
            kind = self.machine.key(config.get("type")) if config.get("type") else "operations"
            named = self.machine.key(config.get("name")) if config.get("name") else name
        except (JsProblem, RecursionError) as problem:
            self._problem(problem, module, f"{name} is not read", name)
            return
        if kind in _SKIPPED or file.is_test:
            return
        action = Action(kind, named, config, _place(file, module), module)
        action.queries += file.statements
        action.before += file.before
        action.after += file.after
        action.incremental_where = file.incremental_where
        self.actions.append(action)

    def _config(self, file: SqlxFile, module: Module) -> Value:
        if file.config is None:
            return {}
        return self.machine.value(Parser(file.config[0]).whole_expression(), module)

    # Programs

    def _defining(self, kind: str, module: Module) -> Callable[..., Value]:
        """The function `publish`, `operate`, … of a file."""

        def define(name: Value = None, given: Value = None) -> Value:
            name, given = self.machine.plain(name), self.machine.plain(given)
            config = documents(name) if isinstance(name, dict) else dict(documents(given))
            named = config.get("name") if isinstance(name, dict) else name
            default = {"publish": "table", "operate": "operations", "assert": "assertion", "declare": "declaration"}
            what = default.get(kind, kind)
            action = Action(what, self.machine.text(named), config, self.machine.place, module)
            if given is not None and not isinstance(given, dict):
                action.queries.append(given)
            if "query" in config:
                action.queries.append(config["query"])
            if kind == "publish" and isinstance(config.get("type"), str):
                action.kind = str(config["type"])
            if what not in _SKIPPED:
                self.actions.append(action)
            return self._builder(action)

        return define

    def _builder(self, action: Action) -> dict[str, Value]:
        """What `publish` gives: methods that add to the action, and give the same again."""
        made: dict[str, Value] = {}

        def method(name: str) -> Builtin:
            def call(*given: Value) -> Value:
                _put(action, name, tuple(self.machine.plain(each) for each in given))
                return made

            return Builtin(name, call)

        names = ("query", "queries", "preOps", "postOps", "where", "config", "type", "schema", "database")
        made |= {name: method(name) for name in (*names, *_IGNORED_METHODS)}
        return made

    # Queries

    def writing(self, action: Action, *, incremental: bool) -> Writing:
        """Writes the SQL of an action, as a first or as an incremental run has it."""
        self._path, self._incremental = action.module.path, incremental
        self.machine.start()
        return Writing(self.machine, action, self._context(action))

    def _context(self, action: Action) -> dict[str, Value]:
        table = self.targets.table(action)
        return {
            "ref": Builtin("ref", lambda *given: self._reference(action, given, must_exist=True)),
            "resolve": Builtin("resolve", lambda *given: self._reference(action, given, must_exist=False)),
            "self": Builtin("self", lambda *_: self.quoted(table)),
            "name": Builtin("name", lambda *_: table[-1]),
            "schema": Builtin("schema", lambda *_: table[-2] if len(table) > 1 else ""),
            "database": Builtin("database", lambda *_: table[-3] if len(table) > 2 else ""),
            "incremental": Builtin("incremental", lambda *_: self._incremental),
            "isIncremental": Builtin("isIncremental", lambda *_: self._incremental),
            "when": Builtin("when", self._when),
            "config": action.config,
        }

    def _when(self, test: Value = None, yes: Value = "", no: Value = "") -> Value:
        if isinstance(test, Unknown):
            return test
        return (yes if test else no) or ""

    def _reference(self, action: Action, given: tuple[Value, ...], *, must_exist: bool) -> Value:
        given = tuple(self.machine.plain(each) for each in given)
        if len(given) == 1 and isinstance(given[0], Unknown):
            return given[0]
        given = tuple(self.machine.text(each) if isinstance(each, Unknown) else each for each in given)
        found, table, hint = self.targets.found(given)
        if found is None and must_exist and not any("${" in part for part in table):
            message = f"{action.name} refers to {table[-1]}, which no action of the project is called"
            hint = hint or "declare it, if it is a table of somebody else"
            self.remarks.add(Code.UNKNOWN_REFERENCE, message, action.place, subject=table[-1], hint=hint)
        return self.quoted(table)

    def quoted(self, table: tuple[str, ...]) -> str:
        """A table as SQL writes it."""
        return quoted_table(table, self._dialect)

    # What is not known

    def _notice(self, unknown: Unknown) -> None:
        _, files = self._unknown.setdefault(unknown.origin, (unknown.place, {}))
        files[self._path or unknown.place.path] = None

    def tell_unknown(self) -> None:
        """Say which JavaScript was not worked out, and what that costs."""
        for package, files in self._packages.items():
            message = f"the package {package} is not read: the actions that it defines are unknown; {_listed(files)}"
            place = Place(next(iter(files)))
            self.remarks.add(Code.UNSUPPORTED_CONSTRUCT, message, place, subject=package, hint=COMPILE)
        for origin, (place, files) in self._unknown.items():
            if origin in self._packages:
                continue
            message = f"{origin} is not worked out: a placeholder stands for it; {_listed(files)}"
            stands = place if place.path else Place(next(iter(files)))
            self.remarks.add(Code.TEMPLATE, message, stands, subject=origin, hint=COMPILE)


_IGNORED_METHODS = (
    "tags", "dependencies", "description", "columns", "bigquery", "hasOutput", "disabled", "protected", "uniqueKey", "assertions",
    "dependOnDependencyAssertions", "setDependOnDependencyAssertions", "hermetic", "input", "expect", "dataset", "project",
)  # fmt: skip


def _put(action: Action, method: str, given: tuple[Value, ...]) -> None:
    """What a method of `publish(…)` does."""
    first = given[0] if given else None
    if method in ("query", "queries"):
        action.queries = [first]
    elif method == "preOps":
        action.before.append(first)
    elif method == "postOps":
        action.after.append(first)
    elif method == "where":
        action.incremental_where = first
    elif method == "config":
        action.config |= documents(first)
        action.kind = text_of(action.config.get("type") or action.kind)
    elif method == "type":
        action.kind = text_of(first)
    elif isinstance(first, (str, bool, list, dict)):
        action.config[method] = first


def _place(file: SqlxFile, module: Module) -> Place:
    """Where a file's SQL begins; its configuration, if it has none."""
    offsets = [each.offset for each in file.statements] or [file.config[1] if file.config else 0]
    return module.place(offsets[0])


def _normal(path: PurePosixPath) -> str | None:
    """A path without dots; None for one that leaves the project."""
    found: list[str] = []
    for part in path.parts:
        if part == "..":
            if not found:
                return None
            found.pop()
        elif part not in (".", "/"):
            found.append(part)
    return "/".join(found)


def _json(text: str) -> Value:
    try:
        return parse_json(text)
    except ValueError:
        return {}


def _listed(files: dict[str, None]) -> str:
    """Some files, by name."""
    names = sorted(files)
    shown = ", ".join(names[:5])
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f"{len(names)} file{'s' * (len(names) != 1)}: {shown}{more}"
