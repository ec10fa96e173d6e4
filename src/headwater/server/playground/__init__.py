"""The playground: what somebody types is analysed in processes of its own, with a deadline and a memory limit, a few at a time.

`question` is what such a process is asked and what it answers; `analysts` are the processes, and the queue before them; `schema_text`
reads the schema that comes with a script.
"""
