"""Checksums: of the files that a snapshot lists, and of the store's own small JSON files, which carry their own.

CRC-32 finds damage, and is four times as fast as the hashes of `hashlib`. It is no protection against somebody who forges files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

_BYTES_PER_READ = 2**20
_FIELD = ',\n "checksum": '


class Damaged(Exception):
    """Content that is not what was written. The message is the end of a sentence that begins with the file's name."""


def checksum(path: Path) -> str:
    """The checksum of a file, with the name of its kind."""
    found = 0
    with path.open("rb") as file:
        while chunk := file.read(_BYTES_PER_READ):
            found = crc32(chunk, found)
    return _spelled(found)


def sealed(content: Mapping[str, Any]) -> bytes:
    """A JSON object as a file's content, with the checksum of what stands before it as its last field."""
    return _with_checksum(json.dumps(content, indent=1).removesuffix("\n}"))


def unsealed(content: bytes, *, must: bool = False) -> dict[str, Any]:
    """The JSON object in a file, whose checksum must be right; earlier versions wrote none. Raises `Damaged`."""
    try:
        text = content.decode()
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Damaged("is damaged: it is not JSON") from error
    if not isinstance(found, dict):
        raise Damaged("is damaged: it is not a JSON object")
    has_checksum = found.pop("checksum", None) is not None
    if has_checksum and content != _with_checksum(text.rpartition(_FIELD)[0]):
        raise Damaged("is damaged: its checksum does not fit its content")
    if must and not has_checksum:
        raise Damaged("is damaged: it has no checksum")
    return found


def _with_checksum(text: str) -> bytes:
    return f'{text}{_FIELD}"{_spelled(crc32(text.encode()))}"\n}}\n'.encode()


def _spelled(number: int) -> str:
    return f"crc32:{number:08x}"
