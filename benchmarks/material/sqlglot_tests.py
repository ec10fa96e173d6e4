"""The SQL of sqlglot's own tests: fixture files, and the statements that its dialect tests validate."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from material.corpus import Corpus, Schema, Sql, distinct, known_dialect
from material.package_index import PINNED, unpacked
from material.python_strings import begins_like_a_statement, python_tree

_ORIGIN = f"sqlglot {PINNED['sqlglot']}, source distribution"


def fixtures(cache: Path) -> Corpus:
    """The fixture files, inputs and expected outputs alike; many are written to be odd."""
    folder = unpacked("sqlglot", cache) / "tests" / "fixtures"
    lines = (folder / "identity.sql").read_text(encoding="utf-8").splitlines()
    scripts = [Sql(f"identity.sql:{i}", "ansi", line) for i, line in enumerate(lines, 1)]
    for path in [folder / "pretty.sql", *sorted((folder / "optimizer").glob("*.sql"))]:
        scripts.extend(_pieces(path))
    return Corpus("sqlglot-fixtures", _ORIGIN, distinct(s for s in scripts if begins_like_a_statement(s.text)))


def tpcds(cache: Path) -> Corpus:
    """TPC-DS with its schema: the queries, and the same ones rewritten by an optimiser."""
    return _benchmark(cache, "tpc-ds", "TPCDS_SCHEMA")


def tpch(cache: Path) -> Corpus:
    """TPC-H with its schema: the queries, and the same ones rewritten by an optimiser."""
    return _benchmark(cache, "tpc-h", "TPCH_SCHEMA")


def _benchmark(cache: Path, name: str, schema: str) -> Corpus:
    tests = unpacked("sqlglot", cache) / "tests"
    texts = _pieces(tests / "fixtures" / "optimizer" / name / f"{name}.sql")
    # the optimiser quotes all names in lower case: PostgreSQL folds unquoted ones to the same
    scripts = distinct(Sql(s.name, "postgres", s.text) for s in texts)
    return Corpus(f"sqlglot-{name}", _ORIGIN, scripts, benchmark_schema(cache, schema))


def benchmark_schema(cache: Path, name: str) -> Schema:
    """The tables of `TPCDS_SCHEMA` or `TPCH_SCHEMA`, for whoever has the queries without them."""
    return _literal(unpacked("sqlglot", cache) / "tests" / "helpers.py", name)


def _literal(path: Path, name: str) -> Schema:
    tree = python_tree(path)
    for node in tree.body if tree else ():
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name:
            found: Schema = ast.literal_eval(node.value)
            return found
    raise LookupError(f"{path} has no {name}")


def _pieces(path: Path) -> Iterator[Sql]:
    """Pieces between semicolons; comments in front may name the dialect, `# dialect: bigquery`."""
    text = "\n".join(line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("--"))
    spoken = "ansi"
    for i, piece in enumerate(text.split(";")):
        lines = piece.strip().splitlines()
        remarks = [line for line in lines if line.startswith("#")]
        named = [line.partition(":")[2].strip() for line in remarks if line.startswith("# dialect:")]
        spoken = named[0] if named else spoken if i % 2 else "ansi"
        dialect = known_dialect(spoken.partition(",")[0])
        if dialect:
            yield Sql(f"{path.name}:{i}", dialect, "\n".join(line for line in lines if not line.startswith("#")))


def dialects(cache: Path) -> Corpus:
    """What the dialect tests validate, each text in the dialect that the test says it is written in."""
    folder = unpacked("sqlglot", cache) / "tests" / "dialects"
    found = (script for path in sorted(folder.glob("test_*.py")) for script in _validated(path))
    return Corpus("sqlglot-dialects", _ORIGIN, distinct(s for s in found if begins_like_a_statement(s.text)))


def _validated(path: Path) -> Iterator[Sql]:
    tree = python_tree(path)
    own = path.stem.removeprefix("test_")
    for call in ast.walk(tree) if tree else ():
        if isinstance(call, ast.Call):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            for dialect, text in _texts(call, name, own):
                known = known_dialect("ansi" if dialect == "dialect" else dialect)
                if known:
                    yield Sql(f"{path.name}:{call.lineno}", known, text)


def _texts(call: ast.Call, name: str, own: str) -> Iterator[tuple[str, str]]:
    """Dialect and text of the statements in one call of a validating function."""
    if name == "validate_identity":
        yield from ((own, a.value) for a in call.args[:2] if isinstance(a, ast.Constant) and isinstance(a.value, str))
    elif name == "validate_all" and call.args:
        yield from ((own, a.value) for a in call.args[:1] if isinstance(a, ast.Constant) and isinstance(a.value, str))
        for keyword in call.keywords:
            if keyword.arg in ("read", "write") and isinstance(keyword.value, ast.Dict):
                yield from _tagged(keyword.value)
    elif name == "parse_one" and call.args and isinstance(call.args[0], ast.Constant):
        said = [
            k.value.value for k in call.keywords if k.arg in ("read", "dialect") and isinstance(k.value, ast.Constant)
        ]
        yield str(said[0]) if said else own, str(call.args[0].value)


def _tagged(node: ast.Dict) -> Iterator[tuple[str, str]]:
    for key, value in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield str(key.value), value.value
