"""CREATE STAGE."""

from __future__ import annotations

from typing import Any

from headwater.sql.form import CreateStage
from headwater.sql.reading.created import creates
from headwater.sql.reading.location import located
from headwater.sql.reading.reading import Reading, reads


@reads("CREATE", first=True)
def stage(reading: Reading) -> Any:
    """`CREATE STAGE s URL = 's3://…' FILE_FORMAT = (…)`."""
    if not creates(reading, "STAGE"):
        return None
    name = reading.name()
    urls = located(reading.rest(), reading, "URL")
    return CreateStage(name, urls[0] if urls else None)
