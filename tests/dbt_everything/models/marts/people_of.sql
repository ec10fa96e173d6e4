{{ config(materialized='view') }}
{% set exclude = set(['x']) %}
select {{ all_but(ref('stg_customers'), []) }} from {{ ref('everything', 'stg_customers') }}
{% if 'x' not in exclude %} where broken {% endif %}
{{ log('made ' ~ this.identifier, info=False) }}
