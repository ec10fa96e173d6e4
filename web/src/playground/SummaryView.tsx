/** How many tables, columns, relations and statements there are, by kind. */
import { Table, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { AnalyzeAnswer } from '../api/types'
import { summaryOf, totalOf } from './summary'

export function SummaryView({ answer }: { answer: AnalyzeAnswer }) {
  const groups = useMemo(() => summaryOf(answer), [answer])
  return (
    <div className="hw-summary" data-testid="summary">
      {groups.map((group) => (
        <Table key={group.key} aria-label={group.title} data-testid={`summary-${group.key}`} withRowBorders={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{group.title}</Table.Th>
              <Table.Th scope="col" ta="right">
                {totalOf(group)}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {group.rows.map((row) => (
              <Table.Tr key={row.label}>
                <Table.Td>
                  <Text span c="dimmed">
                    {row.label}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">{row.count}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      ))}
    </div>
  )
}
