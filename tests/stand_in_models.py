"""A model for each stand-in macro of dbt and its packages: what a project that uses it would write.

An expression stands for `select … as value from {{ ref('orders') }}`; everything that begins with `select` or `with` is a whole model.
The real macros and the stand-ins must give the same lineage for all of them (`benchmarks/stand_ins.py`), on every adapter.
"""

from __future__ import annotations

TABLES = {
    "orders": {
        "id": "integer",
        "customer_id": "integer",
        "status": "varchar",
        "amount": "integer",
        "tax": "integer",
        "is_paid": "boolean",
        "created_at": "timestamp",
        "updated_at": "timestamp",
        "url": "varchar",
        "tags": "integer[]",
        "old_tags": "integer[]",
        "doc": "varchar",
        "lat1": "double",
        "lon1": "double",
        "lat2": "double",
        "lon2": "double",
        "epoch": "bigint",
    },
    "archived_orders": {"id": "integer", "amount": "integer", "region": "varchar"},
    "scores": {"id": "integer", "name": "varchar", "maths": "integer", "art": "integer"},
    "calendar": {
        "date_day": "date",
        "day_of_week": "integer",
        "month_of_year": "integer",
        "month_end_date": "date",
        "year_number": "integer",
        "week_end_date": "date",
    },
}
"""The tables that models read, with DuckDB's types."""

ROW_OF_ORDERS = "1, 7, 'open', 10, 2, true, now(), now(), 'https://a.b/c?d=e', [1], [2], '{}', 1, 2, 3, 4, 1600000000"
"""One row, for macros that ask the database for values."""

VARIABLES = {
    "dbt_date:time_zone": "Europe/Vienna",
    "more_columns": [{"name": "amount", "alias": "total", "transform_sql": "amount * 2"}, {"name": "tax"}],
    "orders_table": "orders",
    "uses_tax": True,
    "uses_region": False,
}

DBT = {
    "any_value": "{{ dbt.any_value('amount') }}",
    "array_append": "{{ dbt.array_append('tags', 'id') }}",
    "array_concat": "{{ dbt.array_concat('tags', 'old_tags') }}",
    "array_construct": "{{ dbt.array_construct(['amount', 'tax']) }}",
    "bool_or": "{{ dbt.bool_or('amount > tax') }}",
    "cast": "{{ dbt.cast('amount', dbt.type_string()) }}",
    "cast_bool_to_text": "{{ dbt.cast_bool_to_text('is_paid') }}",
    "concat": "{{ dbt.concat(['status', \"'-'\", 'url']) }}",
    "convert_datetime": "cast('{{ dbt.convert_datetime('20240229', '%Y%m%d').strftime('%Y-%m-%d') }}' as date)",
    "copy_grants": "select {{ 'id' if dbt.copy_grants() else 'amount' }} as value from {{ ref('orders') }}",
    "current_timestamp": "{{ dbt.current_timestamp() }}",
    "current_timestamp_backcompat": "{{ dbt.current_timestamp_backcompat() }}",
    "current_timestamp_in_utc_backcompat": "{{ dbt.current_timestamp_in_utc_backcompat() }}",
    "date": "{{ dbt.date(2024, 2, 9) }}",
    "date_spine": """select * from (
        {{ dbt.date_spine('day', "cast('2024-01-01' as date)", "cast('2024-01-09' as date)") }}
    ) as spine""",
    "date_trunc": "{{ dbt.date_trunc('month', 'created_at') }}",
    "dateadd": "{{ dbt.dateadd('day', 'amount', 'created_at') }}",
    "datediff": "{{ dbt.datediff('created_at', 'updated_at', 'hour') }}",
    "datediff_month": "{{ dbt.datediff('created_at', 'updated_at', 'month') }}",
    "datediff_week": "{{ dbt.datediff('created_at', 'updated_at', 'week') }}",
    "dates_in_range": "'{{ dbt.dates_in_range('20240228', '20240301') | join('-') }}'",
    "diff_columns": """select
        {% for column in dbt.diff_columns(
            adapter.get_columns_in_relation(ref('archived_orders')), adapter.get_columns_in_relation(ref('orders'))
        ) %} {{ column.name }} {% endfor %} from {{ ref('archived_orders') }}""",
    "equals": "{{ dbt.equals('amount', 'tax') }}",
    "escape_single_quotes": "'{{ dbt.escape_single_quotes(\"it's\") }}'",
    "except": "select id from {{ ref('orders') }} {{ dbt.except() }} select id from {{ ref('archived_orders') }}",
    "generate_alias_name": "'{{ dbt.generate_alias_name(node=model) }} {{ dbt.generate_alias_name(' other ', model) }}'",
    "generate_database_name": "'{{ dbt.generate_database_name('other ') }}'",
    "generate_schema_name": "'{{ dbt.generate_schema_name('other ') }} {{ dbt.generate_schema_name(none) }}'",
    "generate_schema_name_for_env": "'{{ dbt.generate_schema_name_for_env('other', none) }}'",
    "generate_series": "select * from ({{ dbt.generate_series(20) }}) as numbers",
    "get_columns_in_relation": """select
        {% for column in dbt.get_columns_in_relation(ref('archived_orders')) %}
        {{ column.name }} as {{ column.name }}_1 {{ ',' if not loop.last }}
        {% endfor %} from {{ ref('archived_orders') }}""",
    "get_columns_in_query": """select
        {{ dbt.get_columns_in_query('select id, amount from ' ~ ref('orders')) | join(', ') if execute }}
        from {{ ref('orders') }}""",
    "get_empty_subquery_sql": "{{ dbt.get_empty_subquery_sql('select id, tax from ' ~ ref('orders')) }}",
    "get_intervals_between": """{{ dbt.get_intervals_between(
        "cast('2024-01-01' as date)", "cast('2024-01-09' as date)", 'day') }}""",
    "get_limit_subquery_sql": "{{ dbt.get_limit_subquery_sql('select id, tax from ' ~ ref('orders'), 5) }}",
    "get_powers_of_two": "{{ dbt.get_powers_of_two(20) }}",
    "get_quoted_csv": "select {{ dbt.get_quoted_csv(['id', 'tax']) }} from {{ ref('orders') }}",
    "hash": "{{ dbt.hash('status') }}",
    "incremental_validate_on_schema_change": "'{{ dbt.incremental_validate_on_schema_change('sync_all_columns') }}'",
    "intersect": "select id from {{ ref('orders') }} {{ dbt.intersect() }} select id from {{ ref('archived_orders') }}",
    "last_day": "{{ dbt.last_day('created_at', 'month') }}",
    "length": "{{ dbt.length('status') }}",
    "listagg": "{{ dbt.listagg('status', \"', '\", 'order by created_at') }}",
    "listagg_limited": "{{ dbt.listagg('status', \"', '\", limit_num=2) }}",
    "listagg_plain": "{{ dbt.listagg('status') }}",
    "load_relation": "select * from {{ dbt.load_relation(ref('scores')) or ref('scores') }}",
    "make_temp_relation": "'{{ dbt.make_temp_relation(ref('scores')).identifier }}'",
    "partition_range": "'{{ dbt.partition_range('20240101,20240102') | join('-') }}'",
    "position": "{{ dbt.position(\"'a'\", 'status') }}",
    "replace": "{{ dbt.replace('status', 'url', \"'b'\") }}",
    "right": "{{ dbt.right('status', 'amount') }}",
    "safe_cast": "{{ dbt.safe_cast('status', dbt.type_int()) }}",
    "should_full_refresh": "{{ 'amount' if dbt.should_full_refresh() else 'tax' }}",
    "snapshot_get_time": "{{ dbt.snapshot_get_time() }}",
    "snapshot_hash_arguments": "{{ dbt.snapshot_hash_arguments(['id', 'updated_at']) }}",
    "snapshot_string_as_time": "{{ dbt.snapshot_string_as_time('2024-01-01') }}",
    "split_part": "{{ dbt.split_part('status', \"'-'\", 1) }}",
    "split_part_backwards": "{{ dbt.split_part('status', \"'-'\", -1) }}",
    "string_literal": "{{ dbt.string_literal('x') }}",
    "type_bigint": "cast(amount as {{ dbt.type_bigint() }})",
    "type_boolean": "cast(amount as {{ dbt.type_boolean() }})",
    "type_float": "cast(amount as {{ dbt.type_float() }})",
    "type_int": "cast(amount as {{ dbt.type_int() }})",
    "type_numeric": "cast(amount as {{ dbt.type_numeric() }})",
    "type_string": "cast(amount as {{ dbt.type_string() }})",
    "type_timestamp": "cast(status as {{ dbt.type_timestamp() }})",
}

DBT_ELSEWHERE = {
    "default__generate_alias_name": "'{{ dbt.default__generate_alias_name(none, model) }}'",
    "default__generate_database_name": "'{{ dbt.default__generate_database_name('other', model) }}'",
    "default__generate_schema_name": "'{{ dbt.default__generate_schema_name('other', model) }}'",
    "default__generate_schema_name_for_env": "'{{ dbt.default__generate_schema_name_for_env('other', model) }}'",
    "get_create_table_as_sql": "{{ dbt.get_create_table_as_sql(false, 'made', 'select id from ' ~ ref('orders')) }}",
    "get_create_view_as_sql": "{{ dbt.get_create_view_as_sql('made', 'select id from ' ~ ref('orders')) }}",
    "get_insert_into_sql": """{{ dbt.get_insert_into_sql(
        ref('archived_orders'), ref('orders'), adapter.get_columns_in_relation(ref('archived_orders'))[:2]) }}""",
    "get_list_of_column_names": """select {{ dbt.get_list_of_column_names(
        adapter.get_columns_in_relation(ref('scores'))) | join(', ') }} from {{ ref('scores') }}""",
    "get_merge_update_columns": """select {{ dbt.get_merge_update_columns(
        none, ['ID'], adapter.get_columns_in_relation(ref('scores'))) | join(', ') }} from {{ ref('scores') }}""",
    "get_or_create_relation": "select id from {{ dbt.get_or_create_relation('scratch', 'main', 'scores', 'table')[1] }}",
    "get_true_sql": "select id from {{ ref('orders') }} where {{ dbt.get_true_sql() }}",
    "information_schema_name": "'{{ dbt.information_schema_name('other') }}'",
    "make_backup_relation": "'{{ dbt.make_backup_relation(ref('scores'), 'table').identifier }}'",
    "make_intermediate_relation": "'{{ dbt.make_intermediate_relation(ref('scores')).identifier }}'",
    "py_current_timestring": "'{{ dbt.py_current_timestring() | length }}'",
}
"""Parts of statements and names: there is no model whose lineage they decide."""

DBT_UTILS = {
    "date_spine": """select * from (
        {{ dbt_utils.date_spine('month', "cast('2024-01-01' as date)", "cast('2024-09-01' as date)") }}
    ) as spine""",
    "deduplicate": "{{ dbt_utils.deduplicate(ref('orders'), 'customer_id', 'updated_at desc') }}",
    "deduplicate_cte": """with recent as (select * from {{ ref('orders') }} where amount > 1)
        {{ dbt_utils.deduplicate('recent', 'customer_id, status', 'updated_at desc') }}""",
    "degrees_to_radians": "{{ dbt_utils.degrees_to_radians('lat1') }}",
    "generate_series": "select * from ({{ dbt_utils.generate_series(5) }}) as numbers",
    "generate_surrogate_key": "{{ dbt_utils.generate_surrogate_key(['id', 'status']) }}",
    "get_column_values": """select
        {% for status in dbt_utils.get_column_values(ref('orders'), 'status', default=['open']) %}
        sum(case when status = '{{ status }}' then amount end) as {{ status }}_amount {{ ',' if not loop.last }}
        {% endfor %} from {{ ref('orders') }}""",
    "get_filtered_columns_in_relation": """select
        {{ dbt_utils.get_filtered_columns_in_relation(ref('scores'), except=['NAME']) | join(', ') }}
        from {{ ref('scores') }}""",
    "get_intervals_between": """{{ dbt_utils.get_intervals_between(
        "cast('2024-01-01' as date)", "cast('2024-01-09' as date)", 'day') }}""",
    "get_powers_of_two": "{{ dbt_utils.get_powers_of_two(20) }}",
    "get_query_results_as_dict": """{% set found = dbt_utils.get_query_results_as_dict(
        'select id, amount from ' ~ ref('orders')) %} select {{ found.keys() | join(', ') }} from {{ ref('orders') }}""",
    "get_relations_by_pattern": """{{ dbt_utils.union_relations(
        dbt_utils.get_relations_by_pattern('main', '%chived_orders')) }}""",
    "get_relations_by_prefix": "{{ dbt_utils.union_relations(dbt_utils.get_relations_by_prefix('main', 'sco')) }}",
    "get_single_value": "{{ dbt_utils.get_single_value('select 3', default=3) }}",
    "get_tables_by_pattern_sql": "{{ dbt_utils.get_tables_by_pattern_sql('main', 'a%') }}",
    "get_tables_by_prefix_sql": "{{ dbt_utils.get_tables_by_prefix_sql('main', 'a') }}",
    "get_url_host": "{{ dbt_utils.get_url_host('url') }}",
    "get_url_parameter": "{{ dbt_utils.get_url_parameter('url', 'utm_source') }}",
    "get_url_path": "{{ dbt_utils.get_url_path('url') }}",
    "group_by": "select status, customer_id, sum(amount) as total from {{ ref('orders') }} {{ dbt_utils.group_by(2) }}",
    "haversine_distance": "{{ dbt_utils.haversine_distance('lat1', 'lon1', 'lat2', 'lon2') }}",
    "haversine_distance_km": "{{ dbt_utils.haversine_distance('lat1', 'lon1', 'lat2', 'lon2', unit='km') }}",
    "log_info": "{{ dbt_utils.log_info('hello') }} id",
    "nullcheck": """select {{ dbt_utils.nullcheck(adapter.get_columns_in_relation(ref('scores'))) }}
        from {{ ref('scores') }}""",
    "nullcheck_table": "{{ dbt_utils.nullcheck_table(ref('scores')) }}",
    "pivot": """select customer_id, {{ dbt_utils.pivot('status', ['open', 'paid'], then_value='amount', prefix='s_') }}
        from {{ ref('orders') }} group by customer_id""",
    "pivot_of_values": """select customer_id, {{ dbt_utils.pivot(
            'status', ["it's", '2 b'], agg='max', alias=True, else_value='tax', quote_identifiers=False) }}
        from {{ ref('orders') }} group by customer_id""",
    "pretty_log_format": "'{{ dbt_utils.pretty_log_format('hello')[-5:] }}'",
    "pretty_time": "'{{ dbt_utils.pretty_time() | length }}'",
    "safe_add": "{{ dbt_utils.safe_add(['amount', 'tax']) }}",
    "safe_divide": "{{ dbt_utils.safe_divide('amount', 'tax') }}",
    "safe_subtract": "{{ dbt_utils.safe_subtract(['amount', 'tax', 'id']) }}",
    "slugify": "id as {{ dbt_utils.slugify('1st Big-Thing!') }}, amount",
    "star": "select {{ dbt_utils.star(ref('orders')) }} from {{ ref('orders') }}",
    "star_aliased": """select {{ dbt_utils.star(ref('scores'), relation_alias='s', except=['name'], prefix='p_', suffix='_x') }}
        from {{ ref('scores') }} as s join {{ ref('orders') }} as o on s.id = o.id""",
    "star_unquoted": "select {{ dbt_utils.star(ref('scores'), except=['ID'], quote_identifiers=False) }} from {{ ref('scores') }}",
    "union_relations": "{{ dbt_utils.union_relations([ref('archived_orders'), ref('scores')]) }}",
    "union_relations_some": """{{ dbt_utils.union_relations(
        [ref('archived_orders'), ref('scores')], exclude=['Region'], source_column_name=none, where='id > 3') }}""",
    "union_relations_included": """{{ dbt_utils.union_relations(
        [ref('archived_orders'), ref('orders')], include=['id', 'amount'], column_override={'amount': 'varchar'}) }}""",
    "unpivot": """{{ dbt_utils.unpivot(
        ref('scores'), cast_to='integer', exclude=['id'], remove=['name'], field_name='subject', value_name='score') }}""",
    "unpivot_all": "{{ dbt_utils.unpivot(relation=ref('scores'), quote_identifiers=True) }}",
    "width_bucket": "{{ dbt_utils.width_bucket('amount', '0', '100', '10') }}",
}

DBT_UTILS_BEFORE_1_0 = {
    name: text.replace("dbt.", "dbt_utils.")
    for name, text in DBT.items()
    if name
    in [
        "any_value",
        "array_append",
        "array_concat",
        "array_construct",
        "bool_or",
        "cast_bool_to_text",
        "concat",
        "dateadd",
        "date_trunc",
        "datediff",
        "escape_single_quotes",
        "except",
        "hash",
        "intersect",
        "last_day",
        "length",
        "listagg",
        "position",
        "replace",
        "right",
        "safe_cast",
        "split_part",
        "string_literal",
        "type_bigint",
        "type_float",
        "type_int",
        "type_numeric",
        "type_string",
        "type_timestamp",
    ]
} | {
    "current_timestamp": "{{ dbt_utils.current_timestamp() }}",
    "current_timestamp_in_utc": "{{ dbt_utils.current_timestamp_in_utc() }}",
    "cast_array_to_string": "{{ dbt_utils.cast_array_to_string('tags') }}",
    "get_tables_by_prefix": "{{ dbt_utils.union_tables(dbt_utils.get_tables_by_prefix('main', 'sco')) }}",
    "identifier": "select {{ dbt_utils.identifier('id') }} from {{ ref('orders') }}",
    "type_boolean": "cast(amount as {{ dbt_utils.type_boolean() }})",
    "safe_add_of_fields": "{{ dbt_utils.safe_add('amount', 'tax') }}",
    "surrogate_key": "{{ dbt_utils.surrogate_key(['id', 'status']) }}",
    "surrogate_key_of_fields": "{{ dbt_utils.surrogate_key('id', 'status') }}",
    "union_tables": "{{ dbt_utils.union_tables([ref('archived_orders'), ref('scores')]) }}",
    "unpivot_table": "{{ dbt_utils.unpivot(table=ref('scores'), exclude=['id', 'name']) }}",
}
"""Macros and arguments that `dbt_utils` no longer has; there is nothing to compare them with but those of `dbt`."""

DBT_DATE = {
    "convert_timezone": "{{ dbt_date.convert_timezone('created_at') }}",
    "convert_timezone_both": "{{ dbt_date.convert_timezone('created_at', 'UTC', 'Europe/Vienna') }}",
    "date": "'{{ dbt_date.date(2024, 2, 9) }}'",
    "date_part": "{{ dbt_date.date_part('month', 'created_at') }}",
    "datetime": "'{{ dbt_date.datetime(2024, 2, 9, hour=3).year }}'",
    "day_name": "{{ dbt_date.day_name('created_at') }}",
    "day_name_long": "{{ dbt_date.day_name('created_at', short=false) }}",
    "day_of_month": "{{ dbt_date.day_of_month('created_at') }}",
    "day_of_week": "{{ dbt_date.day_of_week('created_at') }}",
    "day_of_week_sunday": "{{ dbt_date.day_of_week('created_at', isoweek=false) }}",
    "day_of_year": "{{ dbt_date.day_of_year('created_at') }}",
    "from_unixtimestamp": "{{ dbt_date.from_unixtimestamp('epoch') }}",
    "get_base_dates": "{{ dbt_date.get_base_dates(start_date='2024-01-01', end_date='2024-02-01') }}",
    "get_base_dates_back": "{{ dbt_date.get_base_dates(n_dateparts=20, datepart='day') }}",
    "get_date_dimension": "{{ dbt_date.get_date_dimension('2024-01-01', '2024-02-01') }}",
    "get_fiscal_periods": "{{ dbt_date.get_fiscal_periods(ref('calendar'), 1, 1) }}",
    "get_fiscal_year_dates": "{{ dbt_date.get_fiscal_year_dates(ref('calendar'), 1, 1) }}",
    "iso_week_end": "{{ dbt_date.iso_week_end('created_at') }}",
    "iso_week_of_year": "{{ dbt_date.iso_week_of_year('created_at') }}",
    "iso_week_start": "{{ dbt_date.iso_week_start('created_at') }}",
    "last_month": "{{ dbt_date.last_month() }}",
    "last_month_name": "{{ dbt_date.last_month_name() }}",
    "last_month_number": "{{ dbt_date.last_month_number() }}",
    "last_week": "{{ dbt_date.last_week() }}",
    "month_name": "{{ dbt_date.month_name('created_at', short=false) }}",
    "n_days_ago": "{{ dbt_date.n_days_ago(3) }}",
    "n_days_ago_of_date": "{{ dbt_date.n_days_ago(3, date='created_at') }}",
    "n_days_away": "{{ dbt_date.n_days_away(3, date='created_at') }}",
    "n_months_ago": "{{ dbt_date.n_months_ago(3) }}",
    "n_months_away": "{{ dbt_date.n_months_away(3) }}",
    "n_weeks_ago": "{{ dbt_date.n_weeks_ago(3) }}",
    "n_weeks_away": "{{ dbt_date.n_weeks_away(3) }}",
    "next_month": "{{ dbt_date.next_month() }}",
    "next_month_name": "{{ dbt_date.next_month_name(short=false) }}",
    "next_month_number": "{{ dbt_date.next_month_number() }}",
    "next_week": "{{ dbt_date.next_week() }}",
    "now": "{{ dbt_date.now('UTC') }}",
    "periods_since": "{{ dbt_date.periods_since('created_at', period_name='hour') }}",
    "round_timestamp": "{{ dbt_date.round_timestamp('created_at') }}",
    "to_unixtimestamp": "{{ dbt_date.to_unixtimestamp('created_at') }}",
    "today": "{{ dbt_date.today() }}",
    "tomorrow": "{{ dbt_date.tomorrow('created_at') }}",
    "week_end": "{{ dbt_date.week_end('created_at') }}",
    "week_of_year": "{{ dbt_date.week_of_year('created_at') }}",
    "week_start": "{{ dbt_date.week_start('created_at') }}",
    "yesterday": "{{ dbt_date.yesterday() }}",
}

DBT_DATE_ELSEWHERE = {
    "date_spine": """select * from (
        {{ dbt_date.date_spine('day', "cast('2024-01-01' as date)", "cast('2024-01-09' as date)") }}
    ) as spine""",
    "generate_series": "select * from ({{ dbt_date.generate_series(5) }}) as numbers",
    "get_intervals_between": "{{ dbt_date.get_intervals_between(\"'2024-01-01'\", \"'2024-01-09'\", 'day') }}",
    "get_powers_of_two": "{{ dbt_date.get_powers_of_two(5) }}",
    "from_unixtimestamp_millis": "{{ dbt_date.from_unixtimestamp('epoch', format='milliseconds') }}",
}
"""The same as dbt's own; the last one the real macro refuses on DuckDB."""

FIVETRAN_UTILS = {
    "add_pass_through_columns": """{% set columns = [{'name': 'id', 'datatype': 'integer'}] %}
        {{ fivetran_utils.add_pass_through_columns(columns, [{'name': 'amount', 'alias': 'total', 'datatype': 'integer'}]) }}
        select {{ fivetran_utils.fill_staging_columns(adapter.get_columns_in_relation(ref('orders')), columns) }}
        from {{ ref('orders') }}""",
    "array_agg": "{{ fivetran_utils.array_agg('status') }}",
    "ceiling": "{{ fivetran_utils.ceiling('amount / tax') }}",
    "dummy_coalesce_value": """{% set column = (adapter.get_columns_in_relation(ref('scores')))[1] %}
        select coalesce({{ column.name }}, {{ fivetran_utils.dummy_coalesce_value(column) }}) as value
        from {{ ref('scores') }}""",
    "enabled_vars": "{{ 'amount' if fivetran_utils.enabled_vars(['uses_tax', 'uses_region']) else 'tax' }}",
    "enabled_vars_one_true": "{{ 'amount' if fivetran_utils.enabled_vars_one_true(['uses_tax', 'uses_region']) else 'tax' }}",
    "fill_pass_through_columns": """select id {{ fivetran_utils.fill_pass_through_columns('more_columns') }}
        from {{ ref('orders') }}""",
    "fill_staging_columns": """select {{ fivetran_utils.fill_staging_columns(
            adapter.get_columns_in_relation(ref('scores')),
            [
                {'name': 'id', 'datatype': dbt.type_int(), 'alias': 'score_id'},
                {'name': 'ART', 'datatype': dbt.type_string()},
                {'name': 'music', 'datatype': dbt.type_int()},
            ]
        ) }} from {{ ref('scores') }}""",
    "first_value": "{{ fivetran_utils.first_value('status', 'customer_id', 'created_at', 'desc') }}",
    "json_extract": "{{ fivetran_utils.json_extract('doc', 'name') }}",
    "json_parse": "{{ fivetran_utils.json_parse('doc', ['a', 0, 'b']) }}",
    "max_bool": "{{ fivetran_utils.max_bool('is_paid') }}",
    "percentile": "{{ fivetran_utils.percentile('amount', 'customer_id', '0.5') }}",
    "pivot_json_extract": "select {{ fivetran_utils.pivot_json_extract('doc', ['first name', 'age']) }} from {{ ref('orders') }}",
    "remove_prefix_from_columns": """select {{ fivetran_utils.remove_prefix_from_columns(
            adapter.get_columns_in_relation(ref('scores')), prefix='na', exclude=['art']) }} from {{ ref('scores') }}""",
    "seed_data_helper": "select id from {{ fivetran_utils.seed_data_helper('scores', ['none']) }}",
    "snowflake_seed_data": "select id from {{ fivetran_utils.snowflake_seed_data('scores') }}",
    "source_relation": "select id {{ fivetran_utils.source_relation() }} from {{ ref('scores') }}",
    "string_agg": "{{ fivetran_utils.string_agg('status', \"', '\") }}",
    "timestamp_add": "{{ fivetran_utils.timestamp_add('day', 'amount', 'created_at') }}",
    "union_data": """{{ fivetran_utils.union_data(
        'scores', 'x_database', 'x_schema', target.database, 'main', 'orders_table') }}""",
    "union_relations": "{{ fivetran_utils.union_relations([ref('archived_orders'), ref('scores')]) }}",
}

FIVETRAN_UTILS_NEWER = {
    "get_column_names_only": """select {{ fivetran_utils.get_column_names_only(
        adapter.get_columns_in_relation(ref('scores'))) | join(', ') }} from {{ ref('scores') }}""",
    "union_tables": "{{ fivetran_utils.union_tables([ref('archived_orders'), ref('scores')]) }}",
    "timestamp_diff": "{{ fivetran_utils.timestamp_diff('created_at', 'updated_at', 'day') }}",
    "calculated_fields": "select id {{ fivetran_utils.calculated_fields('no_such_variable') }} from {{ ref('orders') }}",
    "extract_url_parameter": "{{ fivetran_utils.extract_url_parameter('url', 'utm_source') }}",
    "persist_pass_through_columns": """select id {{ fivetran_utils.persist_pass_through_columns(
        'more_columns', identifier='o', transform='max', coalesce_with='0', append_string='_x') }}
        from (select id, amount as total, tax from {{ ref('orders') }}) as o group by id""",
    "try_cast": "{{ fivetran_utils.try_cast('status', dbt.type_int()) }}",
    "wrap_in_quotes": "select {{ fivetran_utils.wrap_in_quotes('id') }} from {{ ref('orders') }}",
}
"""Macros that version 0.3 does not have, or not for DuckDB."""

DBT_EXPECTATIONS = {
    "group_by": "select status, sum(amount) as total from {{ ref('orders') }} {{ dbt_expectations.group_by(1) }}",
    "ignore_row_if_expression": """select id from {{ ref('orders') }}
        where {{ dbt_expectations.ignore_row_if_expression('all_values_are_missing', ['amount', 'tax']) }}""",
    "log_natural": "{{ dbt_expectations.log_natural('amount') }}",
    "md5": "{{ dbt_expectations.md5('status') }}",
    "median": "{{ dbt_expectations.median('amount') }}",
    "percentile_cont": "{{ dbt_expectations.percentile_cont('amount', 0.3) }}",
    "rand": "{{ dbt_expectations.rand() }}",
    "regexp_instr": "{{ dbt_expectations.regexp_instr('status', 'a+') }}",
    "truth_expression": "select {{ dbt_expectations.truth_expression('amount > tax') }} from {{ ref('orders') }}",
    "type_datetime": "cast(status as {{ dbt_expectations.type_datetime() }})",
    "type_timestamp": "cast(status as {{ dbt_expectations.type_timestamp() }})",
}

DBT_EXPECTATIONS_ELSEWHERE = {
    "_get_column_list": """select {{ dbt_expectations._get_column_list(ref('scores'), 'lower') | join(', ') }}
        from {{ ref('scores') }}""",
    "_get_metric_expression": "{{ dbt_expectations._get_metric_expression('amount', true) }}",
    "_list_intersect": "{{ dbt_expectations._list_intersect(['amount', 'tax'], ['tax']) | join(', ') }}",
}

SNOWPLOW_UTILS = {
    "add_days_to_date": "{{ snowplow_utils.add_days_to_date(3, 'created_at') }}",
    "cast_to_tstamp": "{{ snowplow_utils.cast_to_tstamp('2024-01-01') }}",
    "current_timestamp_in_utc": "{{ snowplow_utils.current_timestamp_in_utc() }}",
    "get_array_size": "{{ snowplow_utils.get_array_size('tags') }}",
    "get_array_to_string": "{{ snowplow_utils.get_array_to_string('tags', 'orders') }}",
    "get_split_to_array": "{{ snowplow_utils.get_split_to_array('status', 'orders') }}",
    "get_string_agg": "{{ snowplow_utils.get_string_agg('status', 'orders') }}",
    "get_value_by_target": "{{ snowplow_utils.get_value_by_target('amount', 'tax', 'other') }}",
    "print_list": "select id from {{ ref('orders') }} where status in ({{ snowplow_utils.print_list(['a', 'b']) }})",
    "timestamp_add": "{{ snowplow_utils.timestamp_add('day', 3, 'created_at') }}",
    "timestamp_diff": "{{ snowplow_utils.timestamp_diff('created_at', 'updated_at', 'day') }}",
    "to_unixtstamp": "{{ snowplow_utils.to_unixtstamp('created_at') }}",
    "type_max_string": "cast(amount as {{ snowplow_utils.type_max_string() }})",
}

SNOWPLOW_UTILS_ELSEWHERE = {
    "allow_refresh": "{{ 'amount' if snowplow_utils.allow_refresh() else 'tax' }}",
    "app_id_filter": "select id from (select id, status as app_id from {{ ref('orders') }}) as events "
    "where {{ snowplow_utils.app_id_filter(['a', 'b']) }} and {{ snowplow_utils.app_id_filter([]) }}",
    "event_name_filter": "select id from (select id, status as event_name from {{ ref('orders') }}) as events "
    "where {{ snowplow_utils.event_name_filter(['a', 'b']) }}",
    "get_cluster_by": "'{{ snowplow_utils.get_cluster_by('id', 'id') }}'",
    "get_partition_by": "'{{ snowplow_utils.get_partition_by({}, {}) }}'",
    "is_run_with_new_events": "{{ 'amount' if snowplow_utils.is_run_with_new_events('snowplow') else 'tax' }}",
}

AUDIT_HELPER = {
    "compare_queries": """{{ audit_helper.compare_queries(
        'select id, amount from ' ~ ref('orders'), 'select id, amount from ' ~ ref('archived_orders')) }}""",
    "compare_queries_rows": """{{ audit_helper.compare_queries(
        'select id, amount from ' ~ ref('orders'), 'select id, amount from ' ~ ref('archived_orders'), 'id', summarize=false) }}""",
    "compare_relations": "{{ audit_helper.compare_relations(ref('scores'), ref('scores'), ['name'], 'id') }}",
    "compare_column_values": """{{ audit_helper.compare_column_values(
        'select id, amount from ' ~ ref('orders'), 'select id, amount from ' ~ ref('archived_orders'), 'id', 'amount') }}""",
    "compare_row_counts": "{{ audit_helper.compare_row_counts(ref('orders'), ref('scores')) }}",
}

MODELS = {
    "audit_helper": AUDIT_HELPER,
    "dbt": DBT,
    "dbt_utils": DBT_UTILS,
    "dbt_date": DBT_DATE,
    "dbt_expectations": DBT_EXPECTATIONS,
    "fivetran_utils": FIVETRAN_UTILS,
    "snowplow_utils": SNOWPLOW_UTILS,
}
"""Models by package: those whose macros the real package has."""

MORE_MODELS = {
    "dbt": DBT_ELSEWHERE,
    "dbt_expectations": DBT_EXPECTATIONS_ELSEWHERE,
    "snowplow_utils": SNOWPLOW_UTILS_ELSEWHERE,
    "dbt_utils": DBT_UTILS_BEFORE_1_0,
    "dbt_date": DBT_DATE_ELSEWHERE,
    "fivetran_utils": FIVETRAN_UTILS_NEWER,
}
"""Models whose macros, or arguments, the real package does not have, or not on DuckDB."""


def whole_model(text: str) -> str:
    """A model of an expression; a model as it is."""
    is_query = any(text.lstrip("({% ").startswith(word) for word in ("select", "with ")) or "from {{" in text
    is_query = is_query or any(name in text for name in _MACROS_OF_QUERIES)
    return text if is_query else f"select {text} as value from {{{{ ref('orders') }}}}"


_MACROS_OF_QUERIES = (
    "_subquery_sql(",
    "audit_helper.",
    "deduplicate(",
    "get_base_dates(",
    "get_date_dimension(",
    "get_fiscal_",
    "get_create_",
    "get_insert_into_sql(",
    "get_tables_by_",
    "nullcheck_table(",
    "union_data(",
    "union_relations(",
    "union_tables(",
    "unpivot(",
)
