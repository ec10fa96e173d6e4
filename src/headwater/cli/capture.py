"""`headwater capture`: runs a PySpark program as it is, and has its jobs recorded."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import click

import headwater_autostart
from headwater.storage import is_uri

_DEFAULT = "lineage_captured"
_PYTHON = ("-c", "-m")
"""Words that Python understands: what follows is a program."""
_CLUSTER = ("--deploy-mode=cluster", "spark.submit.deployMode=cluster")

_EXAMPLES = """\b
Examples:
  headwater capture -- job.py 2026-11-17
  headwater capture --sink s3://lake/lineage -- spark-submit --master yarn job.py
  headwater capture -- -m company.nightly"""


@click.command(epilog=_EXAMPLES, context_settings={"allow_interspersed_args": False})
@click.option(
    "--sink",
    envvar=headwater_autostart.VARIABLE,
    default=_DEFAULT,
    metavar="FOLDER|URI",
    show_default=True,
    help=f"Where jobs are recorded, for `headwater build`. Also {headwater_autostart.VARIABLE} in the environment.",
)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- PROGRAM [ARGUMENTS]…")
def capture(sink: str, command: tuple[str, ...]) -> int:
    """Run a PySpark program as it is, and record the lineage of its jobs.

    PROGRAM is a Python file, `-m MODULE`, `-c CODE`, or any command that starts Python: spark-submit, pyspark, jupyter. Its arguments,
    its output and its exit code are its own. The Python that runs it must have headwater installed.
    """
    words = [sys.executable, *command] if command[0] in _PYTHON or command[0].endswith(".py") else list(command)
    if _is_cluster(words):
        setting = f"--conf spark.yarn.appMasterEnv.{headwater_autostart.VARIABLE}={sink}"
        click.echo(f"headwater: in cluster mode the driver has an environment of its own: add {setting}", err=True)
    return _run(words, _environment(sink))


def _is_cluster(words: list[str]) -> bool:
    follows = any(pair == ("--deploy-mode", "cluster") for pair in pairwise(words))
    return follows or any(word in _CLUSTER for word in words)


def _environment(sink: str) -> dict[str, str]:
    """What the program finds: the variable, and the folder from which each Python that it starts reads the variable."""
    hook = Path(headwater_autostart.__file__).parent / "path"
    known = [place for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place and place != str(hook)]
    place = sink if is_uri(sink) else os.path.abspath(sink)
    return {
        **os.environ,
        headwater_autostart.VARIABLE: place,
        "PYTHONPATH": os.pathsep.join([str(hook), *known]),
    }


def _run(words: list[str], environment: dict[str, str]) -> int:
    """Become the program; where a process cannot become another one, run it."""
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        if os.name == "posix":
            os.execvpe(words[0], words, environment)
        return subprocess.run(words, env=environment, check=False).returncode
    except OSError as error:
        raise click.ClickException(f"{words[0]} cannot be run: {error.strerror}") from error
