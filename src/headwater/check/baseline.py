"""The baseline: findings that are known, by their fingerprints, so that only new ones count.

A file of JSON, sorted, so that it can be reviewed and merged. A finding that is there several times is known as often as it was found.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from headwater.check.finding import Finding

VERSION = 1


class BaselineError(Exception):
    """A baseline that cannot be read."""


@dataclass(frozen=True, slots=True)
class Known:
    """A finding that is known, and how often."""

    rule: str
    code: str
    path: str | None
    subject: str
    count: int

    @property
    def names(self) -> frozenset[str]:
        """The names by which it is selected."""
        return frozenset({self.rule, self.code} - {""})


Looked = Callable[[Known], bool]
"""Whether a known finding would have been found again, if it were there: its rule was asked, its script looked at."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Findings, told apart by a baseline."""

    new: tuple[Finding, ...]
    known: tuple[Finding, ...]
    still: Baseline
    """What is left of the baseline: what was found again, and what was not looked for."""
    fixed: int
    """How many known findings were looked for, and are gone."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """Known findings, by fingerprint."""

    entries: Mapping[str, Known]

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> Baseline:
        """The baseline that knows these findings."""
        entries: dict[str, Known] = {}
        for each in findings:
            path = each.where.path if each.where else None
            before = entries.get(each.fingerprint)
            count = before.count + 1 if before else 1
            entries[each.fingerprint] = Known(each.rule, each.code, path, each.subject, count)
        return cls(entries)

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """The baseline in a file."""
        try:
            content = json.loads(path.read_text("utf-8"))
            if content["version"] != VERSION:
                raise BaselineError(f"{path} has version {content['version']}, this version reads {VERSION}")
            return cls({str(each.pop("fingerprint")): Known(**each) for each in content["findings"]})
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BaselineError(f"{path} is no baseline; write one with --write-baseline") from error

    def compared(self, findings: Sequence[Finding], looked: Looked) -> Compared:
        """Findings that are new, and those that are known."""
        left = Counter({fingerprint: each.count for fingerprint, each in self.entries.items()})
        new: list[Finding] = []
        known: list[Finding] = []
        for finding in findings:
            (known if left[finding.fingerprint] > 0 else new).append(finding)
            left[finding.fingerprint] -= 1
        gone = {f: left[f] for f, each in self.entries.items() if left[f] > 0 and looked(each)}
        return Compared(tuple(new), tuple(known), self._without(gone), sum(gone.values()))

    def _without(self, gone: Mapping[str, int]) -> Baseline:
        kept = {f: replace(each, count=each.count - gone.get(f, 0)) for f, each in self.entries.items()}
        return Baseline({f: each for f, each in kept.items() if each.count > 0})

    def __len__(self) -> int:
        return sum(each.count for each in self.entries.values())

    def write(self, path: Path) -> None:
        """Write it to a file; a reader sees the old file or the new one."""
        rows = [{**asdict(each), "fingerprint": fingerprint} for fingerprint, each in self.entries.items()]
        rows.sort(key=lambda row: (row["path"] or "", row["rule"], row["subject"], row["fingerprint"]))
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        beside.write_text(json.dumps({"version": VERSION, "findings": rows}, indent=2) + "\n", "utf-8")
        os.replace(beside, path)
