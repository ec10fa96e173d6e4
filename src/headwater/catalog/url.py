"""Where a live catalog is: a database's URL, with its secrets taken from the environment, and never shown.

`${NAME}` in a URL stands for a variable of the environment, `env:NAME` for a URL that is one. What is shown, kept and logged of a URL is
its `place`: platform, host and database, without user, password and options.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus, unquote

from headwater.catalog.catalog import CatalogError
from headwater.catalog.platform import Platform, platform_named

if TYPE_CHECKING:
    from sqlalchemy import URL

VARIABLE = "HEADWATER_CATALOG_URL"
"""The environment's variable for the URL of a catalog, where nobody names another."""
SPARK = "spark"
"""In place of a URL: the catalog of the Spark session."""

_WHOLE = "env:"
_NAMED = re.compile(r"\$\{(\w+)\}")
_TELLING = frozenset(
    {"options", "host", "port", "schema", "role", "warehouse", "http_path", "catalog", "service", "charset"}
)
"""Options of a URL that say which catalog it is, and are no secrets."""
_USER_PART = re.compile(r"//[^/\s@]*@")


@dataclass(frozen=True, slots=True)
class Address:
    """A database that can be asked."""

    url: URL
    platform: Platform

    @property
    def place(self) -> str:
        """How it is shown: `postgresql://host/database`."""
        host = self.url.host or ""
        port = f":{self.url.port}" if self.url.port and host else ""
        return f"{self.platform.name}://{host}{port}/{self.url.database or ''}"

    @property
    def key(self) -> str:
        """The name of its cache: two users, who may see other tables, have two; the password is not in it."""
        url = self.url
        options = sorted((k, str(v)) for k, v in url.query.items() if k in _TELLING)
        database = url.database or ""
        if self.platform.is_file and database:
            database = os.path.abspath(database)
        told = repr((self.platform.name, url.username, url.host, url.port, database, options))
        return sha256(told.encode()).hexdigest()[:24]

    def scrubbed(self, text: str) -> str:
        """A text without anything that is secret in the URL."""
        values = [str(self.url.password or "")]
        values += [str(value) for name, value in self.url.query.items() if name not in _TELLING]
        forms = {form for value in values for form in (value, quote(value), quote(value, ""), quote_plus(value))}
        for secret in sorted(forms - {""}, key=len, reverse=True):
            text = text.replace(secret, "***")
        return _USER_PART.sub("//***@", text)


def address(text: str, environment: Mapping[str, str] | None = None) -> Address:
    """The database that a URL names, which may name variables of the environment."""
    told = expanded(text, os.environ if environment is None else environment)
    name = re.split(r"[+:]", told, maxsplit=1)[0].lower()
    platform = platform_named({"postgres": "postgresql", "sqlserver": "mssql"}.get(name, name))
    try:
        from sqlalchemy import make_url
        from sqlalchemy.exc import ArgumentError
    except ModuleNotFoundError:
        raise CatalogError(_missing_sqlalchemy(platform)) from None
    try:
        url = make_url(told)
    except (ArgumentError, ValueError):
        raise CatalogError(
            "this is not the URL of a database: postgresql://user@host/name and sqlite:///shop.db are some"
        ) from None
    driver = url.drivername.partition("+")[2] or platform.driver
    return Address(url.set(drivername=f"{platform.name}+{driver}" if driver else platform.name), platform)


def _missing_sqlalchemy(platform: Platform) -> str:
    return f"SQLAlchemy is not installed: pip install 'headwater[{platform.extra or 'rdbms'}]'"


def expanded(text: str, environment: Mapping[str, str]) -> str:
    """A URL with the environment's values; those of users and passwords may have any characters."""
    text = text.strip()
    if text.startswith(_WHOLE):
        return _value(text.removeprefix(_WHOLE).strip(), environment)
    head, at, tail = text.rpartition("@")
    user = _NAMED.sub(lambda found: quote(_value(found[1], environment), ""), head)
    return user + at + _NAMED.sub(lambda found: _value(found[1], environment), tail)


def _value(name: str, environment: Mapping[str, str]) -> str:
    found = environment.get(name)
    if not found:
        raise CatalogError(f"the environment has no {name}, which the catalog's URL asks for")
    return found


def shown(text: str) -> str:
    """A URL as it was written, for people: without a password that stands in it, and without its options' values."""
    if text.strip().startswith(_WHOLE) or "://" not in text:
        return text
    scheme, _, rest = text.partition("://")
    user, at, place = rest.rpartition("@")
    name, colon, password = user.partition(":")
    if colon and not _NAMED.fullmatch(unquote(password)):
        user = f"{name}:***"
    place, question, options = place.partition("?")
    hidden = "&".join(_shown_option(option) for option in options.split("&")) if question else ""
    return f"{scheme}://{user}{at}{place}{question}{hidden}"


def _shown_option(option: str) -> str:
    name, equals, value = option.partition("=")
    return option if name in _TELLING or _NAMED.fullmatch(value) else f"{name}{equals}***"
