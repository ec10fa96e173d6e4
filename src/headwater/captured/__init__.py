"""Jobs that a Spark program ran, written down: what `headwater.spark.capture` writes and `headwater build` reads. Needs no Spark."""

from headwater.captured.job import CAPTURED, Job, NotAJob, job_of, read_job

__all__ = ["CAPTURED", "Job", "NotAJob", "job_of", "read_job"]
