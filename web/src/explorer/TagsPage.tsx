/** Which columns carry which tags: of their own, or because data flows into them; each with the way that proves it. */

import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Page, Part } from '../app/Page'
import { words } from '../app/search'
import { Answered, Nothing } from '../app/states'
import { Choices } from './Choices'
import type { ListColumn } from './DataTable'
import { FilterInput } from './FilterInput'
import { ColumnLink } from './links'
import { count } from './numbers'
import { PagedTable } from './PagedTable'
import { offsetOf } from './Pager'
import * as questions from './questions'
import type { TagRow } from './shapes'
import { useSnapshot } from './snapshot'
import { TagBadge } from './TagBadge'
import { TagProof } from './TagProof'

const route = getRouteApi('/tags')
const OWN = { all: undefined, own: true, flows: false } as const

export function TagsPage() {
  const { tag, own, like, page, why } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(
    questions.tags({
      ...(tag ? { tag: words(tag) } : {}),
      ...(own === undefined ? {} : { own }),
      ...(like ? { like } : {}),
      ...offsetOf(page),
      ...useSnapshot(),
    }),
  )
  const keyOf = (row: TagRow) => `${row.column.id}:${row.tag}`
  const columns: ListColumn<TagRow>[] = [
    { id: 'tag', head: 'Tag', cell: (row) => <TagBadge tag={row.tag} />, width: '14rem' },
    { id: 'column', head: 'Column', cell: (row) => <ColumnLink column={row.column} />, width: '35%' },
    {
      id: 'from',
      head: 'From',
      cell: (row) => (row.own ? 'said of it' : <ColumnLink column={row.origin} />),
      width: '30%',
    },
    { id: 'distance', head: 'Hops', cell: (row) => count(row.distance), number: true },
    {
      id: 'why',
      head: 'Why',
      cell: (row) =>
        row.own ? null : (
          <Button
            size="compact-xs"
            variant="default"
            aria-expanded={why === keyOf(row)}
            data-testid="why"
            onClick={() =>
              navigate({ search: (old) => ({ ...old, why: why === keyOf(row) ? undefined : keyOf(row) }) })
            }
          >
            {why === keyOf(row) ? 'Hide' : 'Show'}
          </Button>
        ),
      width: '6rem',
    },
  ]
  return (
    <Page
      title="Tags"
      about="A tag flows with the data: a column that is made of a tagged one carries the tag, too."
      testId="page-tags"
      ready={query.isSuccess && !query.isPlaceholderData}
    >
      <Part>
        <Stack gap="sm" mb="sm">
          <Group gap="md">
            <FilterInput
              label="Filter by column"
              value={like}
              onFilter={(value) => navigate({ search: (old) => ({ ...old, like: value, page: 1 }), replace: true })}
            />
            <SegmentedControl
              aria-label="Own or inherited"
              value={own === undefined ? 'all' : own ? 'own' : 'flows'}
              data={[
                { value: 'all', label: 'All' },
                { value: 'own', label: 'Said of it' },
                { value: 'flows', label: 'Flows into it' },
              ]}
              onChange={(value) =>
                navigate({ search: (old) => ({ ...old, own: OWN[value as keyof typeof OWN], page: 1 }) })
              }
            />
          </Group>
          <Choices
            label="Tags"
            counts={query.data?.counts ?? {}}
            chosen={tag}
            onChoose={(chosen) => navigate({ search: (old) => ({ ...old, tag: chosen, page: 1 }) })}
          />
        </Stack>
        <Answered query={query}>
          {({ items, total }) => (
            <PagedTable
              label="Tagged columns"
              columns={columns}
              rows={items}
              keyOf={keyOf}
              rowTestId="tag-row"
              below={(row) => (why === keyOf(row) ? <TagProof of={`id:${row.column.id}`} tag={row.tag} /> : null)}
              page={page}
              total={total}
              onPage={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
              nothing={
                <Nothing title="No column carries a tag">
                  Tags come from comments, catalogs and rules. A rule in a file, a comment in the SQL, or a schema puts
                  one on: see `headwater tags --help`. Clear the filters if there are any.
                </Nothing>
              }
            />
          )}
        </Answered>
      </Part>
    </Page>
  )
}
