/** Where in a list one is, and the way to its other pages. */

import { Group, Pagination, Text } from '@mantine/core'
import { PAGE_SIZE } from '../app/search'
import { count } from './numbers'

export function offsetOf(page: number): { limit: number; offset: number } {
  return { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }
}

export type PagerProps = { page: number; total: number; exact?: boolean | undefined; onPage: (page: number) => void }

export function Pager({ page, total, exact = true, onPage }: PagerProps) {
  const pages = Math.ceil(total / PAGE_SIZE)
  const first = Math.min(total, (page - 1) * PAGE_SIZE + 1)
  const last = Math.min(total, page * PAGE_SIZE)
  return (
    <Group justify="space-between" mt="sm" gap="sm">
      <Text size="sm" c="dimmed" data-testid="total" data-total={total}>
        {pages > 1 ? `${count(first)}–${count(last)} of ` : ''}
        {exact ? '' : 'at least '}
        {count(total)}
        {pages > 1 ? '' : ' altogether'}
      </Text>
      {pages > 1 ? (
        <Pagination
          value={page}
          total={pages}
          onChange={onPage}
          size="sm"
          aria-label="Pages of the list"
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
        />
      ) : null}
    </Group>
  )
}
