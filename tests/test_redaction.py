"""Secrets: never in any output, whatever the statement, the level or the format; and never part of a hash."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from click.testing import CliRunner

import headwater
from headwater import Lineage
from headwater.cli.diagnostic_text import diagnostic_lines
from headwater.cli.main import cli
from headwater.cli.text import column_lines, complete_lines, table_lines
from headwater.export.json_format import document
from headwater.project.redacted_template import redacted_template
from headwater.sql.secrets.place import POSITIONS as CALLS

SECRET = "Hx9Secret7q"
OTHER = "Zw4Different2k"

OPTIONS = {
    "snowflake user": ("snowflake", "CREATE USER bob PASSWORD = '{s}'"),
    "postgres user": ("postgres", "CREATE USER bob WITH PASSWORD '{s}'"),
    "postgres role": ("postgres", "ALTER ROLE bob WITH ENCRYPTED PASSWORD '{s}'"),
    "tsql login": ("tsql", "CREATE LOGIN bob WITH PASSWORD = '{s}'"),
    "tsql national string": ("tsql", "CREATE LOGIN bob WITH PASSWORD = N'{s}', CHECK_POLICY = OFF"),
    "tsql key": ("tsql", "CREATE MASTER KEY ENCRYPTION BY PASSWORD = '{s}'"),
    "tsql credential": ("tsql", "CREATE DATABASE SCOPED CREDENTIAL c WITH IDENTITY = 'x', SECRET = '{s}'"),
    "duckdb secret": ("duckdb", "CREATE SECRET s (TYPE S3, KEY_ID 'k', SECRET '{s}')"),
    "spark options": ("spark", "CREATE TABLE j USING jdbc OPTIONS (url 'jdbc:x', user 'u', password '{s}')"),
    "spark quoted option": ("spark", "CREATE TABLE j USING jdbc OPTIONS ('password' = '{s}') AS SELECT a FROM t"),
    "spark property": ("spark", "CREATE TABLE j TBLPROPERTIES ('fs.s3a.secret.key' = '{s}') AS SELECT a FROM t"),
    "double quotes": ("spark", 'CREATE TABLE j USING jdbc OPTIONS (password "{s}")'),
    "user mapping": ("postgres", "CREATE USER MAPPING FOR b SERVER s OPTIONS (user 'b', password '{s}')"),
    "replication": ("mysql", "CHANGE MASTER TO MASTER_PASSWORD='{s}'"),
    "assignment": ("spark", "UPDATE users SET password = '{s}' WHERE id = 1"),
    "comparison": ("spark", "SELECT a FROM t WHERE password = '{s}'"),
    "function": ("mysql", "SELECT PASSWORD('{s}') AS x"),
}
IDENTIFIED = {
    "identified by": ("oracle", "CREATE USER bob IDENTIFIED BY '{s}'"),
    "identified by, in a grant": ("mysql", "GRANT ALL ON *.* TO 'bob'@'%' IDENTIFIED BY '{s}'"),
    "identified with … by": ("mysql", "CREATE USER 'b'@'%' IDENTIFIED WITH mysql_native_password BY '{s}'"),
}
CREDENTIALS = {
    "key id": ("snowflake", "COPY INTO t FROM 's3://b/x' credentials=(aws_key_id='{s}' aws_secret_key='k')"),
    "secret key": ("snowflake", "COPY INTO t FROM 's3://b/x' credentials=(aws_key_id='k' aws_secret_key='{s}')"),
    "spaced": ("snowflake", "COPY INTO t FROM 's3://b' CREDENTIALS = ( AWS_KEY_ID = '{s}' AWS_TOKEN = '{s}' )"),
    "stage": ("snowflake", "CREATE STAGE st URL='s3://b' CREDENTIALS=(AWS_KEY_ID='{s}' AWS_SECRET_KEY='{s}')"),
    "sas token": ("snowflake", "CREATE STAGE st URL='azure://b' CREDENTIALS=(AZURE_SAS_TOKEN='{s}')"),
    "master key": ("snowflake", "CREATE STAGE st URL='s3://b' ENCRYPTION=(TYPE='AWS_CSE' MASTER_KEY='{s}')"),
    "redshift": ("redshift", "COPY t FROM 's3://b' CREDENTIALS 'aws_access_key_id={s};aws_secret_access_key={s}'"),
}
POSITIONS = {
    "s3 key": ("clickhouse", "SELECT a FROM s3('https://b/x.csv', '{s}', 'k', 'CSV')"),
    "s3 secret": ("clickhouse", "SELECT a FROM s3('https://b/x.csv', 'k', '{s}')"),
    "s3 on a cluster": ("clickhouse", "SELECT a FROM s3Cluster('c', 'https://b/x.csv', 'k', '{s}', 'CSV')"),
    "mysql": ("clickhouse", "INSERT INTO o SELECT a FROM mysql('h:3306', 'd', 't', 'u', '{s}')"),
    "remote": ("clickhouse", "SELECT a FROM remote('h', d.t, 'u', '{s}')"),
    "a cipher's key": ("spark", "INSERT INTO o SELECT base64(aes_encrypt(a, '{s}', 'GCM')) AS c FROM t"),
    "a passphrase": ("postgres", "SELECT PGP_SYM_DECRYPT(a, '{s}') AS c FROM t"),
    "a connection": ("tsql", "SELECT a FROM OPENROWSET('P', 'Server=h;Uid=u;Pwd={s}', 'SELECT a FROM t') AS r"),
    "a function's body": (
        "spark",
        "CREATE FUNCTION f(a INT) RETURNS STRING RETURN concat(a, 'http://u:{s}@h'); SELECT f(x) FROM t",
    ),
}
URLS = {
    "url": ("spark", "SELECT 'https://user:{s}@host/path' AS c, a FROM t"),
    "url in a call": ("spark", "INSERT INTO o SELECT concat('https://user:{s}@host/', a) AS c FROM t"),
    "url without user": ("spark", "SELECT 'redis://:{s}@host' AS c FROM t"),
    "two urls": ("spark", "SELECT 'amqp://u:{s}@h' || 'ftp://u:{s}@h' AS c"),
    "url in an option": ("spark", "CREATE TABLE j USING jdbc OPTIONS (url 'jdbc:postgresql://u:{s}@h/db')"),
    "url after escapes": ("spark", "SELECT 'it''s a\\tb https://u:{s}@h' AS c"),
    "national url": ("tsql", "SELECT N'https://u:{s}@h' AS c"),
    "raw url": ("bigquery", "SELECT r'https://u:{s}@h' AS c"),
    "location": ("hive", "CREATE EXTERNAL TABLE x (a int) LOCATION 's3://k:{s}@b'"),
    "read function": ("duckdb", "SELECT a FROM read_parquet('https://u:{s}@h/x.parquet')"),
}
CONNECTIONS = {
    "jdbc parameter": ("spark", "SELECT 'jdbc:mysql://h/db?user=u&password={s}' AS url, a FROM t"),
    "ado": ("spark", "SELECT 'Server=h;User Id=u;Password={s};' AS c, a FROM t"),
    "odbc": ("tsql", "SELECT a FROM OPENROWSET('SQLNCLI', 'Server=h;Uid=u;Pwd={s};', 'select 1')"),
    "libpq": ("postgres", "SELECT * FROM dblink('host=h user=u password={s}', 'select 1') AS q(a int)"),
    "attach": ("duckdb", "ATTACH 'host=h password={s}' AS p (TYPE postgres)"),
    "subscription": ("postgres", "CREATE SUBSCRIPTION s CONNECTION 'host=h password={s} dbname=d' PUBLICATION p"),
    "azure": ("spark", "SELECT 'AccountName=x;AccountKey={s};EndpointSuffix=core' AS c"),
    "signature": ("spark", "SELECT 'https://acc.blob.core/x?sv=2020&sig={s}' AS c"),
    "signed file": (
        "duckdb",
        "SELECT a FROM read_csv('https://b.s3.amazonaws.com/f?X-Amz-Date=1&X-Amz-Signature={s}')",
    ),
    "signed by": ("duckdb", "SELECT a FROM read_csv('https://storage/f?X-Goog-Credential={s}&X-Goog-Date=1')"),
}
BROKEN = {
    "does not parse": ("spark", "SELECT a FROM t WHERE (password = '{s}'"),
    "nothing like SQL": ("spark", "CREATE USER IDENTIFIED BY '{s}' FROM WHERE ("),
    "error at the secret": ("postgres", "SELECT INTERVAL password 'x{s}' FROM t"),
    "options do not parse": ("spark", "CREATE TABLE x OPTIONS (password '{s}' SELECT"),
    "credentials do not parse": ("snowflake", "CREATE STAGE FROM credentials=(aws_secret_key='{s}' FOO"),
    "open string": ("spark", "CREATE USER b IDENTIFIED BY '{s}"),
    "open string in the middle": ("spark", "SELECT 1;\nCREATE USER b IDENTIFIED BY '{s};\nSELECT 'x' FROM t;\n"),
    "open string later": ("spark", "CREATE USER b IDENTIFIED BY '{s}';\nSELECT 'x FROM t;\n"),
    "open url": ("spark", 'SELECT a FROM t; SELECT "https://u:{s}@h'),
    "open comment": ("spark", "SELECT a FROM t WHERE password = '{s}' /* and"),
}
ELSEWHERE = {
    "identified by an unquoted password": ("oracle", "CREATE USER bob IDENTIFIED BY {s}"),
    "identified by a quoted name": ("oracle", 'CREATE USER bob IDENTIFIED BY "{s}"'),
    "option without glue": ("spark", "CREATE TABLE j USING jdbc OPTIONS (dbtable 'x', pwd '{s}')"),
    "vendor's option": ("spark", "CREATE TABLE j USING snowflake OPTIONS (sfPassword '{s}')"),
    "token option": ("spark", "CREATE TABLE j USING http OPTIONS (token '{s}')"),
    "client secret option": ("spark", "CREATE TABLE j USING x OPTIONS ('client_secret' '{s}')"),
    "redshift keys": ("redshift", "COPY t FROM 's3://b' ACCESS_KEY_ID 'k' SECRET_ACCESS_KEY '{s}'"),
    "access key property": ("spark", "CREATE TABLE j TBLPROPERTIES ('fs.s3a.access.key' = '{s}') AS SELECT 1"),
    "spark setting": ("spark", "SET spark.hadoop.fs.s3a.secret.key = {s}"),
    "set password for": ("mysql", "SET PASSWORD FOR 'bob' = '{s}'"),
    "unload": ("redshift", "UNLOAD ('select 1') TO 's3://b' CREDENTIALS 'aws_secret_access_key={s}'"),
    "dollar quotes": ("postgres", "SELECT $$https://u:{s}@h$$ AS c"),
    "tagged dollar quotes": ("postgres", "SELECT $q$password={s}$q$ AS c"),
    "triple quotes": ("bigquery", 'SELECT """https://u:{s}@h""" AS c'),
    "oracle quotes": ("oracle", "SELECT q'[password={s}]' AS c FROM dual"),
    "password with a slash": ("spark", "SELECT 'postgres://u:ab/{s}@host/path' AS c"),
    "password with an at sign": ("spark", "SELECT 'https://u:p@{s}@host/path' AS c"),
    "json": ("spark", 'SELECT \'{{"password": "{s}"}}\' AS c'),
    "quoted in a connection string": ("postgres", "SELECT dblink_connect('host=h password=''{s}''')"),
    "private key": ("spark", "SELECT 'private_key={s}' AS c"),
    "bearer": ("spark", "SELECT 'Authorization: Bearer {s}' AS c"),
    "url as a table": ("spark", "SELECT a FROM parquet.`s3a://AKIA:{s}@bucket/path`"),
    "url as a file": ("duckdb", "SELECT a FROM 'https://u:{s}@h/x.parquet'"),
    "comment in an expression": ("spark", "SELECT a /* password={s} */ + 1 AS x FROM t"),
    "comment in a statement": ("spark", "SELECT a -- password: {s}\nFROM t"),
    "comment in a parser's message": ("spark", "SELECT a FROM ) /* password={s} */"),
}
STATEMENTS = {
    "stage": ("snowflake", "CREATE STAGE s URL='s3://b/' CREDENTIALS=(AWS_KEY_ID='AKIA' AWS_SECRET_KEY='{s}')"),
    "copy from a url": ("snowflake", "COPY INTO t FROM 's3://u:{s}@b/x' CREDENTIALS=(AWS_TOKEN='{s}')"),
    "copy with a key": (
        "redshift",
        "COPY t FROM 's3://b/x' CREDENTIALS 'aws_access_key_id=a;aws_secret_access_key={s}'",
    ),
    "unload": ("redshift", "UNLOAD ('SELECT a FROM t') TO 's3://b/x' SECRET_ACCESS_KEY '{s}'"),
    "external table": ("tsql", "CREATE EXTERNAL TABLE t (a int) WITH (LOCATION='https://u:{s}@h/x', DATA_SOURCE=d)"),
    "azure signature": ("databricks", "COPY INTO t FROM 'https://a.blob.core/x?sig={s}' FILEFORMAT = CSV"),
    "path in FROM": ("duckdb", "SELECT a FROM 'https://u:{s}@h/x.parquet'"),
    "quoted column": ("postgres", 'SELECT "password={s}" FROM t'),
    "bracketed table": ("tsql", "SELECT a FROM [jdbc:x://h?password={s}]"),
}
SESSIONS = {
    "bteq logon": ("teradata", ".LOGON host/bob,{s}\nSELECT a FROM t;"),
    "bteq logon with a semicolon": ("teradata", ".logon host/bob, {s};\nSELECT a FROM t;"),
    "logon to the wrong client": ("spark", ".LOGON host/bob,{s};\nSELECT a FROM t;"),
    "sqlplus connect": ("oracle", "CONNECT bob/{s}@db\nSELECT a FROM t;"),
    "sqlplus conn": ("oracle", 'conn bob/"{s}"@db\nSELECT a FROM t;'),
    "connect to the wrong client": ("postgres", "CONNECT bob/{s}@db;\nSELECT a FROM t;"),
    "psql connect": ("postgres", "\\connect 'host=h user=u password={s}'\nSELECT a FROM t;"),
    "psql connect by url": ("postgres", "\\c postgresql://u:{s}@h/d\nSELECT a FROM t;"),
    "psql connect to the wrong client": ("spark", "\\connect host=h password={s}\n;SELECT a FROM t;"),
    "sqlcmd connect": ("tsql", ":connect srv -U bob -P {s}\nSELECT a FROM t"),
    "sqlcmd connect to the wrong client": ("mysql", ":connect srv -U bob -P {s}\n;SELECT a FROM t"),
    "included by url": ("oracle", "@https://u:{s}@h/x.sql\nSELECT a FROM t;"),
}
SHAPES = (
    POSITIONS | STATEMENTS | SESSIONS | OPTIONS | IDENTIFIED | CREDENTIALS | URLS | CONNECTIONS | BROKEN | ELSEWHERE
)

WRONG = {
    "two open strings": ("spark", "SELECT 'don't', password='{s}', 'can't'", "the quotes pair up the wrong way"),
}


def params() -> list[Any]:
    known = [pytest.param(dialect, sql, id=name) for name, (dialect, sql) in SHAPES.items()]
    return known + [
        pytest.param(dialect, sql, id=name, marks=pytest.mark.xfail(strict=True, reason=reason))
        for name, (dialect, sql, reason) in WRONG.items()
    ]


def shown(lineage: Lineage) -> Iterator[tuple[str, str]]:
    """Everything that a lineage can show of itself, by name."""
    for level in ("complete", "column", "table"):
        yield f"json {level}", json.dumps(document(lineage, level))
    edges = lineage.column_edges(literals=True)
    yield "edges", repr(edges)
    yield "relations", repr(lineage.relations)
    yield "models", repr([s.model for s in lineage.statements])
    yield "tables", repr([lineage.table_edges(), lineage.sources, lineage.targets])
    yield "to json", lineage.to("json")
    yield "to csv", lineage.to("csv")
    yield "text", "\n".join([*column_lines(lineage, edges), *complete_lines(lineage), *table_lines(lineage)])
    yield "diagnostics", repr(lineage.diagnostics) + "\n".join(diagnostic_lines(lineage))
    yield "statements", "\n".join(s.sql for s in lineage.statements)


def hashes(sql: str, dialect: str) -> list[str]:
    return [s.resolution.process.query_hash for s in headwater.analyze(sql, dialect=dialect).statements]


@pytest.mark.parametrize(("dialect", "sql"), params())
def test_a_secret_is_shown_nowhere_and_changes_no_hash(
    dialect: str, sql: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG):
        lineage = headwater.analyze(sql.format(s=SECRET), dialect=dialect)
        outputs = dict(shown(lineage))
    outputs["log"] = caplog.text
    outputs["standard streams"] = "".join(capfd.readouterr())
    assert [name for name, text in outputs.items() if SECRET in text] == []
    assert lineage.statements
    assert hashes(sql.format(s=SECRET), dialect) == hashes(sql.format(s=OTHER), dialect)


@pytest.mark.parametrize("name", ["spark quoted option", "spark property", "url", "ado", "comparison"])
def test_the_rest_of_the_text_is_still_there(name: str) -> None:
    dialect, sql = SHAPES[name]
    (statement,) = headwater.analyze(sql.format(s=SECRET), dialect=dialect).statements
    head, _, tail = sql.format(s=SECRET).partition(SECRET)
    assert statement.sql.startswith(head)
    assert statement.sql.endswith(tail.split(SECRET)[-1])


def test_an_expression_is_masked_in_place() -> None:
    sql = f"INSERT INTO o SELECT concat('https://user:{SECRET}@host/', a) AS c FROM t"
    (edge,) = headwater.analyze(sql).column_edges(rows="none")
    assert edge.expression.startswith("concat('https://user:")
    assert edge.expression.endswith("@host/', a)")


def test_the_parser_alone_would_log_the_secret(caplog: pytest.LogCaptureFixture) -> None:
    """So that the test above can fail: what it looks for is what the parser says by itself."""
    sqlglot.parse_one(f"CREATE USER bob PASSWORD = '{SECRET}'", read="snowflake")
    assert SECRET in caplog.text


def test_statements_that_differ_in_more_than_the_secret_have_different_hashes() -> None:
    first, second = hashes(f"CREATE USER bob PASSWORD '{SECRET}'; CREATE USER eve PASSWORD '{SECRET}'", "postgres")
    assert first != second


@pytest.mark.parametrize(
    "arguments", [["-f", "text"], ["-f", "json"], ["-f", "csv"], ["-l", "complete"], ["-l", "table"]]
)
def test_the_command_shows_no_secret(arguments: list[str], tmp_path: Path) -> None:
    script = tmp_path / "s.sql"
    lines = [sql.format(s=SECRET) for dialect, sql in SHAPES.values() if dialect == "spark"]
    script.write_text(";\n".join(lines), encoding="utf-8")
    result = CliRunner().invoke(cli, ["analyze", str(script), "--literals", *arguments], catch_exceptions=False)
    assert result.output
    assert SECRET not in result.output


ORDINARY = {
    "author": "SELECT a FROM t WHERE author = '{s}'",
    "disaster": "SELECT a FROM t WHERE disaster = '{s}'",
    "secretary": "SELECT CASE WHEN secretary = '{s}' THEN 1 END AS x FROM t",
    "compass": "SELECT a FROM t WHERE compass = '{s}'",
}


@pytest.mark.parametrize("name", ["name", "city"])
def test_ordinary_strings_are_kept(name: str) -> None:
    sql = f"SELECT a FROM t WHERE {name} = 'Tolkien'"
    (statement,) = headwater.analyze(sql).statements
    assert statement.sql == sql


@pytest.mark.parametrize("sql", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_columns_are_no_secrets(sql: str) -> None:
    """Masking too much makes two different statements one process."""
    assert hashes(sql.format(s="Tolkien"), "spark") != hashes(sql.format(s="Rowling"), "spark")


def test_a_password_column_is_filled() -> None:
    lineage = headwater.analyze(f"INSERT INTO users (name, password) VALUES ('bob', '{SECRET}')")
    assert [name for name, text in shown(lineage) if SECRET in text] == []


def test_a_results_repr_shows_no_secret() -> None:
    lineage = headwater.analyze(f"SELECT 'https://u:{SECRET}@h' AS c")
    assert SECRET not in repr(lineage.statements)


@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_may_hold_a_secret_is_looked_at(name: str) -> None:
    of_a_store = CALLS[name] == "2-3" or name == "azureblobstorage"
    cells = ["url://h" if of_a_store else "h", "b", "c", "d", "e"]
    position = {"-1": 5, "2-3": 2}.get(CALLS[name]) or int(CALLS[name][-1])
    cells[position - 1] = "Hx97q"
    if CALLS[name].startswith("="):  # the last of so many
        cells = cells[:position]
    arguments = ", ".join(f"'{cell}'" for cell in cells)
    call = f"EXEC {name} {arguments}" if name.startswith("sp_") else f"SELECT {name}({arguments}) AS c"
    statement = headwater.analyze(call, dialect="clickhouse").statements[0]  # nothing else could make anybody look
    assert "Hx97q" not in statement.sql


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        ("{{ f(password='hunter2', n=4711) }}", "{{ f(password=***, n=***) }}"),
        ("{# the password is hunter2 #} {{ f('b') }}", "*** {{ f('b') }}"),
        ("{{ token('a\\'hunter2', \"hunter2\") }}", "{{ token(***, ***) }}"),
        ("{% set password = 'hunter2 %}", "{% set password = ***"),
        ("{{ group_by(n=3) }}", "{{ group_by(n=3) }}"),
    ],
)
def test_values_of_tags_that_look_secret_are_hidden(template: str, shown: str) -> None:
    """The names in a tag are shown, so that its reader sees which macro is called."""
    assert redacted_template(template, "snowflake").slice(0, len(template)) == shown
