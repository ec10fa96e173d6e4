"""Scripts of several routines, one of which is to be shuffled: each has tables of its own, so that none hangs on another."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import headwater

_CHOICE = """\
  IF v_top > 100 THEN
    UPDATE target_{n} SET flag = 'high' WHERE amount = v_top;
  ELSE
    DELETE FROM rest_{n} WHERE day = p_day;
  END IF;
"""
_MARKED_CHOICE = _CHOICE.replace("= v_top", "= :v_top").replace("= p_day", "= :p_day")
"""The same where variables in statements have a colon."""
_ROW = """\
    INSERT INTO target_{n} (id, amount)
    VALUES (r.id, CASE WHEN r.amount > 0 THEN r.amount ELSE 0 END);
"""

_TSQL = """\
CREATE PROCEDURE dbo.load_{n} @day date
AS
BEGIN
  SET NOCOUNT ON
  DECLARE @top int, @name varchar(50)
  SELECT @top = MAX(amount) FROM source_{n}
  IF @top > 100
  BEGIN
    UPDATE target_{n} SET flag = 'high' WHERE amount = @top
  END
  ELSE
  BEGIN
    DELETE FROM rest_{n} WHERE day = @day
  END
  WHILE @top > 0
  BEGIN
    INSERT INTO target_{n} (id, amount)
    SELECT id, (CASE WHEN amount > 0 THEN amount ELSE 0 END) FROM source_{n}
    SET @top = @top - 1
  END
  INSERT INTO log_{n} (top_amount) VALUES (@top)
END"""

_ORACLE = (
    """\
CREATE OR REPLACE PROCEDURE load_{n} (p_day IN DATE) IS
  v_top NUMBER;
  CURSOR c IS SELECT id, amount FROM source_{n};
BEGIN
  SELECT MAX(amount) INTO v_top FROM source_{n};
"""
    + _CHOICE
    + """\
  FOR r IN c LOOP
"""
    + _ROW
    + """\
  END LOOP;
  BEGIN
    INSERT INTO log_{n} (top_amount) VALUES (v_top);
  EXCEPTION
    WHEN OTHERS THEN
      NULL;
  END;
END load_{n};"""
)

_POSTGRES = (
    """\
CREATE OR REPLACE FUNCTION load_{n}(p_day date) RETURNS void AS $$
DECLARE
  v_top numeric;
  r record;
BEGIN
  SELECT max(amount) INTO v_top FROM source_{n};
"""
    + _CHOICE
    + """\
  FOR r IN SELECT id, amount FROM source_{n} LOOP
"""
    + _ROW
    + """\
  END LOOP;
  INSERT INTO log_{n} (top_amount) VALUES (v_top);
END;
$$ LANGUAGE plpgsql;"""
)

_MYSQL = (
    """\
CREATE PROCEDURE load_{n} (IN p_day DATE)
BEGIN
  DECLARE v_top INT;
  DECLARE EXIT HANDLER FOR SQLEXCEPTION ROLLBACK;
  SELECT MAX(amount) INTO v_top FROM source_{n};
"""
    + _CHOICE
    + """\
  WHILE v_top > 0 DO
    INSERT INTO target_{n} (id, amount)
    SELECT id, (CASE WHEN amount > 0 THEN amount ELSE 0 END) FROM source_{n};
    SET v_top = v_top - 1;
  END WHILE;
  INSERT INTO log_{n} (top_amount) VALUES (v_top);
END"""
)

_BIGQUERY = (
    """\
CREATE OR REPLACE PROCEDURE load_{n} (p_day DATE)
BEGIN
  DECLARE v_top INT64;
  SET v_top = (SELECT MAX(amount) FROM source_{n});
"""
    + _CHOICE
    + """\
  FOR r IN (SELECT id, amount FROM source_{n}) DO
"""
    + _ROW
    + """\
  END FOR;
  BEGIN
    INSERT INTO log_{n} (top_amount) VALUES (v_top);
  EXCEPTION WHEN ERROR THEN
    SELECT 1;
  END;
END;"""
)

_SNOWFLAKE = (
    """\
CREATE OR REPLACE PROCEDURE load_{n} (p_day DATE)
RETURNS VARCHAR
LANGUAGE SQL
AS
DECLARE
  v_top INTEGER;
  c CURSOR FOR SELECT id, amount FROM source_{n};
BEGIN
  SELECT MAX(amount) INTO :v_top FROM source_{n};
"""
    + _MARKED_CHOICE.replace("v_top > 100", "(v_top > 100)")
    + """\
  FOR r IN c DO
    INSERT INTO target_{n} (id, amount)
    SELECT r.id, CASE WHEN r.amount > 0 THEN r.amount ELSE 0 END;
  END FOR;
  INSERT INTO log_{n} (top_amount) VALUES (:v_top);
  RETURN 'done';
END;"""
)

_TERADATA = (
    """\
REPLACE PROCEDURE load_{n} (IN p_day DATE)
BEGIN
  DECLARE v_top INTEGER;
  SELECT MAX(amount) INTO v_top FROM source_{n};
"""
    + _MARKED_CHOICE
    + """\
  FOR r AS c CURSOR FOR SELECT id, amount FROM source_{n} DO
"""
    + _ROW
    + """\
  END FOR;
  INSERT INTO log_{n} (top_amount) VALUES (:v_top);
END;"""
)

_SPARK = (
    """\
CREATE OR REPLACE PROCEDURE load_{n} (p_day DATE)
LANGUAGE SQL
AS BEGIN
  DECLARE v_top INT;
  SET v_top = (SELECT MAX(amount) FROM source_{n});
"""
    + _CHOICE
    + """\
  FOR r AS SELECT id, amount FROM source_{n} DO
"""
    + _ROW
    + """\
  END FOR;
  INSERT INTO log_{n} (top_amount) VALUES (v_top);
END;"""
)

ROUTINES = {
    "tsql": _TSQL,
    "oracle": _ORACLE,
    "postgres": _POSTGRES,
    "mysql": _MYSQL,
    "bigquery": _BIGQUERY,
    "snowflake": _SNOWFLAKE,
    "teradata": _TERADATA,
    "databricks": _SPARK,
}
"""One routine per dialect: variables, a choice, a loop, a block; it says which tables it needs by its number."""

_SEPARATED = {
    "tsql": ("", "\nGO\n", "\nGO\n"),
    "oracle": ("", "\n/\n", "\n/\n"),
    "mysql": ("DELIMITER //\n", " //\n", " //\n"),
}
"""What stands before, between and behind the routines of a script, as the dialect's own client wants it."""

EXPECTED = (
    ("source_{n}.id", "target_{n}.id"),
    ("source_{n}.amount", "target_{n}.amount"),
    ("source_{n}.amount", "log_{n}.top_amount"),
)
"""Edges that a reader finds in each of the routines: the loop's INSERT, and what the variable carries."""


def script(routines: list[str], dialect: str, separated: bool = True) -> str:
    """A script of some routines; *separated* as the client wants it, or one below the other."""
    begin, between, end = _SEPARATED.get(dialect, ("", "\n\n", "\n")) if separated else ("", "\n\n", "\n")
    return begin + between.join(routines) + end


def edges(sql: str, dialect: str) -> set[tuple[str, str]]:
    """All edges between columns, in lower case and without the schema."""
    found = headwater.analyze(sql, dialect=dialect).column_edges()
    return {(_column(edge.source), _column(edge.target)) for edge in found}


def _column(end: object) -> str:
    return ".".join(str(end).lower().split(".")[-2:])


def shuffled_lines(text: str, chance: random.Random) -> str:
    """The lines of a routine in any order."""
    lines = text.split("\n")
    chance.shuffle(lines)
    return "\n".join(lines)


def shuffled_words(text: str, chance: random.Random) -> str:
    """The words of a routine in any order, on as many lines; what stands in quotes is one word."""
    words = re.findall(r"'[^']*'|[^\s']+", text)
    chance.shuffle(words)
    lines = text.count("\n") + 1
    return "\n".join("  " + " ".join(words[i::lines]) for i in range(lines))


def dropped_line(text: str, chance: random.Random) -> str:
    """A routine without one of its lines."""
    lines = text.split("\n")
    del lines[chance.randrange(len(lines))]
    return "\n".join(lines)


def exchanged_words(text: str, chance: random.Random) -> str:
    """A routine of whose words some are dropped, doubled or exchanged; what stands in quotes is one word, and so is white space."""
    words = re.findall(r"'[^']*'|[^\s']+|\s+", text)
    for _ in range(chance.randrange(1, 6)):
        at, other = chance.randrange(len(words)), chance.randrange(len(words))
        action = chance.randrange(3)
        if action == 0:
            words[at] = ""
        elif action == 1:
            words.insert(at, words[other])
        else:
            words[at], words[other] = words[other], words[at]
    return "".join(words)


DAMAGES: dict[str, Callable[[str, random.Random], str]] = {
    "lines": shuffled_lines,
    "words": shuffled_words,
    "missing line": dropped_line,
    "exchanged words": exchanged_words,
}


def statements_of(dialect: str, count: int) -> list[str]:
    """Whole statements of a body, simple and compound, each with a table of its own to read and one to write."""
    separator = "" if dialect == "tsql" else ";"
    made = []
    for n in range(count):
        insert = f"INSERT INTO written_{n} (a) SELECT b FROM read_{n}{separator}"
        made.append(_COMPOUND[dialect][n % len(_COMPOUND[dialect])].format(insert=insert))
    return made


_IF = "IF 1 = 1 THEN\n  {insert}\nELSE\n  DELETE FROM gone;\nEND IF;"
_WHILE = "WHILE 1 = 0 DO\n  {insert}\nEND WHILE;"
_LOOP = "LOOP\n  {insert}\n  EXIT;\nEND LOOP;"
_BLOCK = "BEGIN\n  {insert}\nEND;"
_COMPOUND = {
    "tsql": (
        "{insert}",
        "IF 1 = 1\n  {insert}\nELSE\n  DELETE FROM gone",
        "BEGIN TRY\n  {insert}\nEND TRY\nBEGIN CATCH\n  PRINT 'x'\nEND CATCH",
        "WHILE 1 = 0\nBEGIN\n  {insert}\nEND",
    ),
    "oracle": ("{insert}", _IF, _LOOP, _BLOCK),
    "postgres": ("{insert}", _IF, _LOOP, _BLOCK),
    "mysql": ("{insert}", _IF, _WHILE, _BLOCK),
    "bigquery": ("{insert}", _IF, _WHILE, _BLOCK),
    "snowflake": ("{insert}", _IF.replace("1 = 1", "(1 = 1)"), _WHILE.replace("1 = 0", "(1 = 0)"), _BLOCK),
    "teradata": ("{insert}", _IF, _WHILE, _BLOCK),
    "databricks": ("{insert}", _IF, _WHILE, _BLOCK),
}

BODIES = {
    "tsql": "CREATE PROCEDURE p AS\nBEGIN\n{body}\nEND",
    "oracle": "CREATE PROCEDURE p IS\nBEGIN\n{body}\nEND;",
    "postgres": "CREATE PROCEDURE p() LANGUAGE plpgsql AS $$\nBEGIN\n{body}\nEND;\n$$;",
    "mysql": "DELIMITER //\nCREATE PROCEDURE p ()\nBEGIN\n{body}\nEND //",
    "bigquery": "CREATE PROCEDURE p ()\nBEGIN\n{body}\nEND;",
    "snowflake": "CREATE PROCEDURE p () RETURNS INT LANGUAGE SQL AS\nBEGIN\n{body}\nEND;",
    "teradata": "CREATE PROCEDURE p ()\nBEGIN\n{body}\nEND;",
    "databricks": "CREATE PROCEDURE p () LANGUAGE SQL AS\nBEGIN\n{body}\nEND;",
}
"""A routine around any statements."""
