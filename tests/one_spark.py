"""How `make test` hands tests to its workers: file by file, and all files that start Spark, or GoogleSQL's analyzer, to one worker.

pytest-xdist's own `--dist loadgroup` writes a test's group into its node id, which pytest has not let it do since 9.2 (its issue 1386):
groups are silently torn apart, and two Sparks share the machine. So the group is read from the file. Spark's files come first, because
together they take longer than everything else, which runs beside them.
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
"""The scope of all tests that start Spark."""


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


def spark_first(items: list[pytest.Item]) -> None:
    """Put the tests that start Spark before all others; these stay in their order."""
    items.sort(key=lambda item: scope_of(item.path) != SPARK)
