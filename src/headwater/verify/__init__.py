"""Proof by data: run a statement on small made-up data, change one source at a time, and see whether the lineage admits what changes."""

from headwater.verify.verification import ENGINES, Verdict, Verification, verify

__all__ = ["ENGINES", "Verdict", "Verification", "verify"]
