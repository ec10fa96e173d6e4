"""`headwater diagnostics`: what a build could not understand, or only guessed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.cells import visible
from headwater.cli.diagnostic_text import label
from headwater.cli.shared_options import color_option, complete_codes
from headwater.cli.store_options import asking, format_option, opened, store_options
from headwater.cli.tabular import Row, print_as
from headwater.model.diagnostic import Code, Severity

if TYPE_CHECKING:
    from headwater.graph.diagnostics import Remark, Remarks

_HEADER = ("path", "line", "column", "severity", "code", "message", "hint")
_SHOWN_AS_TEXT = 100


def _codes(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    for value in values:
        if value not in {code.value for code in Code}:
            raise click.BadParameter(f"{value} is no diagnostic; headwater explain lists all")
    return values


@click.command(
    short_help="List the diagnostics of a store.",
    epilog="""\b
Examples:
  headwater diagnostics
  headwater diagnostics 'etl/*' --severity error
  headwater diagnostics --code unresolved-column --format csv""",
)
@click.argument("pattern", required=False)
@click.option(
    "--code",
    "codes",
    multiple=True,
    callback=_codes,
    shell_complete=complete_codes,
    help="Only this code; may be repeated.",
)
@click.option(
    "--severity",
    "severities",
    multiple=True,
    type=click.Choice([each.value for each in Severity]),
    help="Only this severity; may be repeated.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"The most that are listed.  [default: {_SHOWN_AS_TEXT} as text or table, else all]",
)
@store_options
@format_option
@color_option
def diagnostics(
    pattern: str | None,
    codes: tuple[str, ...],
    severities: tuple[str, ...],
    limit: int | None,
    store: str,
    as_of: str | None,
    format_: str,
) -> int:
    """List what a build could not understand, or only guessed: errors first, then by script and place.

    PATTERN is a part of the script's path, of the message, or of the name that it is about; or a pattern with *, ? and [...]. The exit
    code is 1 if there is an error among them.
    """
    with asking():
        from headwater.graph.diagnostics import Wanted

        graph = opened(store, as_of)
        wanted = Wanted(codes, severities, like=pattern)
        most = limit or (_SHOWN_AS_TEXT if format_ in ("text", "table") else graph.diagnostics(wanted, 0).total)
        found = graph.diagnostics(wanted, most)
        print_as(format_, lambda: _text(found), _HEADER, lambda: map(_row, found.items), lambda: _document(found))
    return 1 if Severity.ERROR in found.severities else 0


def _text(found: Remarks) -> Iterator[str]:
    for each in found.items:
        place = each.place
        position = "" if place is None or each.is_of_file else f":{place.line}:{place.column}"
        where = visible(f"{place.path}{position}") if place else "(no place)"
        hint = f" ({visible(each.hint)})" if each.hint else ""
        yield f"{where}: {label(Severity(each.severity), each.code)} {visible(each.message)}{hint}"
    yield click.style(_total(found), bold=True)


def _total(found: Remarks) -> str:
    """How many there are, by code, and how to see those that are not listed."""
    if not found.total:
        return "no diagnostics"
    words = "1 diagnostic" if found.total == 1 else f"{found.total:,} diagnostics"
    codes = ", ".join(f"{code} {count:,}" for code, count in found.codes.items())
    more = f"; {len(found.items):,} listed here, --limit {found.total} lists all" * (len(found.items) < found.total)
    return f"{words}: {codes}{more}"


def _row(each: Remark) -> Row:
    place = each.place
    position = (None, None) if place is None or each.is_of_file else (place.line, place.column)
    return (place.path if place else None, *position, each.severity, each.code, each.message, each.hint)


def _document(found: Remarks) -> dict[str, Any]:
    items = [dict(zip(_HEADER, _row(each), strict=True)) for each in found.items]
    return {"total": found.total, "codes": found.codes, "severities": found.severities, "diagnostics": items}
