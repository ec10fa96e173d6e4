{# What the till would have written: enough to build the project anywhere. #}
{% macro make_till() %}
    create schema if not exists raw;
    create or replace table raw.till_orders as
        select * from (values
            (1, 10, timestamp '2025-01-03 09:12:00', 'PAID', 1250, false),
            (2, 11, timestamp '2025-01-04 10:30:00', 'OPEN', 22000, true)
        ) as t(order_id, customer_id, ordered_at, status, amount_cents, is_gift);
    create or replace table raw.customers as
        select * from (values
            (10, 'Ada@example.com', 'de', timestamp '2025-01-01 00:00:00'),
            (11, 'Bo@example.com', 'jp', timestamp '2025-01-02 00:00:00')
        ) as t(customer_id, email, country, updated_at);
    create or replace table raw.visits as
        select * from (values (100, 10, timestamp '2025-01-02 08:00:00')) as t(visit_id, customer_id, visited_at);
{% endmacro %}
