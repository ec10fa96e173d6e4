"""The `headwater` command and its exit codes: 0 clean, 1 findings, 2 could not run, 130 or 143 ended by a signal."""

from __future__ import annotations

import os
import signal
import sys

import click

from headwater import __version__
from headwater.cli.analyze import analyze
from headwater.cli.build import build
from headwater.cli.cache import cache
from headwater.cli.capture import capture
from headwater.cli.catalog import catalog
from headwater.cli.check import check
from headwater.cli.completion import PROGRAM, completion
from headwater.cli.config import config
from headwater.cli.coverage import coverage
from headwater.cli.demo import demo
from headwater.cli.diagnostics import diagnostics
from headwater.cli.dialects import dialects
from headwater.cli.diff import diff
from headwater.cli.explain import explain, explain_and_exit
from headwater.cli.export import export
from headwater.cli.impact import impact
from headwater.cli.mcp import mcp
from headwater.cli.missing_extra import extra_hint
from headwater.cli.path import path
from headwater.cli.project import project
from headwater.cli.report import report
from headwater.cli.search import search
from headwater.cli.serve import serve
from headwater.cli.shared_options import color_option, complete_codes
from headwater.cli.spark import spark
from headwater.cli.stopped import Stopped, stopped_by_signals
from headwater.cli.store import store
from headwater.cli.tags import tags
from headwater.cli.trace import downstream, upstream
from headwater.cli.unused import unused
from headwater.cli.verify import verify
from headwater.cli.whole import whole
from headwater.runtime.versions import SparkUnavailable
from headwater_autostart import OFF, SWITCH, VARIABLE


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="""\b
Examples:
  headwater analyze sales.sql
  headwater explain unresolved-column
  headwater demo""",
)
@click.version_option(__version__, prog_name="headwater")
@color_option
@click.option(
    "--explain",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=explain_and_exit,
    shell_complete=complete_codes,
    help="The same as `headwater explain CODE`.",
)
@click.pass_context
def cli(context: click.Context) -> None:
    """Trace every column to its source.

    Exit codes: 0 clean, 1 there are findings, 2 it could not run, 130 Ctrl-C, 143 SIGTERM. HEADWATER_LINEAGE=off in the environment
    switches all of it off.
    """
    runs_a_program = context.invoked_subcommand == capture.name  # which runs, captured or not
    if os.environ.get(SWITCH, "").strip().lower() in OFF and not (context.resilient_parsing or runs_a_program):
        click.echo(f"headwater is switched off by {SWITCH}: nothing was done", err=True)
        context.exit(0)
    if not runs_a_program:
        os.environ.pop(VARIABLE, None)  # the Spark jobs of a command are not the user's


for _command in (
    analyze,
    build,
    upstream,
    downstream,
    path,
    impact,
    unused,
    coverage,
    diagnostics,
    tags,
    search,
    capture,
    spark,
    serve,
    diff,
    report,
    whole,
    store,
    export,
    check,
    project,
    verify,
    mcp,
    catalog,
    cache,
    explain,
    config,
    dialects,
    demo,
    completion,
):
    cli.add_command(_command)


def main() -> None:
    """Run the command; what the user can mend is one line, never a traceback."""
    with stopped_by_signals() as signals:
        code = _run(signals)
    if signals:
        click.echo(f"headwater: {signals[0]}", err=True)
        code = signals[0].code
    sys.exit(code if isinstance(code, int) else 0)


def _run(signals: list[Stopped]) -> object:
    """The exit code of the command. After a signal, errors are but its consequences."""
    try:
        return cli.main(prog_name=PROGRAM, standalone_mode=False)
    except Stopped as stopped:
        return stopped.code
    except click.exceptions.Abort as abort:
        if isinstance(abort.__cause__, KeyboardInterrupt) and not signals:
            signals.append(Stopped(signal.SIGINT))
        return 2
    except click.ClickException as error:
        if not signals:
            error.show()
        return 2
    except ModuleNotFoundError as error:
        if not extra_hint(error):
            raise
        click.echo(f"headwater: {extra_hint(error)}", err=True)
        return 2
    except SparkUnavailable as error:
        click.echo(f"headwater: {error}", err=True)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:
        if not signals:
            click.echo(f"headwater: {error.strerror or error}: {error.filename or ''}".rstrip(": "), err=True)
        return 2
