{# Comparisons of two queries or relations, as analyses write them. #}

{%- macro compare_queries(a_query, b_query, primary_key=None, summarize=true, limit=None) -%}
  with a as (
    {{ a_query }}
  ),
  b as (
    {{ b_query }}
  ),
  in_both as (
    select * from a {{ dbt.intersect() }} select * from b
  ),
  only_in_a as (
    select * from a {{ dbt.except() }} select * from b
  ),
  only_in_b as (
    select * from b {{ dbt.except() }} select * from a
  ),
  all_records as (
    select *, true as in_a, true as in_b from in_both
    union all
    select *, true as in_a, false as in_b from only_in_a
    union all
    select *, false as in_a, true as in_b from only_in_b
  )
  {%- if summarize %},
  summary as (
    select in_a, in_b, count(*) as count from all_records group by in_a, in_b
  )
  select in_a, in_b, count, round(100.0 * count / sum(count) over (), 2) as percent_of_total
  from summary
  order by in_a desc, in_b desc
  {%- else %}
  select * from all_records where not (in_a and in_b) order by {{ primary_key ~ ', ' if primary_key }}in_a desc, in_b desc
  {%- endif %}
  {{ 'limit ' ~ limit if limit }}
{%- endmacro %}

{%- macro compare_relations(a_relation, b_relation, exclude_columns=[], primary_key=None, summarize=true, limit=None) -%}
  {%- set names = dbt_utils.get_filtered_columns_in_relation(a_relation, exclude_columns) -%}
  {%- set columns = dbt.get_quoted_csv(names) if names else dbt_utils._star_of_unknown_columns(false, exclude_columns) -%}
  {{ audit_helper.compare_queries('select ' ~ columns ~ ' from ' ~ a_relation, 'select ' ~ columns ~ ' from ' ~ b_relation, primary_key, summarize, limit) }}
{%- endmacro %}

{%- macro compare_column_values(a_query, b_query, primary_key, column_to_compare, emojis=True, a_relation_name='a', b_relation_name='b') -%}
  {%- set a, b = 'a_query.' ~ column_to_compare, 'b_query.' ~ column_to_compare -%}
  with a_query as (
    {{ a_query }}
  ),
  b_query as (
    {{ b_query }}
  ),
  joined as (
    select
      coalesce(a_query.{{ primary_key }}, b_query.{{ primary_key }}) as {{ primary_key }},
      {{ a }} as a_query_value,
      {{ b }} as b_query_value,
      case
        when {{ a }} = {{ b }} then 'perfect match'
        when {{ a }} is null and {{ b }} is null then 'both are null'
        when a_query.{{ primary_key }} is null then 'missing from {{ a_relation_name }}'
        when b_query.{{ primary_key }} is null then 'missing from {{ b_relation_name }}'
        when {{ a }} is null then 'value is null in {{ a_relation_name }} only'
        when {{ b }} is null then 'value is null in {{ b_relation_name }} only'
        when {{ a }} != {{ b }} then 'values do not match'
        else 'unknown'
      end as match_status
    from a_query
    full outer join b_query on a_query.{{ primary_key }} = b_query.{{ primary_key }}
  ),
  counted as (
    select '{{ column_to_compare }}' as column_name, match_status, count(*) as count_records from joined group by column_name, match_status
  )
  select column_name, match_status, count_records, round(100.0 * count_records / sum(count_records) over (), 2) as percent_of_total
  from counted
{%- endmacro %}

{%- macro compare_row_counts(a_relation, b_relation) -%}
  select '{{ a_relation }}' as relation_name, count(*) as total_records from {{ a_relation }}
  union all
  select '{{ b_relation }}' as relation_name, count(*) as total_records from {{ b_relation }}
{%- endmacro %}
