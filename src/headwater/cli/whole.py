"""`headwater whole`: closure, components and degree of all columns of a store, on Spark."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.shared_options import color_option, complete_files
from headwater.cli.store_options import flow_option, format_option, keys_option, store_options
from headwater.cli.whole_output import output_named, show, write
from headwater.cli.whole_session import Session, whole_graph

if TYPE_CHECKING:
    from headwater.spark.whole.graph import FlowName, Level


def _settings(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    wrong = [value for value in values if "=" not in value]
    if wrong:
        raise click.BadParameter(f"{wrong[0]!r} is not KEY=VALUE")
    return dict(value.split("=", 1) for value in values)


def _options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What all of these commands have: `output`, `format_`, and the fields of a `Session`."""
    options = (
        click.option(
            "-o",
            "--output",
            callback=output_named,
            metavar="FILE|FOLDER/",
            shell_complete=complete_files,
            help="Write all of it to a .parquet, .csv or .json file, or to a folder of Parquet files.",
        ),
        store_options,
        click.option("--master", help="Spark's master: spark://…, yarn, k8s://…  [default: this machine's cores]"),
        click.option(
            "--spark", multiple=True, metavar="KEY=VALUE", callback=_settings, help="More settings for Spark."
        ),
        click.option("-q", "--quiet", is_flag=True, help="No progress, and no words about what was written."),
        format_option,
        color_option,
    )
    for option in reversed(options):
        function = option(function)
    return function


_tables_option = click.option("--table", "tables", is_flag=True, help="Of tables instead of columns.")
_top_option = click.option(
    "--top", type=click.IntRange(min=1), default=20, show_default=True, help="How many are shown if no output is named."
)


@click.group(
    short_help="Work on the whole graph of a store, on Spark.",
    epilog="""\b
Examples:
  headwater whole degree
  headwater whole closure -o pairs.parquet --depth 3""",
)
def whole() -> None:
    """Work on the whole graph of a store, on Spark: what is asked of all columns together.

    About a single column upstream, downstream, path and impact answer at once, without Spark.
    """


@whole.command(
    short_help="All pairs of columns with a way from one to the other.",
    epilog="""\b
Examples:
  headwater whole closure
  headwater whole closure --impact --depth 2 --names -o pairs.csv
  headwater whole closure --table -o tables.parquet""",
)
@flow_option
@keys_option
@click.option("--depth", type=click.IntRange(min=1), metavar="N", help="How many hops; all if not given.")
@_tables_option
@click.option("--names", is_flag=True, help="Write names beside ids.")
@click.option(
    "--limit-pairs", type=click.IntRange(min=1), metavar="N", help="Refuse more pairs than this.  [default: 100000000]"
)
@_options
def closure(
    impact: bool,
    foreign_keys: bool,
    depth: int | None,
    tables: bool,
    names: bool,
    limit_pairs: int | None,
    output: str | None,
    format_: str,
    **session: Any,
) -> None:
    """All pairs of columns with a way from one to the other, and over how many hops.

    Without an output it shows how many pairs there are of each number of hops.
    """
    with whole_graph(Session(**session)) as (graph, told):
        limit = {} if limit_pairs is None else {"limit_pairs": limit_pairs}
        pairs = graph.closure(
            _flow(impact),
            depth,
            level=_level(tables),
            foreign_keys=foreign_keys,
            names=names and output is not None,
            tell=told.tell,
            **limit,
        )
        if output is not None:
            write(pairs, output, told, session["quiet"])
        else:
            show(pairs.groupBy("hops").count().withColumnRenamed("count", "pairs").orderBy("hops"), format_, told)


@whole.command(
    short_help="What hangs together.",
    epilog="""\b
Examples:
  headwater whole components
  headwater whole components --table --impact
  headwater whole components -o components.parquet""",
)
@flow_option
@keys_option
@_tables_option
@_top_option
@_options
def components(
    impact: bool,
    foreign_keys: bool,
    tables: bool,
    top: int,
    output: str | None,
    format_: str,
    **session: Any,
) -> None:
    """What hangs together, whichever way data flows: the component of each column, or table.

    Without an output it shows the greatest components: their size, and the member that they are named by.
    """
    with whole_graph(Session(**session)) as (graph, told):
        told.tell("looking for components")
        level, flow = _level(tables), _flow(impact)
        if output is not None:
            write(graph.components(flow, level=level, foreign_keys=foreign_keys), output, told, session["quiet"])
        else:
            show(graph.component_sizes(flow, level=level, foreign_keys=foreign_keys).limit(top), format_, told)


@whole.command(
    short_help="How many others each is made of and read by; hubs.",
    epilog="""\b
Examples:
  headwater whole degree --top 10
  headwater whole degree --table
  headwater whole degree -o degree.csv""",
)
@_tables_option
@_top_option
@_options
def degree(tables: bool, top: int, output: str | None, format_: str, **session: Any) -> None:
    """How many others each column, or table, is made of and read by: through data flow, influence and referenced keys.

    Without an output it shows the hubs: those with the most neighbours.
    """
    with whole_graph(Session(**session)) as (graph, told):
        told.tell("counting neighbours")
        if output is not None:
            write(graph.degree(level=_level(tables)), output, told, session["quiet"])
        else:
            show(graph.degree(level=_level(tables), hubs=top), format_, told)


def _flow(impact: bool) -> FlowName:
    return "impact" if impact else "data"


def _level(tables: bool) -> Level:
    return "table" if tables else "column"
