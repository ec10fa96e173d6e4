/** Scripts to begin with, in several dialects. */

export type Example = {
  readonly name: string
  readonly dialect: string
  readonly sql: string
  readonly schema: string
}

export const EXAMPLES: readonly Example[] = [
  {
    name: 'Revenue of a shop',
    dialect: 'spark',
    schema: '',
    sql: `-- What each region earned, month by month.
CREATE OR REPLACE VIEW mart.revenue AS
WITH paid AS (
  SELECT o.order_id, o.customer_id, date_trunc('month', o.paid_at) AS month,
         sum(i.quantity * i.unit_price) AS amount
  FROM shop.orders o
  JOIN shop.order_items i ON i.order_id = o.order_id
  WHERE o.status = 'paid'
  GROUP BY o.order_id, o.customer_id, date_trunc('month', o.paid_at)
)
SELECT c.region, p.month,
       sum(p.amount) AS revenue,
       count(DISTINCT p.customer_id) AS customers
FROM paid p
JOIN shop.customers c ON c.customer_id = p.customer_id
GROUP BY c.region, p.month;
`,
  },
  {
    name: 'Merge with the newest row of each key',
    dialect: 'snowflake',
    schema: '',
    sql: `MERGE INTO crm.contacts AS t
USING (
  SELECT email, upper(country) AS country, sha2(phone) AS phone_hash, loaded_at
  FROM raw.contact_events
  QUALIFY row_number() OVER (PARTITION BY email ORDER BY loaded_at DESC) = 1
) AS s
ON t.email = s.email
WHEN MATCHED AND s.loaded_at > t.changed_at THEN
  UPDATE SET country = s.country, phone_hash = s.phone_hash, changed_at = s.loaded_at
WHEN NOT MATCHED THEN
  INSERT (email, country, phone_hash, changed_at)
  VALUES (s.email, s.country, s.phone_hash, s.loaded_at);
`,
  },
  {
    name: 'Nested data',
    dialect: 'bigquery',
    schema: '',
    sql: `CREATE TABLE web.page_views AS
SELECT
  s.visitor.id AS visitor_id,
  hit.page.path AS path,
  timestamp_millis(hit.time) AS seen_at,
  IF(hit.is_entry, s.referrer, NULL) AS came_from
FROM logs.sessions AS s, UNNEST(s.hits) AS hit
WHERE hit.type = 'PAGE';
`,
  },
  {
    name: 'A procedure with a temporary table',
    dialect: 'tsql',
    schema: '',
    sql: `CREATE PROCEDURE dbo.close_day @day date AS
BEGIN
  DECLARE @rate decimal(9, 4);
  SELECT @rate = r.rate FROM dbo.rates r WHERE r.day = @day;

  SELECT s.shop_id, SUM(s.amount) AS amount
  INTO #sums
  FROM dbo.sales s
  WHERE s.sold_on = @day
  GROUP BY s.shop_id;

  INSERT INTO dbo.daily_totals (shop_id, day, amount_eur)
  SELECT shop_id, @day, amount * @rate
  FROM #sums;
END
`,
  },
  {
    name: 'Windows over a chain of queries',
    dialect: 'postgres',
    schema:
      '{"hr.staff": {"id": "int", "name": "text", "team_id": "int", "salary": "numeric", "hired": "date"},\n "hr.teams": {"id": "int", "title": "text"}}',
    sql: `WITH ranked AS (
  SELECT s.*, rank() OVER (PARTITION BY team_id ORDER BY salary DESC) AS place,
         avg(salary) OVER (PARTITION BY team_id) AS usual
  FROM hr.staff s
)
SELECT t.title, r.name, r.salary, r.salary - r.usual AS above_usual,
       CASE WHEN r.place = 1 THEN 'first' ELSE 'other' END AS standing
FROM ranked r
JOIN hr.teams t ON t.id = r.team_id
WHERE r.hired < current_date - 365;
`,
  },
  {
    name: 'Files in, files out',
    dialect: 'snowflake',
    schema: '',
    sql: `COPY INTO landing.readings (sensor, taken_at, celsius)
FROM (SELECT $1:id, $1:time::timestamp, $1:temperature / 10 FROM @sensors/daily)
FILE_FORMAT = (TYPE = json);

CREATE VIEW mart.hot_days AS
SELECT sensor, taken_at::date AS day, max(celsius) AS hottest
FROM landing.readings
GROUP BY 1, 2
HAVING max(celsius) > 30;

COPY INTO @reports/hot_days FROM (SELECT sensor, day, hottest FROM mart.hot_days);
`,
  },
  {
    name: 'Union, pivot, update',
    dialect: 'duckdb',
    schema: '',
    sql: `CREATE TABLE traffic AS
SELECT 'web' AS channel, day, visits FROM web_visits
UNION ALL
SELECT 'app', day, sum(opens) FROM app_opens GROUP BY day;

CREATE VIEW traffic_by_channel AS
SELECT * FROM traffic PIVOT (sum(visits) FOR channel IN ('web', 'app'));

UPDATE traffic SET visits = visits - b.bots
FROM bot_visits b
WHERE b.day = traffic.day;
`,
  },
]
