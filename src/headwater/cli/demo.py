"""`headwater demo`: the bundled sample warehouse, analysed."""

from __future__ import annotations

import time
from pathlib import Path

import click

from headwater.analysis import analyze_files
from headwater.cli.diagnostics import diagnostic_lines
from headwater.cli.echo import echo_lines
from headwater.cli.logs import logging_to_standard_error
from headwater.cli.shared_options import color_option, verbosity_options
from headwater.cli.text import column_lines

_SHOWN = ("30_marts/01_daily_revenue.sql", "20_core/01_dim_products.sql")


def sample_warehouse() -> Path:
    """The folder of the sample warehouse's scripts."""
    return Path(__file__).parent.parent / "sample" / "warehouse"


@click.command(short_help="Analyse the bundled sample warehouse.")
@verbosity_options
@color_option
def demo(verbose: int, quiet: bool) -> None:
    """Analyse the bundled sample warehouse: a shop's scripts from raw tables to reports."""
    with logging_to_standard_error(verbose, quiet):
        _demo(quiet)


def _demo(quiet: bool) -> None:
    folder = sample_warehouse()
    scripts = sorted(folder.rglob("*.sql"))
    start = time.perf_counter()
    lineages = list(analyze_files(scripts, "spark"))
    edges = [edge for lineage in lineages for edge in lineage.column_edges()]
    seconds = time.perf_counter() - start
    for lineage, script in zip(lineages, scripts, strict=True):
        lineage.path = script.relative_to(folder).as_posix()
        if lineage.path in _SHOWN:
            echo_lines(column_lines(lineage, lineage.column_edges()))
        echo_lines(diagnostic_lines(lineage, brief=quiet), err=True)
    statements = sum(len(lineage.statements) for lineage in lineages)
    columns = {edge.target for edge in edges if edge.target.table}
    click.echo(
        f"{len(scripts)} scripts, {statements} statements, {len(columns)} columns, {len(edges)} relations, "
        f"{sum(len(lineage.diagnostics) for lineage in lineages)} diagnostics, {seconds:.2f} s"
    )
    click.echo(f"Look closer: headwater analyze {folder}")
