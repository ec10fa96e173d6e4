"""What one statement may cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """What one statement may cost, wherever its cost could get out of hand; None is no limit."""

    timeout: float | None = 60.0
    """Seconds of wall time for parsing and resolving."""
    memory: int | None = 2048
    """Megabytes, for the text, its tree and its relations."""

    def __post_init__(self) -> None:
        for name, value in (("timeout", self.timeout), ("memory", self.memory)):
            if value is not None and not value > 0:
                raise ValueError(f"{name} must be positive, not {value!r}")
