"""The lines of a file of captured jobs."""

ENDING = ".captured.jsonl"
"""How the names of these files end."""
FIELDS = "hash string, app string, user string, seen long, first timestamp, last timestamp, job string, damaged string"
"""What a line says, as Spark reads it: a job by its hash, how often it ran, and, at its first time, the job itself."""
DAMAGED = "damaged"
"""The field that holds a line which cannot be read."""
