"""Query logs that are plain text: the lines of PostgreSQL's server log and of MySQL's general log, as rows of their table forms.

A line that begins no entry belongs to the one before it. What stands before the first entry, such as MySQL's banner, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

POSTGRES = pa.schema(
    [
        *((name, pa.string()) for name in ("log_time", "user_name", "session_id")),
        ("session_line_num", pa.int64()),
        *((name, pa.string()) for name in ("error_severity", "message")),
    ]
)
"""What is read of a line of PostgreSQL's log, under the names of csvlog."""
MYSQL = pa.schema(
    [
        *((name, pa.string()) for name in ("event_time", "user_host", "thread_id", "command_type", "argument")),
        ("position", pa.int64()),
    ]
)
"""What is read of a command of MySQL's general log, under the names of its table."""

_SEVERITY = "LOG|ERROR|FATAL|PANIC|WARNING|NOTICE|INFO|DEBUG\\d?|STATEMENT|DETAIL|HINT|CONTEXT|QUERY|LOCATION|BACKTRACE"
_ENTRY = re.compile(
    rf"(?P<time>\d{{4}}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?: ?[A-Z]{{2,5}}|[+-]\d\d(?::?\d\d)?)?)(?P<prefix>.*?)"
    rf"\b(?P<severity>{_SEVERITY}): {{1,2}}(?P<message>.*)"
)
_PROCESS = re.compile(r"\[(\d+)(?:-\d+)?\]")
_USER = re.compile(r"(?:user=)?([\w.$-]+)(?:@|,db=)[\w.$-]*")
_REST = frozenset({"STATEMENT", "DETAIL", "HINT", "CONTEXT", "QUERY", "LOCATION", "BACKTRACE"})
"""What only adds to the entry before it."""


def postgres_rows(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The entries of a log with a prefix like `%m [%p] %q%u@%d `; without a process, the whole log is one session."""
    entry: dict[str, Any] | None = None
    adds = False
    for number, line in enumerate(lines, 1):
        found = _ENTRY.match(line)
        if found is None:
            if entry is not None and not adds:
                entry["message"] += "\n" + line.removeprefix("\t")
            continue
        adds = found["severity"] in _REST
        if adds:
            continue
        if entry is not None:
            yield entry
        process, user = _PROCESS.search(found["prefix"]), _USER.search(_PROCESS.sub("", found["prefix"]))
        entry = {
            "log_time": found["time"],
            "user_name": user[1] if user else None,
            "session_id": process[1] if process else "",
            "session_line_num": number,
            "error_severity": found["severity"],
            "message": found["message"],
        }
    if entry is not None:
        yield entry


_COMMAND = re.compile(
    r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?|\d{6} +\d{1,2}:\d\d:\d\d|\t)"
    r"\s+(?P<thread>\d+) (?P<command>[A-Z][A-Za-z]*(?: [A-Z][A-Za-z]*)?)(?:\t(?P<argument>.*)|$)"
)
_OLD_TIME = re.compile(r"(\d\d)(\d\d)(\d\d) +(\d{1,2}):(\d\d):(\d\d)")


def mysql_rows(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The commands of a general log, of MySQL 5.7 and later, or of MariaDB and older ones, which write a time only once a second."""
    row: dict[str, Any] | None = None
    users: dict[str, str] = {}
    time: str | None = None
    for number, line in enumerate(lines, 1):
        found = _COMMAND.match(line)
        if found is None:
            if row is not None and not _is_banner(line):
                row["argument"] += "\n" + line
            continue
        if row is not None:
            yield row
        thread, argument = found["thread"], found["argument"] or ""
        time = _time(found["time"]) if found["time"].strip() else time
        if found["command"] == "Connect":
            users[thread] = argument.partition("@")[0]
        row = {
            "event_time": time,
            "user_host": users.get(thread),
            "thread_id": thread,
            "command_type": found["command"],
            "argument": argument,
            "position": number,
        }
    if row is not None:
        yield row


def _time(text: str) -> str:
    old = _OLD_TIME.fullmatch(text)
    return f"20{old[1]}-{old[2]}-{old[3]} {int(old[4]):02}:{old[5]}:{old[6]}" if old else text


def _is_banner(line: str) -> bool:
    """Whether a line is of the banner that a server writes when it starts."""
    return line.startswith(("Time  ", "Tcp port: ")) or line.endswith("started with:")
