"""`headwater check`: rules for pull requests, over scripts or a store."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any

import click

from headwater.check.baseline import Baseline, BaselineError
from headwater.check.formats.github import github_lines
from headwater.check.formats.json_format import to_json
from headwater.check.formats.sarif import to_sarif
from headwater.check.rules import NAMES, RULES
from headwater.check.run import Report
from headwater.check.run import check as run_check
from headwater.check.selection import Selection
from headwater.cli.check_project import concerned, graph_named, script_project, stored_project, strangers
from headwater.cli.check_settings import FAIL_ON, CheckSettings, rule_named
from headwater.cli.check_text import finding_lines, rule_lines, shown_path, summary_lines
from headwater.cli.config_file import ConfigFile, config_file, effective
from headwater.cli.echo import echo_lines
from headwater.cli.limit_options import LIMITS, limit_options
from headwater.cli.live_catalog import catalog_options
from headwater.cli.logs import logging_to_standard_error
from headwater.cli.path_pattern import fits
from headwater.cli.roots import follow_links_option
from headwater.cli.script_settings import prepared
from headwater.cli.settings import Settings
from headwater.cli.shared_options import (
    color_option,
    complete_dialects,
    complete_files,
    config_options,
    listed,
    verbosity_options,
)
from headwater.cli.store_options import DEFAULT_STORE, asking
from headwater.cli.tag_settings import complain_of_slips, governance_of
from headwater.cli.template_options import given_template, jinja_options
from headwater.model.diagnostic import Severity
from headwater.source import Template
from headwater.tags.governance import Governance

FORMATS = ("text", "json", "sarif", "github")

_EXAMPLES = """\b
Examples:
  headwater check
  headwater check sql/ --dialect snowflake
  headwater check --store lineage --against main-lineage --format github
  headwater check --write-baseline known.json
  headwater check --baseline known.json --format sarif > findings.sarif
  headwater check sql/ --select unresolved-column,lost-statement"""

_complete_rules = listed(lambda: NAMES)


def _rules(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Names of rules, repeated or with commas between."""
    return tuple(rule_named(part) for value in values for part in value.split(",") if part.strip())


def _list_rules(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        echo_lines(rule_lines())
        context.exit()


@click.command(short_help="Check scripts or a store by rules, for pull requests.", epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, metavar="[FILE|FOLDER|-]...", shell_complete=complete_files)
@click.option(
    "--store",
    metavar="FOLDER",
    shell_complete=complete_files,
    help=f"The store to check; with paths, what it says of these.  [default, without paths: {DEFAULT_STORE}]",
)
@click.option(
    "--against",
    metavar="STORE|SNAPSHOT",
    shell_complete=complete_files,
    help="An earlier state: another store, or a time or name of a snapshot. What breaks since then is a finding.",
)
@click.option(
    "--baseline",
    metavar="FILE|STORE|SNAPSHOT",
    shell_complete=complete_files,
    help="Known findings, which do not count: a file, or those of an earlier state, which then is --against too.",
)
@click.option(
    "--write-baseline",
    metavar="FILE",
    shell_complete=complete_files,
    help="Write what is found as known; with --baseline, only what of it is still found.",
)
@click.option(
    "--select", multiple=True, metavar="RULE", callback=_rules, shell_complete=_complete_rules, help="Only these."
)
@click.option(
    "--ignore", multiple=True, metavar="RULE", callback=_rules, shell_complete=_complete_rules, help="Not these."
)
@click.option("-f", "--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option(
    "--fail-on", type=click.Choice(FAIL_ON), help="The least finding that makes the exit code 1.  [default: warning]"
)
@click.option("-d", "--dialect", shell_complete=complete_dialects, help="SQL dialect of scripts, as for analyze.")
@click.option(
    "-s", "--schema", multiple=True, shell_complete=complete_files, help="Tables and columns, as for analyze."
)
@click.option("--default-schema", help="Schema of unqualified tables, such as db or catalog.db.")
@catalog_options
@follow_links_option
@jinja_options
@limit_options
@click.option(
    "--list-rules", is_flag=True, is_eager=True, expose_value=False, callback=_list_rules, help="List the rules."
)
@config_options
@verbosity_options
@color_option
def check(
    paths: tuple[str, ...],
    format_: str,
    write_baseline: str | None,
    dialect: str | None,
    schema: tuple[str, ...],
    default_schema: str | None,
    catalog: str | None,
    cache: str | None,
    ttl: float | None,
    offline: bool | None,
    catalog_timeout: float | None,
    follow_links: bool | None,
    jinja: bool,
    variables: tuple[str, ...],
    config: str | None,
    no_config: bool,
    verbose: int,
    quiet: bool,
    **options: Any,
) -> int:
    """Check a store, or scripts without one, by rules.

    Without paths the store's current snapshot is checked. With paths and no --store the scripts are analysed as by `headwater analyze`,
    and rules that need a store are left out, which is said. A comment `-- headwater: ignore[RULE]` suppresses findings on its line, or
    of the statement below it.

    Findings go to standard output, the summary to standard error. The exit code is 0 if all is clean, 1 if there are findings, 2 if it
    could not run.
    """
    with logging_to_standard_error(verbose, quiet):
        file = config_file(config, no_config)
        analysis: dict[str, Any] = {"dialect": dialect, "schema": schema, "default_schema": default_schema}
        analysis |= {"catalog": catalog, "cache": cache, "ttl": ttl, "offline": offline}
        analysis |= {"catalog_timeout": catalog_timeout, "follow_links": follow_links}
        analysis |= {name: options.pop(name) for name in LIMITS}
        rendering = partial(given_template, jinja=jinja, variables=variables, paths=paths)
        run = _Run(paths, file, _effective(file, options), options["store"], analysis, rendering, write_baseline, quiet)
        report = run.report()
    _print(report, format_, quiet)
    if run.headline and not quiet:
        click.echo(run.headline, err=True)
    if run.written and not quiet:
        click.echo(f"{run.written} written to {shown_path(str(write_baseline))}", err=True)
    return 1 if report.fails(Severity(run.settings.fail_on)) else 0


def _effective(file: ConfigFile | None, options: dict[str, Any]) -> CheckSettings:
    """The command line's settings before the file's before the defaults."""
    given = {name: value for name, value in options.items() if value not in (None, ())}
    return CheckSettings(**{**(file.check if file else {}), **given})


class _Run:
    """One run of the check."""

    def __init__(
        self,
        paths: tuple[str, ...],
        file: ConfigFile | None,
        settings: CheckSettings,
        store: str | None,
        analysis: dict[str, Any],
        rendering: Callable[[Settings], Template | None],
        target: str | None,
        quiet: bool,
    ) -> None:
        self._paths = paths
        self._file = file
        self.settings = settings
        self._analysis = {name: value for name, value in analysis.items() if value not in (None, ())}
        self._rendering = rendering
        self._target = Path(target) if target else None
        self._stored = bool(store) or not paths
        self._store = settings.store or DEFAULT_STORE
        self._quiet = quiet
        self.written = ""
        self.headline = ""
        """How much of the store is explained."""

    def report(self) -> Report:
        """What is found, without what is known. A baseline is written if one is wanted: what is left of it, or else everything."""
        baseline = self._baseline_file()
        selection = self._selection()
        if not self._stored:
            if self.settings.baseline and baseline is None and not self._is_target(self.settings.baseline):
                raise click.ClickException(f"there is no baseline {self.settings.baseline}")
            settings = effective(self._file, self._analysis)
            ready = prepared(self._paths, self._file, settings, self._rendering(settings))
            project = script_project(ready, self._file, settings, self._quiet)
            report = run_check(project, selection, concerned(self._paths, project.paths()))
        else:
            with asking():
                report, baseline = self._stored_report(selection, baseline)
        if baseline is None and self._target is not None:
            baseline = Baseline.of(report.findings)
        if baseline is None:
            return report
        report, still = report.beyond(baseline)
        if self._target is not None:
            still.write(self._target)
            self.written = f"{len(still)} known findings"
        return report

    def _stored_report(self, selection: Selection, baseline: Baseline | None) -> tuple[Report, Baseline | None]:
        named, against = self.settings.baseline, self.settings.against
        earlier = named if baseline is None and named and not self._is_target(named) else None
        governance = self._governance()
        project = stored_project(self._store, against or earlier, governance)
        self.headline = project.graph.coverage.headline
        if governance is not None and selection.asks(RULES["tag-policy"]):
            complain_of_slips(project.graph.tags(governance), governance)
        concerns = concerned(self._paths)
        unknown = strangers(self._paths, project.paths())
        if unknown:
            click.echo(f"not in the store: {', '.join(map(shown_path, unknown))}", err=True)
        if earlier is not None:
            from headwater.check.stored import StoredProject

            then = StoredProject(graph_named(earlier, self._store), governance=governance)
            before = run_check(then, selection, concerns)
            baseline = Baseline.of(before.findings)
        return run_check(project, selection, concerns), baseline

    def _governance(self) -> Governance | None:
        """What the configuration file says about tags, if it names a policy."""
        if self._file is None or not self._file.tags.policy:
            return None
        settings = self._file.tags
        return governance_of(settings, settings.files, settings.policy)

    def _is_target(self, named: str) -> bool:
        """Whether what is to be compared with is only about to be written."""
        return self._target is not None and Path(named) == self._target and not self._target.exists()

    def _baseline_file(self) -> Baseline | None:
        named = self.settings.baseline
        if not named or not Path(named).is_file():
            return None
        try:
            return Baseline.read(Path(named))
        except BaselineError as error:
            raise click.ClickException(str(error)) from error

    def _selection(self) -> Selection:
        settings = self.settings
        return Selection(frozenset(settings.select), frozenset(settings.ignore), self._ignored_in)

    def _ignored_in(self, path: str) -> Collection[str]:
        """What the configuration file ignores in the script of a path."""
        if self._file is None:
            return ()
        seen = self._file.relative(Path(path)) or path
        ignores = self.settings.per_file_ignores
        return {rule for pattern, rules in ignores.items() if fits(pattern, seen) for rule in rules}


def _print(report: Report, format_: str, quiet: bool) -> None:
    if format_ == "json":
        click.echo(to_json(report))
    elif format_ == "sarif":
        click.echo(to_sarif(report))
    elif format_ == "github":
        echo_lines(github_lines(report))
    else:
        echo_lines(finding_lines(report, brief=quiet))
    if not quiet:
        echo_lines(summary_lines(report), err=True)
