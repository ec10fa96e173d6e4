"""What the playground may take."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


def _cores() -> int:
    return min(2, os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class Limits:
    """How many scripts are analysed at a time, and what one may take."""

    workers: int = field(default_factory=_cores)
    """Processes."""
    timeout: float = 10.0
    """Seconds for a whole script."""
    memory: int = 1024
    """Megabytes for a whole script."""
    queue: int = 32
    """Scripts that may wait for their turn."""
    patience: float = 15.0
    """Seconds that one waits for its turn."""
    idle: float = 60.0
    """Seconds after which a process ends that nobody has needed."""
    kept: int = 1
    """Processes that do not end, however long nobody asks."""

    def __post_init__(self) -> None:
        for name in ("workers", "timeout", "memory", "patience", "idle"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be positive, not {getattr(self, name)!r}")
