/** What changed between two snapshots: what breaks first, and each in its neighbourhood. */

import { Box, Button, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Page, Part } from '../app/Page'
import { Answered, Nothing } from '../app/states'
import type { ListColumn } from './DataTable'
import { DiffDiagram } from './DiffDiagram'
import { subjectOf } from './differences'
import { FilterInput } from './FilterInput'
import { Expression } from './Hops'
import { Name } from './links'
import { count, timeOf } from './numbers'
import { PagedTable } from './PagedTable'
import { offsetOf } from './Pager'
import * as questions from './questions'
import { SeverityBadge } from './severity'
import type { DifferenceThing, StoreThing } from './shapes'

const route = getRouteApi('/diff')
const SIGNS = { added: '+', removed: '−', changed: '~' } as const
const BREAKING = { all: undefined, yes: true, no: false } as const

function How({ how }: { how: DifferenceThing['how'] }) {
  return (
    <Text component="span" size="sm" fw={600} c={`var(--page-${how})`} style={{ whiteSpace: 'nowrap' }}>
      {SIGNS[how]} {how}
    </Text>
  )
}

export function DiffPage({ store }: { store: StoreThing }) {
  const newest = [...store.snapshots].sort((a, b) => b.time.localeCompare(a.time))
  const search = route.useSearch()
  const after = search.after ?? newest[0]?.name ?? ''
  const before = search.before ?? newest[1]?.name ?? ''
  if (newest.length < 2) {
    return (
      <Page title="Diff" testId="page-diff" ready>
        <Part>
          <Nothing title="There is only one snapshot">
            Each `headwater build` of this store makes another one; then it is shown here what changed.
          </Nothing>
        </Part>
      </Page>
    )
  }
  return <Compared store={store} before={before} after={after} />
}

function Compared({ store, before, after }: { store: StoreThing; before: string; after: string }) {
  const { what, how, breaking, like, page, show } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery({
    ...questions.diff({
      before,
      after,
      ...(what ? { what } : {}),
      ...(how ? { how } : {}),
      ...(breaking === undefined ? {} : { breaking }),
      ...(like ? { like } : {}),
      ...offsetOf(page),
    }),
    enabled: before !== '' && after !== '',
  })
  const keyOf = (row: DifferenceThing) => `${row.how}:${row.what}:${row.name}`
  const columns: ListColumn<DifferenceThing>[] = [
    { id: 'how', head: 'How', cell: (row) => <How how={row.how} />, width: '7rem' },
    { id: 'what', head: 'What', cell: (row) => row.what, width: '6rem' },
    { id: 'name', head: 'Name', cell: (row) => <Name>{row.name}</Name>, width: '35%' },
    {
      id: 'reason',
      head: 'Why it matters',
      cell: (row) => (
        <Stack gap={2}>
          <Group gap={6}>
            {row.breaking ? <SeverityBadge word="breaking" /> : null}
            <Text size="sm">{row.reason}</Text>
          </Group>
          {row.before ? <Expression>{`− ${row.before}`}</Expression> : null}
          {row.after ? <Expression>{`+ ${row.after}`}</Expression> : null}
          {row.place ? (
            <Text size="xs" c="dimmed">
              <Name>{row.place}</Name>
            </Text>
          ) : null}
        </Stack>
      ),
    },
    {
      id: 'show',
      head: 'Graph',
      width: '6rem',
      cell: (row) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-expanded={show === keyOf(row)}
          data-testid="diff-show"
          onClick={() =>
            navigate({
              search: (old) => ({ ...old, show: show === keyOf(row) ? undefined : keyOf(row), sel: undefined }),
              resetScroll: false,
            })
          }
        >
          {show === keyOf(row) ? 'Hide' : 'Show'}
        </Button>
      ),
    },
  ]
  const choices = store.snapshots.map(({ name, time, current }) => ({
    value: name,
    label: `${timeOf(time)}${current ? ' (current)' : ''}`,
  }))
  return (
    <Page
      title="Diff"
      about="What changed between two snapshots."
      testId="page-diff"
      ready={query.isSuccess && !query.isPlaceholderData}
    >
      <Part>
        <Group align="flex-end" gap="md">
          <NativeSelect
            label="Before"
            data={choices}
            value={before}
            data-testid="diff-before"
            onChange={(event) => {
              const chosen = event.currentTarget.value
              void navigate({ search: (old) => ({ ...old, before: chosen, page: 1, show: undefined }) })
            }}
          />
          <NativeSelect
            label="After"
            data={choices}
            value={after}
            data-testid="diff-after"
            onChange={(event) => {
              const chosen = event.currentTarget.value
              void navigate({ search: (old) => ({ ...old, after: chosen, page: 1, show: undefined }) })
            }}
          />
          <SegmentedControl
            aria-label="What changed"
            value={what ?? ''}
            data={[
              { value: '', label: 'All' },
              { value: 'table', label: 'Tables' },
              { value: 'column', label: 'Columns' },
              { value: 'relation', label: 'Relations' },
            ]}
            onChange={(value) =>
              navigate({
                search: (old) => ({
                  ...old,
                  what: value === '' ? undefined : (value as DifferenceThing['what']),
                  page: 1,
                }),
              })
            }
          />
          <SegmentedControl
            aria-label="How it changed"
            value={how ?? ''}
            data={[
              { value: '', label: 'All' },
              { value: 'added', label: 'Added' },
              { value: 'removed', label: 'Removed' },
              { value: 'changed', label: 'Changed' },
            ]}
            onChange={(value) =>
              navigate({
                search: (old) => ({
                  ...old,
                  how: value === '' ? undefined : (value as DifferenceThing['how']),
                  page: 1,
                }),
              })
            }
          />
          <SegmentedControl
            aria-label="Whether it breaks something"
            value={breaking === undefined ? 'all' : breaking ? 'yes' : 'no'}
            data={[
              { value: 'all', label: 'All' },
              { value: 'yes', label: 'Breaking' },
              { value: 'no', label: 'Not breaking' },
            ]}
            onChange={(value) =>
              navigate({ search: (old) => ({ ...old, breaking: BREAKING[value as keyof typeof BREAKING], page: 1 }) })
            }
          />
          <FilterInput
            label="Filter by name"
            value={like}
            onFilter={(value) => navigate({ search: (old) => ({ ...old, like: value, page: 1 }), replace: true })}
          />
        </Group>
      </Part>
      <Answered query={query}>
        {({ items, total, counts }) => (
          <Part
            title={
              <Group gap="lg">
                {(['added', 'removed', 'changed'] as const).map((each) => (
                  <Text key={each} component="span" c={`var(--page-${each})`} fw={600}>
                    {SIGNS[each]} {count(countOf(counts, each))} {each}
                  </Text>
                ))}
              </Group>
            }
          >
            <PagedTable
              label="Differences"
              columns={columns}
              rows={items}
              keyOf={keyOf}
              rowTestId="diff-row"
              below={(row) =>
                show === keyOf(row) ? (
                  <Box data-testid="diff-diagram">
                    <DiffDiagram
                      of={subjectOf(row)}
                      before={before}
                      after={after}
                      at={row.how === 'removed' ? before : after}
                    />
                  </Box>
                ) : null
              }
              page={page}
              total={total}
              onPage={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
              nothing={
                <Nothing title="Nothing changed">
                  Or the filters leave nothing: clear them, or choose other snapshots.
                </Nothing>
              }
            />
          </Part>
        )}
      </Answered>
    </Page>
  )
}

/** How many things changed in a way: the counts are told by what and how. */
function countOf(counts: Readonly<Record<string, number>>, how: DifferenceThing['how']): number {
  return ['table', 'column', 'relation'].reduce((sum, what) => sum + (counts[`${what} ${how}`] ?? 0), 0)
}
