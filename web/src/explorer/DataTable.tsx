/** A list as a table: only the rows in view are drawn, so that long ones stay quick. */

import { createColumnHelper, type RowData, tableFeatures, useTable } from '@tanstack/react-table'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

const features = tableFeatures({})
/** The height of a row of one line, as the style has it: else the page would grow while one scrolls, and the pager run away. */
const ROW = 41
const BEYOND = 12

/** A column of a list: what its head says, and what its cells show. */
export type ListColumn<Row> = {
  id: string
  head: string
  cell: (row: Row) => ReactNode
  number?: boolean
  /** A CSS width; the rest is shared. */
  width?: string
}

export type DataTableProps<Row extends RowData> = {
  /** What the table is a list of. */
  label: string
  columns: readonly ListColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row, at: number) => string
  /** The hook of its rows for tests. */
  rowTestId?: string
  /** What stands below a row, over its whole width. */
  below?: (row: Row) => ReactNode
}

export function DataTable<Row extends RowData>({ label, columns, rows, keyOf, rowTestId, below }: DataTableProps<Row>) {
  const helper = createColumnHelper<typeof features, Row>()
  const table = useTable({
    features,
    data: rows,
    columns: columns.map(({ id, head, cell }) =>
      helper.display({ id, header: head, cell: ({ row }) => cell(row.original) }),
    ),
    getRowId: keyOf,
  })
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    if (body.current) setTop(body.current.getBoundingClientRect().top + window.scrollY)
  }, [])
  const lines = table.getRowModel().rows
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => ROW,
    overscan: BEYOND,
    scrollMargin: top,
  })
  const shown = virtual.getVirtualItems()
  const before = (shown[0]?.start ?? top) - top
  const behind = virtual.getTotalSize() - ((shown.at(-1)?.end ?? top) - top)
  const styles = new Map(columns.map((each) => [each.id, each]))

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
    <section className="page-scroll-x" aria-label={label} tabIndex={0}>
      <table className="page-table" aria-rowcount={lines.length + 1} aria-label={label}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} aria-rowindex={1}>
              {group.headers.map((header) => (
                <th
                  key={header.id}
                  scope="col"
                  className={styles.get(header.id)?.number ? 'page-number' : undefined}
                  style={{ width: styles.get(header.id)?.width }}
                >
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody ref={body}>
          {before > 0 ? <tr aria-hidden style={{ height: before }} /> : null}
          {shown.map(({ index, key }) => {
            const line = lines[index]
            if (!line) return null
            const more = below?.(line.original)
            return [
              <tr
                key={key}
                ref={more ? undefined : virtual.measureElement}
                data-index={index}
                data-testid={rowTestId}
                aria-rowindex={index + 2}
              >
                {line.getAllCells().map((cell) => (
                  <td key={cell.id} className={styles.get(cell.column.id)?.number ? 'page-number' : 'page-cell'}>
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
              </tr>,
              more ? (
                <tr key={`${key}-below`}>
                  <td colSpan={columns.length}>{more}</td>
                </tr>
              ) : null,
            ]
          })}
          {behind > 0 ? <tr aria-hidden style={{ height: behind }} /> : null}
        </tbody>
      </table>
    </section>
  )
}
