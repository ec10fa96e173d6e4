"""`headwater tags`: which columns carry which tags, and whether a policy is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import click

from headwater.cli.cells import visible
from headwater.cli.config_file import config_file
from headwater.cli.echo import echo_lines
from headwater.cli.raw_cells import raw_cells_option
from headwater.cli.shared_options import color_option, complete_files, config_options
from headwater.cli.store_options import asking, opened, store_options
from headwater.cli.tabular import Row, print_as
from headwater.cli.tag_settings import TagSettings, complain_of_slips, governance_of
from headwater.cli.tree import column_name, hop_words

if TYPE_CHECKING:
    from headwater.graph import Hop, TaggedColumn, Tags, Violation

FORMATS = ("text", "table", "json", "csv", "github")
_HEADER = ("tag", "column", "kind", "own", "distance", "origin", "said_by", "path")
_POLICY_HEADER = ("policy", "message", *_HEADER, "place")

_EXAMPLES = """\b
Examples:
  headwater tags --tags tags.yml
  headwater tags crm.customers --tag pii --paths
  headwater tags 'marts.*' --format csv
  headwater tags --policy policy.yml --format github"""


@click.command(short_help="Show which columns carry which tags, or check a policy.", epilog=_EXAMPLES)
@click.argument("pattern", required=False, metavar="[COLUMN|TABLE|PATTERN]")
@click.option("--tag", "wanted", multiple=True, metavar="TAG", help="Only this tag, and what masking leaves of it.")
@click.option(
    "--tags", "files", multiple=True, metavar="FILE", shell_complete=complete_files, help="Tags of columns, in YAML."
)
@click.option(
    "--policy", multiple=True, metavar="FILE", shell_complete=complete_files, help="What tags must not reach, in YAML."
)
@click.option("--paths", "with_paths", is_flag=True, help="Show the way of each tag from where it begins.")
@store_options
@click.option("-f", "--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True)
@raw_cells_option
@config_options
@color_option
def tags(
    pattern: str | None,
    wanted: tuple[str, ...],
    files: tuple[str, ...],
    policy: tuple[str, ...],
    with_paths: bool,
    store: str,
    as_of: str | None,
    format_: str,
    config: str | None,
    no_config: bool,
) -> int:
    """Show which columns carry which tags: their own ones, and those that flow into them.

    Tags come from the store (projects and schemas that were built), from --tags, and from [tags] in the configuration file. With --policy
    only what the policy forbids is shown, each with the way that proves it, and the exit code is 1 if there is any.
    """
    if format_ == "github" and not policy:
        raise click.UsageError("--format github is for findings: name a --policy")
    file = config_file(config, no_config)
    settings = file.tags if file else TagSettings()
    governance = governance_of(settings, files or settings.files, policy or settings.policy)
    if policy and not governance.forbidden:
        raise click.ClickException(f"{', '.join(policy)}: nothing is forbidden here; a policy has a key forbid")
    with asking():
        found = opened(store, as_of).tags(governance)
        if policy:
            violations = list(found.violations(pattern, wanted))
            _print_violations(found, violations, format_)
        else:
            violations = []
            _print_columns(found, found.columns(pattern, wanted), with_paths, format_)
        complain_of_slips(found, governance)
    return 1 if violations else 0


def _print_columns(found: Tags, columns: Iterable[TaggedColumn], with_paths: bool, format_: str) -> None:
    from headwater.graph.document import tagged_document

    def path(each: TaggedColumn) -> tuple[Hop, ...] | None:
        return found.path(each) if with_paths else None

    print_as(
        format_,
        lambda: _column_lines(columns, found if with_paths else None),
        _HEADER,
        lambda: (_row(each, path(each)) for each in columns),
        lambda: {"columns": [tagged_document(each, path(each)) for each in columns], "unmatched": _unmatched(found)},
    )


def _print_violations(found: Tags, violations: Sequence[Violation], format_: str) -> None:
    from headwater.check.formats.github import github_command
    from headwater.check.rules.tag_policy import placed_finding
    from headwater.graph.document import violation_document

    if format_ == "github":
        echo_lines(github_command(placed_finding(each)) for each in violations)
    else:
        print_as(
            format_,
            lambda: chain.from_iterable(map(_violation_lines, violations)),
            _POLICY_HEADER,
            lambda: map(_violation_row, violations),
            lambda: {"findings": list(map(violation_document, violations)), "unmatched": _unmatched(found)},
        )
    count = "1 finding" if len(violations) == 1 else f"{len(violations)} findings"
    click.echo(count if violations else "no findings", err=True)


def _unmatched(found: Tags) -> list[dict[str, str]]:
    return [{"place": rule.place, "pattern": rule.pattern} for rule in found.unmatched]


def _column_lines(columns: Iterable[TaggedColumn], paths_of: Tags | None) -> Iterator[str]:
    count = 0
    for each in columns:
        count += 1
        tag = click.style(visible(each.tag), fg="yellow")
        yield f"{tag}  {click.style(column_name(each.column), bold=True)}  {_words(each)}".rstrip()
        if paths_of is not None:
            yield from _path_lines(paths_of.path(each))
    yield click.style("1 tag" if count == 1 else f"{count} tags" if count else "no column carries a tag", dim=True)


def _words(each: TaggedColumn) -> str:
    if each.own:
        return click.style(_said_by(each), dim=True)
    hops = "1 hop" if each.distance == 1 else f"{each.distance} hops"
    return f"from {column_name(each.origin)}, {hops}"


def _said_by(each: TaggedColumn) -> str:
    """Who says that the tag's origin has it."""
    return ", ".join(visible(f"{said.origin} {said.place}".rstrip()) for said in each.said)


def _path_lines(path: Iterable[Hop]) -> Iterator[str]:
    for hop in path:
        yield f"  -> {click.style(column_name(hop.target), fg='cyan')}  {hop_words(hop)}".rstrip()


def _violation_lines(violation: Violation) -> Iterator[str]:
    hop, found = violation.hop, violation.found
    place = f"{visible(str(hop.place))}: " if hop and hop.place else ""
    yield f"{place}{click.style('error[tag-policy]', fg='red', bold=True)} {visible(violation.message)}"
    yield f"  {click.style(column_name(found.origin), bold=True)}  {found.tag.partition(':')[0]} by {_said_by(found)}"
    yield from _path_lines(violation.path)
    yield click.style(f"  forbidden by {visible(violation.forbidden.place)}", dim=True)


def _row(each: TaggedColumn, path: Sequence[Hop] | None) -> Row:
    way = " -> ".join([str(each.origin), *(str(hop.target) for hop in path)]) if path is not None else None
    own = "own" if each.own else "inherited"
    return (each.tag, each.column, each.column.table.kind, own, each.distance, each.origin, _said_by(each), way)


def _violation_row(violation: Violation) -> Row:
    place = violation.hop and violation.hop.place
    return (violation.forbidden.place, violation.message, *_row(violation.found, violation.path), place)
