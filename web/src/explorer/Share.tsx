/** How much of something is understood, as a ring and in words. */

import { Group, RingProgress, Stack, Text } from '@mantine/core'
import { count, percent } from './numbers'

export function Share({ label, part, whole }: { label: string; part: number; whole: number }) {
  const share = percent(part, whole)
  return (
    <Group gap="md" wrap="nowrap">
      <RingProgress
        size={92}
        thickness={8}
        roundCaps
        sections={[{ value: share, color: share >= 90 ? 'water.6' : share >= 70 ? 'yellow.6' : 'red.6' }]}
        label={
          <Text ta="center" fw={700} size="xs">
            {share}%
          </Text>
        }
        role="img"
        aria-label={`${label}: ${share} percent`}
      />
      <Stack gap={0}>
        <Text fw={600}>{label}</Text>
        <Text size="sm" c="dimmed">
          {count(part)} of {count(whole)}
        </Text>
      </Stack>
    </Group>
  )
}
