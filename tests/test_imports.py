"""Dependencies point one way: read from the source with `ast`, so that an import inside a function counts too."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "headwater"
OWNERS = {
    "sqlglot": ("sql", "resolve", "verify"),
    "duckdb": ("verify",),
    "click": ("cli",),
    "pyspark": ("storage", "pipeline", "runtime", "spark", "store", "analyzers", "verify"),
    "wasmtime": ("analyzers",),
    "zetasql": ("analyzers",),
    "fastapi": ("server",),
    "pydantic": ("mcp", "server"),
    "starlette": ("server",),
    "uvicorn": ("server",),
    "prometheus_client": ("server",),
    "pygraphviz": ("export",),
    "sqlalchemy": ("catalog", "export"),
    "apache_atlas": ("export",),
    "requests": ("export",),
    "openlineage": ("export",),
    "yaml": ("catalog", "project"),
    "mcp": ("mcp",),
    "obstore": ("storage",),
    "deltalake": ("lakehouse",),
    "pyiceberg": ("lakehouse",),
    "mcp_types": ("mcp",),
}
"""Libraries and the packages that may import them."""


class Import(NamedTuple):
    """One import statement: the module that has it, what it imports, and the function it stands in (empty: none)."""

    importer: str
    imported: str
    function: str
    typing_only: bool

    @property
    def package(self) -> str:
        """The importer's package below headwater; empty for the modules at the top."""
        return package_of(self.importer)


@cache
def package_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and (SOURCE / parts[1]).is_dir() else ""


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}


def imported_names(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Modules that a statement imports; `from package import module` is an import of the module."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    assert node.level == 0, "relative imports hide their direction"
    base = node.module or ""
    for alias in node.names:
        inner = f"{base}.{alias.name}"
        yield inner if inner in MODULES else base


def walk(node: ast.AST, function: str = "", typing_only: bool = False) -> Iterator[tuple[ast.AST, str, bool]]:
    """The statements below a node; an expression holds none."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            continue
        inside = child.name if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) and not function else function
        guarded = typing_only or (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING")
        yield child, inside, guarded
        yield from walk(child, inside, guarded)


def imports_of(module: str) -> Iterator[Import]:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    for node, function, typing_only in walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for name in imported_names(node):
                yield Import(module, name, function, typing_only)


IMPORTS = [i for module in MODULES for i in imports_of(module)]


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def offenders(imports: list[Import], imported: str) -> list[str]:
    return [f"{i.importer} imports {i.imported}" for i in imports if within(i.imported, imported)]


def test_the_source_is_found() -> None:
    assert {"headwater", "headwater.model.entity", "headwater.resolve", "headwater.cli.main"} <= MODULES.keys()
    assert len(IMPORTS) > len(MODULES)


def test_model_imports_nothing_of_ours() -> None:
    model = [i for i in IMPORTS if i.package == "model" and not within(i.imported, "headwater.model")]
    assert offenders(model, "headwater") == []


def test_model_needs_the_standard_library_only() -> None:
    roots = {i.imported.split(".")[0] for i in IMPORTS if i.package == "model"} - {"headwater"}
    assert roots <= sys.stdlib_module_names


def test_the_front_end_does_import_the_parser() -> None:
    """Otherwise the next test could not fail."""
    assert {i.package for i in IMPORTS if within(i.imported, "sqlglot")} == {"sql", "resolve", "verify"}


def test_nobody_but_main_imports_the_command_line() -> None:
    others = [i for i in IMPORTS if i.package != "cli" and i.importer != "headwater.__main__"]
    assert offenders(others, "headwater.cli") == []


@pytest.mark.parametrize(("library", "owners"), OWNERS.items())
def test_a_library_is_imported_inside_its_own_packages_only(library: str, owners: tuple[str, ...]) -> None:
    assert offenders([i for i in IMPORTS if i.package not in owners], library) == []


@pytest.mark.parametrize("front_end", ["headwater.resolve", "headwater.sql"])
@pytest.mark.parametrize("package", ["lineage", "export"])
def test_levels_and_formats_do_not_know_the_front_end(package: str, front_end: str) -> None:
    assert offenders([i for i in IMPORTS if i.package == package], front_end) == []


@pytest.mark.parametrize("later", ["resolve", "lineage", "catalog", "export", "cli", "analysis"])
def test_sql_imports_nothing_that_comes_after_it(later: str) -> None:
    assert offenders([i for i in IMPORTS if i.package == "sql"], f"headwater.{later}") == []


@pytest.mark.parametrize("later", ["lineage", "export", "cli", "analysis"])
def test_resolve_imports_nothing_that_comes_after_it(later: str) -> None:
    assert offenders([i for i in IMPORTS if i.package == "resolve"], f"headwater.{later}") == []


@pytest.mark.parametrize("later", ["lineage", "export", "cli", "analysis"])
def test_budgets_import_nothing_that_comes_after_them(later: str) -> None:
    assert offenders([i for i in IMPORTS if i.package == "budget"], f"headwater.{later}") == []


@pytest.mark.parametrize("package", ["model", "sql", "resolve", "catalog", "lineage", "export"])
def test_what_a_statement_means_does_not_know_of_budgets(package: str) -> None:
    assert offenders([i for i in IMPORTS if i.package == package], "headwater.budget") == []


@pytest.mark.parametrize("package", ["graph", "store", "report"])
@pytest.mark.parametrize("other", ["sql", "resolve", "pipeline", "lineage", "analysis", "spark"])
def test_who_asks_a_store_does_not_know_how_it_is_built(package: str, other: str) -> None:
    assert offenders([i for i in IMPORTS if i.package == package], f"headwater.{other}") == []


@pytest.mark.parametrize("other", ["resolve", "lineage", "pipeline", "spark", "server", "project"])
def test_what_assistants_ask_is_answered_by_others(other: str) -> None:
    assert offenders([i for i in IMPORTS if i.package == "mcp"], f"headwater.{other}") == []


def test_nobody_but_the_command_line_imports_the_server_for_assistants() -> None:
    assert offenders([i for i in IMPORTS if i.package not in ("cli", "mcp")], "headwater.mcp") == []


@pytest.mark.parametrize("later", ["analyzers", "pipeline", "spark", "graph", "check", "lakehouse"])
@pytest.mark.parametrize("package", ["model", "sql", "resolve", "catalog", "budget", "lineage", "export", "source"])
def test_the_core_does_not_know_what_is_built_around_it(package: str, later: str) -> None:
    assert offenders([i for i in IMPORTS if i.package == package], f"headwater.{later}") == []


@pytest.mark.parametrize("later", ["analyzers", "pipeline", "spark", "store", "graph", "check", "cli"])
def test_what_is_said_about_tags_does_not_know_who_asks(later: str) -> None:
    assert offenders([i for i in IMPORTS if i.package == "tags"], f"headwater.{later}") == []


@pytest.mark.parametrize("package", ["graph", "check"])
def test_who_asks_about_tags_knows_what_can_be_said_and_not_from_where(package: str) -> None:
    used = [i for i in IMPORTS if i.package == package and within(i.imported, "headwater.tags")]
    assert {i.imported for i in used} == {"headwater.tags.governance"}


@pytest.mark.parametrize("later", ["pipeline", "spark", "analyzers", "check", "verify", "cli"])
def test_the_server_answers_and_builds_nothing(later: str) -> None:
    assert offenders([i for i in IMPORTS if i.package == "server"], f"headwater.{later}") == []


def test_nobody_but_the_command_line_imports_the_server() -> None:
    assert offenders([i for i in IMPORTS if i.package not in ("server", "cli")], "headwater.server") == []


@pytest.mark.parametrize("front_end", ["headwater.resolve", "headwater.sql.statement"])
def test_the_server_reads_no_sql_itself(front_end: str) -> None:
    assert offenders([i for i in IMPORTS if i.package == "server"], front_end) == []


def test_a_script_that_is_sent_is_read_in_a_process_of_its_own() -> None:
    used = [i for i in IMPORTS if within(i.imported, "headwater.sent_script")]
    assert {i.importer for i in used} == {"headwater.mcp.script_analysis", "headwater.server.playground.question"}


@pytest.mark.parametrize("front_end", ["headwater.resolve", "headwater.sql.statement"])
def test_the_catalog_uses_the_front_end_for_ddl_only(front_end: str) -> None:
    used = [i for i in IMPORTS if i.package == "catalog" and within(i.imported, front_end)]
    assert [f"{i.importer} imports {i.imported}" for i in used if "ddl" not in i.function] == []


@pytest.mark.parametrize("later", ["lineage", "export", "cli", "analysis"])
def test_the_catalog_imports_nothing_that_comes_after_it(later: str) -> None:
    assert offenders([i for i in IMPORTS if i.package == "catalog"], f"headwater.{later}") == []


@pytest.mark.parametrize(
    "package", ["headwater.resolve", "headwater.analyzers.catalyst", "headwater.analyzers.zetasql"]
)
def test_every_module_is_reached_from_its_package(package: str) -> None:
    """A construct registers itself when it is imported: one that nobody imports is silently not understood."""
    reached: set[str] = set()
    pending = [package]
    while pending:
        module = pending.pop()
        if module not in reached and module in MODULES:
            reached.add(module)
            pending += [i.imported for i in IMPORTS if i.importer == module and not i.typing_only]
    assert {m for m in MODULES if within(m, package)} - reached == set()


@pytest.mark.slow
def test_the_command_starts_without_spark_servers_or_drivers() -> None:
    """`analyze` answers in well under a second and never starts a JVM."""
    code = "import sys, headwater.cli.main; print('\\n'.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in run.stdout.split()}
    assert "headwater" in loaded
    heavy = {
        "pyspark",
        "py4j",
        "fastapi",
        "sqlalchemy",
        "apache_atlas",
        "requests",
        "pandas",
        "duckdb",
        "openlineage",
        "mcp",
        "deltalake",
        "pyiceberg",
    }
    assert loaded & heavy == set()


@pytest.mark.slow
@pytest.mark.parametrize("format", ["rdbms", "atlas"])
def test_a_format_is_known_without_its_extra(format: str) -> None:
    """What it needs is imported when something is written, so that a missing extra is said in words."""
    code = f"import sys, headwater.export.{format} as f; print(f.FORMAT.name, *sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    name, *loaded = run.stdout.split()
    assert name == format
    assert {module.split(".")[0] for module in loaded} & {"sqlalchemy", "apache_atlas", "requests"} == set()
