"""Errors of libraries, in one line and without what requests carry."""

from __future__ import annotations

_MAX_CHARACTERS = 300


def one_line(error: BaseException) -> str:
    r"""The first sentences of an error; the queries of URLs, which may be signed, are left out.

    >>> one_line(OSError("access denied:\n  GET https://host/key?X-Amz-Signature=abc"))
    'access denied: GET https://host/key'
    """
    words = " ".join(str(error).split()).split(" ")
    line = " ".join(word.partition("?")[0] if "://" in word else word for word in words)
    return line[:_MAX_CHARACTERS].rstrip(". ") or type(error).__name__
