"""Which database a project is for: its adapter, and the schema that it works in.

Asked are, in this order: the caller, `profiles.yml`, Python's requirements, `dispatch` in `dbt_project.yml`, the prefixes of macros, and
what the templates look like.
Nothing else of a profile is looked at: profiles hold passwords.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from headwater.files import files_in
from headwater.files.roots import reading_also
from headwater.project.dbt.adapters import adapter_of_dialect, dialect_of_adapter
from headwater.project.dbt.context.adapter import with_parents
from headwater.project.dbt.document import Document, as_document, inner, text
from headwater.project.dbt.files import read_yaml
from headwater.project.dbt.package import Package
from headwater.project.dbt.packages import search_orders
from headwater.project.dbt.remarks import Remarks
from headwater.project.dbt.surroundings import Surroundings
from headwater.project.given_dialect import GivenDialect
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
    package: Package, given: GivenDialect | None, surroundings: Surroundings, macros: Iterable[str], remarks: Remarks
) -> Target:
    """The database of a project; *given* is what the caller says, *macros* are the names of its macros."""
    root, profile = package.root, text(package.settings, "profile")
    path, chosen, name = _output(root, profile, surroundings, remarks)
    own = surroundings.text(text(chosen, "type"))
    if given is not None:
        adapter = own if own and dialect_of_adapter(own) == given.name else adapter_of_dialect(given.name)
        told_by = given.told_by
    elif own:
        adapter, told_by = own, path
    else:
        adapter, told_by = _guessed(package, tuple(macros))

    def said(keys: Iterable[str]) -> str:
        """What the profile says under the first of some keys, if it is one for this adapter."""
        values = (surroundings.text(text(chosen, key)) for key in keys) if own == adapter else ()
        return next(filter(None, values), "")

    schema, database = said(_SCHEMA), said(_DATABASE)
    if adapter == "duckdb" == own:
        schema, database = schema or "main", database or _stem(said(("path",)))
    project = text(package.settings, "name") or "dbt"
    return Target(adapter, schema or project, database, name or "default", profile, told_by)


def _guessed(package: Package, macros: Sequence[str]) -> tuple[str, str]:
    """The adapter that a project's files show, and what shows it; empty if nothing does."""
    return next((each for each in _guesses(package, macros) if each[0]), ("", ""))


def _guesses(package: Package, macros: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield _by_requirements(package.root)
    yield _by_dispatch(package.settings, macros)
    yield _by_macros(macros)
    yield _by_texts(package.root)


def _stem(path: str) -> str:
    """What DuckDB calls a database by its file."""
    return "memory" if path in ("", ":memory:") else re.sub(r"\.\w+$", "", path.rpartition("/")[2])


def _output(root: Path, profile: str, surroundings: Surroundings, remarks: Remarks) -> tuple[str, Document, str]:
    """The file that has the profile, its output that is meant, and its name."""
    environment = surroundings.environment
    of_user = _places_of_user(environment)
    for path in _files(root, environment):
        with reading_also(str(path)) if path.parent in of_user else nullcontext():
            found = inner(read_yaml(path, path.as_posix(), remarks), profile)
        outputs = inner(found, "outputs")
        name = environment.get("DBT_TARGET") or surroundings.text(text(found, "target"))
        chosen = inner(outputs, name) or as_document(next(iter(outputs.values()), None))
        if text(chosen, "type"):
            shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
            return shown, chosen, name if inner(outputs, name) else next(iter(outputs), "")
    return "", {}, ""


def _files(root: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """Files that may have the profile: where the user names a folder, in the project, at home, and below the project."""
    named, home = environment.get("DBT_PROFILES_DIR"), environment.get("HOME")
    places = [*([Path(named)] if named else []), root, *([Path(home) / ".dbt"] if home else [])]
    yield from (place / _FILE for place in dict.fromkeys(places) if (place / _FILE).is_file())
    yield from _below(root)


def _places_of_user(environment: Mapping[str, str]) -> list[Path]:
    """Where the user, and no project, keeps profiles."""
    named, home = environment.get("DBT_PROFILES_DIR"), environment.get("HOME")
    return [*([Path(named)] if named else []), *([Path(home) / ".dbt"] if home else [])]


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


def _by_dispatch(settings: Document, macros: Sequence[str]) -> tuple[str, str]:
    """The adapter whose package of macros stands in for another one: `search_order: [spark_utils, dbt_utils]`.

    Adapters that stand on the same one share the package: then the prefixes of macros decide.
    """
    for searched in search_orders(settings).values():
        for package in searched:
            shim = adapter_of_dialect(package.removesuffix("_utils"))
            if package.endswith("_utils") and dialect_of_adapter(shim):
                sharing = (name for name in macros if shim in with_parents(name.partition("__")[0]))
                return _by_macros(sharing)[0] or shim, f"dispatch to {package}"
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
