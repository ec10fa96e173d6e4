"""How names fold: whether case counts, and what quotes change about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Fold = Callable[[str, bool], str]
"""Folds a name, given whether it was quoted."""


def insensitive(name: str, quoted: bool = False) -> str:
    """Case never matters, quoted or not."""
    return name.lower()


def unquoted_lower(name: str, quoted: bool = False) -> str:
    """Unquoted names are lower case, quoted ones keep theirs."""
    return name if quoted else name.lower()


def unquoted_upper(name: str, quoted: bool = False) -> str:
    """Unquoted names are upper case, quoted ones keep theirs."""
    return name if quoted else name.upper()


def sensitive(name: str, quoted: bool = False) -> str:
    """Names are taken as they are."""
    return name


def sensitive_but_variables(name: str, quoted: bool = False) -> str:
    """Names are taken as they are, but those of variables: no script calls two of them the same but for case."""
    return name.lower() if name.startswith("@") else name


def folder(fold: Fold, temporary_marks: bool) -> Callable[[Any], str]:
    """A function from identifier nodes to folded names; the common rule has a fast one of its own."""
    if temporary_marks:
        return lambda identifier: fold(_marked(identifier), bool(identifier.args.get("quoted")))
    if fold is insensitive:
        return insensitive_identifier
    return lambda identifier: fold(str(identifier.name), bool(identifier.args.get("quoted")))


def insensitive_identifier(identifier: Any) -> str:
    """The name of an identifier where case means nothing, not even inside quotes: in lower case."""
    try:
        name: str = identifier.args["this"].lower()
    except (
        KeyError,
        AttributeError,
    ):  # half a name, from a statement that the parser could not read; one that is a node
        name = str(identifier.name).lower()
    return name


def _marked(identifier: Any) -> str:
    """A name with the `#`, `##` or `@` that the parser takes off T-SQL's temporary tables and table variables."""
    args = identifier.args
    if args.get("temporary"):
        return f"#{args['this']}"
    name = args.get("this") or "?"
    name = name if isinstance(name, str) else name.name
    if identifier.key == "parameter":
        return f"@{name}"
    return f"##{name}" if args.get("global_") else str(name)
