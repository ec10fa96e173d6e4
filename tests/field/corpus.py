"""The corpus of the field: 20,000 generated statements in scripts and a query log, and a small one for builds that fail."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "benchmarks"))
from pipeline.warehouse import generate, write

STATEMENTS, DISTINCT, SEED = 20_000, 5_000, 22
EXIT_CODE = 1
"""Of a build of the corpus: some statements in it are broken, and lost."""
LOG = ("--log", "sql=query_text,user=user_name,time=started_at,default_schema=database")

SMALL = {
    "sql/stage.sql": "CREATE TABLE stage AS SELECT id, upper(name) AS name FROM source;\nINSERT INTO log SELECT id FROM stage",
    "sql/mart.sql": "CREATE VIEW mart AS SELECT * FROM stage WHERE id > 0;\nSELECT name FROM mart",
    "sql/report.sql": "INSERT INTO report SELECT count(*) AS n FROM mart",
}


def write_corpus(folder: Path) -> Path:
    """Write the corpus: `sql/` and `logs/`."""
    write(generate(STATEMENTS, DISTINCT, SEED), folder)
    return folder


def inputs(root: str) -> list[str]:
    """The arguments of a build that reads the corpus below a URI, or in the working directory; scripts have the same names either way."""
    return [f"{root}sql", f"{root}logs/*.parquet", *LOG, *(["--root", root] if root else [])]


def write_small(folder: Path, more: str = "") -> Path:
    """Write the small corpus; *more* is one more statement."""
    for name, text in SMALL.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    if more:
        (folder / "sql" / "more.sql").write_text(more)
    return folder
