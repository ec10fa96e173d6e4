"""Whether a text may hold a secret at all: a look at its letters, which is all that most scripts cost."""

from __future__ import annotations

import re
from itertools import chain

from headwater.sql.secrets.commands import TOOL
from headwater.sql.secrets.shape import shaped_secrets

_PARTS: dict[str, re.Pattern[str] | None] = {
    **dict.fromkeys(("pass", "pw", "pswd", "token", ".sas.", "identified", "auth", "bearer", "logon", "crypt"), None),
    "akia": None,
    "ltai": re.compile(r"ltai[a-z0-9]{12}"),
    "code": re.compile(r"(?:en|de)code\s*\("),
    "$": re.compile(r"\$(?:1|apr1)\$"),
    "asia": re.compile(r"asia[a-z0-9]{16}"),
    "cre": re.compile(r"secret|credential"),
    ":": re.compile(r"://|:thin:|sql\s*\("),
    "@": re.compile(r"\w/[^\s@]+@"),
    "conn": re.compile(r"conn(?:ect)?[ \t]"),
    "\\": re.compile(r"\\c "),
    "key": re.compile(
        r"(?:access|account|api|private|[ed][en]cryption|master|shared|storage|signing|symmetric)\W{0,2}_?key"
        r"|key_?id|keyset|key_source|add_key|parquet_key|cmdkey|\b(?:re)?key\s*[='\"]"
    ),
    "remote": re.compile(r"remote(?:secure)?\s*\("),
    "sig": re.compile(r"sig(?:nature)?\s*=|signby"),
    **dict.fromkeys(("sp_add", "approle", "hmac(", "rowset", "_query(", "sql(", "redis", "mongodb", "_wallet"), None),
    **dict.fromkeys(("cmdshell", "net use", "net1 user", "net.exe us"), None),
}
"""Parts of words, in lower case; where a part is too common, what has to be found behind it."""
_OPTIONS = {"-": (" -p", "-u", " -a"), "/": (" /d", " /p", " /r")}
"""Options of tools, by their first sign: short texts are expensive to look for, a single sign is not."""
_RUN_LETTERS = {*range(48, 58), *range(65, 91), *range(97, 123), *b"/+_-~"}
_RUNS = bytes(119 if c in _RUN_LETTERS else 32 for c in range(256))
_LONG_RUN = b"w" * 26
_LONG_RUNS = re.compile(b"w{26,}")
_NAME = re.compile("[a-z_]+")


def is_suspicious(text: str) -> bool:
    """Whether a text may hold a secret at all."""
    return has_words(text) or (has_runs(text) and any(shaped_secrets(text)))


def has_words(text: str) -> bool:
    """Whether a text has a part of a word that is near a secret."""
    lowered = text.lower()
    for part in filter(lowered.__contains__, _PARTS):
        sure = _PARTS[part]
        if sure is None or sure.search(lowered):
            return True
    options = any(
        map(lowered.__contains__, chain.from_iterable(_OPTIONS[sign] for sign in _OPTIONS if sign in lowered))
    )
    return options and TOOL.search(lowered) is not None


def has_runs(text: str) -> bool:
    """Whether a text has a run of letters and digits as long as most values with a shape are, and not a name in lower case."""
    runs = text.encode("latin-1", "replace").replace(b"--", b"  ").translate(_RUNS)
    return _LONG_RUN in runs and any(not _NAME.fullmatch(text, *run.span()) for run in _LONG_RUNS.finditer(runs))
