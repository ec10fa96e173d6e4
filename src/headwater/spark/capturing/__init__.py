"""Live capture: the lineage of the jobs that a PySpark program runs, while it runs them.

`execution_listener` hears of jobs, `listener` of streams, `new_sessions` of sessions that a program makes. All events go to `worker`, a
thread with a bounded queue. `reading` makes lineage of them, `folder` keeps that where `headwater build` finds it. `driver` is an
application in Spark's own driver, `connect` one of Spark Connect, `live` holds it all together. See docs/decisions/0008.
"""

from headwater.spark.capturing.live import Capture, NotCapturable, capture

__all__ = ["Capture", "NotCapturable", "capture"]
