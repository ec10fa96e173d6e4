/** What breaks, may break or stays whole if a column is dropped, renamed or gets another type. */

import { Alert, Button, Group, SegmentedControl, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CHANGES, VERDICTS } from '../app/search'
import { Answered, Failed, Nothing } from '../app/states'
import { download } from '../playground/download'
import { csv } from './csv'
import type { ListColumn } from './DataTable'
import { fileName } from './fileName'
import type { ThingChange, ThingState } from './graphState'
import { ImpactDiagram } from './ImpactDiagram'
import { ColumnLink, Name, SpotLink, TableLink } from './links'
import { count, counted } from './numbers'
import { PagedTable } from './PagedTable'
import { offsetOf } from './Pager'
import * as questions from './questions'
import { SeverityBadge } from './severity'
import type { HitThing, ImpactAnswer } from './shapes'
import { useSnapshot } from './snapshot'

const CHANGE_WORDS = { drop: 'Drop it', rename: 'Rename it', retype: 'Change its type' } as const
const SAID = {
  breaking: ['column breaks', 'columns break'],
  maybe: ['column may break', 'columns may break'],
  harmless: ['column stays whole', 'columns stay whole'],
} as const
const TABLES = 24
const LOST = 10
const MOST = 1000

const COLUMNS: ListColumn<HitThing>[] = [
  { id: 'verdict', head: 'Verdict', cell: (hit) => <SeverityBadge word={hit.verdict} />, width: '7rem' },
  { id: 'column', head: 'Column', cell: (hit) => <ColumnLink column={hit.column} />, width: '32%' },
  { id: 'reason', head: 'Why', cell: (hit) => <Name cut={false}>{hit.reason}</Name> },
  { id: 'distance', head: 'Hops', cell: (hit) => count(hit.distance), number: true, width: '4rem' },
  {
    id: 'spot',
    head: 'Where',
    cell: (hit) => <SpotLink spot={hit.hop.spot ?? hit.hop.statement?.spot ?? null} />,
    width: '18%',
  },
]

type ImpactProps = { of: string; name: string; state: ThingState; onChange: ThingChange }

export function Impact({ of, name, state, onChange }: ImpactProps) {
  const { change, verdict, page, view } = state
  const snapshot = useSnapshot()
  const query = useQuery(
    questions.impact({ of, change, ...(verdict ? { verdict } : {}), ...offsetOf(page), ...snapshot }),
  )
  return (
    <Stack gap="md" data-testid="impact" data-ready={query.isSuccess && !query.isPlaceholderData}>
      <Group justify="space-between">
        <SegmentedControl
          aria-label="What is done to the column"
          data-testid="change"
          value={change}
          data={CHANGES.map((each) => ({ value: each, label: CHANGE_WORDS[each] }))}
          onChange={(value) => onChange({ change: value as ThingState['change'], page: 1, verdict: undefined })}
        />
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="List or diagram"
            data-testid="impact-view"
            value={view}
            data={[
              { value: 'list', label: 'List' },
              { value: 'diagram', label: 'Diagram' },
            ]}
            onChange={(value) => onChange({ view: value as ThingState['view'] })}
          />
          <ExportHits of={of} name={name} change={change} verdict={verdict} />
        </Group>
      </Group>
      <Answered query={query}>
        {(answer) => (
          <>
            <NotUnderstood answer={answer} />
            <Verdicts answer={answer} chosen={verdict} onChoose={(next) => onChange({ verdict: next, page: 1 })} />
            {view === 'diagram' ? (
              <ImpactDiagram of={of} name={name} state={state} onChange={onChange} />
            ) : (
              <Hits answer={answer} page={page} onPage={(next) => onChange({ page: next })} />
            )}
          </>
        )}
      </Answered>
    </Stack>
  )
}

/** Statements that may use the column and were not understood: without them no answer is complete. */
function NotUnderstood({ answer }: { answer: ImpactAnswer }) {
  if (answer.not_understood_total === 0) return null
  const hidden = answer.not_understood_total - Math.min(answer.not_understood.length, LOST)
  return (
    <Alert
      color="yellow"
      title={`${counted(answer.not_understood_total, 'statement')} that may use this column ${answer.not_understood_total === 1 ? 'was' : 'were'} not understood`}
      data-testid="not-understood"
    >
      <Stack gap={4}>
        {answer.not_understood.slice(0, LOST).map((each) => (
          <Group key={`${each.spot?.script}:${each.spot?.line}:${each.code}`} gap="sm" fz="sm">
            <SpotLink spot={each.spot} />
            <Name cut={false}>{each.message}</Name>
          </Group>
        ))}
        {hidden > 0 ? <Text size="sm">and {counted(hidden, 'more statement')}</Text> : null}
      </Stack>
    </Alert>
  )
}

type Verdict = (typeof VERDICTS)[number]

function Verdicts({
  answer,
  chosen,
  onChoose,
}: {
  answer: ImpactAnswer
  chosen: Verdict | undefined
  onChoose: (verdict: Verdict | undefined) => void
}) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" role="group" aria-label="Verdicts">
      {VERDICTS.map((verdict) => (
        <UnstyledButton
          key={verdict}
          className="page-card page-verdict"
          data-verdict={verdict}
          data-testid={`verdict-${verdict}`}
          aria-pressed={chosen === verdict}
          onClick={() => onChoose(chosen === verdict ? undefined : verdict)}
        >
          <Text fz={26} fw={700} lh={1.2}>
            {count(answer.verdicts[verdict] ?? 0)}
          </Text>
          <Text size="sm">{SAID[verdict][answer.verdicts[verdict] === 1 ? 0 : 1]}</Text>
        </UnstyledButton>
      ))}
    </SimpleGrid>
  )
}

function Hits({ answer, page, onPage }: { answer: ImpactAnswer; page: number; onPage: (page: number) => void }) {
  if (answer.total === 0) {
    return answer.safe ? (
      <Nothing title="Nothing is hit">No other column of this store uses it.</Nothing>
    ) : (
      <Nothing title="Nothing that is known is hit">No statement that was understood uses it.</Nothing>
    )
  }
  return (
    <Stack gap="md">
      {answer.tables.length > 0 ? (
        <Group gap="6px 16px" aria-label="Tables that are hit" role="group">
          {answer.tables.slice(0, TABLES).map((each) => (
            <Group key={each.table.id} gap={6} wrap="nowrap" fz="sm" maw="100%" data-testid="impact-table">
              <SeverityBadge word={each.verdict} />
              <TableLink table={each.table} />
            </Group>
          ))}
          {answer.tables.length > TABLES ? (
            <Text size="sm" c="dimmed">
              and {counted(answer.tables.length - TABLES, 'more table')}
            </Text>
          ) : null}
        </Group>
      ) : null}
      <div>
        <PagedTable
          label="Columns that are hit"
          columns={COLUMNS}
          rows={answer.hits}
          keyOf={(hit) => hit.column.id}
          rowTestId="impact-hit"
          page={page}
          total={answer.total}
          onPage={onPage}
        />
      </div>
    </Stack>
  )
}

type Asked = { of: string; name: string; change: ThingState['change']; verdict: Verdict | undefined }

function ExportHits({ of, name, change, verdict }: Asked) {
  const client = useQueryClient()
  const snapshot = useSnapshot()
  const [failed, setFailed] = useState<Error | null>(null)
  const all = async (): Promise<HitThing[]> => {
    const hits: HitThing[] = []
    for (;;) {
      const question = { of, change, limit: MOST, offset: hits.length, ...(verdict ? { verdict } : {}), ...snapshot }
      const answer = await client.fetchQuery(questions.impact(question))
      hits.push(...answer.hits)
      if (answer.hits.length < MOST || hits.length >= answer.total) return hits
    }
  }
  const save = async (ending: 'csv' | 'json') => {
    setFailed(null)
    try {
      const hits = await all()
      const file = fileName(`impact-${change}-${name}`, ending)
      if (ending === 'json') download(file, JSON.stringify({ column: name, change, hits }, null, 2), 'application/json')
      else download(file, csv(HEAD, hits.map(rowOf)), 'text/csv;charset=utf-8')
    } catch (error) {
      setFailed(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return (
    <>
      {(['csv', 'json'] as const).map((ending) => (
        <Button
          key={ending}
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          data-testid={`impact-${ending}`}
          onClick={() => void save(ending)}
        >
          {ending.toUpperCase()}
        </Button>
      ))}
      {failed ? <Failed error={failed} /> : null}
    </>
  )
}

const HEAD = ['column', 'table', 'verdict', 'severity', 'reason', 'hops', 'file', 'line']

function rowOf(hit: HitThing): (string | number)[] {
  const spot = hit.hop.spot ?? hit.hop.statement?.spot
  const { column, verdict, severity, reason, distance } = hit
  return [column.name, column.table.name, verdict, severity, reason, distance, spot?.path ?? '', spot?.line ?? '']
}
