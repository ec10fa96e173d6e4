"""Budgets: a statement that is too heavy for this process is analysed in one of its own, with a deadline and a memory limit.

In come statements as `sql.script` cuts them, out come their resolutions. Ordinary statements are resolved here and now; heavy ones, and
those that turn out to be too deep, go to a worker process (`process`, `worker`), whose answer comes back without syntax nodes
(`portable`) or becomes a diagnostic. Nothing here changes what a statement means.
"""

from headwater.budget.budget import Budget
from headwater.budget.run import Resolved, resolved

__all__ = ["Budget", "Resolved", "resolved"]
