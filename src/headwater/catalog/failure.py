"""What databases and drivers raise, in one line each, without SQL and without secrets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from headwater.catalog.catalog import CatalogError
from headwater.catalog.url import Address

_LONGEST = 300


class CatalogUnavailable(CatalogError):
    """A database that cannot be asked now; what is known of it from before may do."""


class DriverMissing(CatalogError):
    """A driver that is not installed; the message says what to install."""


@contextmanager
def explained(address: Address) -> Iterator[None]:
    """Turns what goes wrong into a `CatalogError` that has no cause: a traceback would show the URL."""
    from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError

    try:
        yield
    except CatalogError:
        raise
    except (NoSuchModuleError, ModuleNotFoundError):
        raise DriverMissing(_missing(address)) from None
    except DBAPIError as error:
        raise CatalogUnavailable(_said(address, error.orig)) from None
    except (SQLAlchemyError, OSError, UnicodeError) as error:
        raise CatalogUnavailable(_said(address, error)) from None
    except Exception as error:  # noqa: BLE001 - drivers raise what they like, and their words may hold the password
        raise CatalogUnavailable(f"{address.place} cannot be read: {type(error).__name__}") from None


def _missing(address: Address) -> str:
    platform, named = address.platform, address.url.drivername.partition("+")[2]
    if platform.extra and named in ("", platform.driver):
        return f"the driver for {platform.name} is not installed: pip install 'headwater[{platform.extra}]'"
    if platform.extra:
        usual = f"leave +{named} out of the URL and pip install 'headwater[{platform.extra}]'"
        return f"the driver {named} is not installed: install it, or {usual}"
    return f"there is no SQLAlchemy dialect {platform.name} here: install the package that brings it"


def _said(address: Address, error: BaseException | None) -> str:
    """The first line of what a driver says: further ones may hold the statement."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = address.scrubbed(lines[0])[:_LONGEST] if lines else "it does not answer"
    return f"{address.place} cannot be read: {said}"
