/** What lies upstream or downstream, nearest first, as a list. */

import { Group, NumberInput, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Answered, Nothing } from '../app/states'
import type { ListColumn } from './DataTable'
import { FilterInput } from './FilterInput'
import type { ThingChange, ThingState } from './graphState'
import { kindName } from './kinds'
import { ColumnLink, Name, TableLink } from './links'
import { count } from './numbers'
import { PagedTable } from './PagedTable'
import { offsetOf } from './Pager'
import * as questions from './questions'
import type { ReachedThing } from './shapes'
import { useSnapshot } from './snapshot'

const COLUMNS: ListColumn<ReachedThing>[] = [
  {
    id: 'name',
    head: 'Name',
    width: '60%',
    cell: ({ column, table }) => (column ? <ColumnLink column={column} /> : <TableLink table={table} />),
  },
  { id: 'kind', head: 'Kind', cell: ({ table }) => kindName(table.kind) },
  { id: 'type', head: 'Type', cell: ({ column }) => <Name>{column?.data_type ?? ''}</Name> },
  { id: 'distance', head: 'Hops', cell: ({ distance }) => count(distance), number: true },
]

type ReachedProps = { of: string; direction: 'upstream' | 'downstream'; state: ThingState; onChange: ThingChange }

export function Reached({ of, direction, state, onChange }: ReachedProps) {
  const { depth, flow, level, like, page } = state
  const query = useQuery(
    (direction === 'upstream' ? questions.upstream : questions.downstream)({
      of,
      flow,
      level,
      ...(depth === undefined ? {} : { depth }),
      ...(like ? { like } : {}),
      ...offsetOf(page),
      ...useSnapshot(),
    }),
  )
  return (
    <div data-testid={`list-${direction}`} data-ready={query.isSuccess && !query.isPlaceholderData}>
      <Group mb="sm" gap="md">
        <FilterInput
          label="Filter by name"
          value={like}
          onFilter={(value) => onChange({ like: value, page: 1 }, 'look')}
        />
        <NumberInput
          aria-label="How many hops far"
          placeholder="all hops"
          w={130}
          min={1}
          max={1000}
          suffix=" hops"
          allowDecimal={false}
          value={depth ?? ''}
          data-testid="depth"
          onChange={(value) =>
            onChange({ depth: typeof value === 'number' && value > 0 ? value : undefined, page: 1 }, 'look')
          }
        />
        <SegmentedControl
          aria-label="What is followed"
          value={flow}
          data={[
            { value: 'data', label: 'Data flow' },
            { value: 'impact', label: 'With influence' },
          ]}
          onChange={(value) => onChange({ flow: value as ThingState['flow'], page: 1 })}
        />
        <SegmentedControl
          aria-label="Level"
          value={level}
          data={[
            { value: 'column', label: 'Columns' },
            { value: 'table', label: 'Tables' },
          ]}
          onChange={(value) => onChange({ level: value as ThingState['level'], page: 1 })}
        />
      </Group>
      <Answered query={query}>
        {({ items, total }) => (
          <PagedTable
            label={direction === 'upstream' ? 'Upstream' : 'Downstream'}
            columns={COLUMNS}
            rows={items}
            keyOf={({ column, table }) => column?.id ?? table.id}
            rowTestId="reached-row"
            page={page}
            total={total}
            onPage={(next) => onChange({ page: next })}
            nothing={
              <Nothing title={direction === 'upstream' ? 'Nothing lies upstream' : 'Nothing lies downstream'}>
                {like || depth
                  ? 'Or the filter and the depth leave nothing: clear them.'
                  : flow === 'data'
                    ? 'No data flows here. What only influences it is shown with influence.'
                    : 'Nothing in this store has to do with it.'}
              </Nothing>
            }
          />
        )}
      </Answered>
    </div>
  )
}
