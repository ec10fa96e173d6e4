"""Commands to the client that runs a script: SQL*Plus' `SET ECHO ON`, BTEQ's `.LOGON`, MySQL's `DELIMITER` and their like.

They never reach the database, so they are no statements: `commands` blanks them out. One module per client; each registers itself with
`client` for the dialects whose scripts it runs.
"""

from headwater.sql.client import bteq, clp, dot_command, hive, mysql, notebook, psql, snowsql, sqlcmd, sqlplus
from headwater.sql.client.walk import commands

__all__ = [
    "bteq",
    "clp",
    "commands",
    "dot_command",
    "hive",
    "mysql",
    "notebook",
    "psql",
    "snowsql",
    "sqlcmd",
    "sqlplus",
]
