"""What the user has configured for Spark before headwater starts: `spark-defaults.conf`, and arguments for PySpark in the environment."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path

_LINE = re.compile(r"\s*([^#!\s=:]+)\s*(?:[=:\s]\s*(.*?))?\s*")
_LOG_FILES = ("log4j2.properties", "log4j2.xml", "log4j2.yaml", "log4j2.json")


def configuration_folder() -> Path | None:
    """The folder with Spark's configuration: SPARK_CONF_DIR, or `conf` in SPARK_HOME."""
    if named := os.environ.get("SPARK_CONF_DIR"):
        return Path(named)
    home = os.environ.get("SPARK_HOME")
    return Path(home) / "conf" if home else None


def configured() -> Mapping[str, str]:
    """The settings that Spark will find by itself: those of `spark-defaults.conf`, under those of PYSPARK_SUBMIT_ARGS."""
    folder = configuration_folder()
    try:
        lines = (folder / "spark-defaults.conf").read_text("utf-8", "replace").splitlines() if folder else []
    except OSError:
        lines = []
    return {**settings_in(lines), **_submit_arguments(os.environ.get("PYSPARK_SUBMIT_ARGS", ""))}


def configures_logging() -> bool:
    """Whether the user has said what Spark logs."""
    folder = configuration_folder()
    return folder is not None and any((folder / name).is_file() for name in _LOG_FILES)


def settings_in(lines: Iterable[str]) -> dict[str, str]:
    """The settings in lines of a properties file.

    >>> settings_in(["# cluster", "spark.master yarn", "spark.jars=a.jar", "", "spark.x: a = b"])
    {'spark.master': 'yarn', 'spark.jars': 'a.jar', 'spark.x': 'a = b'}
    """
    matches = (_LINE.fullmatch(line) for line in lines if not line.lstrip().startswith(("#", "!")))
    return {found[1]: found[2] or "" for found in matches if found}


def _submit_arguments(text: str) -> dict[str, str]:
    """The settings in arguments for spark-submit, as far as they matter here.

    >>> _submit_arguments("--master yarn --conf spark.jars=a.jar --verbose pyspark-shell")
    {'spark.master': 'yarn', 'spark.jars': 'a.jar'}
    """
    try:
        words = shlex.split(text)
    except ValueError:
        return {}
    found: dict[str, str] = {}
    for word, value in pairwise(words):
        if word in ("--conf", "-c") and "=" in value:
            key, _, told = value.partition("=")
            found[key] = told
        elif word in _NAMED:
            found[_NAMED[word]] = value
    return found


_NAMED = {"--master": "spark.master", "--driver-memory": "spark.driver.memory", "--name": "spark.app.name"}
