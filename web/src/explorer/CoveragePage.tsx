/** How much of the store is understood: statements, columns, schema by schema; and what is missing. */

import { BarChart } from '@mantine/charts'
import { Box, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PageLink } from '../app/link'
import { Page, Part } from '../app/Page'
import { Answered, Nothing } from '../app/states'
import { AXIS_WIDTH, tick } from './axis'
import { Bars } from './Bars'
import { DataTable, type ListColumn } from './DataTable'
import { mostUsed } from './hubs'
import { Name, TableLink } from './links'
import { count, percent } from './numbers'
import * as questions from './questions'
import { Share } from './Share'
import type { CoverageAnswer } from './shapes'
import { useSnapshot } from './snapshot'

type Schema = CoverageAnswer['by_schema'][number]

const PLOTTED = 14

const COLUMNS: ListColumn<Schema>[] = [
  { id: 'schema', head: 'Schema', cell: (row) => <Name>{row.schema_name || '(none)'}</Name>, width: '45%' },
  { id: 'tables', head: 'Tables', cell: (row) => count(row.tables), number: true },
  { id: 'columns', head: 'Columns written', cell: (row) => count(row.columns), number: true },
  { id: 'explained', head: 'Explained', cell: (row) => count(row.explained), number: true },
  { id: 'share', head: 'Share', cell: (row) => `${percent(row.explained, row.columns)}%`, number: true },
]

function SchemaPlot({ schemas }: { schemas: readonly Schema[] }) {
  const data = [...schemas]
    .sort((a, b) => b.columns - a.columns)
    .slice(0, PLOTTED)
    .map((each) => ({
      schema: each.schema_name || '(none)',
      Explained: each.explained,
      'Not explained': each.columns - each.explained,
    }))
  return (
    <Box role="img" aria-label="Explained columns of each schema; the table below has the numbers">
      <BarChart
        h={Math.max(120, 46 + 34 * data.length)}
        data={data}
        dataKey="schema"
        type="stacked"
        orientation="vertical"
        yAxisProps={{ width: AXIS_WIDTH, tickFormatter: tick }}
        withLegend
        series={[
          { name: 'Explained', color: 'water.5' },
          { name: 'Not explained', color: 'red.5' },
        ]}
        barProps={{ isAnimationActive: false }}
        tabIndex={-1}
      />
    </Box>
  )
}

export function CoveragePage() {
  const query = useQuery(questions.coverage(useSnapshot()))
  return (
    <Page
      title="Coverage"
      about="A written column is explained if data flows into it from a known column, or if it holds a constant."
      testId="page-coverage"
      ready={query.isSuccess}
    >
      <Answered query={query}>
        {(found) => (
          <>
            <Text fw={600} data-testid="headline">
              {found.headline}.
            </Text>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
              <Part>
                <Share label="Statements understood" part={found.understood} whole={found.statements} />
              </Part>
              <Part>
                <Share label="Columns explained" part={found.explained} whole={found.columns} />
              </Part>
              <Part>
                <Text fw={700} fz={34} lh={1.2}>
                  {count(found.longest_chain)}
                </Text>
                <Text fw={600}>hops in the longest chain</Text>
                <Text size="sm" c="dimmed">
                  from the first table to the last that is made of it
                </Text>
              </Part>
            </SimpleGrid>
            {found.by_schema.length > 0 ? (
              <Part title="By schema">
                <SchemaPlot schemas={found.by_schema} />
                <DataTable
                  label="Coverage by schema"
                  columns={COLUMNS}
                  rows={found.by_schema}
                  keyOf={(row) => row.schema_name}
                />
              </Part>
            ) : null}
            <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="md">
              <Part title="Statements by type">
                <Bars
                  label="Statements by type"
                  bars={found.statement_types.map(({ name, count: value }) => ({ key: name, label: name, value }))}
                />
              </Part>
              <Part title="What was not understood">
                {found.codes.length === 0 ? (
                  <Nothing title="Everything was understood" />
                ) : (
                  <Bars
                    label="Diagnostics by code"
                    color="var(--mantine-color-yellow-6)"
                    bars={found.codes.map(({ name, count: value }) => ({
                      key: name,
                      value,
                      label: (
                        <PageLink to="/diagnostics" search={{ code: name }} inherit>
                          {name}
                        </PageLink>
                      ),
                    }))}
                  />
                )}
              </Part>
              <Part title="Most others are made of">
                <Bars
                  label="Tables that most others are made of"
                  bars={mostUsed(found.hubs).map((hub) => ({
                    key: hub.table.id,
                    value: hub.downstream,
                    label: <TableLink table={hub.table} />,
                  }))}
                />
              </Part>
            </SimpleGrid>
          </>
        )}
      </Answered>
    </Page>
  )
}
