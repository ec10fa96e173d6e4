"""`unused-suppression`: a comment that suppresses nothing, or cannot be understood. `suppression` finds them, when all else is found."""

from __future__ import annotations

from headwater.check.rule import Rule
from headwater.model.diagnostic import Severity

UNUSED_SUPPRESSION = Rule(
    "unused-suppression",
    Severity.INFO,
    "A comment `headwater: ignore` suppresses nothing, names a rule that does not exist, or cannot be understood.",
)
