"""`headwater serve`: the explorer over a store, or the playground alone."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from headwater.cli.logs import logging_to_standard_error
from headwater.cli.shared_options import color_option, complete_files, verbosity_options
from headwater.cli.store_options import DEFAULT_STORE

if TYPE_CHECKING:
    import socket

PORT = 8765

_EXAMPLES = """\b
Examples:
  headwater serve lineage/
  headwater serve
  headwater serve lineage/ --port 0 --no-open
  HEADWATER_TOKEN=… headwater serve lineage/ --host 0.0.0.0 --allow-host lineage.example.com"""


@click.command(epilog=_EXAMPLES, short_help="Serve the explorer: a page and an API over a store.")
@click.argument("store", required=False, metavar="[STORE]", shell_complete=complete_files)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="The port to listen on; 0 is any that is free.",
)
@click.option(
    "--token",
    envvar="HEADWATER_TOKEN",
    metavar="TOKEN",
    help="What who asks must know; also HEADWATER_TOKEN.  [default: one is made where others can reach it]",
)
@click.option("--allow-host", multiple=True, metavar="NAME", help="A further name that it is reached by; repeatable.")
@click.option("--open/--no-open", "open_", default=None, help="Open the page in a browser.  [default: on a terminal]")
@click.option("--workers", type=click.IntRange(1, 64), metavar="N", help="Processes of the playground.  [default: 2]")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="What a script in the playground may take.",
)
@verbosity_options
@color_option
def serve(store: str | None, verbose: int, quiet: bool, **options: Any) -> None:
    """Serve the explorer over a store, or without one the playground alone.

    Without STORE, ./lineage is served if it is a store. It listens on this machine only, unless --host says otherwise: then who asks
    must know a token.
    """
    with logging_to_standard_error(verbose, quiet), serving() as tools:
        made = prepared(tools, store or _usual_store(), **options)
        click.echo(made.line)
        sys.stdout.flush()
        opened = options["open_"] if options["open_"] is not None else sys.stdout.isatty()
        tools.run(made.app, made.listener, (lambda: open_in_browser(made.link)) if opened else None)


class Tools(NamedTuple):
    """The parts of the server that a command needs."""

    application: Any
    settings: Any
    limits: Any
    is_loopback: Any
    listening: Any
    address_of: Any
    run: Any
    running: Any


@contextmanager
def serving() -> Iterator[Tools]:
    """The server; what the user can mend is an error of one line."""
    try:
        from headwater.server.app import application
        from headwater.server.playground.limits import Limits
        from headwater.server.run import CannotListen, address_of, listening, run, running
        from headwater.server.settings import Settings, is_loopback
        from headwater.store import StoreError
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "headwater":
            raise
        raise click.ClickException(f"this needs {error.name}: pip install 'headwater[server]'") from error
    try:
        yield Tools(application, Settings, Limits, is_loopback, listening, address_of, run, running)
    except (CannotListen, StoreError) as error:
        raise click.ClickException(str(error)) from error


class Prepared(NamedTuple):
    """A server that is about to run."""

    app: Any
    listener: socket.socket
    what: str
    address: str
    token: str | None
    """One that was made here, and must be shown."""

    @property
    def link(self) -> str:
        """The address to open."""
        return f"{self.address}?token={self.token}" if self.token else self.address

    @property
    def line(self) -> str:
        """What is said about it."""
        return f"Serving {self.what} at {self.link} (Ctrl-C stops)"


def prepared(
    tools: Tools,
    store: str | None,
    host: str = "127.0.0.1",
    port: int = PORT,
    token: str | None = None,
    allow_host: tuple[str, ...] = (),
    workers: int | None = None,
    timeout: float = 10.0,
    **_: Any,
) -> Prepared:
    """A server of a store, or of the playground, which listens already; inside of `serving`."""
    from headwater.store import Store

    if store is not None:
        Store(store).snapshot()
    if token is not None and not token.strip():
        raise click.UsageError("the token is empty: leave it out, or give one that nobody guesses")
    made = secrets.token_urlsafe(24) if token is None and not tools.is_loopback(host) else None
    limits = tools.limits(timeout=timeout, **({} if workers is None else {"workers": workers}))
    settings = tools.settings(host, allow_host, token or made, playground=limits)
    app = tools.application(store, settings)
    listener = tools.listening(host, port)
    return Prepared(app, listener, store or "the playground", tools.address_of(host, listener), made)


def _usual_store() -> str | None:
    """The store that commands take if none is named, if it is there."""
    return DEFAULT_STORE if (Path(DEFAULT_STORE) / "store.json").is_file() else None


def open_in_browser(address: str) -> None:
    """Open an address in the user's browser, if there is one."""
    import webbrowser

    webbrowser.open(address)
