"""Stand-in until the real one lands."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Workers:
    """What is known of the workers."""

    parallelism: int
    shares_disk: bool


def look_at(spark: Any) -> Workers:
    """What is known of the workers."""
    return Workers(os.cpu_count() or 1, True)
