"""What a CREATE, ALTER or DROP is about: the kind of object, behind the words that only modify it."""

from __future__ import annotations

from headwater.sql.reading.reading import Reading

_MODIFIERS = frozenset(
    {"OR", "REPLACE", "TEMP", "TEMPORARY", "PUBLIC", "SHARED", "TRANSIENT", "SECURE", "IF", "NOT", "EXISTS"} | {"ALTER"}
)


def creates(reading: Reading, *kinds: str) -> str:
    """Step over `CREATE [OR REPLACE …] kind [IF NOT EXISTS]` for one of these kinds, and tell which; nothing for others."""
    reading.take("CREATE")
    skip_modifiers(reading)
    for kind in kinds:
        if reading.take(*kind.split()):
            reading.take("IF", "NOT", "EXISTS")
            return kind
    return ""


def skip_modifiers(reading: Reading) -> None:
    """Step over OR REPLACE, TEMPORARY and their like."""
    while reading.word() in _MODIFIERS:
        reading.token()
