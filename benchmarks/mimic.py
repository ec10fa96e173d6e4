"""MIMIC-IV in both its dialects, concept by concept: `python benchmarks/mimic.py`; see docs/mimic.md.

The PostgreSQL scripts are a translation of the BigQuery ones, so both must give the same edges. The exit status is 1 if they differ.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from headwater.analysis import Script, analyze_scripts
from headwater.model.entity import ColumnRef
from headwater.sql.text import Text
from material.corpus import Corpus
from material.package_index import Unavailable
from material.shared import mimic_bigquery, mimic_postgres

Edge = tuple[str, str, str, str]
"""Target, relation type, subtype, source."""


def main() -> int:
    """Compare the two dialects' edges of every concept."""
    try:
        postgres, bigquery = _edges(mimic_postgres), _edges(mimic_bigquery)
    except Unavailable as error:
        print(f"skipped, {error}")
        return 0
    differing = 0
    for concept, edges in bigquery.items():
        for dialect, only in (("postgres", postgres[concept] - edges), ("bigquery", edges - postgres[concept])):
            differing += len(only)
            for edge in sorted(only):
                print(f"{concept}: only in {dialect}: {' '.join(edge)}")
    total = sum(map(len, bigquery.values()))
    print(f"{len(bigquery)} concepts, {total:,} edges in BigQuery's dialect, {differing} that differ from PostgreSQL's")
    return 1 if differing else 0


def _edges(source: Callable[[Path], Corpus]) -> dict[str, set[Edge]]:
    corpus = source(Path(tempfile.gettempdir()))
    scripts = [Script(Path(s.name), Text(s.text, "utf-8")) for s in corpus.scripts]
    lineages = analyze_scripts(scripts, corpus.scripts[0].dialect, corpus.schema)
    return {
        Path(script.name).stem: {
            (_name(e.target), e.type, e.subtype or "", _name(e.source)) for e in lineage.column_edges()
        }
        for script, lineage in zip(corpus.scripts, lineages, strict=True)
    }


def _name(ref: ColumnRef) -> str:
    """A column's name without BigQuery's project, in lower case."""
    return str(ref).lower().removeprefix("physionet-data.")


if __name__ == "__main__":
    raise SystemExit(main())
