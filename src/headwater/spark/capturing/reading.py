"""What Spark told, to lineage: the plan is fetched and read; whatever goes wrong is a diagnostic in the place of lineage."""

from __future__ import annotations

import re
import traceback
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

from headwater.analysis import analyze
from headwater.analyzers.answer import Refused
from headwater.analyzers.catalyst.executed import Fetched, Known, NoJob, resolution_of, resolution_of_stream, unread
from headwater.analyzers.catalyst.jvm import Jvm
from headwater.analyzers.catalyst.places import BOOKKEEPING, Place
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Ids, Unread
from headwater.captured import job_of
from headwater.captured.job import text_of
from headwater.lineage.lineage import Lineage, StatementLineage
from headwater.model.diagnostic import Code
from headwater.model.relation import Process
from headwater.model.resolution import Resolution
from headwater.model.span import Span
from headwater.runtime.build_session import OWN
from headwater.spark.capturing.connect.literal import string_sql
from headwater.spark.capturing.listener import STREAM, Event
from headwater.sql.dialect import dialect
from headwater.sql.source import source
from headwater.sql.split import pieces
from headwater.sql.statement import query_hash

_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CALL = re.compile(r"\s*CALL\b", re.IGNORECASE)
_CHECKPOINTS = frozenset({"checkpoint", "localCheckpoint"})
_INNER = "SKIP"
"""The mode of plans that are part of another command, or of several."""
_SEVERAL = "multi-commands"
"""What Spark 4 calls the execution of a statement that inserts into several tables."""
_QUERY = "ALL"
"""The mode of plans that are no commands."""
_NUMBER = re.compile(r"#\d+L?")
"""How Spark writes the number of a column."""
_FIELDS = 1000
_REMEMBERED = 256
_ORIGINS = 64
_INFERENCE = re.compile(r'\.GlobalLimit".*\.Length".*\.StringTrim"', re.DOTALL)
"""How Spark looks for the first line of a CSV file."""

_DELTA_ACTIONS = re.compile(
    r'"name":"(?:add|remove)","dataType":\{"type":"struct","fields":\[\{"name":"path"'
    r'|"name":"modificationTime","dataType":"long".*"name":"dataChange","dataType":"boolean"'
    r"|org\.apache\.spark\.sql\.delta\.actions\.",
    re.DOTALL,
)
"""How the files of a Delta table stand in the plans that look for them."""


class Captured(NamedTuple):
    """A job: as it is written down, and as lineage."""

    content: str
    lineage: Lineage


class PlanReader:
    """Reads the plans of one Spark; remembers what it has read, and the plans of data that has none any more."""

    def __init__(self, gateway: Any) -> None:
        self._jvm = Jvm(gateway)
        self._known: OrderedDict[object, Captured] = OrderedDict()
        self._origins: OrderedDict[Ids, tuple[Node, dict[int, Place]]] = OrderedDict()

    def read(self, event: Event) -> Captured | None:
        """What a job or a stream did; None if it is none of the user's."""
        return guarded(lambda: self._stream(event) if event.kind == STREAM else self._job(event), "Spark's plan")

    def _job(self, event: Event) -> Captured:
        execution = event.execution
        mode = str(execution.mode().toString())
        if (
            (mode == _INNER and event.name != _SEVERAL)
            or (mode == _QUERY and _is_result(execution))
            or _is_ours(execution)
        ):
            raise NoJob
        plan = execution.analyzed()
        call = _call_of(self._jvm, plan)
        called = _called(call) if call else None
        if called is not None:
            return called
        fetched = self._fetched(plan)
        if event.name in _CHECKPOINTS:
            self._remember(plan, fetched)
            raise NoJob
        if _is_inference(event, fetched) or _is_bookkeeping(fetched):
            raise NoJob
        key = (fetched.key, _target(plan, mode)) if "LogicalRDD" not in fetched.text else None
        known = self._known.get(key) if key is not None else None
        if known is None:
            resolution = resolution_of(self._jvm, fetched, self._beside(), mode != _QUERY)
            known = captured(resolution, _sql_of(self._jvm, plan))
            if key is not None:
                self._known[key] = known
                if len(self._known) > _REMEMBERED:
                    self._known.popitem(last=False)
        return known

    def _stream(self, event: Event) -> Captured:
        if event.execution is None:
            raise Unread("a stream that was over before it was looked at")
        plan = event.execution.analyzedPlan()
        fetched = self._fetched(plan)
        self._remember(plan, fetched)
        return captured(resolution_of_stream(self._jvm, event.execution, fetched, self._beside()), "")

    def _fetched(self, plan: Any) -> Fetched:
        """A plan, with the places of the data that stands in it as it is."""
        fetched = Fetched.of(self._jvm, plan)
        if "LogicalRDD" not in fetched.text:
            return fetched
        origins = [known for ids, (_, known) in self._origins.items() if ids and f'"id":{ids[0]},' in fetched.text]
        places = {id: place for known in origins for id, place in known.items()}
        return fetched._replace(places={**places, **fetched.places})

    def _remember(self, plan: Any, fetched: Fetched) -> None:
        ids = tuple(int(each.exprId().id()) for each in self._jvm.list_of(plan.output()))
        self._origins[ids] = (fetched.node(self._jvm), dict(fetched.places))
        if len(self._origins) > _ORIGINS:
            self._origins.popitem(last=False)

    def _beside(self) -> Known:
        return Known({ids: node for ids, (node, _) in self._origins.items()}, _resolved)


def _call_of(jvm: Jvm, plan: Any) -> str:
    """The statement that called a procedure, if one runs this plan.

    Of a procedure of Iceberg's, Spark 3.5 has no text: it is written again, with the arguments that are texts.
    """
    text = jvm.text_of(plan)
    if text or str(plan.getClass().getSimpleName()) != "Call":
        return _sql_of(jvm, plan) if _CALL.match(text) else ""
    procedure = plan.procedure()
    name = str(procedure.getClass().getSimpleName()).removesuffix("Procedure")
    given = zip(procedure.parameters(), jvm.list_of(plan.args()), strict=False)
    texts = [(str(p.name()), e.value()) for p, e in given if str(e.getClass().getSimpleName()) == "Literal"]
    written = ", ".join(f"{name} => {string_sql(str(text))}" for name, text in texts if text is not None)
    return one_statement(f"CALL system.{_CAPITAL.sub('_', name).lower()}({written})")


def _called(call: str) -> Captured | None:
    """What a procedure does: the statement that calls it tells, a plan shows how it is done. None if the procedure is not known."""
    statements = analyze(call, "spark").statements
    if len(statements) != 1 or statements[0].diagnostics:
        return None
    if not statements[0].resolution.edges:
        raise NoJob
    return captured(statements[0].resolution, call)


def _resolved(sql: str, dialect: str) -> Resolution:
    """A query that another database runs."""
    lineage = analyze(sql, dialect)
    if len(lineage.statements) != 1:
        raise Unread("a query to another database that is no single statement")
    return lineage.statements[0].resolution


def captured(resolution: Resolution, sql: str) -> Captured:
    """A resolution, written down and as lineage; *sql* is its redacted text."""
    content = job_of(resolution, sql)
    text = text_of(content)
    process = Process(resolution.process.type, query_hash(text), Span(0, len(text)))
    statement = StatementLineage(resolution._replace(process=process), text, "spark")
    return Captured(content, Lineage([statement], text, None, lambda start, end: text[start:end]))


def guarded(job: Callable[[], Captured], plan: str) -> Captured | None:
    """A job, or a diagnostic in its place; None if it is none of the user's. *plan* is what it is read from."""
    try:
        return job()
    except NoJob:
        return None
    except Unread as gap:
        return _failed(f"{gap} is not read from {plan}", Code.UNSUPPORTED_CONSTRUCT)
    except RecursionError:
        return _failed("the plan is nested too deeply to be read", Code.TOO_DEEP)
    except Refused as refusal:
        return _failed(f"Spark does not show the plan: {refusal}", Code.NOT_CAPTURED)
    except Exception as error:  # noqa: BLE001 - the job boundary: whatever happens, the program goes on
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} in {where.name}, line {where.lineno} of {where.filename.rsplit('/', 1)[-1]}"
        return _failed(f"the plan was not understood: {place}", Code.INTERNAL_ERROR)


def _failed(message: str, code: Code) -> Captured:
    return captured(unread(message, code), "")


def _is_inference(event: Event, fetched: Fetched) -> bool:
    """Whether Spark itself looks into a text file to find out about columns."""
    places = fetched.places.values()
    return (
        event.name == "head"
        and bool(places)
        and all(p.format == "text" for p in places)
        and bool(_INFERENCE.search(fetched.text))
    )


def _is_bookkeeping(fetched: Fetched) -> bool:
    """Whether a table format looks into its own log, and at nothing of the user's; places of what made its rows do not count."""
    places = [place for id, place in fetched.places.items() if f'"id":{id},' in fetched.text]
    if any(place.table or place.paths or place.query for place in places):
        return False
    return any(place.format == BOOKKEEPING for place in places) or bool(_DELTA_ACTIONS.search(fetched.text))


def _target(plan: Any, mode: str) -> str:
    """What a command says of itself in one line: JSON leaves out where it writes to."""
    return _NUMBER.sub("", str(plan.simpleString(_FIELDS))) if mode != _QUERY else ""


def _is_ours(execution: Any) -> bool:
    """Whether a build of ours runs it, and not the user's program."""
    return bool(execution.sparkSession().conf().contains(OWN))


def _is_result(execution: Any) -> bool:
    """Whether a query only shows what a command gave, which was executed before it."""
    return str(execution.commandExecuted().getClass().getSimpleName()) == "CommandResult"


_SPARK = dialect("spark")
_QUERY_TEXT = re.compile(r"\s*(?:\(|(?:SELECT|WITH|FROM|VALUES|TABLE)\b)", re.IGNORECASE)


def _sql_of(jvm: Jvm, plan: Any) -> str:
    """The redacted text of a job that was a statement of SQL, and nothing else; else nothing.

    Commands that Spark made of others have no text. Their query has: its own if a program wrote it, else that of the whole statement.
    """
    text = jvm.text_of(plan)
    if text:
        return one_statement(text)
    inside = [one_statement(jvm.text_of(each)) for each in jvm.list_of(plan.innerChildren()) if jvm.is_plan(each)]
    return next((text for text in inside if text and not _QUERY_TEXT.match(text)), "")


def one_statement(text: str) -> str:
    """The redacted text of a statement; nothing if it is none, or several."""
    found = pieces(source(text, _SPARK), _SPARK) if text else []
    if len(found) != 1:
        return ""
    start, end = found[0].span
    return found[0].text.slice(start, end)
