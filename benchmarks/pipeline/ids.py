"""What the driver does with ids, at any size and without SQL: `python benchmarks/pipeline/ids.py --statements 10000000 --distinct 1000000`.

The pieces of a made-up corpus go through the steps that the driver runs alone: units, who needs whose definitions, the order of stages and
tasks. Printed are the seconds of each step and the peak of the process's memory after it.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from headwater.pipeline.plan.order import order
from headwater.pipeline.plan.units import contested, mixed, requirements, sorted_pieces, units_of
from headwater.pipeline.split.chunk import SCHEMAS

STATEMENTS_PER_SCRIPT = 20
MENTIONS = 4
LAYERS = 12


def scripts_table(scripts: int) -> pa.Table:
    """The scripts of the corpus."""
    paths = pa.array([f"sql/folder{n % 997}/script{n:08d}.sql" for n in range(scripts)])
    ids = mixed(np.arange(scripts, dtype=np.int64))
    times = pa.nulls(scripts, pa.timestamp("us", "UTC"))
    return pa.table({"script_id": ids, "path": paths, "last_seen": times})


def pieces_table(statements: int, distinct: int, seed: int = 0) -> pa.Table:
    """The pieces of the corpus: each distinct text at least once, some of them often."""
    draw = np.random.default_rng(seed)
    text = np.concatenate([np.arange(distinct), (draw.power(0.5, statements - distinct) * distinct).astype(np.int64)])
    draw.shuffle(text)
    number = np.arange(statements, dtype=np.int64)
    key = pa.array(mixed(text + (1 << 40)))
    ordinal = (number % STATEMENTS_PER_SCRIPT).astype(np.int32)
    columns = [mixed(number // STATEMENTS_PER_SCRIPT), ordinal, key, key, np.zeros(statements, bool)]
    return pa.Table.from_arrays(list(map(pa.array, columns)), schema=SCHEMAS["pieces"])


def names_table(distinct: int) -> pa.Table:
    """The names in the texts: a third of these define a table, each mentions some of earlier layers."""
    text = np.arange(distinct, dtype=np.int64)
    names = mixed(text + (1 << 41))
    upto = np.maximum(text * LAYERS // distinct * (distinct // LAYERS), 1).astype(np.uint64)
    chosen = [names[(mixed(text * 31 + at).view(np.uint64) % upto).astype(np.int64)] for at in range(MENTIONS)]
    defines = text % 3 == 0
    own = names[np.where(text % 300 == 0, (text // 600) * 600, text)]  # some tables are defined twice
    mentioned = np.stack([*chosen, own], axis=1)
    starts = np.arange(0, mentioned.size + 1, MENTIONS + 1, dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum(defines)]).astype(np.int32)
    lists = (
        pa.ListArray.from_arrays(starts, pa.array(mentioned.ravel())),
        pa.ListArray.from_arrays(offsets, pa.array(own[defines])),
    )
    columns = [pa.array(mixed(text + (1 << 40))), pa.array(np.zeros(distinct, bool)), *lists]
    return pa.Table.from_arrays(columns, schema=SCHEMAS["names"])


@contextmanager
def step(name: str) -> Iterator[None]:
    """Time a step."""
    start = time.process_time()
    yield
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name:14} {time.process_time() - start:8.1f} cpu-s   peak {peak:8.0f} MB", flush=True)


def main() -> None:
    """Run the driver's steps on ids."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--statements", type=int, default=1_000_000)
    parser.add_argument("--distinct", type=int, default=100_000)
    parser.add_argument("--cores", type=int, default=2)
    options = parser.parse_args()
    with step("generate"):
        scripts = scripts_table(-(-options.statements // STATEMENTS_PER_SCRIPT))
        table = pieces_table(options.statements, options.distinct)
        repeats = 1 + (options.statements - options.distinct) // options.distinct // 3  # a chunk has its own texts
        texts = pa.concat_tables([names_table(options.distinct)] * repeats)
    sizes = {"scripts": scripts.nbytes, "pieces": table.nbytes, "names": texts.nbytes}
    print("  " + ", ".join(f"{name} {size / 2**20:.0f} MB" for name, size in sizes.items()))
    with step("sort"):
        pieces = sorted_pieces(scripts, table, texts)
    del table, scripts, texts
    with step("contested"):
        names = contested(pieces.texts)
    with step("units"):
        units = units_of(pieces, names)
    with step("requirements"):
        user, definer = requirements(pieces, units)
    with step("order"):
        found = order(user, definer, np.ones(len(units.ids), bool), options.cores)
    stages, tasks = len(found.stages), int(found.tasks.max()) + 1
    print(f"{len(units.ids):,} units, {len(user):,} needs, {len(names):,} contested, {stages} stages, {tasks:,} tasks")


if __name__ == "__main__":
    main()
