{% macro cents_to_euros(column, digits=2) -%}
    round({{ column }} / 100.0, {{ digits }})
{%- endmacro %}
