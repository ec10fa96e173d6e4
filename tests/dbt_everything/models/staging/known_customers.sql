{{ config(materialized='ephemeral') }}
select id, name, domain from {{ ref('stg_customers') }} where {{ config.get('limit', default='true') }}
