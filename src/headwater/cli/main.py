"""The `headwater` command and its exit codes: 0 clean, 1 findings, 2 could not run."""

from __future__ import annotations

import sys

import click

from headwater import __version__
from headwater.cli.analyze import analyze
from headwater.cli.demo import demo
from headwater.cli.dialects import dialects


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="headwater")
def cli() -> None:
    """Trace every column to its source.

    Exit codes: 0 clean, 1 there are findings, 2 it could not run.
    """


cli.add_command(analyze)
cli.add_command(demo)
cli.add_command(dialects)


def main() -> None:
    """Run the command; what the user can mend is one line, never a traceback."""
    try:
        code = cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        code = 2
    except click.ClickException as error:
        error.show()
        code = 2
    except BrokenPipeError:
        sys.stderr.close()
        code = 0
    except OSError as error:
        click.echo(f"headwater: {error.strerror or error}: {error.filename or ''}".rstrip(": "), err=True)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)
