{%- set settings = fromjson('{"columns": ["id", "name"]}') -%}
{%- set pairs = zip(settings['columns'], ['a', 'b']) -%}
{%- set both -%} {{ modules.datetime.date(2024, 1, 31) }} {%- endset -%}
{% call wrapped('inner_query') %}
select {% for column, name in pairs %}{{ column }} as {{ name }}, {% endfor %}
       date '{{ both | trim }}' as day, '{{ local_md5("x") }}' as hash,
       {{ "domain" | as_text }} as domain, {{ dbt.safe_cast('id', dbt.type_string()) }} as text_id
from {{ ref('people_of') }}
{% endcall %}
