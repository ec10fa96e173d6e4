"""T-SQL's procedure for renaming tables and columns: its arguments are strings."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.sql.form import Renaming
from headwater.sql.reading.reading import Reading, is_string, reads
from headwater.sql.reading.rename import beside
from headwater.sql.tokens import plain_tokens


@reads("EXEC", "EXECUTE", "SP_RENAME", first=True)
def sp_rename(reading: Reading) -> Any:
    """`EXEC sp_rename 'dbo.a', 'b'`, `EXEC sp_rename 'dbo.t.a', 'b', 'COLUMN'`; of indexes and types there is nothing to say."""
    reading.take_any("EXEC", "EXECUTE")
    if reading.take_any("SYS", "DBO"):
        reading.take(".")
    if not reading.take("SP_RENAME"):
        return None
    given = [token.text for token in reading.rest() if is_string(token)]
    if len(given) == 3 and given[2].upper() == "COLUMN":
        return _column(reading, *given[:2])
    if len(given) < 2 or (len(given) > 2 and given[2].upper() != "OBJECT"):
        return None
    old, new = (_inside(reading, text).name() for text in given[:2])
    return Renaming("Rename Table", ((old, beside(old, new)),))


def _column(reading: Reading, path: str, name: str) -> Any:
    inner = _inside(reading, path)
    if len(inner.tokens) < 3:
        return None
    table = Reading(inner.tokens[:-2], path, reading.dialect).name()
    old, new = (exp.Column(this=exp.to_identifier(each)) for each in (inner.tokens[-1].text, name))
    return exp.Alter(this=table, kind="TABLE", actions=[exp.RenameColumn(this=old, to=new)])


def _inside(reading: Reading, text: str) -> Reading:
    return Reading(plain_tokens(text, reading.dialect), text, reading.dialect)
