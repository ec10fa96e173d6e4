"""Secrets that only their position tells: ClickHouse's `s3(url, key, secret)`, `mysql(host, db, table, user, password)`, a cipher's key.

What cannot be told apart is masked: a function's structure that is hidden costs less than a password that is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from headwater.model.span import Span

_STORES = frozenset({"s3", "gcs", "cosn", "oss", "deltalake", "deltalakes3", "iceberg", "icebergs3", "hudi", "paimon"})
"""The url, then a key and its secret, unless a format comes at once."""
_SERVERS = frozenset({"mysql", "postgresql", "mongodb", "remote", "remotesecure", "redis"})
"""The password is the fifth argument; of `remote`, the last of at least four."""
_CIPHERS = frozenset(
    {"aes_encrypt", "aes_decrypt", "try_aes_decrypt", "pgp_sym_encrypt", "pgp_sym_decrypt"}
    | {"encrypt", "decrypt", "try_decrypt", "encrypt_raw", "decrypt_raw", "try_decrypt_raw"}
)
"""The key is the second argument."""
_FORMATS = (
    *("auto", "parquet", "csv", "tsv", "tabseparated", "json", "avro", "orc", "arrow", "native", "rowbinary", "xml"),
    *("lineasstring", "rawblob", "values", "protobuf", "template", "regexp", "msgpack", "capnproto", "npy", "bson"),
    *("customseparated", "markdown", "mysqldump", "one", "form"),
)

CALLS = tuple(f"{name}(" for name in sorted(_SERVERS | _CIPHERS))
"""Text without any of these, in lower case, and without a url, holds no such secret."""


def positional_secrets(tokens: Sequence[Any]) -> Iterator[Span]:
    """The secrets among the arguments of these functions."""
    for i, token in enumerate(tokens[:-1]):
        if tokens[i + 1].text == "(":
            name = token.text.lower()
            bare = name.removesuffix("cluster")
            if bare in _STORES:
                yield from _keys(_arguments(tokens, i + 1)[bare != name :])
            elif name in _SERVERS:
                yield from _passwords(_arguments(tokens, i + 1), name)
            elif name in _CIPHERS:
                yield from _strings(_arguments(tokens, i + 1)[1:2])


def _keys(arguments: list[list[Any]]) -> Iterator[Span]:
    strings = [argument[0] for argument in arguments if len(argument) == 1 and _is_string(argument[0])]
    if len(strings) > 2 and not strings[1].text.lower().startswith(_FORMATS):
        yield from map(_inside, strings[1:3])


def _passwords(arguments: list[list[Any]], name: str) -> Iterator[Span]:
    given = arguments[-1:] if name.startswith("remote") and len(arguments) > 3 else arguments[4:5]
    return _strings(given)


def _strings(arguments: list[list[Any]]) -> Iterator[Span]:
    for argument in arguments:
        if len(argument) == 1 and _is_string(argument[0]):
            yield _inside(argument[0])


def _arguments(tokens: Sequence[Any], opening: int) -> list[list[Any]]:
    """The tokens of each argument of a call."""
    arguments: list[list[Any]] = [[]]
    depth = 0
    for token in tokens[opening:]:
        bracket = 0 if _is_string(token) else (token.text in ("(", "[")) - (token.text in (")", "]"))
        depth += bracket
        if depth == 0:
            break
        if depth == 1 and bracket == 1:
            continue
        if depth == 1 and token.text == "," and not _is_string(token):
            arguments.append([])
        else:
            arguments[-1].append(token)
    return arguments


def _is_string(token: Any) -> bool:
    return "STRING" in token.token_type.name


def _inside(token: Any) -> Span:
    """A string without its quotes."""
    return Span(token.start + 1, token.end)
