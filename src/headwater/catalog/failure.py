"""What databases and drivers raise, in one line each, without SQL and without secrets.

CatalogError
├── CatalogUnavailable   the database cannot be asked now: it is down, it hangs up, it does not answer in time
├── CatalogRefused       it refuses one question, and goes on answering others
└── DriverMissing        its driver is not installed
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from headwater.catalog.catalog import CatalogError
from headwater.catalog.url import Address

if TYPE_CHECKING:
    from sqlalchemy import Connection

_LONGEST = 300
Answer = TypeVar("Answer")


class CatalogUnavailable(CatalogError):
    """A database that cannot be asked now; what is known of it from before may do."""


class CatalogRefused(CatalogError):
    """A question that a database refuses, for want of a right or because a view is broken; others can be asked."""


class DriverMissing(CatalogError):
    """A driver that is not installed; the message says what to install."""


@contextmanager
def explained(address: Address) -> Iterator[None]:
    """Turns what goes wrong into a `CatalogError` that has no cause: a traceback would show the URL."""
    from sqlalchemy.exc import NoSuchModuleError, SQLAlchemyError

    try:
        yield
    except CatalogError:
        raise
    except (NoSuchModuleError, ModuleNotFoundError):
        raise DriverMissing(_missing(address)) from None
    except (SQLAlchemyError, OSError, UnicodeError) as error:
        raise CatalogUnavailable(f"{address.place} cannot be read: {words_of(address, error)}") from None
    except Exception as error:  # noqa: BLE001 - drivers raise what they like, and their words may hold the password
        raise CatalogUnavailable(f"{address.place} cannot be read: {type(error).__name__}") from None


def unless_refused(connection: Connection, address: Address, question: Callable[[], Answer]) -> Answer:
    """The answer to a question; `CatalogRefused` where the database refuses it and still answers others."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        return question()
    except SQLAlchemyError as error:
        if not _answers(connection):
            raise
        raise CatalogRefused(words_of(address, error)) from None


def _answers(connection: Connection) -> bool:
    """Whether a connection can still be used; a transaction that has failed is ended for that."""
    from sqlalchemy import select
    from sqlalchemy.exc import SQLAlchemyError

    if connection.invalidated:
        return False
    try:
        connection.rollback()
        connection.execute(select(1))
    except (SQLAlchemyError, OSError):
        return False
    return True


def words_of(address: Address, error: BaseException) -> str:
    """The first line of what a driver says, without secrets: further lines may hold the statement."""
    said = getattr(error, "orig", None) or error
    arguments = said.args
    numbered = len(arguments) == 2 and isinstance(arguments[0], int) and isinstance(arguments[1], str)
    lines = [line.strip() for line in str(arguments[1] if numbered else said).splitlines() if line.strip()]
    return address.scrubbed(lines[0])[:_LONGEST] if lines else "it does not answer"


def _missing(address: Address) -> str:
    platform, named = address.platform, address.url.drivername.partition("+")[2]
    if platform.extra and named in ("", platform.driver):
        return f"the driver for {platform.name} is not installed: pip install 'headwater[{platform.extra}]'"
    if platform.extra:
        usual = f"leave +{named} out of the URL and pip install 'headwater[{platform.extra}]'"
        return f"the driver {named} is not installed: install it, or {usual}"
    return f"there is no SQLAlchemy dialect {platform.name} here: install the package that brings it"
