/** A tag. */

import { Badge } from '@mantine/core'

export function TagBadge({ tag }: { tag: string }) {
  return (
    <Badge
      variant="light"
      color="grape"
      c="light-dark(var(--mantine-color-grape-9), var(--mantine-color-grape-2))"
      tt="none"
      radius="sm"
      maw={220}
    >
      <bdi>{tag}</bdi>
    </Badge>
  )
}
