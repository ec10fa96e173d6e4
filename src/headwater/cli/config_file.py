"""The configuration file: `headwater.toml`, or `[tool.headwater]` in `pyproject.toml`.

It is looked for in the current folder and upwards, up to the root of the repository or of the file system. What comes out is checked:
every key exists, every value is of its kind, every schema file is there. Errors tell the file and the line.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from headwater.catalog.url import VARIABLE
from headwater.cli.check_settings import NAMES as CHECK_NAMES
from headwater.cli.check_settings import PLACES as CHECK_PLACES
from headwater.cli.check_settings import checked as checked_for_check
from headwater.cli.missing_file import missing
from headwater.cli.path_pattern import fits
from headwater.cli.settings import COMMAND_LINE, NAMES, PER_SCRIPT, Settings, checked, key_of, strings
from headwater.cli.tag_settings import KEYS as TAG_KEYS
from headwater.cli.tag_settings import TagSettings
from headwater.files import TooDeep, check_depth
from headwater.model.suggestion import did_you_mean
from headwater.pipeline.read.log_presets import PRESETS as LOG_PRESETS
from headwater.source.targets import PRESETS, Filled, Target, filled_by
from headwater.tags.governance import Governance, Rule
from headwater.tags.read import GovernanceError, name_rule

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_OWN = "headwater.toml"
_TABLES = ("overrides", "targets", "check", "catalogs", "tags", "namespaces", "log-preset")
"""Keys that are no settings of a script."""
_SHARED = "pyproject.toml"
_HEADER = re.compile(r"^\s*\[(\[?)\s*([^\]]+?)\s*\]")
_TARGET_KEYS = ("path", "table", "columns", "dialect", "default-schema", "preset")
_KEY = re.compile(r"""^\s*(?:(["'])(.+?)\1|([\w-]+))\s*=""")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Override:
    """Settings of their own for the scripts whose path fits one of the patterns."""

    paths: tuple[str, ...]
    values: Mapping[str, Any]
    origin: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A live catalog: its URL as written, and which of its schemas are read."""

    url: str
    schemas: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    system: bool = False


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """What a configuration file says."""

    path: Path
    values: Mapping[str, Any]
    places: Mapping[str, str]
    overrides: tuple[Override, ...]
    check: Mapping[str, Any] = field(default_factory=dict)
    """The settings of `headwater check`, from the table `check`."""
    catalogs: Mapping[str, Profile] = field(default_factory=dict)
    """Live catalogs by the names that the file gives them."""
    tags: TagSettings = field(default_factory=TagSettings)
    """What the table `tags` says."""
    namespaces: Mapping[str, str] = field(default_factory=dict)
    """What stands in scripts for a namespace of captured jobs and OpenLineage's events."""
    log_preset: str | None = None
    """What the query logs of a build are logs of."""
    targets: tuple[Target, ...] = ()
    """Files whose paths name the tables that they fill."""

    def filled(self, script: Path | None) -> Filled | None:
        """What the path of a script says: the table that it fills, and the file of its columns."""
        path = self.relative(script) if script is not None and self.targets else None
        found = filled_by(self.targets, path) if path is not None else None
        if found is None or not found.columns:
            return found
        return found._replace(columns=str(self.path.parent / found.columns))

    def overriding(self, script: Path | None) -> Iterator[Override]:
        """The overrides that are about a script, in order; what a later one says wins."""
        if script is None or not self.overrides:
            return
        path = self.relative(script)
        if path is None:
            return
        for override in self.overrides:
            if any(fits(pattern, path) for pattern in override.paths):
                yield override

    def relative(self, script: Path) -> str | None:
        """A script's path as seen from the file's folder; None if it is not below it."""
        try:
            return script.resolve().relative_to(self.path.parent.resolve()).as_posix()
        except ValueError:
            return None

    def described(self, schema_file: Path) -> str:
        """The table that a schema file describes, by its path; empty if none is known."""
        path = self.relative(schema_file) if self.targets else None
        return next((name for each in self.targets if path and (name := each.described(path))), "")


def effective(file: ConfigFile | None, given: Mapping[str, Any]) -> Settings:
    """The settings of a run: the command line's before the environment's before the file's before the defaults."""
    settings = Settings()
    if file is not None:
        settings = settings.given(file.values, file.places.__getitem__)
    if os.environ.get(VARIABLE):
        settings = settings.given({"catalog": f"env:{VARIABLE}"}, lambda name: VARIABLE)
    return settings.given(given, lambda name: COMMAND_LINE)


def effective_for(script: Path | None, file: ConfigFile | None, settings: Settings) -> Settings:
    """The settings of one script: an override's, where the command line says nothing."""
    for override in file.overriding(script) if file else ():
        values = {n: v for n, v in override.values.items() if settings.origin(n) != COMMAND_LINE}
        settings = settings.given(values, dict.fromkeys(values, override.origin).__getitem__)
    return settings


def config_file(named: str | None, none: bool) -> ConfigFile | None:
    """The file that was named, or the one that is found from here upwards, if any is wanted at all."""
    if none:
        if named:
            raise click.UsageError("--config and --no-config exclude each other")
        return None
    path = Path(named) if named else _found(Path.cwd())
    if path is None:
        return None
    if not path.is_file():
        raise click.ClickException(f"configuration file {missing(path)}")
    _log.info("settings from %s", path)
    return read_config(path)


def _found(start: Path) -> Path | None:
    for folder in (start, *start.parents):
        if (folder / _OWN).is_file():
            return folder / _OWN
        if (folder / _SHARED).is_file() and _has_settings(folder / _SHARED):
            return folder / _SHARED
        if (folder / ".git").exists():
            break
    return None


def _has_settings(shared: Path) -> bool:
    """Whether a `pyproject.toml` has our table; one that is no TOML, but speaks of us, is ours to complain about."""
    text = _text(shared)
    try:
        return "headwater" in text and _table(_parsed(text)) is not None
    except tomllib.TOMLDecodeError:
        return "[tool.headwater" in text


def _table(content: dict[str, Any]) -> dict[str, Any] | None:
    tools = content.get("tool")
    found = tools.get("headwater") if isinstance(tools, dict) else None
    return found if isinstance(found, dict) else None


def _text(path: Path) -> str:
    return path.read_text("utf-8-sig", "replace")


def read_config(path: Path) -> ConfigFile:
    """The settings in a file."""
    text = _text(path)
    try:
        content = _parsed(text)
    except tomllib.TOMLDecodeError as error:
        raise click.ClickException(_toml_error(path, str(error))) from error
    prefix = ""
    if path.name == _SHARED:
        prefix = "tool.headwater"
        ours = _table(content)
        if ours is None:
            raise click.ClickException(f"{path} has no table [tool.headwater]")
        content = ours
    return _Reader(path, text, prefix).read(content)


def _parsed(text: str) -> dict[str, Any]:
    """What TOML says; a `TOMLDecodeError` also for a document that is nested too deeply."""
    try:
        content = tomllib.loads(text)
        check_depth(content)
    except (RecursionError, TooDeep):
        raise tomllib.TOMLDecodeError(str(TooDeep())) from None
    return content


def _toml_error(path: Path, message: str) -> str:
    place = re.search(r" \(at line (\d+), column (\d+)\)", message)
    if place is None:
        return f"{path}: this is not TOML: {message}"
    return f"{path}:{place[1]}:{place[2]}: this is not TOML: {message[: place.start()]}"


class _Reader:
    """Turns the parsed TOML into checked settings; keeps the lines of its keys, which the parser does not tell."""

    def __init__(self, path: Path, text: str, prefix: str) -> None:
        self._path = path
        self._prefix = prefix
        self._lines = dict(reversed(list(_lines_of_keys(text))))

    def read(self, content: dict[str, Any]) -> ConfigFile:
        values = dict(self._settings(content, NAMES, _TABLES, "", 0))
        places = {name: self._place("", 0, key_of(name)) for name in values}
        overrides = content.get("overrides", [])
        if not isinstance(overrides, list) or not all(isinstance(o, dict) for o in overrides):
            raise self._error("", 0, "overrides", "must be tables: [[overrides]]")
        made = tuple(self._override(o, i) for i, o in enumerate(overrides, start=1))
        catalogs = self._catalogs(content.get("catalogs", {}))
        of_check = self._check(content.get("check", {}))
        namespaces = self._namespaces(content.get("namespaces", {}))
        preset = self._log_preset(content.get("log-preset"))
        targets = self._targets(content.get("targets", []))
        dialects = {each.dialect for each in targets}
        if "dialect" not in values and len(dialects) == 1 and all(dialects):
            values["dialect"] = checked("dialect", *dialects)
            places["dialect"] = targets[0].origin
        rest = (self._tags(content), namespaces, preset, targets)
        return ConfigFile(self._path, values, places, made, of_check, catalogs, *rest)

    def _targets(self, content: Any) -> tuple[Target, ...]:
        if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
            raise self._error("", 0, "targets", "must be tables: [[targets]]")
        return tuple(self._target(each, number) for number, each in enumerate(content, start=1))

    def _target(self, content: dict[str, Any], number: int) -> Target:
        origin = self._place("targets", number, "")
        for key, value in content.items():
            if key not in _TARGET_KEYS:
                raise self._unknown(key, list(_TARGET_KEYS), "targets", number)
            if not isinstance(value, (str, list) if key == "path" else str):
                raise self._error("targets", number, key, "must be a string")
        preset = PRESETS.get(content.get("preset", ""))
        if "preset" in content and preset is None:
            raise self._error("targets", number, "preset", f"must be one of {', '.join(PRESETS)}")
        if preset is None and not {"path", "table"} <= content.keys():
            raise click.ClickException(f"{origin}: a target needs a path and a table, or a preset")
        values = {key.replace("-", "_"): value for key, value in content.items() if key not in ("path", "preset")}
        try:
            paths = strings(content["path"]) if "path" in content else preset.paths if preset else ()
            if "dialect" in values:
                values["dialect"] = checked("dialect", values["dialect"])
            base = preset or Target((), "")
            return replace(base, **values, paths=paths, origin=origin)
        except ValueError as error:
            raise click.ClickException(f"{origin}: this target {error}") from error

    def _log_preset(self, value: Any) -> str | None:
        if value is not None and value not in LOG_PRESETS:
            raise self._error("", 0, "log-preset", f"must be one of {', '.join(LOG_PRESETS)}, not {value!r}")
        return None if value is None else str(value)

    def _check(self, content: Any) -> dict[str, Any]:
        if not isinstance(content, dict):
            raise self._error("", 0, "check", "must be a table: [check]")
        values = dict(self._settings(content, CHECK_NAMES, (), "check", 0, checked_for_check))
        return {name: self._found(value) if name in CHECK_PLACES else value for name, value in values.items()}

    def _catalogs(self, content: Any) -> dict[str, Profile]:
        if not isinstance(content, dict) or not all(isinstance(each, dict) for each in content.values()):
            raise self._error("", 0, "catalogs", "must be tables: [catalogs.NAME]")
        return {name: self._profile(f"catalogs.{name}", each) for name, each in content.items()}

    def _profile(self, table: str, content: dict[str, Any]) -> Profile:
        by_key = {"url": "url", "schemas": "schemas", "exclude": "exclude", "include-system": "system"}
        values: dict[str, Any] = {}
        for key, value in content.items():
            if key not in by_key:
                raise self._unknown(key, list(by_key), table, 0)
            wrong = not isinstance(value, {"url": str, "include-system": bool}.get(key, (str, list)))
            if wrong:
                kind = {"url": "a string", "include-system": "true or false"}.get(key, "a string or a list of strings")
                raise self._error(table, 0, key, f"must be {kind}")
            values[by_key[key]] = strings(value) if key in ("schemas", "exclude") else value
        if "url" not in values:
            raise click.ClickException(f"{self._place(table, 0, '')}: a catalog needs a url")
        return Profile(**values)

    def _namespaces(self, content: Any) -> dict[str, str]:
        if not isinstance(content, dict):
            raise self._error("", 0, "namespaces", "must be a table: [namespaces]")
        for key, value in content.items():
            if not isinstance(value, str) or not key.strip():
                raise self._error("namespaces", 0, key, "must be a string: the name in scripts, or an empty one")
        return content

    def _found(self, place: str) -> str:
        """A file or folder as seen from the configuration file; what is not there may be a snapshot's name."""
        path = self._path.parent / place
        return str(path) if path.exists() else place

    def _tags(self, content: dict[str, Any]) -> TagSettings:
        said = content.get("tags", {})
        if not isinstance(said, dict):
            raise self._error("", 0, "tags", "must be a table: [tags]")
        for key in said:
            if key not in TAG_KEYS:
                raise self._unknown(key, list(TAG_KEYS), "tags", 0)
        inline = Governance(self._rules(said, "columns", Rule), self._rules(said, "names", name_rule))
        return TagSettings(self._files(said, "files"), self._files(said, "policy"), inline)

    def _files(self, said: dict[str, Any], key: str) -> tuple[str, ...]:
        """Files, as seen from the configuration file."""
        try:
            return tuple(map(self._existing, strings(said.get(key, []))))
        except ValueError as error:
            raise self._error("tags", 0, key, str(error)) from error

    def _rules(self, said: dict[str, Any], key: str, rule: Callable[[str, str, str], Rule]) -> tuple[Rule, ...]:
        """Tags and patterns that stand in the configuration file itself."""
        content = said.get(key, {})
        if not isinstance(content, dict):
            raise self._error("tags", 0, key, f"must be a table of tags and patterns: [tags.{key}]")
        found: list[Rule] = []
        for tag, patterns in content.items():
            try:
                found += [rule(tag, each, self._place(f"tags.{key}", 0, tag)) for each in strings(patterns)]
            except GovernanceError as error:
                raise click.ClickException(str(error)) from error
            except ValueError as error:
                raise self._error(f"tags.{key}", 0, tag, str(error)) from error
        return tuple(found)

    def _override(self, content: dict[str, Any], number: int) -> Override:
        values = dict(self._settings(content, PER_SCRIPT, ("path",), "overrides", number))
        origin = self._place("overrides", number, "")
        if "path" not in content:
            raise click.ClickException(f'{origin}: an override needs a path, such as path = "legacy/**"')
        try:
            return Override(strings(content["path"]), values, origin)
        except ValueError as error:
            raise self._error("overrides", number, "path", str(error)) from error

    def _settings(
        self,
        content: dict[str, Any],
        names: tuple[str, ...],
        others: tuple[str, ...],
        table: str,
        number: int,
        check: Callable[[str, Any], Any] = checked,
    ) -> Iterator[tuple[str, Any]]:
        by_key = {key_of(name): name for name in names}
        for key, value in content.items():
            if key in others:
                continue
            if key not in by_key:
                raise self._unknown(key, [*by_key, *others], table, number)
            try:
                yield by_key[key], self._placed(key, check(by_key[key], value))
            except ValueError as error:
                raise self._error(table, number, key, str(error)) from error

    def _placed(self, key: str, value: Any) -> Any:
        """What names files or folders, as seen from the configuration file."""
        if key == "schema":
            return self._schema(value)
        return str(self._path.parent / value) if key == "cache" else value

    def _schema(self, schemas: tuple[str, ...]) -> tuple[str, ...]:
        """Schema files, as seen from the configuration file."""
        return tuple(s if s.lstrip().startswith("{") else self._existing(s) for s in schemas)

    def _existing(self, schema: str) -> str:
        path = self._path.parent / schema
        if not path.exists():
            raise ValueError(f"names {schema}, which does not exist beside {self._path.name}")
        return str(path)

    def _unknown(self, key: str, known: list[str], table: str, number: int) -> click.ClickException:
        if key == "tool":
            return self._error(table, number, key, f"does not belong here: in {self._path.name} keys stand at the top")
        if key.replace("_", "-") in known:
            hint = f"write {key.replace('_', '-')}"
        else:
            hint = did_you_mean(key, known) or f"there are {', '.join(sorted(known))}"
        return click.ClickException(f"{self._place(table, number, key)}: unknown key {key}; {hint}")

    def _error(self, table: str, number: int, key: str, words: str) -> click.ClickException:
        return click.ClickException(f"{self._place(table, number, key)}: {key} {words}")

    def _place(self, table: str, number: int, key: str) -> str:
        """`file:line` of a key, or of its table if that has no key of its own there."""
        name = ".".join(part for part in (self._prefix, table) if part)
        line = self._lines.get((name, number, key)) or self._lines.get((f"{name}.{key}".strip("."), 0, ""))
        line = line or self._lines.get((f"{name}.{key}".strip("."), 1, ""))
        return f"{self._path}:{line}" if line else str(self._path)


def _lines_of_keys(text: str) -> Iterator[tuple[tuple[str, int, str], int]]:
    """(table, its number if there are several, key) and the line; an empty key stands for the table's own header."""
    table, number = "", 0
    seen: dict[str, int] = {}
    for line, content in enumerate(text.splitlines(), start=1):
        header, key = _HEADER.match(content), _KEY.match(content)
        if header:
            table = re.sub(r"[\s\"']", "", header[2])
            seen[table] = number = seen.get(table, 0) + 1 if header[1] else 0
            yield (table, number, ""), line
        elif key:
            yield (table, number, key[2] or key[3]), line
