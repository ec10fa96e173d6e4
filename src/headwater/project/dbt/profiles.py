"""Which database a project is for: its adapter, and the schema that it works in.

Asked are, in this order: the caller, `profiles.yml`, Python's requirements, the prefixes of macros, and what the templates look like.
Nothing else of a profile is looked at: profiles hold passwords.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from headwater.files import files_in
from headwater.files.roots import reading_also
from headwater.project.dbt.adapters import adapter_of_dialect, dialect_of_adapter
from headwater.project.dbt.document import Document, as_document, inner, text
from headwater.project.dbt.files import read_yaml
from headwater.project.dbt.remarks import Remarks
from headwater.sql.guess import PLAIN, guess
from headwater.sql.text import read_text

_FILE = "profiles.yml"
_REQUIREMENTS = (
    "requirements*.txt",
    "pyproject.toml",
    "Pipfile",
    "setup.py",
    "environment.yml",
    "poetry.lock",
    "uv.lock",
)
_ADAPTER = re.compile(r"\bdbt-([a-z]\w+)")
_ENV_VAR = re.compile(r"\{\{-?\s*env_var\(([^)]*)\)[^}]*\}\}")
_TEXT = re.compile(r"""['"]([^'"]*)['"]""")
_SKIPPED = frozenset({"node_modules", "target", "dbt_packages", "dbt_modules", "venv", "__pycache__"})
_MOST = 5_000
"""Folders below the project that are looked into."""
_SAMPLE = 100
"""Models that a dialect is guessed from."""
_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_DATABASE = ("database", "dbname", "catalog", "project")
_SCHEMA = ("schema", "dataset")


@dataclass(frozen=True, slots=True)
class Target:
    """A database, as far as names depend on it."""

    adapter: str
    schema: str
    database: str = ""
    name: str = "default"
    profile: str = ""
    told_by: str = ""
    """Who says so; empty if nobody does."""


def find_target(
    root: Path,
    settings: Document,
    dialect: str | None,
    environment: Mapping[str, str],
    macros: Iterable[str],
    variables: Callable[..., str],
    remarks: Remarks,
) -> Target:
    """The database of a project; *macros* are the names of its macros, *variables* gives those of the process."""

    def rendered(written: str) -> str:
        return _ENV_VAR.sub(lambda found: variables(*_TEXT.findall(found[1])), written)

    project, profile = text(settings, "name") or "dbt", text(settings, "profile")
    path, chosen, name = _output(root, profile, environment, remarks)
    adapter, told_by = (adapter_of_dialect(dialect), "--dialect") if dialect else (text(chosen, "type"), path)
    if not adapter:
        adapter, told_by = _by_requirements(root)
    if not adapter:
        adapter, told_by = _by_macros(macros)
    if not adapter:
        adapter, told_by = _by_texts(root)
    if "{{" in adapter:
        adapter = rendered(adapter)
    own = chosen if text(chosen, "type") == adapter else {}
    schema = next((found for key in _SCHEMA if (found := rendered(text(own, key)))), "")
    database = next((found for key in _DATABASE if (found := rendered(text(own, key)))), "")
    if adapter == "duckdb" and own:
        schema, database = schema or "main", database or _stem(rendered(text(own, "path")))
    return Target(adapter, schema or project, database, name or "default", profile, told_by)


def _stem(path: str) -> str:
    """What DuckDB calls a database by its file."""
    return "memory" if path in ("", ":memory:") else re.sub(r"\.\w+$", "", path.rpartition("/")[2])


def _output(root: Path, profile: str, environment: Mapping[str, str], remarks: Remarks) -> tuple[str, Document, str]:
    """The file that has the profile, its output that is meant, and its name."""
    for path in _files(root, environment):
        with reading_also(str(path)) if path.parent in _places_of_user(environment) else nullcontext():
            found = inner(read_yaml(path, path.as_posix(), remarks), profile)
        outputs = inner(found, "outputs")
        name = environment.get("DBT_TARGET") or text(found, "target")
        chosen = inner(outputs, name) or as_document(next(iter(outputs.values()), None))
        if text(chosen, "type"):
            shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
            return shown, chosen, name if inner(outputs, name) else next(iter(outputs), "")
    return "", {}, ""


def _files(root: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    is_named = bool(environment.get("DBT_PROFILES_DIR"))
    places = [*([] if is_named else [root]), *_places_of_user(environment)]
    yield from (place / _FILE for place in places if (place / _FILE).is_file())
    if not is_named:
        yield from _below(root)


def _places_of_user(environment: Mapping[str, str]) -> list[Path]:
    """Where the user, and no project, keeps profiles."""
    named, home = environment.get("DBT_PROFILES_DIR"), environment.get("HOME")
    return [Path(named)] if named else [Path(home) / ".dbt"] if home else []


def _below(root: Path) -> Iterator[Path]:
    """Other profiles below the project, the nearest first."""
    pending, seen = [root], 0
    while pending and seen < _MOST:
        folder = pending.pop(0)
        seen += 1
        try:
            inside = sorted(each for each in folder.iterdir() if each.is_dir() and not each.is_symlink())
        except OSError:
            continue
        yield from sorted(each for each in folder.glob("*profiles*.y*ml") if each != root / _FILE)
        pending += [each for each in inside if not each.name.startswith(".git") and each.name not in _SKIPPED]


def _by_requirements(root: Path) -> tuple[str, str]:
    """The adapter that Python's requirements name; the first of several."""
    for pattern in _REQUIREMENTS:
        for path in sorted(root.glob(pattern)):
            try:
                named = _ADAPTER.findall(read_text(path).text)
            except OSError:
                continue
            found = next((name for name in named if dialect_of_adapter(name)), "")
            if found:
                return found, path.name
    return "", ""


def _by_macros(names: Iterable[str]) -> tuple[str, str]:
    """The adapter that most macros are written for."""
    prefixes = Counter(name.partition("__")[0] for name in names if "__" in name)
    known = [(count, adapter) for adapter, count in prefixes.items() if dialect_of_adapter(adapter)]
    best = max(known, key=lambda each: (each[0], each[1]), default=(0, ""))[1]
    return best, f"macros called {best}__…" if best else ""


def _by_texts(root: Path) -> tuple[str, str]:
    """The adapter whose dialect the templates look like."""
    found = guess(_texts(root))
    if found.dialect == PLAIN:
        return "", ""
    return adapter_of_dialect(found.dialect), f"guessed by {', '.join(found.reasons) or 'its grammar'}"


def _texts(root: Path) -> Iterator[str]:
    models = root / "models"
    for path in islice((path for path in files_in(models) if path.endswith(".sql")), _SAMPLE):
        with suppress(OSError):
            yield _TAG.sub(" x ", read_text(models / path).text)
