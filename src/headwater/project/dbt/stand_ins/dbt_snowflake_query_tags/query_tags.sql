{# Tags of the queries that dbt runs. #}

{%- macro set_query_tag(extra=None) -%}{%- endmacro %}
{%- macro unset_query_tag(original_query_tag=None) -%}{%- endmacro %}
