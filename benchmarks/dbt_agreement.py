"""dbt projects read from their templates against the same as a real dbt compiles them: `python benchmarks/dbt_agreement.py FOLDER…`.

Each project is copied and built on DuckDB by the dbt of `--dbt`, with the packages of `--packages` in its `dbt_packages`. Then its
compiled SQL and its templates are read, each by itself, and compared: models with their tables, columns and relations. One row of a
table is printed for each project, and below it what differs.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from headwater.project.dbt import read_dbt
from headwater.project.lineage import project_lineage
from headwater.project.objects import Project

HEADER = "| project | models | the same name | columns | the same | relations | ours alone | dbt's alone |"
QUIET = {"DO_NOT_TRACK": "1", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
_PROFILE = re.compile(r"^profile:\s*['\"]?([^'\"\n#]*?)['\"]?\s*(?:#.*)?$", re.MULTILINE)
Edge = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a project is, read one way."""

    tables: dict[str, tuple[str, str]]
    """The name and the kind of each model's table."""
    columns: dict[str, tuple[str, ...]]
    edges: frozenset[Edge]
    remarks: tuple[str, ...]


def main() -> int:
    """Compare each project, and print the table; the exit status is 1 if one differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--dbt", default="dbt", help="the program")
    parser.add_argument("--packages", type=Path, help="a folder of packages, each below its own name")
    parser.add_argument("--vars", type=json.loads, default={}, help="variables as JSON, for dbt and for us")
    parser.add_argument("--exclude", nargs="*", default=[], help="models that dbt cannot compile on DuckDB")
    parser.add_argument("--most", type=int, default=10, help="how many differences of a project are printed")
    options = parser.parse_args()
    print(HEADER)
    print(f"|{'---|' * HEADER.count(' | ')}---|")
    differs = False
    for folder in options.folders:
        with tempfile.TemporaryDirectory() as name:
            project = Path(name) / folder.name
            said = _compiled(folder, project, options)
            if said:
                print(f"| {folder.name} | dbt: {said} |")
                differs = True
                continue
            differs |= _compare(folder.name, project, options)
    return int(differs)


def _compiled(folder: Path, project: Path, options: argparse.Namespace) -> str:
    """Build and compile a copy of a project; what dbt says if it cannot compile it."""
    shutil.copytree(folder, project, ignore=shutil.ignore_patterns("target", "dbt_packages", "profiles.yml", ".git"))
    found = _PROFILE.search((project / "dbt_project.yml").read_text(encoding="utf-8"))
    profile = found[1] if found else "default"
    (project / "profiles.yml").write_text(
        f"{profile}:\n  target: dev\n  outputs:\n    dev:\n      type: duckdb\n      path: {project.name}.duckdb\n",
        encoding="utf-8",
    )
    if options.packages is not None:
        for package in _named_packages(project, options.packages):
            shutil.copytree(package, project / "dbt_packages" / package.name)
    environment = {**os.environ, **QUIET, "DBT_PROFILES_DIR": str(project)}
    for command in (("build",), ("compile", "--exclude", "resource_type:test", *options.exclude)):
        words = [options.dbt, "-q", *command, "--vars", json.dumps(options.vars)]
        done = subprocess.run(words, cwd=project, env=environment, capture_output=True, text=True)
    if (project / "target" / "manifest.json").is_file() and done.returncode == 0:
        return ""
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return " ".join(lines)[:300] or f"exit status {done.returncode}"


def _named_packages(project: Path, packages: Path) -> list[Path]:
    """Those of a folder's packages that a project names, by whatever spelling."""
    files = [project / "packages.yml", project / "dependencies.yml"]
    text = "".join(file.read_text(encoding="utf-8") for file in files if file.is_file()).replace("-", "_")
    return [each for each in packages.iterdir() if each.name in text]


def _compare(name: str, project: Path, options: argparse.Namespace) -> bool:
    compiled = _reading(read_dbt(project, environment={}))
    shutil.rmtree(project / "target")
    ours = _reading(read_dbt(project, variables=options.vars, environment={"DBT_TARGET_PATH": "nowhere"}))
    same_tables = sum(ours.tables.get(model) == table for model, table in compiled.tables.items())
    count = sum(map(len, compiled.columns.values()))
    same = sum(len(set(columns) & set(ours.columns.get(model, ()))) for model, columns in compiled.columns.items())
    extra, missing = sorted(ours.edges - compiled.edges), sorted(compiled.edges - ours.edges)
    cells = [name, len(compiled.tables), same_tables, count, same, len(compiled.edges), len(extra), len(missing)]
    print(f"| {' | '.join(map(str, cells))} |", flush=True)
    for model in sorted({*compiled.tables, *ours.tables}):
        if compiled.tables.get(model) != ours.tables.get(model):
            print(f"    {model}: dbt {compiled.tables.get(model)}, ours {ours.tables.get(model)}")
        elif compiled.columns.get(model) != ours.columns.get(model):
            print(f"    {model}: dbt {compiled.columns.get(model)}, ours {ours.columns.get(model)}")
    for title, edges in (("ours alone", extra), ("dbt's alone", missing)):
        for target, source, kind in edges[: options.most]:
            print(f"    {title}: {source} -> {target} ({kind})")
        if len(edges) > options.most:
            print(f"    {title}: {len(edges) - options.most} more")
    for remark in ours.remarks:
        print(f"    said: {remark}")
    return bool(extra or missing or ours.tables != compiled.tables or ours.columns != compiled.columns)


def _reading(project: Project) -> Reading:
    """A project's models, columns and relations, as of a second run: dbt compiles it where its tables are."""
    project = replace(
        project, models=tuple(replace(model, sql=model.added or model.sql, added="") for model in project.models)
    )
    found = project_lineage(project).lineage
    edges = {(str(edge.target), str(edge.source), f"{edge.type} {edge.subtype}") for edge in found.column_edges()}
    columns: dict[str, dict[str, None]] = {}
    for target, _, _ in sorted(edges):
        table, _, column = target.rpartition(".")
        columns.setdefault(table, {})[column] = None
    tables = {model.name: (".".join(model.table or ()), model.materialized) for model in project.models}
    return Reading(
        tables,
        {name: tuple(sorted(columns.get(table, ()))) for name, (table, _) in tables.items()},
        frozenset(edges),
        tuple(said.message for said, _ in project.remarks),
    )


if __name__ == "__main__":
    sys.exit(main())
