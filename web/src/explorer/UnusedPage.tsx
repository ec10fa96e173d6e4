/** Columns and tables that nobody reads. */

import { Box, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Page, Part } from '../app/Page'
import { Answered, Nothing } from '../app/states'
import type { ListColumn } from './DataTable'
import { FilterInput } from './FilterInput'
import { ColumnLink, TableLink } from './links'
import { counted } from './numbers'
import { PagedTable } from './PagedTable'
import { offsetOf } from './Pager'
import * as questions from './questions'
import type { UnusedRow } from './shapes'
import { useSnapshot } from './snapshot'

const route = getRouteApi('/unused')
const TABLES = 30

const USES: Readonly<Record<string, string>> = { none: 'nobody reads it', star: 'read through * only' }

const COLUMNS: ListColumn<UnusedRow>[] = [
  { id: 'column', head: 'Column', cell: (row) => <ColumnLink column={row.column} />, width: '60%' },
  { id: 'use', head: 'What is known of its use', cell: useOf },
]

/** What is known of a column's use, and what is in doubt. */
function useOf(row: UnusedRow): string {
  const use = USES[row.use] ?? row.use
  return row.not_understood === 0
    ? use
    : `${use}, as far as is known: ${counted(row.not_understood, 'statement')} that may read it ${row.not_understood === 1 ? 'was' : 'were'} not understood`
}

export function UnusedPage() {
  const { like, page } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(questions.unused({ ...(like ? { like } : {}), ...offsetOf(page), ...useSnapshot() }))
  return (
    <Page
      title="Unused"
      about="What nothing in this store is made of. Whoever reads it from outside is not known here."
      testId="page-unused"
      ready={query.isSuccess && !query.isPlaceholderData}
    >
      <Answered query={query}>
        {({ items, total, tables }) => (
          <>
            {tables.length > 0 ? (
              <Part title="Whole tables">
                <Group gap="8px 20px" fz="sm">
                  {tables.slice(0, TABLES).map((table) => (
                    <TableLink key={table.id} table={table} />
                  ))}
                  {tables.length > TABLES ? <Text c="dimmed">and {tables.length - TABLES} more</Text> : null}
                </Group>
              </Part>
            ) : null}
            <Part title="Columns">
              <Box mb="sm">
                <FilterInput
                  label="Filter by name"
                  value={like}
                  onFilter={(value) => navigate({ search: (old) => ({ ...old, like: value, page: 1 }), replace: true })}
                />
              </Box>
              <PagedTable
                label="Unused columns"
                columns={COLUMNS}
                rows={items}
                keyOf={(row) => row.column.id}
                rowTestId="unused-row"
                page={page}
                total={total}
                onPage={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
                nothing={
                  <Nothing title="Every column is read by something">
                    Or the filter leaves nothing: clear it to see all.
                  </Nothing>
                }
              />
            </Part>
          </>
        )}
      </Answered>
    </Page>
  )
}
