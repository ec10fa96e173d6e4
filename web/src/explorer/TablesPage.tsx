/** All tables, views, metrics, …: by name, filtered by the server. */

import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Page, Part } from '../app/Page'
import { words } from '../app/search'
import { Answered, Nothing } from '../app/states'
import { Choices } from './Choices'
import type { ListColumn } from './DataTable'
import { FilterInput } from './FilterInput'
import { kindName, kindNames } from './kinds'
import { TableLink } from './links'
import { count } from './numbers'
import { PagedTable } from './PagedTable'
import { offsetOf } from './Pager'
import * as questions from './questions'
import type { TableRow } from './shapes'
import { useSnapshot } from './snapshot'

const route = getRouteApi('/tables')

const COLUMNS: ListColumn<TableRow>[] = [
  { id: 'name', head: 'Name', cell: (row) => <TableLink table={row.table} />, width: '55%' },
  { id: 'kind', head: 'Kind', cell: (row) => kindName(row.table.kind) + (row.table.temporary ? ', temporary' : '') },
  { id: 'columns', head: 'Columns', cell: (row) => count(row.columns), number: true },
  { id: 'upstream', head: 'Made of', cell: (row) => count(row.upstream), number: true },
  { id: 'downstream', head: 'Feeds', cell: (row) => count(row.downstream), number: true },
]

export function TablesPage() {
  const { like, kind, page } = route.useSearch()
  const navigate = route.useNavigate()
  const store = useQuery(questions.about).data?.store
  const query = useQuery(
    questions.tables({
      ...(like ? { like } : {}),
      ...(kind ? { kind: words(kind) } : {}),
      ...offsetOf(page),
      ...useSnapshot(),
    }),
  )
  return (
    <Page title="Tables" testId="page-tables" ready={query.isSuccess && !query.isPlaceholderData}>
      <Part>
        <Group mb="sm" gap="md">
          <FilterInput
            label="Filter by name"
            value={like}
            onFilter={(value) => navigate({ search: (old) => ({ ...old, like: value, page: 1 }), replace: true })}
          />
          <Choices
            label="Kinds"
            counts={store?.kinds ?? {}}
            chosen={kind}
            nameOf={kindNames}
            onChoose={(chosen) => navigate({ search: (old) => ({ ...old, kind: chosen, page: 1 }) })}
          />
        </Group>
        <Answered query={query}>
          {({ items, total }) => (
            <PagedTable
              label="Tables"
              columns={COLUMNS}
              rows={items}
              keyOf={(row) => row.table.id}
              rowTestId="table-row"
              page={page}
              total={total}
              onPage={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
              nothing={
                <Nothing title="No table is called that">Take a shorter part of a name, or clear the filters.</Nothing>
              }
            />
          )}
        </Answered>
      </Part>
    </Page>
  )
}
