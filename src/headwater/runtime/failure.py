"""What ends a build on Spark, in one line: an exception of Spark's or of its Java comes in, a `BuildFailed` goes out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

_CLASS_NAME = re.compile(r"\b(?:[a-z]\w*\.)+[A-Z]\w*(?:Exception|Error): ")
_REQUEST = re.compile(r" ?\(Service: [^()]*\)(?: \(SDK Attempt Count: \d+\))?")
_NOISE = re.compile(
    r"Exception thrown in awaitResult:?\s*|Job aborted due to stage failure: |\b\w+ on [a-z0-9]+://\S+?: "
)
"""What Spark and Hadoop put before the reason."""
_PLACE = re.compile(r"\b(?:s3a|gs|abfss?|hdfs|file|dbfs)://?[^\s'`\",;]+[^\s'`\",;:.]")
_CAUSES = {
    r"\bNoSuchBucket\b|bucket does not exist": "the bucket does not exist",
    r"\bFORBIDDEN\b|\bAccess ?Denied\b|\bUNAUTHORIZED\b|\bPermission denied\b|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken": (
        "access denied; check the credentials and their permissions"
    ),
    r"No route to host|Connection refused|Connect(?:ion)? ?timed? ?out|UnknownHost|Network is unreachable|Connection reset": (
        "the storage or a host does not answer"
    ),
}
"""Patterns of known causes, and the message that the user gets for each."""
_DEEPEST = 50
"""Causes of causes that are followed; Java's may go in a circle."""


class BuildFailed(Exception):
    """A build that could not finish; the message says why. The store is as it was."""


@contextmanager
def spark_failures() -> Iterator[None]:
    """Turns what Spark raises into `BuildFailed`."""
    from py4j.protocol import Py4JError, Py4JJavaError, Py4JNetworkError
    from pyspark.errors import PySparkException

    try:
        yield
    except (Py4JNetworkError, ConnectionError) as error:
        raise BuildFailed("Spark's Java process has died; the store is as it was") from error
    except (Py4JJavaError, PySparkException) as error:
        raise BuildFailed(f"the build failed, the store is as it was: {reason(error)}") from error
    except Py4JError as error:
        raise BuildFailed(f"Spark's Java process does not answer; the store is as it was: {reason(error)}") from error


def reason(error: Exception) -> str:
    """Why Spark failed, in one line: what it says itself, and the first cause."""
    java = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    if java is None:
        return _line(str(error)) or type(error).__name__
    messages = [line for line in map(_message, _causes(java)) if line]
    return explained(messages) or str(java.getClass().getName())


def explained(messages: Sequence[str]) -> str:
    """Why something failed, by the messages of an exception and its causes, the deepest last.

    >>> explained(["Exception thrown in awaitResult: ", "getFileStatus on s3a://bucket/sql: FORBIDDEN:null", "FORBIDDEN"])
    's3a://bucket/sql: access denied; check the credentials and their permissions'
    >>> explained(["Exception thrown in awaitResult: ", "No route to host"])
    'the storage or a host does not answer: No route to host'
    >>> explained(["Job aborted due to stage failure: it broke", "the reason"])
    'it broke; the reason'
    """
    lines = [line for line in (_NOISE.sub("", message).strip() for message in messages) if line]
    if not lines:
        return ""
    for words, cause in _CAUSES.items():
        found = [line for line in lines if re.search(words, line)]
        if found:
            place = _PLACE.search(" ".join(messages))
            return f"{place[0]}: {cause}" if place else f"{cause}: {found[-1]}"
    return lines[0] if lines[-1] in lines[0] else f"{lines[0]}; {lines[-1]}"


def _causes(java: Any) -> Iterator[Any]:
    """A Java exception and what caused it."""
    for _ in range(_DEEPEST):
        if java is None:
            return
        yield java
        java = java.getCause()


def _message(java: Any) -> str:
    return _line(str(java.getMessage() or ""))


def _line(text: str) -> str:
    """The first line of a message; of a Python traceback in it, the last."""
    lines = [line.strip() for line in text.partition("\tat ")[0].splitlines() if line.strip()]
    traced = any(line.startswith("Traceback (most recent call last)") for line in lines)
    return plain(lines[-1 if traced else 0]) if lines else ""


def plain(line: str) -> str:
    """A message of Java without the names of classes and what a cloud's SDK tells of its request.

    >>> plain("s3a://b/x: a.b.NoSuchBucketException: The bucket does not exist (Service: S3, Status Code: 404, Request ID: 7):NoSuchBucket")
    's3a://b/x: The bucket does not exist:NoSuchBucket'
    """
    return _CLASS_NAME.sub("", _REQUEST.sub("", line)).strip()
