/** Which words and quotes the editor highlights for each of our dialects: the nearest that its grammar has. */
import { MSSQL, MySQL, PLSQL, PostgreSQL, SQLDialect, SQLite, StandardSQL } from '@codemirror/lang-sql'

const FURTHER_KEYWORDS =
  ' qualify pivot unpivot lateral overwrite merge matched using view explode tablesample cluster distribute sort by rlike ilike anti semi cache ' +
  'optimize vacuum replace temporary temp if returns language copy into stage stream task warehouse unnest struct array except intersect '

const FURTHER_TYPES =
  ' string bigint tinyint double boolean map struct array variant object int64 float64 bytes timestamp_ntz timestamp_ltz '

/** The standard's words are not told by themselves; SQLite's are these and a few more. */
const further = {
  keywords: `${SQLite.spec.keywords}${FURTHER_KEYWORDS}`.trim(),
  types: `${SQLite.spec.types}${FURTHER_TYPES}`.trim(),
}

/** Spark and its relatives: names in backticks, strings in either quotes. */
const Backticks = SQLDialect.define({
  ...further,
  identifierQuotes: '`',
  doubleQuotedStrings: true,
  backslashEscapes: true,
})
const BigQuery = SQLDialect.define({ ...further, identifierQuotes: '`', doubleQuotedStrings: true, hashComments: true })
const Snowflake = SQLDialect.define({
  ...further,
  doubleDollarQuotedStrings: true,
  slashComments: true,
  backslashEscapes: true,
})
const Plain = SQLDialect.define(further)

const NEAREST: Readonly<Record<string, SQLDialect>> = {
  ansi: StandardSQL,
  spark: Backticks,
  databricks: Backticks,
  hive: Backticks,
  bigquery: BigQuery,
  snowflake: Snowflake,
  postgres: PostgreSQL,
  redshift: PostgreSQL,
  duckdb: PostgreSQL,
  tsql: MSSQL,
  mysql: MySQL,
  oracle: PLSQL,
  db2: PLSQL,
  sqlite: SQLite,
  clickhouse: Backticks,
  teradata: Plain,
  trino: Plain,
  presto: Plain,
  athena: Plain,
}

/** Of several dialects, with commas between, the first one counts. */
export function highlightingOf(dialect: string): SQLDialect {
  const [first] = dialect.split(',')
  return NEAREST[(first ?? '').trim().toLowerCase()] ?? Plain
}
