"""The facts of a report in words: one function per chapter."""

from __future__ import annotations

from collections.abc import Iterator

from headwater import __version__
from headwater.graph.lost import Losses
from headwater.model.diagnostic import Code
from headwater.model.explanation import explanation
from headwater.report.chains import Chain, Chains, Width
from headwater.report.coverage import REASONS, Counts, CoverageBySchema
from headwater.report.facts import Facts, UnusedCounts
from headwater.report.hubs import ColumnDegree, Hubs, TableDegree
from headwater.report.page import Bars, Block, Cell, Chapter, Figures, Folded, Grid, Name, Page, Share, Text
from headwater.report.problems import Problem, Problems
from headwater.report.statements import Statements
from headwater.report.usage import Usage, Used

VERSION = 1
"""Number of the page's form."""
_BINS = 20
"""Bars of a plot over numbers."""


def page_of(facts: Facts) -> Page:
    """The page that tells some facts."""
    about, top = facts.about, facts.about.top
    subtitle = [("snapshot", about.snapshot), ("built", about.time), ("by version", about.version)]
    if about.scope:
        subtitle.append(("tables like", about.scope))
    chapters = (
        _overview(facts),
        _coverage(facts.coverage, top),
        _problems(facts.problems, facts.about.scope),
        _statements(facts.statements, top),
        _hubs(facts.hubs),
        _chains(facts.chains),
        _unused(facts.unused, facts.losses, top),
        *([_usage(facts.usage)] if facts.usage is not None else []),
    )
    return Page(
        title="Lineage report",
        subtitle=tuple((words, Name(name)) for words, name in subtitle if name),
        chapters=chapters,
        made_by=f"headwater {__version__} report, form {VERSION}",
    )


def _overview(facts: Facts) -> Chapter:
    sizes, counts, said, lost = facts.sizes, facts.coverage.total, facts.statements, facts.losses
    known = counts.explained
    figures: tuple[tuple[Cell, str, str], ...] = (
        (Share(known, counts.written), "of written columns explained", f"{known:,} of {counts.written:,}"),
        (said.distinct, "distinct statements", f"met {said.seen:,} times, in {sizes.scripts:,} scripts"),
        (lost.lost_statements, "statements lost", f"of {lost.statements:,} in scripts and logs"),
        (lost.lost_scripts, "scripts lost", f"of {lost.scripts:,}"),
        (sizes.tables, "tables, views and results", f"{sizes.columns:,} columns"),
        (
            sizes.relations,
            "relations between columns",
            f"the longest chain has {_count(max(len(facts.chains.depths) - 1, 0), 'hop')}",
        ),
        (facts.unused.never + facts.unused.star_only, "columns that nobody reads by name", "of tables that are read"),
    )
    return Chapter("Overview", (Text(f"{facts.coverage.headline}."), Figures(figures)))


def _coverage(found: CoverageBySchema, top: int) -> Chapter:
    shown = found.schemas[: top * 2]
    legend = ("from columns", "constants", "not explained")
    written = [each for each in shown if each.counts.written]
    parts = [(c.sourced, c.constant, c.unexplained) for c in (each.counts for each in written)]
    header = ("schema", "tables", "columns", "written", *legend, "explained of written")
    rows = [*(_counted(Name(each.schema), each.counts) for each in shown), _counted("all", found.total)]
    blocks: list[Block] = [
        Text(
            "A column is written if a statement puts something into it. It is explained if data flows into it from a known column, or if "
            "it holds a constant: a literal, counted rows, what a function without columns gives. It is not explained if it only comes "
            "from candidates, from the * of an unknown table, from a table function that nobody described, or from names that no table has."
        ),
        Bars(
            "Written columns by schema",
            legend,
            tuple((Name(e.schema), p) for e, p in zip(written, parts, strict=True)),
            whole=True,
        ),
        Grid(header, tuple(rows), len(found.schemas) - len(shown), total=True),
    ]
    if found.reasons:
        reasons = tuple((REASONS[each.state], each.count, _names(each.examples)) for each in found.reasons)
        blocks += [Text("Why written columns are not explained:"), Grid(("reason", "columns", "such as"), reasons)]
    return Chapter("Coverage", tuple(blocks))


def _counted(what: Cell, counts: Counts) -> tuple[Cell, ...]:
    """A row of the grid of schemas."""
    how = (counts.sourced, counts.constant, counts.unexplained)
    return what, counts.tables, counts.columns, counts.written, *how, Share(counts.explained, counts.written)


def _names(texts: tuple[str, ...]) -> tuple[Name, ...]:
    return tuple(map(Name, texts))


def _problems(found: Problems, scope: str | None) -> Chapter:
    blocks: list[Block] = []
    if scope:
        blocks.append(
            Text("A statement that could not be read belongs to no table, and is not in a report about some of them.")
        )
    if not found.codes:
        return Chapter("What could not be understood", (*blocks, Text("Nothing: there is no diagnostic.")))
    bars = tuple((each.code, (each.count,)) for each in found.codes)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (each.code, each.severity, each.count, each.statements, each.scripts, _summary(each.code))
        for each in found.codes
    )
    blocks += [
        Bars("Diagnostics by code", ("diagnostics",), bars),
        Grid(("code", "severity", "diagnostics", "statements", "scripts", "meaning"), rows),
        *(_causes(each) for each in found.codes),
    ]
    return Chapter("What could not be understood", tuple(blocks))


def _summary(code: str) -> str:
    if code not in set(Code):
        return ""
    return explanation(Code(code)).summary.replace("`", "")


def _causes(problem: Problem) -> Folded:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (Name(each.subject), Name(each.message), each.count, _names(tuple(map(str, each.places))))
        for each in problem.causes
    )
    words = f"{problem.severity}: {_count(problem.causes_in_all, 'cause')}, {_count(problem.count, 'diagnostic')}"
    grid = Grid(("subject", "message", "diagnostics", "at"), rows, problem.causes_in_all - len(rows))
    return Folded(Name(problem.code), words, grid)


def _statements(found: Statements, top: int) -> Chapter:
    types: dict[str, int] = {}
    for each in found.kinds:
        types[each.type] = types.get(each.type, 0) + each.distinct
    largest = sorted(types.items(), key=lambda item: (-item[1], item[0]))[: top * 2]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (each.type, each.dialect, each.distinct, each.places, each.seen) for each in found.kinds
    )
    rows += (("all", "", found.distinct, found.places, found.seen),)
    blocks: list[Block] = [
        Bars("Distinct statements by type", ("statements",), tuple((type, (count,)) for type, count in largest)),
        Grid(("type", "dialect", "distinct", "in scripts", "times met"), rows, total=True),
        Text(
            f"Statements that differ only in literals are one. Of the distinct ones, {found.repeated:,} "
            f"{'was' if found.repeated == 1 else 'were'} met more than once{':' if found.most_seen else '.'}"
        ),
    ]
    if found.most_seen:
        often: tuple[tuple[Cell, ...], ...] = tuple(
            (each.type, Name(each.text), each.seen, each.places, Name(str(each.place)) if each.place else "")
            for each in found.most_seen
        )
        blocks.append(
            Grid(("type", "statement", "times met", "in scripts", "first at"), often, found.repeated - len(often))
        )
    return Chapter("Statements", tuple(blocks))


def _hubs(found: Hubs) -> Chapter:
    readers = tuple((_doubled(number), (count,)) for number, count in enumerate(found.readers))
    blocks: tuple[Block, ...] = (
        Text("Tables that the most others flow into, or decide over:"),
        Grid(("table", "kind", "source tables", "relations"), tuple(map(_fed, found.fan_in))),
        Text("Tables that the most others, and queries, read:"),
        Grid(("table", "kind", "reading tables", "reading queries", "relations"), tuple(map(_read, found.fan_out))),
        Bars("Tables by number of readers", ("tables",), readers),
        Text("Columns that are made of the most others:"),
        Grid(("column", "columns"), tuple(map(_degree, found.made_of_most))),
        Text("Columns of which the most others are made:"),
        Grid(("column", "columns"), tuple(map(_degree, found.most_used))),
    )
    return Chapter("Fan-in and fan-out", blocks)


def _fed(each: TableDegree) -> tuple[Cell, ...]:
    return Name(str(each.table)), each.table.kind, each.tables, each.relations


def _read(each: TableDegree) -> tuple[Cell, ...]:
    return Name(str(each.table)), each.table.kind, each.tables, each.queries, each.relations


def _degree(each: ColumnDegree) -> tuple[Cell, ...]:
    return Name(str(each.column)), each.columns


def _doubled(number: int) -> str:
    """The numbers of a bin whose upper end doubles from bin to bin.

    >>> [_doubled(number) for number in range(4)]
    ['0', '1', '2–3', '4–7']
    """
    first, last = (0, 0) if not number else (2 ** (number - 1), 2**number - 1)
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"


def _chains(found: Chains) -> Chapter:
    circles = (
        f"Data goes round in {_count(found.circles, 'circle')}, the greatest of {found.greatest_circle:,} columns, and passed in no hops."
        if found.circles
        else "Data nowhere goes round in a circle."
    )
    widths = ("column", "columns", "tables")
    blocks: tuple[Block, ...] = (
        Text(f"A chain is a way that data takes from column to column, filters and joins aside. {circles}"),
        Bars("Columns by the longest chain that leads to them", ("columns",), tuple(_binned(found.depths))),
        Text("The longest chains; no table is in two of them:"),
        *(_chain(chain, open=not number) for number, chain in enumerate(found.longest)),
        Text("Columns that come from the most others, one of each table:"),
        Grid(widths, tuple(map(_width, found.upstream))),
        Text("Columns that go into the most others, one of each table:"),
        Grid(widths, tuple(map(_width, found.downstream))),
        Text("Which columns these are is found by estimate, how many others they have is counted."),
    )
    return Chapter("The largest chains", blocks)


def _binned(depths: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Numbers of columns by hops, some hops together if there are many."""
    width = -(-len(depths) // _BINS)
    for first in range(0, len(depths), max(width, 1)):
        last = min(first + width, len(depths)) - 1
        label = f"{first:,}" if first == last else f"{first:,}–{last:,}"
        yield f"{label} {'hop' if label == '1' else 'hops'}", (sum(depths[first : last + 1]),)


def _chain(chain: Chain, open: bool) -> Folded:
    words = f"{_count(chain.length, 'hop')} through {_count(len(_tables(chain)), 'table')}"
    return Folded(
        Name(str(chain.end)), words, Grid(("column", "made by", "statement", "at"), tuple(_steps(chain))), open
    )


def _steps(chain: Chain) -> Iterator[tuple[Cell, ...]]:
    """The columns of a chain, each with what makes it of the one before; where the two are of one circle, that is said."""
    at = chain.hops[0].source
    yield Name(str(at)), "", "", ""
    for hop in chain.hops:
        if hop.source.id != at.id:
            yield Name(str(hop.source)), "in a circle", "", ""
        made = hop.process.type if hop.process else "(a part of it)"
        place = hop.place or (hop.process.place if hop.process else None)
        yield Name(str(hop.target)), hop.how, made, Name(str(place)) if place else ""
        at = hop.target
    if at.id != chain.end.id:
        yield Name(str(chain.end)), "in a circle", "", ""


def _tables(chain: Chain) -> set[int]:
    return {chain.end.table.id, *(hop.source.table.id for hop in chain.hops)}


def _width(each: Width) -> tuple[Cell, ...]:
    return Name(str(each.column)), each.columns, each.tables


def _unused(found: UnusedCounts, losses: Losses, top: int) -> Chapter:
    blocks: list[Block] = [
        Text(
            f"Of tables that are read, nobody reads {_count(found.never, 'column')}; {_count(found.star_only, 'more', 'more')} only "
            f"through *, and by name nowhere behind it. Of {_count(found.tables, 'table')} nobody reads anything: they may be what it is "
            "all made for. headwater unused lists them."
        )
    ]
    if losses.words:
        blocks.append(
            Text(f"{losses.words}: what these read is not counted here. headwater unused marks the columns in doubt.")
        )
    if found.by_schema:
        bars = tuple((Name(schema), (count,)) for schema, count in found.by_schema[: top * 2])
        blocks.append(Bars("Unread columns by schema", ("columns",), bars))
    return Chapter("Unused columns", tuple(blocks))


def _usage(found: Usage) -> Chapter:
    period = f", from {found.first:%Y-%m-%d} to {found.last:%Y-%m-%d}" if found.first and found.last else ""
    spent = [_cost(unit, total) for unit, total in zip(found.units, found.totals, strict=True)]
    blocks: list[Block] = [
        Text(
            f"By query logs, {_count(found.runs, 'statement')} ran{period}{'; together they cost ' if spent else ''}{', '.join(spent)}. "
            "What a statement cost counts in full for each table and column that it reads itself, not through a view."
        ),
        Text("Tables that were read most:"),
        _used("table", found, found.tables),
        Text("Columns that were read most:"),
        _used("column", found, found.columns),
    ]
    for unit in found.units:
        blocks += [
            Text(f"Tables whose statements cost the most {unit}:"),
            _used("table", found, found.dearest_tables[unit]),
            Text(f"Columns whose statements cost the most {unit}:"),
            _used("column", found, found.dearest_columns[unit]),
        ]
    return Chapter("Use and cost", tuple(blocks))


def _used(what: str, found: Usage, rows: tuple[Used, ...]) -> Grid:
    cells: tuple[tuple[Cell, ...], ...] = tuple(
        (
            Name(str(each.what)),
            each.runs,
            f"{each.last:%Y-%m-%d}" if each.last else "",
            *(_cost(unit, cost) for unit, cost in zip(found.units, each.costs, strict=True)),
        )
        for each in rows
    )
    return Grid((what, "times read", "last", *found.units), cells)


def _cost(unit: str, cost: float) -> str:
    """A cost in words.

    >>> _cost("bytes", 1536.0), _cost("seconds", 90.5), _cost("credits", 0.25)
    ('1.5 KiB', '90.5 s', '0.25 credits')
    """
    if unit == "bytes":
        steps = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")
        step = min(max(int(cost).bit_length() - 1, 0) // 10, len(steps) - 1)
        return f"{cost / 1024**step:,.{1 if step else 0}f} {steps[step]}"
    return f"{cost:,.1f} s" if unit == "seconds" else f"{cost:,.6g} {unit}"


def _count(number: int, word: str, several: str | None = None) -> str:
    return f"{number:,} {word if number == 1 else several or word + 's'}"
