{# Fiscal years that end with the week whose end is nearest to the end of a month, in periods of four, five and four weeks. #}

{%- macro get_fiscal_year_dates(dates, year_end_month=12, week_start_day=1, shift_year=1) -%}
  with weeks as (
    select
      d.date_day as week_start_date,
      cast({{ dbt.dateadd('day', 6, 'd.date_day') }} as date) as week_end_date
    from {{ dates }} as d
    where d.day_of_week = {{ week_start_day }}
  ),
  year_ends as (
    select
      d.year_number - {{ shift_year }} as fiscal_year_number,
      w.week_end_date,
      row_number() over (partition by d.year_number order by abs({{ dbt.datediff('w.week_end_date', 'd.month_end_date', 'day') }})) as distance_from_month_end
    from {{ dates }} as d
    join weeks as w on d.date_day = w.week_end_date
    where d.month_of_year = {{ year_end_month }}
  ),
  fiscal_years as (
    select
      y.fiscal_year_number,
      cast({{ dbt.dateadd('day', 1, 'lag(y.week_end_date) over (order by y.week_end_date)') }} as date) as fiscal_year_start_date,
      y.week_end_date as fiscal_year_end_date
    from year_ends as y
    where y.distance_from_month_end = 1
  )
  select
    d.date_day,
    y.fiscal_year_number,
    y.fiscal_year_start_date,
    y.fiscal_year_end_date,
    w.week_start_date,
    w.week_end_date,
    dense_rank() over (partition by y.fiscal_year_number order by w.week_start_date) as fiscal_week_of_year
  from {{ dates }} as d
  join fiscal_years as y on d.date_day between y.fiscal_year_start_date and y.fiscal_year_end_date
  join weeks as w on d.date_day between w.week_start_date and w.week_end_date
{%- endmacro %}

{%- macro get_fiscal_periods(dates, year_end_month, week_start_day, shift_year=1) -%}
  with fiscal_dates as (
    {{ dbt_date.get_fiscal_year_dates(dates, year_end_month, week_start_day, shift_year) }}
  ),
  quarters as (
    select
      f.*,
      least(cast(floor((f.fiscal_week_of_year - 1) / 13) as {{ dbt.type_int() }}), 3) as quarter_number
    from fiscal_dates as f
  ),
  periods as (
    select
      q.*,
      case when q.fiscal_week_of_year - q.quarter_number * 13 <= 4 then 1 when q.fiscal_week_of_year - q.quarter_number * 13 <= 9 then 2 else 3 end as period_of_quarter
    from quarters as q
  )
  select
    p.date_day,
    p.fiscal_year_number,
    p.week_start_date,
    p.week_end_date,
    p.fiscal_week_of_year,
    dense_rank() over (partition by p.fiscal_year_number, p.quarter_number, p.period_of_quarter order by p.fiscal_week_of_year) as fiscal_week_of_period,
    p.quarter_number * 3 + p.period_of_quarter as fiscal_period_number,
    p.quarter_number + 1 as fiscal_quarter_number,
    p.period_of_quarter as fiscal_period_of_quarter
  from periods as p
{%- endmacro %}
