"""What fuzzing tries: one function per target, which takes bytes and raises if a promise is broken.

`benchmarks/guided.py` gives them bytes that reach new code; `tests/test_fuzz_corpus.py` gives them the bytes that were kept.
The first byte of a text chooses its dialect.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from case_file import all_cases
from headwater.model.diagnostic import Code
from headwater.model.work import Work, WorkLimits
from headwater.sql.dialect import Dialect, dialect_names
from headwater.sql.dialect import dialect as dialect_of

SECONDS_PER_TEXT = 5.0


@dataclass(frozen=True, slots=True)
class Target:
    """What is tried, and the inputs that it begins with."""

    try_input: Callable[[bytes], None]
    seeds: Callable[[], Iterator[bytes]]


class PromiseBroken(AssertionError):
    """A result that must not be. The message says which promise."""


def as_input(sql: str, dialect: str) -> bytes:
    """The input that `_text` reads as this text."""
    names = dialect_names()
    return bytes([names.index(dialect) if dialect in names else 0]) + sql.encode()


def _text(data: bytes) -> tuple[str, Dialect]:
    names = dialect_names()
    return data[1:].decode("utf-8", "replace"), dialect_of(names[data[0] % len(names)] if data else "spark")


def _case_inputs(folders: tuple[str, ...] = (), longest: int = 600) -> Iterator[bytes]:
    """The SQL of the literate cases; all, or those below some folders."""
    for case in all_cases():
        if (not folders or case.id.startswith(folders)) and len(case.sql) <= longest:
            yield as_input(case.sql, case.blocks["sql"].attributes.get("dialect", "spark"))


def _split(data: bytes) -> None:
    """Pieces stand in order, do not overlap, and lie inside the text."""
    from headwater.sql.source import source
    from headwater.sql.split import pieces

    text, dialect = _text(data)
    with Work(WorkLimits(), SECONDS_PER_TEXT):
        end = 0
        for piece in pieces(source(text, dialect), dialect):
            if not end <= piece.span.start <= piece.span.end <= len(text):
                raise PromiseBroken(f"a piece at {piece.span} of {len(text)} characters, behind one that ends at {end}")
            end = piece.span.end


def _parse(data: bytes) -> None:
    """No reader and no rule raises. Depth is left to the statement boundary."""
    from headwater.sql.script import statements

    text, dialect = _text(data)
    with Work(WorkLimits(), SECONDS_PER_TEXT), suppress(RecursionError):
        for statement in statements(text, [dialect]):
            for problem in statement.diagnostics:
                if problem.code is Code.INTERNAL_ERROR:
                    raise PromiseBroken(problem.message)


def _respell(data: bytes) -> None:
    """Rules end, and keep the places of the tokens inside the text."""
    from sqlglot.errors import TokenError

    from headwater.sql.respell import respelled
    from headwater.sql.source import source

    text, dialect = _text(data)
    with Work(WorkLimits(), SECONDS_PER_TEXT), suppress(TokenError):
        readable = source(text, dialect)
        for token in respelled(list(readable.tokens(dialect)), dialect):
            if not 0 <= token.start <= len(text) or token.end > len(text):
                raise PromiseBroken(f"the token {token.text!r} stands at {token.start} to {token.end}")


_KEY = "AKIA" + "QX7RT2MPL5WZ3KVB"
"""A key by its shape alone: it is hidden wherever it stands on a line of its own."""


def _redact(data: bytes) -> None:
    """A key is hidden in any text; hiding twice is hiding once; offsets and lines stay."""
    from sqlglot.errors import TokenError

    from headwater.sql.redact import Redacted, without_secrets
    from headwater.sql.source import source

    text, dialect = _text(data)
    middle = len(text) // 2
    text = f"{text[:middle]}\n{_KEY}\n{text[middle:]}"
    with Work(WorkLimits(), SECONDS_PER_TEXT):
        try:
            tokens: Any = source(text, dialect).tokens(dialect)
        except TokenError:
            tokens = []
        redacted = Redacted(text, tokens)
        shown, blanked = redacted.slice(0, len(text)), redacted.blanked()
        once = without_secrets(text)
    if _KEY in shown or _KEY in blanked or _KEY in once:
        raise PromiseBroken("a key by its shape is shown")
    if len(blanked) != len(text) or blanked.count("\n") != text.count("\n"):
        raise PromiseBroken("blanks are not as long as the secrets that they replace")


def _render(data: bytes) -> None:
    """A template gives text or a `TemplateProblem`, within its limits."""
    from headwater.source import Template, TemplateProblem
    from headwater.source.template_limits import TemplateLimits

    limits = TemplateLimits(seconds=1, characters=20_000)
    with suppress(TemplateProblem):
        Template({"x": 1, "names": ["a", "b"]}, limits=limits).render(data.decode("utf-8", "replace"))


def _analyze(data: bytes) -> None:
    """What comes out holds together, is not silent, and has no internal error."""
    import headwater
    from validator import violations

    text, dialect = _text(data)
    lineage = headwater.analyze(text, dialect.name, timeout=SECONDS_PER_TEXT)
    lineage.column_edges()
    for diagnostic in lineage.diagnostics:
        if diagnostic.code in (Code.INTERNAL_ERROR, Code.CRASHED):
            raise PromiseBroken(diagnostic.message)
    for statement in lineage.statements:
        for violation in violations(statement):
            raise PromiseBroken(violation)


@cache
def _store_folder() -> Path:
    from servers import LINES
    from stores import make_store

    folder = Path(tempfile.mkdtemp(prefix="headwater-fuzz-")) / "lineage"
    make_store(folder, LINES)
    return folder


def _store_files() -> list[Path]:
    return sorted(path for path in _store_folder().rglob("*") if path.is_file() and "cache" not in path.parts)


def _open_store(data: bytes) -> None:
    """A store with a foreign file is refused by a `StoreError`, or answers. The first byte chooses the file.

    If its highest bit is set, the content gets the checksum that fits it.
    """
    from headwater.graph.graph import open_graph
    from headwater.storage import StorageError
    from headwater.store import StoreError
    from headwater.store.checksum import sealed

    if not data:
        return
    files = _store_files()
    path, content = files[data[0] % 128 % len(files)], data[1:]
    if data[0] & 128:
        with suppress(ValueError, RecursionError):
            found = json.loads(content)
            content = sealed(found) if isinstance(found, dict) else content
    before = path.read_bytes()
    path.write_bytes(content)
    try:
        graph = open_graph(_store_folder())
        graph.snapshot.check_tables()
        graph.snapshot.table("columns")
    except (StoreError, StorageError):
        pass
    finally:
        path.write_bytes(before)


def _store_seeds() -> Iterator[bytes]:
    for number, path in enumerate(_store_files()):
        content = path.read_bytes()
        yield bytes([number]) + content
        if path.suffix == ".json":
            found = {name: value for name, value in json.loads(content).items() if name != "checksum"}
            yield bytes([number | 128]) + json.dumps(found).encode()


@cache
def _client() -> Any:
    from fastapi.testclient import TestClient

    from headwater.server.app import application
    from headwater.server.settings import Settings
    from servers import ADDRESS, ONE_AT_A_TIME

    client = TestClient(
        application(_store_folder(), Settings(playground=ONE_AT_A_TIME)),
        base_url=ADDRESS,
        raise_server_exceptions=False,
    )
    client.__enter__()
    return client


def _operations() -> list[tuple[str, str, list[str]]]:
    """Method, path and names of parameters of what the API offers."""
    return [
        (method, path, [parameter["name"] for parameter in operation.get("parameters", ())])
        for path, methods in sorted(_client().app.openapi()["paths"].items())
        for method, operation in sorted(methods.items())
    ]


def _ask(data: bytes) -> None:
    """No request ends in an error of the server. The first byte chooses the operation, NULs part the values of its parameters."""
    if not data:
        return
    operations = cache(_operations)()
    method, path, names = operations[data[0] % len(operations)]
    values = data[1:].decode("utf-8", "replace").split("\0")
    given = dict(zip(names, values, strict=False))
    in_path = {name: value for name, value in given.items() if f"{{{name}}}" in path}
    for name, value in in_path.items():
        path = path.replace(f"{{{name}}}", quote(value, safe="") or "x")
    asked = {name: value for name, value in given.items() if name not in in_path}
    more: dict[str, Any] = (
        {"content": data[1:], "headers": {"content-type": "application/json"}} if method == "post" else {}
    )
    answer = _client().request(method.upper(), path, params=asked, **more)
    if answer.status_code >= 500 and answer.json().get("code") not in ("busy", "timeout"):
        raise PromiseBroken(f"{method} {path}: {answer.status_code}")


def _api_seeds() -> Iterator[bytes]:
    for number, (method, _, names) in enumerate(_operations()):
        body = json.dumps({"sql": "INSERT INTO o SELECT a FROM t", "dialect": "spark"})
        values = {"column": "mart.sales.revenue", "table": "mart.sales", "query": "rev", "q": "rev"}
        yield bytes([number]) + (body if method == "post" else "\0".join(values.get(n, "1") for n in names)).encode()


def _template_seeds() -> Iterator[bytes]:
    from test_template_attacks import ATTACKS

    yield from (re.sub(r"\d{3,}", "9", attack).encode() for attack in ATTACKS.values() if len(attack) < 2_000)
    yield from (case.sql.encode() for case in all_cases() if "{%" in case.sql or "{{" in case.sql)
    yield b"select {{ names | join(', ') }} from {{ ref('t') }} {% for n in names if n %}{{ loop.index }}{% endfor %}"


_PROGRAMS = ("procedural", "programs")

TARGETS = {
    "splitter": Target(_split, _case_inputs),
    "readers": Target(_parse, _case_inputs),
    "respelling": Target(_respell, _case_inputs),
    "redaction": Target(_redact, lambda: islice(_case_inputs(), 0, None, 4)),
    "templates": Target(_render, _template_seeds),
    "programs": Target(_analyze, lambda: _case_inputs(_PROGRAMS, 1_500)),
    "analysis": Target(_analyze, _case_inputs),
    "store": Target(_open_store, _store_seeds),
    "api": Target(_ask, _api_seeds),
}
