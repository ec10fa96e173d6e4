"""`Target`: files whose paths name the tables that their queries fill.

    path  = "sql/{project}/{dataset}/{table}/query.sql"
    table = "{project}.{dataset}.{table}"

A pattern's names stand for a part of a path between slashes; `*` for any characters there, `**` for any number of folders.
The `columns` are a schema file: its path counts from the script's folder, and may have the same names in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from headwater.sql.target import spelled_target

_TOKEN = re.compile(r"\{(?P<name>[A-Za-z_]\w*)\}|(?P<folders>\*\*/)|(?P<all>\*\*)|(?P<some>\*)|(?P<one>\?)")
_MEANING = {"folders": "(?:[^/]+/)*", "all": ".*", "some": "[^/]*", "one": "[^/]"}
_FIELD = re.compile(r"\{([A-Za-z_]\w*)\}")


class Filled(NamedTuple):
    """What a file's path says: the table that it fills, as a comment spells it, and the file of its columns."""

    table: str
    columns: str
    dialect: str
    default_schema: str


@dataclass(frozen=True, slots=True)
class Target:
    """Patterns of paths, and the table that each path names."""

    paths: tuple[str, ...]
    table: str
    columns: str = ""
    dialect: str = ""
    default_schema: str = ""
    origin: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        for path in self.paths:
            missing = set(_FIELD.findall(f"{self.table} {self.columns}")) - set(_FIELD.findall(path))
            if missing:
                raise ValueError(f"names {{{min(missing)}}}, which the path {path} does not have")

    def filled(self, path: str) -> Filled | None:
        """What a path, with slashes, says; None if it fits no pattern."""
        for pattern in self.paths:
            found = _compiled(pattern).fullmatch(path)
            if found:
                names = found.groupdict()
                parts = [_put(part, names) for part in self.table.split(".")]
                folder = path.rpartition("/")[0]
                columns = _put(self.columns, names)
                beside = f"{folder}/{columns}" if columns and folder else columns
                return Filled(spelled_target(parts), beside, self.dialect, self.default_schema)
        return None

    def described(self, path: str) -> str:
        """The table that a schema file describes, by its own path, whether a query fills it or not; empty if it fits no pattern."""
        for pattern in self.paths if self.columns and not self.columns.startswith("..") else ():
            folder = pattern.rpartition("/")[0]
            found = _compiled(f"{folder}/{self.columns}" if folder else self.columns).fullmatch(path)
            names = found.groupdict() if found else {}
            if found and names.keys() >= set(_FIELD.findall(self.table)):
                return spelled_target([_put(part, names) for part in self.table.split(".")])
        return ""


def filled_by(targets: Iterable[Target], path: str) -> Filled | None:
    """What the first target that fits a path says of it."""
    return next((found for each in targets if (found := each.filled(path)) is not None), None)


_QUERIES = ("query", "view", "materialized_view", "init", "part*", "script")
PRESETS: Mapping[str, Target] = {
    "bigquery-etl": Target(
        tuple(f"**/sql/{{project}}/{{dataset}}/{{table}}/{name}.sql" for name in _QUERIES),
        "{project}.{dataset}.{table}",
        "schema.yaml",
        "bigquery",
    ),
    "file-per-view": Target(("**/{schema}/{table}.sql",), "{schema}.{table}"),
    "airflow": Target(("**/dags/sql/{schema}/{table}.sql", "**/dags/{schema}/sql/{table}.sql"), "{schema}.{table}"),
}
"""Layouts that many repositories have."""

_ENOUGH = 100
"""Files with nothing but a query from which on a layout is worth a setting."""


def suggestion(paths: Sequence[str]) -> str:
    """The setting to paste for files that are bare queries, if hundreds of them lie in one of the layouts; else nothing."""
    if len(paths) < _ENOUGH:
        return ""
    counts = Counter(next((name for name, preset in PRESETS.items() if preset.filled(path)), "") for path in paths)
    name, count = counts.most_common(1)[0]
    if not name or count < _ENOUGH:
        return ""
    example = next(path for path in paths if PRESETS[name].filled(path))
    table = PRESETS[name].filled(example)
    return (
        f"{count:,} files are bare queries in a layout that names tables, such as {example}: with\n"
        f'  [[targets]]\n  preset = "{name}"\n'
        f"in headwater.toml each fills its table, {table.table if table else ''} for this one"
    )


def _put(template: str, names: Mapping[str, str | None]) -> str:
    return _FIELD.sub(lambda found: names.get(found[1]) or "", template)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    parts, end, seen = list[str](), 0, set[str]()
    bare = pattern.removeprefix("./").removeprefix("/")
    for token in _TOKEN.finditer(bare):
        parts.append(re.escape(bare[end : token.start()]))
        name = token["name"]
        if name:
            parts.append(f"(?P={name})" if name in seen else f"(?P<{name}>[^/]+?)")
            seen.add(name)
        else:
            parts.append(_MEANING[token.lastgroup or ""])
        end = token.end()
    return re.compile("".join(parts) + re.escape(bare[end:]), re.DOTALL)
