"""`scripts_of`: what a file holds, told by its ending and its first line, to scripts."""

from __future__ import annotations

import os
from pathlib import PurePosixPath

from headwater.source.databricks import is_databricks, read_databricks, unread_calls
from headwater.source.layout import laid_out
from headwater.source.notebook import read_notebook
from headwater.source.python import python_script
from headwater.source.script import SourceScript
from headwater.source.template import Template, TemplateProblem
from headwater.sql.text import BINARY, Text, decode

STANDARD_INPUT = "-"
DIALECT_OF_ENDING = {
    **dict.fromkeys((".hql", ".hive"), "hive"),
    **dict.fromkeys((".bteq", ".btq"), "teradata"),
    **dict.fromkeys((".psql", ".pgsql"), "postgres"),
    **dict.fromkeys((".pls", ".plsql", ".pks", ".pkb"), "oracle"),
    ".tsql": "tsql",
    ".bqsql": "bigquery",
}
"""Endings that leave no doubt about the dialect."""
_PROBLEM = "the file holds no text: it is compressed, an image, or other data"


def scripts_of(path: str, content: bytes, *, template: Template | None = None) -> list[SourceScript]:
    """The scripts in a file: none if it is a program without SQL; what cannot be read is a script with a problem.

    *path* is how the file is shown; its ending tells the format, `-` is standard input. A *template* renders scripts that are plain SQL.

    >>> scripts_of("etl.py", b"spark.sql('SELECT 1')")[0].text.strip()
    'SELECT 1;'
    """
    shown = path.replace(os.sep, "/")
    ending = PurePosixPath(shown).suffix.lower()
    read = decode(content)
    if read.encoding == BINARY:
        return [SourceScript(shown, "", _kind(shown, ending), encoding=BINARY, problem=_PROBLEM)]
    if ending == ".ipynb":
        return read_notebook(shown, read.text, read.encoding)
    if shown != STANDARD_INPUT and is_databricks(read.text):
        return read_databricks(shown, read.text, read.encoding)
    if ending == ".py":
        return python_script(shown, read.text, read.encoding)
    if ending in (".scala", ".r"):
        return _programs(shown, read)
    return [_plain(shown, read, ending, template)]


def _kind(path: str, ending: str) -> str:
    if path == STANDARD_INPUT:
        return "stdin"
    return {".ipynb": "notebook", ".py": "python"}.get(ending, "sql")


def _programs(path: str, read: Text) -> list[SourceScript]:
    """A program in a language that is not read: where it seems to be given SQL is all that is known."""
    calls = unread_calls(read.text)
    text = laid_out(read.text, calls)
    return [SourceScript(path, text, "sql", encoding=read.encoding, skipped=len(calls))] if calls else []


def _plain(path: str, read: Text, ending: str, template: Template | None) -> SourceScript:
    """A file that is all SQL; rendered, if it is a template."""
    kind, dialect = _kind(path, ending), DIALECT_OF_ENDING.get(ending)
    try:
        text = template.render(read.text, PurePosixPath(path).stem) if template else read.text
    except TemplateProblem as problem:
        return SourceScript(path, "", kind, dialect, encoding=read.encoding, problem=str(problem))
    return SourceScript(path, text, kind, dialect, encoding=read.encoding)
