"""Shared options and profiles of the test suite."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from command import folder, run

__all__ = ["folder", "run"]

_PATIENT = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile(
    "default", max_examples=60, deadline=None, suppress_health_check=_PATIENT, derandomize=True, database=None
)
settings.register_profile("soak", max_examples=5000, deadline=None, suppress_health_check=_PATIENT)
settings.load_profile("default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-cases", action="store_true", help="rewrite the expectation blocks of failing cases")
