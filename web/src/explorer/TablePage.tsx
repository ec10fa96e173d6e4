/** A table's page: its graph, its columns, what lies up- and downstream, the SQL, what a change would break, its tags. */

import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Part } from '../app/Page'
import { PAGE_SIZE } from '../app/search'
import { Answered, Nothing } from '../app/states'
import type { ListColumn } from './DataTable'
import type { ThingChange, ThingState } from './graphState'
import { Impact } from './Impact'
import { KindIcon, kindName } from './kinds'
import { ColumnLink, Name } from './links'
import { Neighbourhood } from './Neighbourhood'
import { count, counted } from './numbers'
import { PagedTable } from './PagedTable'
import { offsetOf } from './Pager'
import * as questions from './questions'
import { Reached } from './Reached'
import { byId, tableReference } from './reference'
import { Statements } from './Statements'
import type { ColumnRow, TableAnswer } from './shapes'
import { useSnapshot } from './snapshot'
import { TagBadge } from './TagBadge'
import { Tagged } from './Tagged'
import { ThingPage } from './ThingPage'
import { ThingTabs } from './ThingTabs'

const route = getRouteApi('/table')
const MOST_CHOICES = 1000

const LABELS = {
  graph: 'Graph',
  columns: 'Columns',
  upstream: 'Upstream',
  downstream: 'Downstream',
  statements: 'SQL',
  impact: 'Impact',
  tags: 'Tags',
} as const

const COLUMNS: ListColumn<ColumnRow>[] = [
  { id: 'name', head: 'Column', cell: (row) => <ColumnLink column={row.column} short />, width: '35%' },
  {
    id: 'type',
    head: 'Type',
    cell: ({ column }) => (
      <>
        <Name>{column.data_type ?? ''}</Name>
        {column.inferred ? ' (inferred)' : ''}
      </>
    ),
    width: '25%',
  },
  { id: 'upstream', head: 'Made of', cell: (row) => count(row.upstream), number: true },
  { id: 'downstream', head: 'Feeds', cell: (row) => count(row.downstream), number: true },
  {
    id: 'tags',
    head: 'Tags',
    cell: (row) => (
      <Group gap={4}>
        {row.tags.map((tag) => (
          <TagBadge key={tag} tag={tag} />
        ))}
      </Group>
    ),
    width: '20%',
  },
]

export function TablePage() {
  const state = route.useSearch()
  const navigate = route.useNavigate()
  const snapshot = useSnapshot()
  const onChange: ThingChange = (change, how = 'step') =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: how === 'look', resetScroll: false })
  return (
    <ThingPage
      what="Table"
      hint="Search for one, or choose one in the list of tables."
      state={state}
      onChange={onChange}
      question={(of) => questions.table({ of, ...snapshot })}
    >
      {(answer) => ({
        reference: tableReference(answer.table),
        title: answer.table.name,
        icon: <KindIcon kind={answer.table.kind} />,
        about: <About answer={answer} />,
        content: <Known answer={answer} state={state} onChange={onChange} />,
      })}
    </ThingPage>
  )
}

function About({ answer }: { answer: TableAnswer }) {
  const { table } = answer
  return (
    <Group gap="4px 16px">
      <span>
        {kindName(table.kind)}
        {table.temporary ? ', temporary' : ''}
      </span>
      <span>{counted(answer.total_columns, 'column')}</span>
      <span>made of {counted(answer.total_upstream, 'table')}</span>
      <span>feeds {counted(answer.total_downstream, 'table')}</span>
      {answer.complete ? null : <span>perhaps with more columns than are known</span>}
    </Group>
  )
}

type KnownProps = { answer: TableAnswer; state: ThingState; onChange: ThingChange }

function Known({ answer, state, onChange }: KnownProps) {
  const { table } = answer
  const of = byId(table.id)
  return (
    <ThingTabs
      tab={state.tab}
      onChange={onChange}
      labels={LABELS}
      panels={{
        graph: () => <Neighbourhood of={of} name={table.name} state={state} onChange={onChange} />,
        columns: () => (
          <Part>
            <ColumnsOf of={of} page={state.page} onChange={onChange} />
          </Part>
        ),
        upstream: () => (
          <Part>
            <Reached of={of} direction="upstream" state={state} onChange={onChange} />
          </Part>
        ),
        downstream: () => (
          <Part>
            <Reached of={of} direction="downstream" state={state} onChange={onChange} />
          </Part>
        ),
        statements: () => (
          <Part>
            <Statements writing={answer.statements} reading={answer.read_by} />
          </Part>
        ),
        impact: () => (
          <Part>
            <ImpactOfOne of={of} state={state} onChange={onChange} />
          </Part>
        ),
        tags: () => (
          <Part>
            <Tagged tags={answer.tags} />
          </Part>
        ),
      }}
    />
  )
}

function ColumnsOf({ of, page, onChange }: { of: string; page: number; onChange: ThingChange }) {
  const query = useQuery(questions.table({ of, ...offsetOf(page), ...useSnapshot() }))
  return (
    <Answered query={query}>
      {({ columns, total_columns }) => (
        <PagedTable
          label="Columns"
          columns={COLUMNS}
          rows={columns}
          keyOf={(row) => row.column.id}
          rowTestId="column-row"
          page={page}
          total={total_columns}
          onPage={(next) => onChange({ page: next })}
          nothing={
            <Nothing title="No column of it is known">
              A statement that reads or writes it by name would tell them.
            </Nothing>
          }
        />
      )}
    </Answered>
  )
}

/** A change is one of a column: of which one is chosen here. */
function ImpactOfOne({ of, state, onChange }: { of: string; state: ThingState; onChange: ThingChange }) {
  const query = useQuery(questions.table({ of, limit: MOST_CHOICES, ...useSnapshot() }))
  return (
    <Answered query={query}>
      {({ columns }) => {
        const choices = columns.filter((row) => !row.column.row_set)
        const chosen = choices.find((row) => row.column.id === state.column) ?? choices[0]
        if (!chosen) return <Nothing title="No column of it is known" />
        return (
          <Stack gap="md">
            <Group gap="sm">
              <Text size="sm">If this column is changed:</Text>
              <NativeSelect
                aria-label="Column that is changed"
                data-testid="impact-column"
                value={chosen.column.id}
                data={choices.map(({ column }) => ({ value: column.id, label: column.column.slice(0, PAGE_SIZE) }))}
                onChange={(event) => onChange({ column: event.currentTarget.value, page: 1, verdict: undefined })}
              />
            </Group>
            <Impact of={byId(chosen.column.id)} name={chosen.column.name} state={state} onChange={onChange} />
          </Stack>
        )
      }}
    </Answered>
  )
}
