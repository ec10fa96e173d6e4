"""The Java that runs Spark, as far as plans are fetched from it."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from headwater.analyzers.answer import Refused
from headwater.analyzers.catalyst.plan import Node, everywhere, tree
from headwater.runtime.private_session import quietly

_LEFT_OUT = '"projections":null'
_SPARK = "org.apache.spark.sql"
_SHOWN = 16
"""Characters of an expression in a plan's text, about."""
_MORE = re.compile(r"\.\.\. (\d+) more fields")
_DELTA = "org.apache.spark.sql.delta.commands."


class Jvm:
    """A gateway to Java, and what is needed to read plans through it."""

    def __init__(self, gateway: Any) -> None:
        self.gateway = gateway
        self._jvm: Any = gateway.jvm

    def text(self, plan: Any) -> str:
        """Spark's JSON of a plan."""
        self._answer_at_once()
        with refusals():
            return str(plan.toJSON())

    def size(self, plan: Any) -> int:
        """About how many expressions a plan has, which is known long before its JSON is: Spark shows the first ones of each operator."""
        shown = str(plan.toString())
        return len(shown) // _SHOWN + sum(map(int, _MORE.findall(shown)))

    def collapsed(self, plan: Any) -> Any:
        """A plan with one projection in the place of several, as far as that makes nothing be computed twice."""
        rule = getattr(self._jvm, f"{_SPARK}.catalyst.optimizer.CollapseProject$")
        return getattr(rule, "MODULE$").apply(plan)

    def read(self, plan: Any) -> Node:
        """A plan as a tree of ours."""
        return self.tree(plan, self.text(plan))

    def tree(self, plan: Any, text: str) -> Node:
        """A plan as a tree of ours, made of its JSON and of what that leaves out."""
        node = tree(json.loads(text))
        if _LEFT_OUT in text:
            rows = dict(self._projections(plan))
            for each in everywhere(node):
                if each.name == "Expand" and each.fields.get("projections") is None:
                    each.fields["projections"] = rows.get(tuple(a.id for a in each.trees("output")))
        return node

    def plans(self, plan: Any) -> Iterator[Any]:
        """A plan, its subqueries, and the queries that its commands keep inside."""
        pending = [plan, *self.list_of(plan.subqueriesAll())]
        while pending:
            current = pending.pop()
            yield current
            for leaf in self.list_of(current.collectLeaves()):
                for inner in filter(self.is_plan, self._inside(leaf)):
                    pending += [inner, *self.list_of(inner.subqueriesAll())]

    def _inside(self, leaf: Any) -> list[Any]:
        """What a leaf keeps inside, as it says; Delta's commands do not say it."""
        if str(leaf.getClass().getName()).startswith(_DELTA):
            return [leaf.productElement(i) for i in range(leaf.productArity())]
        return self.list_of(leaf.innerChildren())

    def _projections(self, plan: Any) -> Iterator[tuple[tuple[int, ...], list[list[Any]]]]:
        """The rows of each Expand, by the ids of its columns."""
        pending = list(self.plans(plan))
        while pending:
            current = pending.pop()
            pending += self.list_of(current.children())
            if str(current.nodeName()) == "Expand":
                ids = tuple(int(each.exprId().id()) for each in self.list_of(current.output()))
                rows = [self.list_of(row) for row in self.list_of(current.projections())]
                yield ids, [[json.loads(cell.toJSON()) for cell in row] for row in rows]

    def types(self, plan: Any) -> list[str]:
        """The types of a plan's columns."""
        from pyspark.sql.types import StructType

        schema = StructType.fromJson(json.loads(plan.schema().json()))
        return [field.dataType.simpleString() for field in schema.fields]

    def is_a(self, value: Any, name: str) -> bool:
        """Whether a Java object is of a class."""
        from py4j.java_gateway import is_instance_of

        return bool(is_instance_of(self.gateway, value, name))

    def is_plan(self, value: Any) -> bool:
        """Whether something inside a plan is a plan of Spark's, and nothing else that is shown there."""
        return hasattr(value, "getClass") and self.is_a(value, f"{_SPARK}.catalyst.plans.logical.LogicalPlan")

    def text_of(self, plan: Any) -> str:
        """The statement that a plan was parsed from; nothing if a program made it."""
        told = plan.origin().sqlText()
        return str(told.get()) if told.isDefined() else ""

    def list_of(self, sequence: Any) -> list[Any]:
        """A Scala sequence. Not by its iterator: at its end PySpark would take the exception apart, with dozens of calls."""
        return [sequence.apply(i) for i in range(sequence.size())]

    def dict_of(self, mapping: Any) -> dict[str, Any]:
        """A Scala map."""
        return {str(each._1()): each._2() for each in self.list_of(mapping.toSeq())}

    def _answer_at_once(self) -> None:
        """Let the system acknowledge at once what Java sends: it would wait 40 ms inside any answer of more than 8 kB."""
        if hasattr(socket, "TCP_QUICKACK"):
            with suppress(AttributeError, OSError):
                connection = self.gateway._gateway_client.get_thread_connection()
                connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


@contextmanager
def refusals() -> Iterator[None]:
    """Turns what Spark says against a statement into `Refused`."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    with quietly():
        try:
            yield
        except (PySparkException, Py4JJavaError) as error:
            raise Refused(_first_line(error)) from None


def _first_line(error: Exception) -> str:
    """Spark's message, without the plan and the places that follow it."""
    java = getattr(error, "java_exception", None)
    text = str(java.getMessage() or java.getClass().getName()) if java is not None else str(error)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0].partition(" SQLSTATE: ")[0].rstrip(" .:;") if lines else type(error).__name__
