"""Plans that Spark has executed, to their resolutions: for live capture.

`places` asks Spark's objects for what their JSON leaves out, `owners` names tables and files, `writing` and `changing` read the commands
that Spark has executed, `streaming` streams that were started, and `resolution` puts it together. Nothing is analysed here, nothing
is declared, nothing is run.
"""

from headwater.analyzers.catalyst.executed import changing, writing  # noqa: F401 - each registers what it reads
from headwater.analyzers.catalyst.executed.resolution import Fetched, NoJob, resolution_of, unread
from headwater.analyzers.catalyst.executed.streaming import resolution_of_stream

__all__ = ["Fetched", "NoJob", "resolution_of", "resolution_of_stream", "unread"]
