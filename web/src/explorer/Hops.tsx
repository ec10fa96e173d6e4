/** Relations between columns, step by step: how the one reaches the other, by which expression, and where that stands. */

import { Badge, Group, Stack, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { ColumnLink, SpotLink } from './links'
import type { HopThing } from './shapes'

const LONGEST = 400

/** An expression as it was written; a very long one is cut. */
export function Expression({ children }: { children: string }) {
  if (children === '') return null
  const shown = children.length > LONGEST ? `${children.slice(0, LONGEST)}…` : children
  return (
    <Text component="code" className="page-code" c="dimmed" display="block">
      {shown}
    </Text>
  )
}

/** What is to be known about a relation besides its ends. */
export function HopBadges({ hop }: { hop: Pick<HopThing, 'how' | 'masking' | 'candidate' | 'star'> }) {
  return (
    <Group gap={4} component="span">
      <Badge size="sm" variant="light" color="gray" c="dimmed" tt="none" radius="sm">
        {hop.how}
      </Badge>
      {hop.masking ? (
        <Badge size="sm" variant="outline" c="var(--mantine-color-text)" color="gray" tt="none" radius="sm">
          masked
        </Badge>
      ) : null}
      {hop.candidate ? (
        <Badge size="sm" variant="outline" c="var(--mantine-color-text)" color="yellow" tt="none" radius="sm">
          perhaps
        </Badge>
      ) : null}
      {hop.star ? (
        <Badge size="sm" variant="outline" c="var(--mantine-color-text)" color="gray" tt="none" radius="sm">
          through *
        </Badge>
      ) : null}
    </Group>
  )
}

export function Hop({ hop, ends = 'both' }: { hop: HopThing; ends?: 'both' | 'source' | 'target' }) {
  return (
    <Stack gap={2} component="li" py={6} data-testid="hop" className="page-hop">
      <Group gap={8} wrap="wrap" fz="sm">
        {ends === 'target' ? null : <ColumnLink column={hop.source} />}
        {ends === 'both' ? <IconArrowRight size={14} aria-label="to" role="img" /> : null}
        {ends === 'source' ? null : <ColumnLink column={hop.target} />}
        <HopBadges hop={hop} />
      </Group>
      <Expression>{hop.expression}</Expression>
      {hop.spot ? <SpotLink spot={hop.spot} /> : null}
    </Stack>
  )
}

export function Hops({
  label,
  hops,
  ends,
}: {
  label: string
  hops: readonly HopThing[]
  ends?: 'both' | 'source' | 'target'
}) {
  return (
    <Stack component="ul" gap={0} p={0} m={0} aria-label={label} style={{ listStyle: 'none' }}>
      {hops.map((hop, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hops have no name of their own, and their order stays
        <Hop key={at} hop={hop} {...(ends ? { ends } : {})} />
      ))}
    </Stack>
  )
}
