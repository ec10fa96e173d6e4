"""A program with twenty threads, each of which runs ten jobs of its own, all of them captured.

    python tests/programs/load.py SINK [ROOM]

ROOM is how many events Spark's queue of listeners holds, instead of 10,000. Prints, as JSON, how many jobs ran and failed, how many of them
were captured, and how many events the capture says that Spark dropped.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from headwater.runtime.session import spark_session
from headwater.spark import capture

THREADS, JOBS = 20, 10


def main(sink: str, room: str | None = None) -> None:
    """Run all jobs, and tell what became of them."""
    settings = {} if room is None else {"spark.scheduler.listenerbus.eventqueue.shared.capacity": room}
    with tempfile.TemporaryDirectory() as folder, spark_session(settings=settings) as spark:
        spark.range(10).selectExpr("id", "id * 2 AS amount").write.parquet(f"{folder}/orders")
        orders = spark.read.parquet(f"{folder}/orders")

        def run(thread: int) -> int:
            """Run the jobs of a thread; how many gave their rows."""
            return sum(len(orders.selectExpr(f"amount AS job_{thread}_{job}").collect()) == 10 for job in range(JOBS))

        with capture(spark, sink=sink) as captured, ThreadPoolExecutor(THREADS) as threads:
            succeeded = sum(threads.map(run, range(THREADS)))
    text = "".join(file.read_text() for file in Path(sink).iterdir())
    said = [re.search(r"Spark dropped (\d+) events", d.message) for d in captured.diagnostics]
    print(
        json.dumps(
            {
                "run": succeeded,
                "failed": THREADS * JOBS - succeeded,
                "captured": len(set(re.findall(r"job_\d+_\d+", text))),
                "dropped": sum(int(each[1]) for each in said if each),
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
