/** Numbers with names as bars: a plot that can be read as a list. */

import { Box, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { count } from './numbers'

export type Bar = { key: string; label: ReactNode; value: number; color?: string }

export function Bars({
  label,
  bars,
  color = 'var(--mantine-color-water-5)',
}: {
  label: string
  bars: Bar[]
  color?: string
}) {
  const most = Math.max(1, ...bars.map((each) => each.value))
  return (
    <Stack component="ul" gap={10} p={0} m={0} aria-label={label} style={{ listStyle: 'none' }}>
      {bars.map((each) => (
        <li key={each.key}>
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <Box miw={0} fz="sm">
              {each.label}
            </Box>
            <Text size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {count(each.value)}
            </Text>
          </Group>
          <Box className="page-bar">
            <Box h="100%" w={`${(100 * each.value) / most}%`} bg={each.color ?? color} style={{ borderRadius: 3 }} />
          </Box>
        </li>
      ))}
    </Stack>
  )
}
