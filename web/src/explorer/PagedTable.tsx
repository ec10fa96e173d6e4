/** One page of a long list, and the way to its other pages; or what is said if the list is empty. */

import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { DataTable, type DataTableProps } from './DataTable'
import { Pager, type PagerProps } from './Pager'

type PagedTableProps<Row extends RowData> = DataTableProps<Row> & PagerProps & { nothing?: ReactNode }

export function PagedTable<Row extends RowData>({
  page,
  total,
  exact,
  onPage,
  nothing = null,
  ...table
}: PagedTableProps<Row>) {
  if (total === 0) return nothing
  return (
    <>
      <DataTable {...table} />
      <Pager page={page} total={total} exact={exact} onPage={onPage} />
    </>
  )
}
