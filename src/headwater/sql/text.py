"""Reading script files, whatever their encoding; files that hold no text are told from those that do."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from headwater.files import read_bytes

BINARY = "binary"
"""The encoding of what is no text at all."""

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_MAGIC = (
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF-",
    b"\x7fELF",
    b"BZh",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
    b"PAR1",
    b"SQLite format 3\x00",
)
"""How archives, images, programs and data files begin."""
_SAMPLE = 8192
_CONTROL = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1b"))


class Text(NamedTuple):
    """A file's text, and the encoding it was read with."""

    text: str
    encoding: str


def read_text(path: Path) -> Text:
    """The text of a file, if the roots in force have it."""
    return decode(read_bytes(path))


def decode(content: bytes) -> Text:
    """By the byte order mark, else UTF-8, else UTF-16 by the pattern of its zeros, else as western Windows or Latin-1 has it.

    What begins like an archive or an image, or is full of control characters, is no text.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return Text(_without_mark(content.decode(encoding, errors="replace")), encoding.removesuffix("-sig"))
    if content.startswith(_MAGIC):
        return Text("", BINARY)
    wide = _wide(content[:_SAMPLE])
    if wide:
        return Text(content.decode(wide, errors="replace"), "utf-16")
    if _is_binary(content[:_SAMPLE]):
        return Text("", BINARY)
    for encoding in ("utf-8", "cp1252"):
        try:
            return Text(
                content.decode(encoding), encoding if encoding == "utf-8" or _is_windows(content) else "latin-1"
            )
        except UnicodeDecodeError:
            continue
    return Text(content.decode("latin-1"), "latin-1")


def _without_mark(text: str) -> str:
    return text.removeprefix("\ufeff")


def _wide(sample: bytes) -> str | None:
    """UTF-16 without a mark: of mostly western text, every other byte is zero."""
    low, high = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if half and high > 0.4 * half and low < 0.05 * half:
        return "utf-16-le"
    if half and low > 0.4 * half and high < 0.05 * half:
        return "utf-16-be"
    return None


def _is_binary(sample: bytes) -> bool:
    """Whether more than one byte in twenty is a control character that no text has; a few are forgiven."""
    return len(sample) - len(sample.translate(None, _CONTROL)) > max(len(sample) // 20, 8)


def _is_windows(content: bytes) -> bool:
    """Whether any byte is a letter or quote in Windows' code page and a control character in Latin-1."""
    return len(content) != len(content.translate(None, bytes(range(0x80, 0xA0))))
