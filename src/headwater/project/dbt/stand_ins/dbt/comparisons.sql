{# Set operators, and equality that takes two NULLs for the same. #}

{%- macro except() -%}
  {{ 'except distinct' if target.type == 'bigquery' else 'except' }}
{%- endmacro %}

{%- macro intersect() -%}
  {{ 'intersect distinct' if target.type == 'bigquery' else 'intersect' }}
{%- endmacro %}

{%- macro equals(expr1, expr2) -%}
  case when ({{ expr1 }} = {{ expr2 }}) or ({{ expr1 }} is null and {{ expr2 }} is null) then 0 else 1 end = 0
{%- endmacro %}

{%- macro get_true_sql() -%}
  true
{%- endmacro %}
