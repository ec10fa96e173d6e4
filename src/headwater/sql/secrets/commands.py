r"""Passwords in command lines, which SQL holds as strings: `xp_cmdshell 'bcp … -P x'`, and behind `!`: `\! mysql -px`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.model.span import Span

OPTIONS = r"""
sqlcmd osql isql bcp                            -P\s*◊
dtexec dtutil                                   /[Dd][Ee](?:crypt|CRYPT)?\s+◊
net net1                                        ^use\s.*?/[Uu][Ss][Ee][Rr]:\S+\s+◊
net net1                                        ^use\s+(?:\S+\s+){0,2}?◊\s+(?:/\S+\s+)*/[Uu][Ss][Ee][Rr]:
net net1                                        ^user\s+[^\s/]\S*\s+◊
cmdkey                                          /[Pp][Aa][Ss][Ss]:◊
schtasks                                        /[Rr]?[Pp]\s+◊
psexec sshpass mongo mongosh mongodump          -p\s*◊
mongoexport mongoimport mongorestore smbmap     -p\s*◊
plink pscp psftp putty                          -pw\s+◊
mysql mysqldump mysqladmin mysqlimport mysqlsh  -p◊
mysqlcheck mariadb mariadb-dump mariadb-admin   -p◊
redis-cli                                       -a\s+◊
smbclient rpcclient                             (?:-U|--user)[\s=]*[^\s%]+%◊
7z 7za 7zr rar unrar                            -p◊
zip unzip                                       -P\s*◊
openssl                                         -(?:pass|passin|passout)\s+pass:◊
curl                                            (?:-u|--user|--proxy-user)\s*[^\s:'"]+:◊
"""
"""Tools, and the option behind which a password stands, `◊`. `^`: the option comes first."""

_VALUE = r"(?P<value>(?:''[^'\n]+''|\\?\"[^\"\n]+\"|[^\s'\";|&<>/-][^\s'\";|&<>]*))"
_MOST_LETTERS = 1000
"""How far behind the name of a tool its options are searched."""


def _patterns() -> dict[str, list[re.Pattern[str]]]:
    found: dict[str, list[re.Pattern[str]]] = {}
    for line in OPTIONS.strip().splitlines():
        tools, option = re.split(r"\s{2,}", line)
        start = r"\A\s" if option.startswith("^") else r"(?<=\s)"
        pattern = re.compile(start + option.lstrip("^").replace("◊", _VALUE))
        for tool in tools.split():
            found.setdefault(tool, []).append(pattern)
    return found


_OPTIONS = _patterns()
TOOL = re.compile(
    rf"(?<![\w.-])({'|'.join(map(re.escape, sorted(_OPTIONS, key=len, reverse=True)))})(?:\.exe)?\s", re.IGNORECASE
)
_LINE = re.compile(r"[^\n]+")
ESCAPES = re.compile(r"^[ \t]*(?:\\!|:?!!?|host|system)[ \t]*[^\n]+", re.IGNORECASE | re.MULTILINE)
"""Lines by which SQL's clients run a command."""


def secrets_of_commands(text: str, start: int, end: int) -> Iterator[Span]:
    """Passwords among the options of tools, between two offsets."""
    for tool in TOOL.finditer(text, start, end):
        behind = tool.end() - 1
        line = _LINE.match(text, behind, min(behind + _MOST_LETTERS, end))
        for pattern in _OPTIONS[tool[1].lower()]:
            for found in pattern.finditer(line[0] if line else ""):
                yield Span(behind + found.start("value"), behind + found.end("value"))
