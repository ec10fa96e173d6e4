"""Whether a text may hold a secret at all: a look at its letters, which is all that most scripts cost."""

from __future__ import annotations

import re

_PARTS: dict[str, re.Pattern[str] | None] = {
    **dict.fromkeys(
        ("pass", "pw", "token", "sas", "identified", "auth", "bearer", "logon", "crypt", "-----begin"), None
    ),
    "cre": re.compile(r"secret|credential"),
    ":": re.compile(r"://|:thin:"),
    "@": re.compile(r"\w/[^\s@]+@"),
    "conn": re.compile(r"conn(?:ect)?[ \t]"),
    "\\": re.compile(r"\\c "),
    "key": re.compile(
        r"(?:access|account|api|private|[ed][en]cryption|master|shared|storage|signing|symmetric)\W{0,2}_?key"
        r"|key_?id|keyset|key_source|add_key|parquet_key|\b(?:re)?key\s*[='\"]"
    ),
    "sql(": None,
    "remote": re.compile(r"remote(?:secure)?\s*\("),
    "sig": re.compile(r"sig(?:nature)?\s*=|signby"),
    "sp_": re.compile(r"sp_(?:add|set|approle)"),
    **dict.fromkeys(("hmac", "rowset", "redis", "mongodb", "azureblob", "wallet", "_query("), None),
}
"""Parts of words, in lower case; where a part is too common, what has to be found behind it."""
_LETTERS = {*range(48, 58), *range(65, 91), *range(97, 123)}
_DENSE = bytes(119 if c in _LETTERS or c in b"/+" else 32 for c in range(256))
_WORDS = bytes(119 if c in _LETTERS or c in b"_-~" else 32 for c in range(256))
_DENSE_RUN, _WORD_RUN = b"w" * 16, b"w" * 26


def is_suspicious(text: str) -> bool:
    """Whether a text may hold a secret at all."""
    return has_words(text) or has_runs(text)


def has_words(text: str) -> bool:
    """Whether a text has a part of a word that is near a secret."""
    lowered = text.lower()
    for part in filter(lowered.__contains__, _PARTS):
        sure = _PARTS[part]
        if sure is None or sure.search(lowered):
            return True
    return False


def has_runs(text: str) -> bool:
    """Whether a text has a run of letters and digits as long as a value with a shape is, which few names are."""
    encoded = text.encode("utf-8", "replace")
    return _DENSE_RUN in encoded.translate(_DENSE) or _WORD_RUN in encoded.translate(_WORDS)
