"""The first rule: places for secrets in the grammar of statements and calls. Each table below has one form a line.

What cannot be told apart is masked: a function's structure that is hidden costs less than a password that is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot.tokenizer_core import TokenType

from headwater.model.span import Span
from headwater.sql.secrets.tokens import arguments, is_string, strings_of, value_of

SECRET, ONE, SOME = "◊", "?", "…"

PHRASES = """
IDENTIFIED WITH … BY ◊ REPLACE ◊    MySQL
IDENTIFIED WITH … BY ◊ SALT ◊       ClickHouse
IDENTIFIED WITH … BY ◊              MySQL, ClickHouse
IDENTIFIED WITH … AS ◊              MySQL: the hash
IDENTIFIED VIA … USING ◊            MariaDB
IDENTIFIED BY VALUES ◊              Oracle: the hash
IDENTIFIED BY PASSWORD ◊            MySQL: the hash
IDENTIFIED BY ◊ REPLACE ◊           Oracle, MySQL, Vertica
IDENTIFIED BY ◊                     Oracle, MySQL, Exasol, Vertica
CREATE USER … PASSWORD = ( ◊        Teradata
CREATE USER … PASSWORD = ◊          Teradata
MODIFY USER … PASSWORD = ( ◊        Teradata
MODIFY USER … PASSWORD = ◊          Teradata
CREATE SECRET … AS ◊                Materialize, RisingWave
ALTER SECRET … AS ◊                 Materialize, RisingWave
CONNECT TO … USING ◊                Db2
OPENROWSET ( ? , ? ; ? ; ◊          T-SQL
PRAGMA KEY = ◊                      SQLCipher
PRAGMA REKEY = ◊                    SQLCipher
ATTACH … KEY ◊                      SQLCipher
"""
"""Words, `?` for one token, `…` for a few, `◊` for the secret. Of the phrases that begin with a word the first that fits is taken."""

ARGUMENTS = """
1      encryptbypassphrase decryptbypassphrase pwdencrypt pwdcompare crypt
1      password old_password validate_password_strength create_secret
1,2    sp_password
1,2,3  create_aws_credentials
2      aes_encrypt aes_decrypt try_aes_decrypt des_encrypt des_decrypt encrypt_iv decrypt_iv hmac
2      pgp_sym_encrypt pgp_sym_decrypt pgp_sym_encrypt_bytea pgp_sym_decrypt_bytea
2,3    encrypt decrypt try_decrypt trydecrypt encrypt_raw decrypt_raw try_decrypt_raw decrypt_char decrypt_bin
2      decryptbykeyautocert decryptbykeyautoasymkey
2      set_wallet add_parquet_key sp_addlogin sp_setapprole sp_addapprole sp_approlepassword
3      decryptbycert decryptbyasymkey signbycert signbyasymkey pgp_pub_decrypt pgp_pub_decrypt_bytea
3      set_authentication create_credential add_key_from_raw_bytes
3,5    redis
4      postgres_query mysql_query
5      mysql postgresql mongodb azureblobstorage sp_addlinkedsrvlogin
-1     remote remotesecure
=2     encode decode
2-3    s3 gcs cosn oss deltalake deltalakes3 iceberg icebergs3 hudi paimon
"""
"""Positions of secrets among the arguments of a call or a procedure. `-1` is the last of at least four. `2-3` are a key and its
secret behind the url of a store, unless a format comes at once: `s3(url, 'CSV', …)`. `=2` is the second of two, unless it is a
character set or an encoding: `encode(a, 'utf-8')`."""

SESSIONS = (
    r"^[ \t]*\.?[ \t]*logon[ \t]+[^\s,;]+,[ \t]*(?P<s1>[^\s;]+)",  # BTEQ, FastLoad
    r"^[ \t]*conn(?:ect)?[ \t]+[^\s/;]+/(?P<s2>\"[^\"\n]*\"|[^\s@;]+)",  # SQL*Plus
    r"^[ \t]*(?:\\c|\\connect|:connect)[ \t][^\n]*?(?:password=|-P[ \t]*)(?P<s3>'[^'\n]*'|[^\s'\"]+)",  # psql, sqlcmd
    r"\b(?:sqlplus|sqlldr|expdp|impdp|exp|imp|copy[ \t]+from|to)[ \t]+(?:-\w+[ \t]+)?[\w$#]+/(?P<s4>[^\s@/'\"]+)@",  # Oracle's tools
)
"""Commands to a client that open a session."""

_FORMATS = (
    *("auto", "parquet", "csv", "tsv", "tabseparated", "json", "avro", "orc", "arrow", "native", "rowbinary", "xml"),
    *("lineasstring", "rawblob", "values", "protobuf", "template", "regexp", "msgpack", "capnproto", "npy", "bson"),
    *("customseparated", "markdown", "mysqldump", "one", "form"),
)
_ENCODINGS = re.compile(
    r"(?:hex|base\w+|escape|uri|url\w*|utf\W?\d+\w*|ucs\W?\d\w*|unicode|iso\W?\d+\W?\d+|(?:us\W)?ascii\d?|latin\W?\d|binary|windows\W?\d+|cp\W?\d+|(?:x-)?gb\w*"
    r"|big5|s(?:hift)?_?jis|(?:x-)?euc\W?\w+|koi8\W?\w+|mac\w*|ebcdic\w*|ibm\W?\d+|lzo|zstd|raw)\Z",
    re.IGNORECASE,
)
_SESSIONS = re.compile("|".join(SESSIONS), re.IGNORECASE | re.MULTILINE)
_FEW, _REACH = 4, {"USER": 60, "TO": 6, "SECRET": 16, "ATTACH": 8}
"""Tokens that `…` may stand for, by the word before it."""


def _phrases() -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    for line in PHRASES.strip().splitlines():
        first, *others = re.split(r"\s{2,}", line)[0].split()
        found.setdefault(first, []).append(others)
    return found


def _positions() -> dict[str, str]:
    lines = [line.split() for line in ARGUMENTS.strip().splitlines()]
    return {name: positions for positions, *names in lines for name in names}


PHRASES_BY_WORD = _phrases()
POSITIONS = _positions()
_LONGEST_CALL = 24
"""Arguments that are looked at."""


def secret_places(raw: str, tokens: Sequence[Any]) -> Iterator[Span]:
    """Secrets in phrases, calls and procedures."""
    for i, token in enumerate(tokens):
        phrases = PHRASES_BY_WORD.get(token.text.upper())
        if phrases and not is_string(token):
            found = next(filter(None, (_values(tokens, i, phrase) for phrase in phrases)), [])
            yield from (value_of(raw, tokens[at]) for at in found)
        name = token.text.lower()
        positions = POSITIONS.get(name) or POSITIONS.get(name.removesuffix("cluster"))
        if positions and i + 1 < len(tokens):
            yield from _of_call(raw, tokens, i, positions)


def secret_sessions(raw: str) -> Iterator[Span]:
    """Secrets in commands that open a session."""
    return (Span(*match.span(match.lastgroup or 0)) for match in _SESSIONS.finditer(raw))


def _values(tokens: Sequence[Any], i: int, phrase: list[str]) -> list[int]:
    """The tokens that stand for the secrets of a phrase, whose first word is at *i*; none if it does not fit."""
    found: list[int] = []
    some = False
    for each in phrase:
        i += 1
        if each == SOME:
            some = True
            i -= 1
            continue
        if some:
            i = _next(tokens, i, each)
            some = False
        if i >= len(tokens):
            return []
        text = tokens[i].text
        if each == SECRET:
            if text in (";", ",", ")", "("):
                return []
            found.append(i)
        elif each not in (ONE, text.upper()) or (each != ONE and is_string(tokens[i])):
            return []
    return found


def _next(tokens: Sequence[Any], i: int, word: str) -> int:
    """The next token, of a few, that is a word."""
    reach = _REACH.get(tokens[i - 1].text.upper(), _FEW)
    for j in range(i, min(i + reach, len(tokens))):
        if tokens[j].token_type is TokenType.SEMICOLON:
            break
        if tokens[j].text.upper() == word and not is_string(tokens[j]):
            return j
    return len(tokens)


def _of_call(raw: str, tokens: Sequence[Any], i: int, positions: str) -> Iterator[Span]:
    """The secrets among the arguments behind a name: those of a call, or of a procedure without brackets."""
    is_call = tokens[i + 1].token_type is TokenType.L_PAREN
    if not is_call and not (tokens[i].text[:3].lower() == "sp_" and is_string(tokens[i + 1])):
        return
    given = arguments(tokens, i + 1 + is_call, _LONGEST_CALL)
    if positions == "2-3":
        yield from _keys(raw, tokens, given[tokens[i].text.lower().endswith("cluster") :])
    elif positions == "=2":
        if len(given) == 2 and not _ENCODINGS.match(tokens[given[1][0]].text):
            yield from strings_of(raw, tokens[slice(*given[1])])
    elif positions == "-1":
        yield from (span for start, end in given[3:][-1:] for span in strings_of(raw, tokens[start:end]))
    else:
        for position in map(int, positions.split(",")):
            for start, end in given[position - 1 : position]:
                yield from strings_of(raw, tokens[start:end])


def _keys(raw: str, tokens: Sequence[Any], given: list[tuple[int, int]]) -> Iterator[Span]:
    """The key and the secret behind a store's url."""
    strings = [tokens[start] for start, end in given if end == start + 1 and is_string(tokens[start])]
    if len(strings) > 2 and not strings[1].text.lower().startswith(_FORMATS):
        yield from strings_of(raw, strings[1:3])
