"""How `make test` hands tests to its workers: file by file, and all files of a group to one worker.

A group is what shares something dear: the tests' own Spark, a browser with its servers, GoogleSQL's analyzer; or what must not run at
once: builds that are processes of their own, each with a Spark. pytest-xdist's own `--dist loadgroup` writes a test's group into its node
id, which pytest has not let it do since 9.2 (its issue 1386): groups are silently torn apart, and many Sparks share the machine. So the
group is read from the file. What takes longest comes first: Spark's files keep one worker busy, the other one begins with the browser and
the builds.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

_SAYS = re.compile(r'xdist_group\("(\w+)"\)')
SPARK = "spark"
"""The scope of all tests that use the tests' own Spark."""
_FIRST = (SPARK, "browser", "builds", "zetasql")


class OneSpark(LoadScopeScheduling):
    """Scopes, each of which is run by one worker in one go, are files; those of a group are one. They keep their order."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(self.config.rootpath / nodeid.partition("::")[0])


@cache
def scope_of(file: Path) -> str:
    """The scope of a file's tests."""
    group = _SAYS.search(file.read_text(encoding="utf-8"))
    return group.group(1) if group is not None else str(file)


def longest_first(items: list[pytest.Item]) -> None:
    """Put the groups before all others; these stay in their order."""
    place = {scope: number for number, scope in enumerate(_FIRST)}
    items.sort(key=lambda item: place.get(scope_of(item.path), len(place)))
