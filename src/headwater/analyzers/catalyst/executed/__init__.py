"""Plans that Spark has executed, to their resolutions: for live capture.

`owners` names tables and files. Commands that Spark has executed are read by `writing` and `changing`, Delta Lake's clones by `cloning`;
streams by `streaming`, queries to other databases by `foreign`. `depth` cuts deep plans into parts, `resolution` puts it together. Nothing
is analysed here, nothing is declared, nothing is run.
"""

from headwater.analyzers.catalyst.executed import changing, cloning, writing  # noqa: F401 - each registers what it reads
from headwater.analyzers.catalyst.executed.commands import Known
from headwater.analyzers.catalyst.executed.resolution import Fetched, NoJob, resolution_of, unread
from headwater.analyzers.catalyst.executed.streaming import resolution_of_stream

__all__ = ["Fetched", "Known", "NoJob", "resolution_of", "resolution_of_stream", "unread"]
