"""A program that knows nothing of headwater, to be captured by configuration alone. Prints what it sees of itself and of PySpark.

    python unchanged_program.py FOLDER END [ADDRESS]

It ends as END says: `fails`, `exits` with code 3, `stops` Spark, `leaves` with `os._exit` after Spark has stopped, or `waits` to be
terminated. With an address it is a client of Spark Connect.
"""

from __future__ import annotations

import inspect
import json
import multiprocessing
import os
import pickle
import pydoc
import sys
import time
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

CODE = 3


def session(address: str) -> Any:
    builder = SparkSession.builder.appName("unchanged")
    if address:
        return builder.remote(address).getOrCreate()
    return builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()


def facts(spark: Any, address: str) -> dict[str, Any]:
    """What a program can see of itself, and of the classes that it uses."""
    own = type(spark)
    module = sys.modules[own.__module__]
    return {
        "program": [__name__, __file__, sys.argv, [place for place in sys.path if "userFiles" not in place]],
        "class": [str(own), str(inspect.signature(own)), inspect.getsource(own.__init__), repr(pickle.dumps(own))],
        "help": pydoc.plain(pydoc.render_doc(own)),
        "import": [str(type(module.__spec__.loader)), sorted(vars(module.__spec__.loader))],
        "workers": "" if address else spark.range(1).select(f.udf(loaded)(f.lit(1))).collect()[0][0],
        "child": forked() if not address else 0,
    }


def loaded(value: Any) -> str:
    """What a worker has loaded of headwater; the package that decides on that is loaded itself."""
    return ",".join(sorted(name for name in sys.modules if "headwater" in name and name != "headwater_autostart"))


def forked() -> list[int]:
    """Children end as they do without capture: in a pool, and by themselves."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        result = pool.apply(abs, (-7,))
    child = os.fork()
    if child == 0:
        sys.exit(5)
    return [result, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])]


def job(spark: Any, folder: str, source: str, target: str) -> None:
    spark.read.parquet(f"{folder}/{source}").selectExpr("a + 1 AS a").write.mode("overwrite").parquet(
        f"{folder}/{target}"
    )


def main(folder: str, end: str, address: str = "") -> None:
    spark = session(address)
    print(json.dumps(facts(spark, address)))
    spark.range(3).selectExpr("id AS a").write.mode("overwrite").parquet(f"{folder}/one")
    job(spark, folder, "one", "two")
    if end != "waits":
        spark.stop()
        spark = session(address)
    job(spark, folder, "two", "three")
    print("ready", flush=True)
    finish(spark, end)


def finish(spark: Any, end: str) -> None:
    if end == "fails":
        spark.sql("SELECT nowhere FROM nothing")
    elif end == "exits":
        sys.exit(CODE)
    elif end == "stops":
        spark.stop()
    elif end == "leaves":
        spark.stop()
        os._exit(CODE)
    else:
        time.sleep(60)


if __name__ == "__main__":
    main(*sys.argv[1:])
