"""`headwater report`: one page about a corpus."""

from __future__ import annotations

from pathlib import Path

import click

from headwater.cli.shared_options import color_option, complete_files
from headwater.cli.store_options import DEFAULT_STORE, asking, opened, store_options

_FILE = "report.html"


@click.command(
    short_help="Write a readable page about a corpus.",
    epilog="""\b
Examples:
  headwater report
  headwater report --scope 'marts.*' --top 20 -o marts.html
  headwater report lineage/ --format markdown >> "$GITHUB_STEP_SUMMARY\"""",
)
@click.argument("folder", metavar="[STORE]", required=False, shell_complete=complete_files)
@store_options
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(["html", "markdown"]),
    help="Its form; else the output's name tells, or it is HTML.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete_files,
    help=f"Where it goes; - is standard output. Else {_FILE}, and standard output for Markdown.",
)
@click.option("--top", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many of each are listed.")
@click.option(
    "--scope", metavar="PATTERN", help="Only tables with a name like that: a part of it, or with *, ? and [...]."
)
@color_option
def report(
    folder: str | None,
    store: str,
    as_of: str | None,
    format_: str | None,
    output: str | None,
    top: int,
    scope: str | None,
) -> None:
    """Write one page about a corpus: coverage, failures, what everything hangs on, the largest chains.

    STORE is a folder that `headwater build` wrote; --store says the same. The page needs nothing else: it can be sent, archived or printed.
    """
    if folder and store != DEFAULT_STORE and folder != store:
        raise click.UsageError(f"two stores are named: {folder} and {store}")
    form = format_ or ("markdown" if output and Path(output).suffix in (".md", ".markdown") else "html")
    with asking():
        from headwater.report import gather, html_page, markdown_page, page_of

        page = page_of(gather(opened(folder or store, as_of), top, scope))
    text = markdown_page(page) if form == "markdown" else html_page(page)
    _write(text, output or ("-" if form == "markdown" else _FILE))


def _write(text: str, output: str) -> None:
    if output == "-":
        click.echo(text, nl=False)
        return
    Path(output).write_text(text, encoding="utf-8", newline="\n")
    click.echo(f"wrote {output}", err=True)
