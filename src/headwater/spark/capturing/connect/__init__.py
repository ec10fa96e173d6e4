"""Live capture of a Spark Connect session: what the client sends, written as SQL and resolved by the static engine.

A client has no resolved plans, only what it sends: protobuf messages with names. `client` hears of what succeeded; `relation` and its kin
write such a plan as one statement of flat CTEs, `expression` what stands in it, `command` what it writes to; `server` is asked for the
columns of tables and files, and nothing else; `reading` has the statement analysed. See docs/decisions/0008.
"""
