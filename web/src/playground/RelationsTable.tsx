/** The relations as a table: sorted, filtered, and only as many rows in the page as are seen. */
import { Text, TextInput } from '@mantine/core'
import {
  columnFilteringFeature,
  createColumnHelper,
  createFilteredRowModel,
  createSortedRowModel,
  filterFn_includesString,
  globalFilteringFeature,
  rowSortingFeature,
  type SortingState,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import type { Diagram } from '../api/types'
import { type RelationRow, rowsOf } from './relationRows'

const features = tableFeatures({
  columnFilteringFeature,
  globalFilteringFeature,
  rowSortingFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
  filterFns: { includesString: filterFn_includesString },
  sortFns: { alphanumeric: sortFn_alphanumeric },
})

const helper = createColumnHelper<typeof features, RelationRow>()
const COLUMNS = helper.columns([
  helper.accessor('source', { header: 'Source', sortFn: 'alphanumeric' }),
  helper.accessor('target', { header: 'Target', sortFn: 'alphanumeric' }),
  helper.accessor('type', { header: 'Type', sortFn: 'alphanumeric' }),
  helper.accessor('kind', { header: 'Kind', sortFn: 'alphanumeric' }),
  helper.accessor('expression', { header: 'Expression', sortFn: 'alphanumeric' }),
  helper.accessor('statement', { header: 'Statement', sortFn: 'alphanumeric' }),
  helper.accessor('line', { header: 'Line' }),
])

const ROW_HEIGHT = 32

type Props = { diagram: Diagram; selected: string | null; onSelect: (id: string) => void }

export function RelationsTable({ diagram, selected, onSelect }: Props) {
  const data = useMemo(() => rowsOf(diagram), [diagram])
  const [sorting, setSorting] = useState<SortingState>([])
  const [filter, setFilter] = useState('')
  const [current, setCurrent] = useState(0)
  const table = useTable({
    features,
    columns: COLUMNS,
    data,
    state: { sorting, globalFilter: filter },
    onSortingChange: setSorting,
    onGlobalFilterChange: setFilter,
    globalFilterFn: 'includesString',
    getColumnCanGlobalFilter: () => true,
    getRowId: (row) => row.id,
  })
  const { rows } = table.getRowModel()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    initialRect: { width: 800, height: 600 },
  })
  const tabStop = Math.min(current, rows.length - 1)

  const press = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const row = rows[tabStop]
    if (by !== 0) {
      const next = Math.min(rows.length - 1, Math.max(0, tabStop + by))
      setCurrent(next)
      virtual.scrollToIndex(next)
      scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus()
    } else if ((event.key === 'Enter' || event.key === ' ') && row && isRow(event.target)) onSelect(row.original.id)
    else return
    event.preventDefault()
  }

  return (
    <div className="hw-relations" data-testid="relations">
      <div className="hw-relations-bar">
        <TextInput
          size="xs"
          aria-label="Filter the relations"
          placeholder="Filter"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <Text size="xs" c="dimmed" role="status">
          {rows.length === data.length ? `${data.length} relations` : `${rows.length} of ${data.length} relations`}
        </Text>
      </div>
      <div ref={scroller} className="hw-grid">
        <table aria-label="Relations" aria-rowcount={rows.length + 1} onKeyDown={press}>
          <thead>
            <tr aria-rowindex={1}>
              {table.getFlatHeaders().map((header) => {
                const order = header.column.getIsSorted()
                return (
                  <th key={header.id} scope="col" aria-sort={order ? `${order}ending` : 'none'}>
                    <button type="button" className="hw-grid-sort" onClick={header.column.getToggleSortingHandler()}>
                      {String(header.column.columnDef.header)}
                      <span aria-hidden="true">{order === 'asc' ? ' ↑' : order === 'desc' ? ' ↓' : ''}</span>
                    </button>
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index]
              if (!row) return null
              return (
                <tr
                  key={row.id}
                  data-index={item.index}
                  data-testid="relation-row"
                  aria-rowindex={item.index + 2}
                  aria-current={row.original.id === selected}
                  tabIndex={item.index === tabStop ? 0 : -1}
                  style={{ transform: `translateY(${item.start}px)` }}
                  onFocus={() => setCurrent(item.index)}
                  onClick={() => onSelect(row.original.id)}
                >
                  {row.getAllCells().map((cell) => (
                    <td key={cell.id} title={String(cell.getValue() ?? '')}>
                      <bdi>{String(cell.getValue() ?? '').slice(0, 300)}</bdi>
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </div>
  )
}

const isRow = (target: EventTarget): boolean => target instanceof HTMLTableRowElement
