"""Events of a feed: one run event for each process with inputs or outputs, that it is complete, with what it reads and writes.

A statement is told as a run, not as a job event, because readers of job events are few, and because what could not be read
(`extractionError`) is said of runs only. Ids of runs come from what the statement is, so that events sent twice are the same runs.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from functools import lru_cache
from typing import NamedTuple

from openlineage.client.event_v2 import InputDataset, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import DatasetFacet, lifecycle_state_change_dataset

from headwater.export.feed import Feed
from headwater.export.format import ExportError
from headwater.export.kinds import words
from headwater.export.openlineage.column_lineage import ColumnLineage
from headwater.export.openlineage.facets import (
    PRODUCER,
    column_name,
    dataset_facets,
    job,
    plain,
    run_facets,
    says_format,
)
from headwater.export.records import End, Entity, Process, Relation, Source
from headwater.model.iso_time import read_iso
from headwater.model.kind import FOREIGN_KEY, JOIN_TYPE, KINDS, MOVED
from headwater.openlineage.dataset_names import DatasetName, dataset_name, default_namespace

_REMEMBERED = 4096
"""Data sets whose facets are kept for the next event that names them."""
_CHANGES = {"Create": "CREATE", "Truncate": "TRUNCATE", "Alter": "ALTER"}
"""What happens to what a process writes, by the first word of its type."""

LeaveOut = Callable[[str], None]


def in_file(time: str | None) -> str:
    """The time of events in a file: what was asked for, else SOURCE_DATE_EPOCH, else the beginning of 1970; never now."""
    if time is not None:
        return _checked(time)
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "") or "0"
    if not seconds.isdecimal():
        raise ExportError(f"SOURCE_DATE_EPOCH is {seconds!r}, not a number of seconds")
    return _iso(datetime.fromtimestamp(int(seconds), timezone.utc))


def when_sent(time: str | None) -> str:
    """The time of events that are sent: what was asked for, else now."""
    return _checked(time) if time is not None else _iso(datetime.now(timezone.utc))


def _checked(time: str) -> str:
    try:
        told = read_iso(time)
    except ValueError:
        raise ExportError(f"{time!r} is no time in ISO 8601, such as 2026-01-31T08:00:00Z") from None
    return _iso(told if told.tzinfo else told.replace(tzinfo=timezone.utc))


def _iso(time: datetime) -> str:
    return time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def events(feed: Feed, namespace: str | None, time: str, leave_out: LeaveOut) -> Iterator[RunEvent]:
    """The events of a feed; *namespace* is where tables live."""
    return _Events(feed, namespace or default_namespace(feed.dialect), time, leave_out).all()


class _Known(NamedTuple):
    """A data set of which events tell."""

    name: DatasetName
    facets: dict[str, DatasetFacet]
    columns: dict[int, str]


class _Events:
    """Events on their way; what is known of data sets is asked of the feed once for many events."""

    def __init__(self, feed: Feed, namespace: str, time: str, leave_out: LeaveOut) -> None:
        self._feed = feed
        self._namespace = plain(namespace)
        self._time = time
        self._leave_out = leave_out
        self._known = lru_cache(_REMEMBERED)(self._looked_up)
        self._scripts: dict[int, str] = {}

    def all(self) -> Iterator[RunEvent]:
        written = self._written()
        errors = self._errors()
        for process, relations in self._feed.statements():
            event = self._event(process, relations, written.get(process.id, []), errors.get(process.id, []))
            if event is None:
                self._leave_out("statements without inputs and outputs")
            else:
                yield event

    def _written(self) -> dict[int, list[int]]:
        """What each process writes, whether relations say so or not."""
        found: dict[int, list[int]] = {}
        for entity in self._feed.entities():
            if words(entity.kind).dataset:
                for process in entity.processes:
                    found.setdefault(process, []).append(entity.id)
                if not says_format(entity):
                    self._leave_out("file formats")
        return found

    def _errors(self) -> dict[int, list[str]]:
        """What could not be read of each process."""
        found: dict[int, list[str]] = {}
        for remark in self._feed.remarks():
            if remark.process and remark.severity == "error":
                said = f"{remark.code}: {remark.message}" + (f" ({remark.hint})" if remark.hint else "")
                found.setdefault(remark.process, []).append(said)
            else:
                self._leave_out("warnings and notes" if remark.process else "remarks on no statement")
        return found

    def _event(
        self, process: Process, relations: list[Relation], written: list[int], errors: list[str]
    ) -> RunEvent | None:
        """The event of a process; none if it moves no data, unless there is an error to be said of it."""
        statement = _Statement(self, process, self._leave_out, self._feed.scope.level == "column")
        for entity in written:
            statement.write(entity)
        for relation in relations:
            statement.add(relation)
        inputs, outputs = statement.inputs(), statement.outputs()
        if not (inputs or outputs or errors):
            return None
        for _ in process.places[1:]:
            self._leave_out("places of statements after their first")
        told = job(process)
        identity = (told.namespace, told.name, plain(process.procedure), process.query_hash)
        run = uuid.uuid5(uuid.NAMESPACE_URL, "\0".join(("urn:headwater:run", *identity)))
        return RunEvent(
            eventTime=self._time,
            eventType=RunState.COMPLETE,
            run=Run(str(run), run_facets(process, errors)),
            job=told,
            inputs=inputs,
            outputs=outputs,
            producer=PRODUCER,
        )

    def dataset(self, entity: int) -> _Known | None:
        """A data set; None for what is none."""
        return self._known(entity)

    def _looked_up(self, id: int) -> _Known | None:
        entity = self._feed.entity(id)
        if not words(entity.kind).dataset:
            return None
        name = DatasetName(*map(plain, dataset_name(entity.kind, entity.parts, self._namespace)))
        if entity.temporary:
            name = name._replace(name=plain(f"{self._script(entity)}#{name.name}"))
        columns = {column.id: column_name(column) for column in entity.columns}
        return _Known(name, dataset_facets(entity, name.namespace), columns)

    def _script(self, entity: Entity) -> str:
        """The script of a temporary table: others may have one of the same name."""
        if not entity.places:
            return self._feed.process(entity.processes[0]).path if entity.processes else ""
        if not self._scripts:
            self._scripts = {script.number: script.path for script in self._feed.scripts()}
        return self._scripts.get(entity.places[0].script, "")


class _Statement:
    """One process: what it reads, and how that makes what it writes."""

    def __init__(self, events: _Events, process: Process, leave_out: LeaveOut, columns: bool) -> None:
        self._events = events
        self._process = process
        self._leave_out = leave_out
        self._columns = columns
        self._inputs: dict[DatasetName, _Known] = {}
        self._outputs: dict[DatasetName, _Known] = {}
        self._made: dict[DatasetName, ColumnLineage] = {}
        self._renamed: dict[DatasetName, DatasetName] = {}

    def write(self, entity: int) -> None:
        """Say that an entity is written."""
        known = self._events.dataset(entity)
        if known is not None:
            self._outputs[known.name] = known

    def add(self, relation: Relation) -> None:
        """Add a relation's sources."""
        target = self._events.dataset(relation.target.entity)
        for source in relation.sources:
            if relation.type == JOIN_TYPE:
                self._leave_out("joins")
            elif source.kind.clause == KINDS[FOREIGN_KEY].clause:
                self._leave_out("foreign keys")
            else:
                self._add(relation, target, source)

    def _add(self, relation: Relation, target: _Known | None, source: Source) -> None:
        known = self._events.dataset(source.end.entity)
        if known is None:
            self._leave_out("sources that no table could be found for")
            return
        self._inputs[known.name] = known
        if target is None:
            self._leave_out("sources of results that are not written anywhere")
            return
        self._outputs[target.name] = target
        if relation.target.row_set and source.kind == KINDS[MOVED]:
            self._renamed[target.name] = known.name
        if self._columns:
            made = self._made.setdefault(target.name, ColumnLineage(self._leave_out))
            into = None if relation.target.row_set else _name(target, relation.target)
            made.add(into, source, known.name, _name(known, source.end), relation.expression)

    def inputs(self) -> list[InputDataset]:
        """What is read."""
        return [
            InputDataset(*name, facets=self._inputs[name].facets, inputFacets=None) for name in sorted(self._inputs)
        ]

    def outputs(self) -> list[OutputDataset]:
        """What is written."""
        return [
            OutputDataset(*name, facets=self._output_facets(name), outputFacets=None) for name in sorted(self._outputs)
        ]

    def _output_facets(self, name: DatasetName) -> dict[str, DatasetFacet]:
        facets = dict(self._outputs[name].facets)
        lineage = self._made[name].facet() if name in self._made else None
        if lineage is not None:
            facets["columnLineage"] = lineage
        change = self._change(name)
        if change is not None:
            facets["lifecycleStateChange"] = change
        return facets

    def _change(self, name: DatasetName) -> lifecycle_state_change_dataset.LifecycleStateChangeDatasetFacet | None:
        before = self._renamed.get(name)
        previous = lifecycle_state_change_dataset.PreviousIdentifier(before.name, before.namespace) if before else None
        word = "RENAME" if before else _CHANGES.get(self._process.type.partition(" ")[0])
        if word is None:
            return None
        change = lifecycle_state_change_dataset.LifecycleStateChange(word)
        return lifecycle_state_change_dataset.LifecycleStateChangeDatasetFacet(change, previous, producer=PRODUCER)


def _name(known: _Known, end: End) -> str:
    return known.columns.get(end.column) or plain(end.column_name)
