"""`headwater explain`: every code has a text, and every text's example gives its code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from command import Run, line_with
from headwater.analysis import Script, analyze_scripts
from headwater.model.diagnostic import Code
from headwater.model.explanation import NoExplanation, explanation
from headwater.project.lineage import project_lineage
from headwater.project.read import read_project

ROOT = Path(__file__).parent.parent
WITHOUT_EXAMPLE = {
    *(Code.INTERNAL_ERROR, Code.CRASHED, Code.ENGINE_FALLBACK, Code.NOT_CAPTURED, Code.PROGRAM_ROWS),
    *(Code.CATALOG_UNAVAILABLE, Code.CATALOG_INCOMPLETE, Code.MISSING_LINEAGE, Code.UNREAD_MODEL, Code.MANY_TABLES),
    Code.INCOMPLETE_STATEMENT,
}
"""Codes that no script gives on purpose, or only with Spark, a database or a dbt project; their text has to say so."""


def test_every_code_has_a_text() -> None:
    missing = []
    for code in Code:
        try:
            explanation(code)
        except NoExplanation as error:
            missing.append(str(error))
    assert not missing, "\n".join(missing)


def test_no_text_is_about_a_code_that_is_gone() -> None:
    texts = (ROOT / "src/headwater/model/explanations").glob("*.md")
    assert {path.stem for path in texts} <= {code.value for code in Code}


def _script(language: str, text: str) -> Script:
    if language == "sql":
        return Script.of(Path("example.sql"), text.encode())
    made = _value(ast.parse(text, mode="eval").body)
    return Script.of(Path("example.sql"), made if isinstance(made, bytes) else made.encode())


def _value(node: ast.expr) -> str | bytes:
    """The value of a `python` example, which is an expression of constants."""
    value = eval(compile(ast.Expression(node), "example", "eval"), {"__builtins__": {}})
    assert isinstance(value, (str, bytes))
    return value


@pytest.mark.slow
@pytest.mark.parametrize("code", Code)
def test_an_example_gives_its_code(code: Code, tmp_path: Path) -> None:
    text = explanation(code)
    if text.example is None:
        assert "There is no example" in text.markdown
        assert code in WITHOUT_EXAMPLE
        return
    if text.example.language == "yaml":
        (tmp_path / "project.visivo.yml").write_text(text.example.text)
        assert code in {d.code for d, _ in project_lineage(read_project(tmp_path)).diagnostics()}
        return
    script = _script(text.example.language, text.example.text)
    (lineage,) = analyze_scripts([script], **text.example.options)  # type: ignore[arg-type]
    assert code in {d.code for d in lineage.diagnostics}


def test_the_page_is_made_of_the_texts(run: Run) -> None:
    page = (ROOT / "docs" / "diagnostics.md").read_text("utf-8")
    assert run("explain", "--format", "markdown").out == page, "make docs writes the page anew"


def test_alone_it_lists_every_code(run: Run) -> None:
    code, out, _ = run("explain")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == [code.value for code in Code]


@pytest.mark.parametrize("arguments", [["explain", "unresolved-column"], ["--explain", "unresolved-column"]])
def test_a_text_has_an_example_and_what_it_gives(arguments: list[str], run: Run) -> None:
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    assert "example.sql:1:18" in line_with(out, "warning[unresolved-column]")
    assert "    SELECT order_id, custmer_id FROM raw.orders" in out
    assert "did you mean customer_id?" in out
    for heading in ("Why it matters", "What to do"):
        assert line_with(out, heading)


def test_codes_may_be_written_carelessly(run: Run) -> None:
    assert run("explain", "Syntax_Error").out.startswith("syntax-error")


def test_an_unknown_code(run: Run) -> None:
    code, out, err = run("explain", "unresolved-colum")
    assert (code, out) == (2, "")
    assert "did you mean unresolved-column?" in err
    assert "lists the codes" in run("explain", "zzz").err
