"""Secrets in everything that a build reads: each carrier has all forms that it can hold, with secrets of its own."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from command import write
from planted_secrets import Planted, planted
from test_openlineage_read import dataset, event
from test_source_notebook import cell, notebook

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCRIPTS, LOG, NOTEBOOK, PROGRAM, TEMPLATE, EVENTS, JOBS, SOURCE = "79654382"
"""The variants of the forms by carrier; the last is Databricks' sources."""
CARRIERS = ("log.csv", "cells.ipynb", "program.py", "source.py", "shop", "runs.json", "captured")
"""What is built beside the manifest of the scripts."""


def _of_spark(variant: str) -> Iterator[Planted]:
    return (form for form in planted(variant) if form.dialect == "spark")


def write_carriers() -> None:
    """Files of all kinds in the current folder, but for those of captured jobs."""
    _write_scripts()
    _write_table("log.csv", ["sql", "dialect"], ([form.sql, form.dialect] for form in planted(LOG)))
    write("cells.ipynb", notebook(*(cell(f"%%sql\n{form.sql}") for form in _of_spark(NOTEBOOK))))
    calls = "".join(f"spark.sql({form.sql!r})\n" for form in _of_spark(PROGRAM))
    write("program.py", f"from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n{calls}")
    write("source.py", _databricks_source())
    _write_templates()
    write("runs.json", "".join(f"{json.dumps(_run(number, form))}\n" for number, form in enumerate(planted(EVENTS))))


def _write_scripts() -> None:
    for number, form in enumerate(planted(SCRIPTS)):
        write(f"s{number}.sql", f"{form.sql}\n")
    _write_table("scripts.csv", ["path", "dialect"], ([f"s{n}.sql", f.dialect] for n, f in enumerate(planted(SCRIPTS))))


def _write_table(path: str, head: list[str], rows: Iterator[list[str]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])


def _databricks_source() -> str:
    cells = ("\n".join(f"# MAGIC {line}" for line in f"%sql\n{form.sql}".split("\n")) for form in _of_spark(SOURCE))
    return "# Databricks notebook source\n" + "\n\n# COMMAND ----------\n\n".join(cells)


def _write_templates() -> None:
    """A project of dbt, whose models and variables are templates."""
    write("shop/dbt_project.yml", "name: shop\nprofile: shop\n")
    write("shop/profiles.yml", "shop: {target: dev, outputs: {dev: {type: spark, schema: main}}}\n")
    write("shop/models/t.sql", "SELECT a, b, note FROM {{ source('raw', 't') }}")
    for number, form in enumerate(each for each in _of_spark(TEMPLATE) if each.sql.startswith("SELECT")):
        sql = form.sql.replace("FROM t", "FROM {{ ref('t') }}")
        write(f"shop/models/m{number}.sql", f"{{{{ config(materialized='view', password='{form.marker}') }}}}\n{sql}\n")


def _run(number: int, form: Planted) -> dict[str, object]:
    facets = {"sql": {"query": form.sql, "dialect": form.dialect}}
    return event(
        run={"runId": f"{number:08d}-3480-44ff-99c5-ff943904e5e8", "facets": {}},
        job={"namespace": "etl", "name": f"job{number}", "facets": facets},
        inputs=[dataset("hive", "d.u")],
        outputs=[dataset("hive", f"d.o{number}")],
    )


def capture_jobs(spark: SparkSession, folder: Path) -> int:
    """Run queries that hold secrets and capture them; gives how many there were."""
    from pyspark.errors import AnalysisException, ParseException
    from pyspark.sql.functions import lit

    from headwater.spark import capture

    number = 0
    text = "string"
    for name in ("t", "u"):
        frame = spark.createDataFrame([], ", ".join(f"{each} {text}" for each in _COLUMNS))
        frame.createOrReplaceTempView(name)
    with capture(spark, sink=folder):
        for form in _of_spark(JOBS):
            if not form.sql.startswith("SELECT") or form.name.endswith("as comment"):
                continue
            try:
                spark.sql(form.sql).collect()
                number += 1
            except (AnalysisException, ParseException):
                continue
        given = spark.table("u").withColumn("password", lit(planted(JOBS)[0].marker))
        given.where(given.secret == planted(JOBS)[1].marker).write.json(f"{folder}-out")
    return number


_COLUMNS = ("a", "b", "id", "name", "note", "password", "token", "secret", "passwd")
