"""The query logs of the systems that Headwater knows, as one table. `docs/logs.md` is about each of them."""

from __future__ import annotations

from headwater.pipeline.read.log_preset import LogPreset, OneOf, Pieces

_SNOWFLAKE = LogPreset(
    name="snowflake-query-history",
    system="Snowflake: ACCOUNT_USAGE.QUERY_HISTORY",
    dialect="snowflake",
    columns={
        "sql": ("query_text",),
        "user": ("user_name",),
        "time": ("start_time",),
        "end": ("end_time",),
        "database": ("database_name",),
        "schema": ("schema_name",),
        "session": ("session_id",),
        "id": ("query_id",),
    },
    bytes=(("bytes_scanned", 1),),
    seconds=(("total_elapsed_time", 1e-3),),
    credits=(("credits_attributed_compute", 1), ("credits_used_cloud_services", 1)),
    succeeded=OneOf(("execution_status",), ("success",)),
    failed=("error_code", "error_message"),
    limits=(100_000,),
    upper=True,
    export="""\
SELECT q.query_id, q.query_text, q.database_name, q.schema_name, q.session_id, q.user_name,
       q.execution_status, q.error_message, q.start_time, q.end_time, q.total_elapsed_time,
       q.bytes_scanned, a.credits_attributed_compute
FROM snowflake.account_usage.query_history q
LEFT JOIN snowflake.account_usage.query_attribution_history a USING (query_id)
WHERE q.start_time >= DATEADD(day, -30, CURRENT_TIMESTAMP)""",
    notes="Credits are those that QUERY_ATTRIBUTION_HISTORY attributes to the query, else those of cloud services.",
)
_SNOWFLAKE_ACCESS = LogPreset(
    name="snowflake-access-history",
    system="Snowflake: ACCOUNT_USAGE.ACCESS_HISTORY",
    dialect="snowflake",
    columns={
        "sql": ("query_text",),
        "user": ("user_name",),
        "time": ("query_start_time", "start_time"),
        "end": ("end_time",),
        "database": ("database_name",),
        "schema": ("schema_name",),
        "id": ("query_id",),
        "direct": ("direct_objects_accessed",),
        "base": ("base_objects_accessed",),
        "modified": ("objects_modified",),
    },
    needed=("base", "modified"),
    bytes=(("bytes_scanned", 1),),
    seconds=(("total_elapsed_time", 1e-3),),
    credits=(("credits_attributed_compute", 1), ("credits_used_cloud_services", 1)),
    form="access",
    upper=True,
    export="""\
SELECT h.query_id, h.query_start_time, h.user_name, h.direct_objects_accessed, h.base_objects_accessed,
       h.objects_modified, q.query_text, q.database_name, q.schema_name, q.total_elapsed_time, q.bytes_scanned
FROM snowflake.account_usage.access_history h
LEFT JOIN snowflake.account_usage.query_history q USING (query_id)
WHERE h.query_start_time >= DATEADD(day, -30, CURRENT_TIMESTAMP)""",
    notes="Only statements that succeeded are in this view.",
)
_BIGQUERY = LogPreset(
    name="bigquery-jobs",
    system="BigQuery: INFORMATION_SCHEMA.JOBS",
    dialect="bigquery",
    columns={
        "sql": ("query",),
        "user": ("user_email",),
        "time": ("start_time", "creation_time"),
        "end": ("end_time",),
        "schema": ("default_dataset",),
        "session": ("session_info.session_id", "session_id"),
        "id": ("job_id",),
        "parent": ("parent_job_id",),
    },
    bytes=(("total_bytes_billed", 1), ("total_bytes_processed", 1)),
    statements=OneOf(("job_type",), ("query",)),
    succeeded=OneOf(("state",), ("done",)),
    failed=("error_result.reason", "error_result", "error_reason"),
    export="""\
SELECT job_id, parent_job_id, job_type, state, query, user_email, creation_time, start_time, end_time,
       total_bytes_processed, total_bytes_billed, error_result.reason AS error_reason,
       session_info.session_id AS session_id
FROM `region-eu`.INFORMATION_SCHEMA.JOBS
WHERE creation_time >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 30 DAY)""",
    notes="A statement of a script that is in the log, too, is left out; one that the script made up (EXECUTE IMMEDIATE) is read.",
)
_DATABRICKS = LogPreset(
    name="databricks-query-history",
    system="Databricks: system.query.history",
    dialect="databricks",
    columns={
        "sql": ("statement_text", "query_text"),
        "user": ("executed_by", "user_name"),
        "time": ("start_time",),
        "end": ("end_time",),
        "session": ("session_id",),
        "id": ("statement_id", "query_id"),
    },
    bytes=(("read_bytes", 1),),
    seconds=(("total_duration_ms", 1e-3), ("duration", 1e-3)),
    succeeded=OneOf(("execution_status", "status"), ("finished",)),
    failed=("error_message",),
    export="""\
SELECT statement_id, statement_text, session_id, executed_by, execution_status, error_message,
       start_time, end_time, total_duration_ms, read_bytes
FROM system.query.history
WHERE start_time >= current_timestamp() - INTERVAL 30 DAYS""",
    notes="The table names no current schema: give --default-schema. Texts are empty where customer-managed keys hide them.",
)
_REDSHIFT = LogPreset(
    name="redshift-stl",
    system="Redshift: STL_QUERYTEXT, SVL_STATEMENTTEXT, SYS_QUERY_TEXT",
    dialect="redshift",
    columns={
        "sql": ("text", "querytxt", "query_text"),
        "user": ("usename", "user_name", "username"),
        "time": ("starttime", "start_time"),
        "end": ("endtime", "end_time"),
        "session": ("pid", "session_id"),
        "id": ("query", "query_id", "xid"),
    },
    bytes=(("bytes", 1),),
    seconds=(("elapsed_time", 1e-6),),
    succeeded=OneOf(("status",), ("success",)),
    failed=("error_message",),
    limits=(4_000,),
    escaped=True,
    pieces=Pieces(("query", "query_id", "xid", "pid", "starttime", "type"), "sequence", width=200, most=328),
    upper=False,
    export="""\
SELECT t.query, t.pid, t.sequence, t.text, u.usename, q.starttime, q.endtime,
       m.query_blocks_read * 1048576 AS bytes
FROM stl_querytext t
JOIN stl_query q USING (query)
JOIN pg_user u ON u.usesysid = t.userid
LEFT JOIN svl_query_metrics_summary m USING (query)
WHERE q.aborted = 0 AND q.starttime >= DATEADD(day, -7, GETDATE())""",
    notes="Rows of SYS_QUERY_TEXT with status and times of SYS_QUERY_HISTORY are read as well. No schema is named: give --default-schema.",
)
_SQLSERVER = LogPreset(
    name="sqlserver-query-store",
    system="SQL Server: Query Store",
    dialect="tsql",
    columns={
        "sql": ("query_sql_text",),
        "time": ("first_execution_time",),
        "last": ("last_execution_time",),
        "database": ("database_name",),
        "schema": ("default_schema",),
        "count": ("count_executions",),
        "id": ("query_id",),
    },
    bytes=(("total_logical_io_reads", 8_192),),
    seconds=(("total_duration", 1e-6),),
    succeeded=OneOf(("execution_type_desc",), ("regular",)),
    limits=(4_000, 8_000, 65_535),
    rewrites=((r"^\s*\((?:\s*@\w+\s+[^,()]+(?:\([^()]*\))?(?:\s+(?:output|out|readonly))?\s*,?)+\)\s*", ""),),
    export="""\
SELECT q.query_id, t.query_sql_text, DB_NAME() AS database_name, SCHEMA_NAME(c.default_schema_id) AS default_schema,
       r.execution_type_desc, SUM(r.count_executions) AS count_executions,
       MIN(r.first_execution_time) AS first_execution_time, MAX(r.last_execution_time) AS last_execution_time,
       SUM(r.avg_duration * r.count_executions) AS total_duration,
       SUM(r.avg_logical_io_reads * r.count_executions) AS total_logical_io_reads
FROM sys.query_store_query_text t
JOIN sys.query_store_query q ON q.query_text_id = t.query_text_id
JOIN sys.query_context_settings c ON c.context_settings_id = q.context_settings_id
JOIN sys.query_store_plan p ON p.query_id = q.query_id
JOIN sys.query_store_runtime_stats r ON r.plan_id = p.plan_id
GROUP BY q.query_id, t.query_sql_text, c.default_schema_id, r.execution_type_desc""",
    notes="Clients cut long texts: SSMS at 65,535 characters in a grid, sqlcmd at 8,000 without -y 0. Bytes are logical reads of pages.",
)
_POSTGRES_LOG = LogPreset(
    name="postgres-log",
    system="PostgreSQL: the server's log, as csvlog, jsonlog or text",
    dialect="postgres",
    columns={
        "time": ("log_time", "timestamp"),
        "user": ("user_name", "user"),
        "session": ("session_id",),
        "position": ("session_line_num", "line_num"),
        "severity": ("error_severity",),
        "message": ("message",),
    },
    needed=("time", "message", "severity"),
    form="postgres",
    upper=False,
    text_files=True,
    header=(
        *("log_time", "user_name", "database_name", "process_id", "connection_from", "session_id", "session_line_num"),
        *("command_tag", "session_start_time", "virtual_transaction_id", "transaction_id", "error_severity"),
        *("sql_state_code", "message", "detail", "hint", "internal_query", "internal_query_pos", "context", "query"),
        *("query_pos", "location", "application_name", "backend_type", "leader_pid", "query_id"),
    ),
    export="""\
ALTER SYSTEM SET log_destination = 'csvlog';            -- or jsonlog, or stderr
ALTER SYSTEM SET logging_collector = on;
ALTER SYSTEM SET log_min_duration_statement = 0;        -- statements with their durations; or log_statement = 'all'
ALTER SYSTEM SET log_line_prefix = '%m [%p] %q%u@%d ';  -- for stderr only""",
    notes="Values of parameters (DETAIL: parameters) are not read: $1 stays. The log names no schema: give --default-schema.",
)
_PG_STAT_STATEMENTS = LogPreset(
    name="pg-stat-statements",
    system="PostgreSQL: pg_stat_statements",
    dialect="postgres",
    columns={
        "sql": ("query",),
        "user": ("rolname", "usename", "user_name"),
        "time": ("stats_since",),
        "last": ("exported_at",),
        "count": ("calls",),
        "id": ("queryid",),
    },
    needed=("sql", "count"),
    bytes=(("bytes", 1), ("shared_blks_read", 8_192)),
    seconds=(("total_exec_time", 1e-3), ("total_time", 1e-3)),
    limits=(1_023,),
    hidden=("<insufficient privilege>",),
    rewrites=(
        (
            r"\b(date|time|timetz|timestamp|timestamptz|interval|numeric|json|jsonb|uuid|inet|bytea)\s+(\$\d+)",
            "$1 '$2'",
        ),
    ),
    upper=False,
    export="""\
SELECT s.queryid, s.query, s.calls, s.total_exec_time, r.rolname, s.stats_since, now() AS exported_at,
       (s.shared_blks_hit + s.shared_blks_read) * current_setting('block_size')::bigint AS bytes
FROM pg_stat_statements s
JOIN pg_roles r ON r.oid = s.userid
JOIN pg_database d ON d.oid = s.dbid AND d.datname = current_database()""",
    notes="Constants are $1, $2, … stats_since is there from PostgreSQL 17 on. The view names no schema: give --default-schema.",
)
_MYSQL = LogPreset(
    name="mysql-general",
    system="MySQL and MariaDB: the general query log, as file or table",
    dialect="mysql",
    columns={
        "sql": ("argument",),
        "user": ("user_host",),
        "time": ("event_time",),
        "session": ("thread_id",),
        "position": ("position",),
        "command": ("command_type",),
    },
    needed=("sql", "time", "session", "command"),
    form="mysql",
    text_files=True,
    export="""\
SET GLOBAL log_output = 'TABLE';  -- or FILE: then name the file, such as general.log
SET GLOBAL general_log = ON;
SELECT event_time, user_host, thread_id, command_type, CONVERT(argument USING utf8mb4) AS argument
FROM mysql.general_log""",
    notes="The log does not say which statements failed, nor what they cost.",
)
_TRINO = LogPreset(
    name="trino-events",
    system="Trino: events of the HTTP, Kafka or MySQL event listener",
    dialect="trino",
    columns={
        "sql": ("metadata.preparedQuery", "prepared_query", "metadata.query", "query"),
        "user": ("context.user", "user"),
        "time": ("createTime", "create_time"),
        "end": ("endTime", "end_time"),
        "database": ("context.catalog", "catalog"),
        "schema": ("context.schema", "schema"),
        "id": ("metadata.queryId", "query_id"),
    },
    needed=("sql", "end"),
    bytes=(("statistics.physicalInputBytes", 1), ("physical_input_bytes", 1), ("statistics.totalBytes", 1)),
    seconds=(("statistics.wallTime", 1), ("wall_time_millis", 1e-3)),
    succeeded=OneOf(("metadata.queryState", "query_state"), ("finished",)),
    failed=("failureInfo.errorCode", "failureInfo", "error_code"),
    inside="queryCompletedEvent",
    export="""\
# etc/event-listener.properties, and an endpoint that writes each event it gets as one line of JSON
event-listener.name=http
http-event-listener.log-completed=true
http-event-listener.connect-ingest-uri=http://collector.example:8080/trino""",
    notes="Only queryCompletedEvents are read. Of a prepared statement, its own text is read.",
)

PRESETS = {
    preset.name: preset
    for preset in (
        _SNOWFLAKE,
        _SNOWFLAKE_ACCESS,
        _BIGQUERY,
        _DATABRICKS,
        _REDSHIFT,
        _SQLSERVER,
        _POSTGRES_LOG,
        _PG_STAT_STATEMENTS,
        _MYSQL,
        _TRINO,
    )
}
"""The presets by the names that users give."""
