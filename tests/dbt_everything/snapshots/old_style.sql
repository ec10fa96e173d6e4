{% snapshot customers_history %}
{{ config(unique_key='id', strategy='check', check_cols=['name']) }}
select id, name from {{ ref('customers') }}
{% endsnapshot %}
