/** A column's page: its graph, how it is made and used, what lies up- and downstream, the SQL, what a change would break, its tags. */

import { Group, SimpleGrid, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { PageButton } from '../app/link'
import { Part } from '../app/Page'
import { Nothing } from '../app/states'
import type { ThingChange, ThingState } from './graphState'
import { Hops } from './Hops'
import { Impact } from './Impact'
import { KindIcon } from './kinds'
import { Name, TableLink } from './links'
import { Neighbourhood } from './Neighbourhood'
import { counted } from './numbers'
import * as questions from './questions'
import { Reached } from './Reached'
import { byId, columnReference } from './reference'
import { Statements } from './Statements'
import type { ColumnAnswer, HopThing, StatementThing } from './shapes'
import { useSnapshot } from './snapshot'
import { Tagged } from './Tagged'
import { ThingPage } from './ThingPage'
import { ThingTabs } from './ThingTabs'

const route = getRouteApi('/column')

const LABELS = {
  graph: 'Graph',
  columns: 'Relations',
  upstream: 'Upstream',
  downstream: 'Downstream',
  statements: 'SQL',
  impact: 'Impact',
  tags: 'Tags',
} as const

/** The statements of relations, each once. */
function statementsOf(hops: readonly HopThing[]): StatementThing[] {
  const found = new Map<string, StatementThing>()
  for (const { statement } of hops) if (statement && !found.has(statement.id)) found.set(statement.id, statement)
  return [...found.values()]
}

export function ColumnPage() {
  const state = route.useSearch()
  const navigate = route.useNavigate()
  const snapshot = useSnapshot()
  const onChange: ThingChange = (change, how = 'step') =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: how === 'look', resetScroll: false })
  return (
    <ThingPage
      what="Column"
      hint="Search for one, or open a table's page and choose one."
      state={state}
      onChange={onChange}
      question={(of) => questions.column({ of, ...snapshot })}
    >
      {(answer) => ({
        reference: columnReference(answer.column),
        title: titleOf(answer),
        icon: <KindIcon kind={answer.column.table.kind} column />,
        about: <About answer={answer} />,
        actions: <Ways of={state.of} />,
        content: <Known answer={answer} state={state} onChange={onChange} />,
      })}
    </ThingPage>
  )
}

function titleOf({ column }: ColumnAnswer): string {
  return column.row_set ? `${column.table.name} «rows»` : column.name
}

function About({ answer }: { answer: ColumnAnswer }) {
  const { column } = answer
  return (
    <Group gap="4px 16px">
      <Group gap={4} wrap="nowrap" miw={0}>
        of <TableLink table={column.table} />
      </Group>
      <Group gap={4} wrap="nowrap" miw={0} maw="100%">
        <Name>{column.data_type ?? 'type not known'}</Name>
        {column.inferred ? '(inferred)' : ''}
      </Group>
      <span>made by {counted(answer.total_made_by, 'relation')}</span>
      <span>used by {counted(answer.total_used_by, 'relation')}</span>
    </Group>
  )
}

/** Where one can go from a column. */
function Ways({ of }: { of: string }) {
  return (
    <Group gap="xs">
      <PageButton to="/path" search={{ source: of }} size="xs" variant="default">
        Path from here
      </PageButton>
      <PageButton to="/path" search={{ target: of }} size="xs" variant="default">
        Path to here
      </PageButton>
    </Group>
  )
}

function Known({ answer, state, onChange }: { answer: ColumnAnswer; state: ThingState; onChange: ThingChange }) {
  const { column } = answer
  const of = byId(column.id)
  const shown = titleOf(answer)
  return (
    <ThingTabs
      tab={state.tab}
      onChange={onChange}
      labels={LABELS}
      panels={{
        graph: () => <Neighbourhood of={of} name={shown} state={state} onChange={onChange} />,
        columns: () => <Relations answer={answer} />,
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
            <Statements writing={statementsOf(answer.made_by)} reading={statementsOf(answer.used_by)} />
          </Part>
        ),
        impact: () => (
          <Part>
            <Impact of={of} name={shown} state={state} onChange={onChange} />
          </Part>
        ),
        tags: () => (
          <Part>
            <Tagged tags={answer.tags} of={of} />
          </Part>
        ),
      }}
    />
  )
}

function Relations({ answer }: { answer: ColumnAnswer }) {
  const { made_by, used_by, total_made_by, total_used_by } = answer
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Part title="Made of">
        {made_by.length === 0 ? (
          <Nothing title="It is made of nothing here">It is a source: a schema or an outside job fills it.</Nothing>
        ) : (
          <Hops label="Made of" hops={made_by} ends="source" />
        )}
        <More shown={made_by.length} total={total_made_by} />
      </Part>
      <Part title="Used by">
        {used_by.length === 0 ? (
          <Nothing title="Nothing here uses it" />
        ) : (
          <Hops label="Used by" hops={used_by} ends="target" />
        )}
        <More shown={used_by.length} total={total_used_by} />
      </Part>
    </SimpleGrid>
  )
}

function More({ shown, total }: { shown: number; total: number }) {
  if (shown >= total) return null
  return (
    <Text size="sm" c="dimmed">
      The first {shown} of {counted(total, 'relation')}; the lists up- and downstream have all columns.
    </Text>
  )
}
