/** All scripts of the store, by path. */

import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { PageLink } from '../app/link'
import { Page, Part } from '../app/Page'
import { Answered, Nothing } from '../app/states'
import type { ListColumn } from './DataTable'
import { FilterInput } from './FilterInput'
import { Name } from './links'
import { count } from './numbers'
import { PagedTable } from './PagedTable'
import { offsetOf } from './Pager'
import * as questions from './questions'
import type { ScriptRow } from './shapes'
import { useSnapshot } from './snapshot'

const route = getRouteApi('/scripts')

const COLUMNS: ListColumn<ScriptRow>[] = [
  {
    id: 'path',
    head: 'Path',
    width: '60%',
    cell: (row) => (
      <PageLink to="/script" search={{ id: row.id }} inherit>
        <Name>{row.path || '(no path)'}</Name>
      </PageLink>
    ),
  },
  { id: 'kind', head: 'Kind', cell: (row) => row.kind },
  { id: 'dialect', head: 'Dialect', cell: (row) => row.dialect },
  { id: 'statements', head: 'Statements', cell: (row) => count(row.statements), number: true },
]

export function ScriptsPage() {
  const { like, page } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(questions.scripts({ ...(like ? { like } : {}), ...offsetOf(page), ...useSnapshot() }))
  return (
    <Page title="Scripts" testId="page-scripts" ready={query.isSuccess && !query.isPlaceholderData}>
      <Part>
        <Box mb="sm">
          <FilterInput
            label="Filter by path"
            placeholder="a part of a path"
            value={like}
            onFilter={(value) => navigate({ search: (old) => ({ ...old, like: value, page: 1 }), replace: true })}
          />
        </Box>
        <Answered query={query}>
          {({ items, total }) => (
            <PagedTable
              label="Scripts"
              columns={COLUMNS}
              rows={items}
              keyOf={(row) => row.id}
              rowTestId="script-row"
              page={page}
              total={total}
              onPage={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
              nothing={
                <Nothing title="No script has such a path">Take a shorter part of a path, or clear the filter.</Nothing>
              }
            />
          )}
        </Answered>
      </Part>
    </Page>
  )
}
