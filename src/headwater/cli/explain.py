"""`headwater explain`: what a diagnostic means, why it matters, what to do; with an example and what it gives."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterator

import click

from headwater.analysis import analyze
from headwater.cli.diagnostic_text import diagnostic_lines
from headwater.cli.echo import echo_lines
from headwater.cli.shared_options import code_named, color_option, complete_codes
from headwater.model.diagnostic import Code
from headwater.model.explanation import Example, Explanation, explanation

_WIDEST = 100
"""Cells of a line of prose."""

_PAGE = """\
# Diagnostics

Every problem has a stable code, a severity, a place, plain words and, where there is one, a way out. Errors mean that lineage is
missing; warnings that it is less certain; infos are remarks. `headwater analyze` exits with 1 if there is an error or a warning
(`--fail-on` decides). `headwater explain CODE` shows these texts in a terminal; they are kept in
`src/headwater/model/explanations`, and this page is made of them by `make docs`.

| code | severity | what it means |
|---|---|---|
"""


@click.command(
    short_help="Say what a diagnostic means.",
    epilog="""\b
Examples:
  headwater explain
  headwater explain unresolved-column""",
)
@click.argument("codes", nargs=-1, metavar="[CODE]...", shell_complete=complete_codes)
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(["text", "markdown"]),
    default="text",
    show_default=True,
    help="As text, or the page of all codes in Markdown.",
)
@color_option
def explain(codes: tuple[str, ...], format_: str) -> None:
    """Say what a diagnostic means and what to do about it; without a CODE, list all of them."""
    chosen = [code_named(code) for code in codes]
    if format_ == "markdown":
        click.echo(page(chosen or list(Code)), nl=False)
    elif chosen:
        for code in chosen:
            echo_lines(explanation_lines(explanation(code)))
    else:
        echo_lines(_list_lines())


def _list_lines() -> Iterator[str]:
    margin = max(len(code.value) for code in Code)
    for code in Code:
        text = explanation(code)
        yield f"{click.style(f'{code.value:<{margin}}', bold=True)}  {text.severity.value:<7}  {_plain(text.summary)}"


def explanation_lines(text: Explanation) -> Iterator[str]:
    """The text about a code, for a terminal: Markdown's own signs are left out, and the example's outcome is put in."""
    yield f"{click.style(text.code.value, bold=True)}  {text.severity.value}"
    yield ""
    yield from _prose_lines(text.summary)
    for language, piece in text.parts():
        if not language:
            yield from _prose_lines(piece)
            continue
        yield from (f"    {click.style(line, fg='cyan')}" for line in piece.splitlines())
        yield ""
        if language == "sql" and text.example is not None:
            yield from _outcome_lines(text.example)


def _prose_lines(markdown: str) -> Iterator[str]:
    """Paragraphs and headings of Markdown, for a terminal, each with an empty line below."""
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    for paragraph in filter(None, markdown.split("\n\n")):
        if paragraph.startswith("## "):
            yield click.style(paragraph.removeprefix("## "), bold=True)
        else:
            yield from textwrap.wrap(_plain(paragraph), width, break_long_words=False, break_on_hyphens=False)
            yield ""


def _plain(markdown: str) -> str:
    """Markdown without its marks around code."""
    return re.sub(r"`([^`]*)`", r"\1", markdown)


def _outcome_lines(example: Example) -> Iterator[str]:
    """What an example gives."""
    lineage = analyze(example.text, path="example.sql", **example.options)
    yield from (f"    {line}" for line in diagnostic_lines(lineage))
    yield ""


def page(codes: list[Code]) -> str:
    """The texts about codes as one page of Markdown."""
    texts = [explanation(code) for code in codes]
    rows = [f"| `{t.code.value}` | {t.severity.value} | {t.summary} |" for t in texts]
    sections = [
        f"## {t.code.value}\n\n{t.summary}\n\n{re.sub('^## ', '### ', t.markdown, flags=re.MULTILINE)}\n" for t in texts
    ]
    return _PAGE + "\n".join(rows) + "\n\n" + "\n".join(sections)


def explain_and_exit(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """`headwater --explain CODE` is `headwater explain CODE`."""
    if value and not context.resilient_parsing:
        echo_lines(explanation_lines(explanation(code_named(value))))
        context.exit()
