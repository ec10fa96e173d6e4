{# Hooks that put masking policies on columns. #}

{%- macro apply_masking_policy(resource_type='models', meta_key='masking_policy', operation_type='apply') -%}{%- endmacro %}
{%- macro unapply_masking_policy(resource_type='models', meta_key='masking_policy', operation_type='unapply') -%}{%- endmacro %}
{%- macro create_masking_policy(resource_type='sources', meta_key='masking_policy') -%}{%- endmacro %}
