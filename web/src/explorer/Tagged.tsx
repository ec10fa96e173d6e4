/** The tags of a table's columns or of a column: who says so, and the way that proves it. */

import { Group, Stack, Text } from '@mantine/core'
import { Nothing } from '../app/states'
import { ColumnLink } from './links'
import type { TagThing } from './shapes'
import { TagBadge } from './TagBadge'
import { TagProof } from './TagProof'

export function Tagged({ tags, of }: { tags: readonly TagThing[]; of?: string }) {
  if (tags.length === 0) return <Nothing title="No tags">Nobody tagged it, and no tagged data flows into it.</Nothing>
  return (
    <Stack component="ul" gap={0} p={0} m={0} style={{ listStyle: 'none' }}>
      {tags.map(({ tag, own, origin, said }) => (
        <Stack component="li" key={`${tag}:${origin.id}`} gap={4} py={8} className="page-hop" data-testid="tag">
          <Group gap="sm" fz="sm">
            <TagBadge tag={tag} />
            {own ? <span>said of</span> : <span>flows here from</span>}
            <ColumnLink column={origin} />
          </Group>
          {said.map((each) => (
            <Text key={each} size="sm" c="dimmed">
              {each}
            </Text>
          ))}
          {!own && of ? <TagProof of={of} tag={tag} /> : null}
        </Stack>
      ))}
    </Stack>
  )
}
