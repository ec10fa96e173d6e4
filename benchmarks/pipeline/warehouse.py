"""A warehouse in Spark's SQL with its true lineage: `python benchmarks/pipeline/warehouse.py --out corpus`.

Scripts go to `sql/<layer>/`, a query log to `logs/part-*.parquet` (which needs pyarrow), the truth to `truth/`; see `truth.py`.
The truth is put down while each statement is written; nothing is parsed. The same seed gives the same corpus.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pipeline.chance import Chance
from pipeline.repeats import jobs, logged
from pipeline.scribe import Corpus, Entry, Scribe
from pipeline.scripts import Warehouse, plans

SEED, STATEMENTS, DISTINCT = 20261115, 200_000, 20_000
_IN_SCRIPTS, _DISTINCT_IN_SCRIPTS = 0.6, 0.65


def generate(statements: int = STATEMENTS, distinct: int = DISTINCT, seed: int = SEED) -> Corpus:
    """A corpus of that many statements, of which that many differ by more than literals.

    The smallest that has all its parts is of about 300 statements, 150 of them distinct.
    """
    warehouse = Warehouse(Chance(random.Random(seed)))
    scribe = Scribe(warehouse.chance.rng)
    in_scripts = round(statements * _IN_SCRIPTS)
    home = list(plans(warehouse, round(distinct * _DISTINCT_IN_SCRIPTS)))
    placed = sum(len(plan.statements) for plan in home)
    for plan in (*home, *jobs(warehouse, home, in_scripts - placed)):
        scribe.script(plan)
    in_log = statements - max(in_scripts, placed)
    scribe.log(list(logged(warehouse, distinct - len(warehouse.shapes), in_log)))
    scribe.corpus.shapes = len(warehouse.shapes)
    return scribe.corpus


def write(corpus: Corpus, folder: Path) -> None:
    """Write a corpus into a folder; what it held of an earlier corpus is overwritten, not removed."""
    for path, text in corpus.scripts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    for path, entries in corpus.logs.items():
        _write_log(folder / path, entries)
    corpus.truth.write(folder / "truth")


def _write_log(path: Path, entries: list[Entry]) -> None:
    import pyarrow
    import pyarrow.parquet

    columns = {
        "query_text": [entry.text for entry in entries],
        "user_name": [entry.user for entry in entries],
        "started_at": pyarrow.array([entry.started_at for entry in entries], pyarrow.timestamp("us", "UTC")),
        "database": [entry.database for entry in entries],
    }
    pyarrow.parquet.write_table(pyarrow.table(columns), path, compression="zstd")


def summary(corpus: Corpus) -> str:
    """What a corpus holds, in a line."""
    documents = corpus.truth.documents
    statements, broken = sum(d.statements for d in documents), sum(len(d.broken) for d in documents)
    return (
        f"{statements} statements ({corpus.shapes} distinct, {broken} broken) in {len(corpus.scripts)} scripts and "
        f"{sum(map(len, corpus.logs.values()))} log entries; {len(corpus.truth.relations)} relations, "
        f"{len(corpus.truth.columns)} tables and views"
    )


def main() -> None:
    """Generate a corpus as the command line asks for it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--statements", type=int, default=STATEMENTS)
    parser.add_argument("--distinct", type=int, default=DISTINCT)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    started = time.process_time()
    corpus = generate(options.statements, options.distinct, options.seed)
    write(corpus, options.out)
    print(f"{summary(corpus)}; {time.process_time() - started:.1f} cpu-s")


if __name__ == "__main__":
    main()
