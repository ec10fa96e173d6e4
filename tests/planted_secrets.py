"""The forms of `planted_secrets.toml`, each with a marker of its own where the secret stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import tomllib

_FILE = Path(__file__).with_suffix(".toml")
_TOGETHER = 50
_MARKER = re.compile(r"zq\d{4}wv|fade\d{4}d")


class Planted(NamedTuple):
    """A statement, its dialect, and the marker in its secret, in lower case."""

    name: str
    dialect: str
    sql: str
    marker: str

    def shows(self, output: str) -> bool:
        """Whether an output, in lower case, has the marker."""
        return self.marker in output


def planted(variant: str = "") -> list[Planted]:
    """All forms; *variant*, a digit, makes other secrets of the same length."""
    return list(_numbered(_forms(), variant))


def forms_shown(text: str) -> list[str]:
    """The forms, of whatever variant, whose secret an output shows, each with its marker."""
    names = _names()
    return [f"{names[marker]} [{marker}]" for marker in sorted({*_MARKER.findall(text.lower())}) if marker in names]


@cache
def _names() -> dict[str, str]:
    return {form.marker: form.name for variant in "23456789" for form in planted(variant)}


def together(forms: list[Planted]) -> Iterator[tuple[str, str]]:
    """Scripts that hold many of the forms each, with their dialect: for what costs much per script."""
    by_dialect: dict[str, list[str]] = {}
    for form in forms:
        by_dialect.setdefault(form.dialect, []).append(form.sql.rstrip(";"))
    for dialect, texts in by_dialect.items():
        for start in range(0, len(texts), _TOGETHER):
            yield dialect, ";\n".join(texts[start : start + _TOGETHER]) + "\n;"


def near_misses() -> list[str]:
    """Statements whose `{s}` is no secret."""
    return [str(each) for each in _content()["near_misses"]["statements"]]


def _content() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def _forms() -> Iterator[tuple[str, str, str]]:
    content = _content()
    for dialect, forms in content["secrets"].items():
        for form in forms:
            yield f"{dialect}: {form[:60]}", dialect, form
    for shape, value in content["shapes"].items():
        for place, form in content["places"].items():
            yield f"{shape} as {place}", "spark", str(form).replace("{v}", str(value))


def _numbered(forms: Iterator[tuple[str, str, str]], variant: str) -> Iterator[Planted]:
    for number, (name, dialect, form) in enumerate(forms):
        mixed, digits = f"Zq{variant or 7}{number:03d}Wv", f"fade{variant or 7}{number:03d}d"
        sql = form.format(s=mixed, U=mixed.upper(), x=digits).rstrip()
        yield Planted(name, dialect, sql, digits if "{x}" in form else mixed.lower())
