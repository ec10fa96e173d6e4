{# An operation that makes external tables of sources. #}

{%- macro stage_external_sources(select=none) -%}{%- endmacro %}
