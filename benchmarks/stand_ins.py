"""Compare the stand-in macros with the real ones: both under a real dbt, on DuckDB, with the same models.

    python benchmarks/stand_ins.py FOLDER_OF_REAL_PACKAGES --dbt PATH_OF_DBT

The folder holds one folder per package, by its name: `dbt_utils`, `dbt_date`, and so on. dbt's own macros are those that dbt has installed.
Two scratch projects are made of `tests/stand_in_models.py`, one model per macro: one has the real packages, the other the stand-ins as
packages of the same name. dbt runs both. The lineage of the two compiled texts is compared: output columns, the columns whose data flows
into each, and the columns that influence it or its rows. The exit code is 1 if one differs without a reason in `REASONS`.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import headwater
from headwater.model.entity import PSEUDO_ROWS
from headwater.project.dbt.stand_ins import stand_in_macros
from stand_in_models import MODELS, ROW_OF_ORDERS, TABLES, VARIABLES, whole_model

OWN = "dbt_stand_in"
"""The stand-ins of `dbt` itself, as a package: dbt takes no other package of its own name."""
_CALL_OF_DBT = re.compile(r"\bdbt\.(?=\w+\()")

REASONS: dict[str, str] = {}
"""Models whose lineage differs, and why that is meant."""


class Read(NamedTuple):
    """What lineage says of a model."""

    outputs: tuple[str, ...]
    data: frozenset[tuple[str, str]]
    influence: frozenset[tuple[str, str]]
    diagnostics: tuple[str, ...]


def main() -> int:
    """Run both projects, print what differs and the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", type=Path)
    parser.add_argument("--dbt", default="dbt")
    parser.add_argument("--keep", type=Path, help="make the projects here, and leave them")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (options.keep or Path(scratch)).resolve()
        real = _real_project(folder / "real", options.packages)
        ours = _stand_in_project(folder / "stand_ins")
        failed = {project: _run(options.dbt, project) for project in (real, ours)}
        return _compare(real, ours, failed)


def _real_project(folder: Path, packages: Path) -> Path:
    _project(folder, "dbt")
    for package in MODELS:
        if package != "dbt":
            target = folder / "dbt_packages" / package
            shutil.copytree(packages / package, target, ignore=shutil.ignore_patterns(".git", "integration_tests", "models"))
    return folder


def _stand_in_project(folder: Path) -> Path:
    _project(folder, OWN)
    for package, files in stand_in_macros().items():
        name = OWN if package == "dbt" else package
        target = folder / "dbt_packages" / name
        (target / "macros").mkdir(parents=True)
        (target / "dbt_project.yml").write_text(f"name: {name}\nversion: 1.0.0\n", "utf-8")
        for file, text in files:
            (target / "macros" / file).write_text(_CALL_OF_DBT.sub(f"{OWN}.", text), "utf-8")
    return folder


def _project(folder: Path, own: str) -> None:
    """The project itself: settings, tables, and a model for each macro."""
    (folder / "models" / "tables").mkdir(parents=True)
    settings = {"name": "scratch", "version": "1.0.0", "profile": "scratch", "vars": VARIABLES}
    (folder / "dbt_project.yml").write_text(json.dumps(settings), "utf-8")
    profile = {"target": "dev", "outputs": {"dev": {"type": "duckdb", "path": str(folder / "scratch.duckdb")}}}
    (folder / "profiles.yml").write_text(json.dumps({"scratch": profile}), "utf-8")
    for table, columns in TABLES.items():
        values = ROW_OF_ORDERS.split(", ") if table == "orders" else ["null"] * len(columns)
        casts = (f"cast({value} as {type}) as {name}" for value, (name, type) in zip(values, columns.items(), strict=True))
        text = "{{ config(materialized='table') }} select " + ", ".join(casts)
        (folder / "models" / "tables" / f"{table}.sql").write_text(text, "utf-8")
    for package, models in MODELS.items():
        (folder / "models" / package).mkdir()
        for name, text in models.items():
            made = whole_model(_CALL_OF_DBT.sub(f"{own}.", text))
            depends = "".join(f"-- depends_on: {{{{ ref('{table}') }}}}\n" for table in TABLES)
            (folder / "models" / package / f"{package}__{name}.sql").write_text(depends + made, "utf-8")


def _run(dbt: str, project: Path) -> dict[str, str]:
    """Run a project; the models that failed, with the reason."""
    for which in ("--select", "--exclude"):
        command = [dbt, "--no-version-check", "--no-send-anonymous-usage-stats", "--quiet", "run", "--threads", "2"]
        command += ["--project-dir", str(project), "--profiles-dir", str(project)]
        command += [which, "path:models/tables"]
        done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    results = project / "target" / "run_results.json"
    if not results.exists():
        sys.exit(done.stdout + done.stderr)
    found = json.loads(results.read_text("utf-8"))["results"]
    return {each["unique_id"].split(".")[-1]: each["message"] for each in found if each["status"] == "error"}


def _compare(real: Path, ours: Path, failed: dict[Path, dict[str, str]]) -> int:
    counts: dict[str, Counter[str]] = {package: Counter() for package in MODELS}
    for package, models in MODELS.items():
        for name in models:
            model = f"{package}__{name}"
            word, detail = _verdict(real, ours, package, model)
            counts[package][word] += 1
            if word != "same":
                print(f"{word}: {model} {REASONS.get(model, detail)}")
            for project in (real, ours):
                if model in failed[project]:
                    counts[package][f"{project.name} not run"] += 1
                    print(f"not run: {project.name} {model}: {' '.join(failed[project][model].split())[:200]}")
    for package, figures in counts.items():
        print(f"{package}: {len(MODELS[package])} models, " + ", ".join(f"{n} {word}" for word, n in sorted(figures.items())))
    return int(any(figures["differs"] or figures["lost"] for figures in counts.values()))


def _verdict(real: Path, ours: Path, package: str, model: str) -> tuple[str, str]:
    texts = [_compiled(project, package, model) for project in (real, ours)]
    if not all(texts):
        return "lost", " and ".join(name for name, text in zip(("real", "stand-in"), texts, strict=True) if not text)
    first, second = (_read(text) for text in texts)
    if first[:3] == second[:3]:
        return "same", ""
    details = [
        f"{field}: real {_shown(a, b)}, stand-in {_shown(b, a)}"
        for field, a, b in zip(Read._fields, first, second, strict=True)
        if a != b
    ]
    return ("meant" if model in REASONS else "differs"), "; ".join(details)


def _shown(one: object, other: object) -> str:
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return "{" + ", ".join(sorted(f"{target}<-{source}" for target, source in one - other)) + "}"
    return str(one)


def _compiled(project: Path, package: str, model: str) -> str:
    path = project / "target" / "compiled" / "scratch" / "models" / package / f"{model}.sql"
    return path.read_text("utf-8") if path.exists() else ""


def _read(text: str) -> Read:
    """The lineage of a compiled model."""
    lineage = headwater.analyze(text, dialect="duckdb", schema={"scratch": {"main": TABLES}})
    [statement] = lineage.statements
    resolution = statement.resolution
    outputs = tuple(resolution.columns[each][1].lower() for each in resolution.outputs)
    edges = [each for each in lineage.column_edges() if each.source.column != PSEUDO_ROWS]
    data = {(_name(each.target), _name(each.source)) for each in edges if each.type == "fdd" and _is_data(each.subtype)}
    influence = {(_name(each.target), _name(each.source)) for each in edges} - data
    return Read(outputs, frozenset(data), frozenset(influence), tuple(each.code.value for each in lineage.diagnostics))


def _is_data(subtype: str | None) -> bool:
    return subtype in ("IDENTITY", "TRANSFORMATION", "AGGREGATION")


def _name(column: headwater.ColumnRef) -> str:
    return f"{column.table.rpartition('.')[2]}.{column.column}" if column.table else column.column


if __name__ == "__main__":
    sys.exit(main())
