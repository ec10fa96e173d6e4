/** Which snapshot of the store is looked at. */

import { NativeSelect } from '@mantine/core'
import { getRouteApi, rootRouteId, useNavigate } from '@tanstack/react-router'
import { timeOf } from '../explorer/numbers'
import type { StoreThing } from '../explorer/shapes'

const root = getRouteApi(rootRouteId)

export function SnapshotChoice({ store }: { store: StoreThing }) {
  const { at } = root.useSearch()
  const navigate = useNavigate()
  const current = store.snapshots.find((each) => each.current)?.name ?? store.snapshot
  const choices = store.snapshots.map(({ name, time, current: isCurrent }) => ({
    value: name,
    label: isCurrent ? `Now (${timeOf(time)})` : timeOf(time),
  }))
  return (
    <NativeSelect
      size="xs"
      w={190}
      aria-label="Snapshot"
      title="Which state of the store is shown"
      data-testid="snapshot"
      data={choices}
      value={at ?? current}
      onChange={(event) => {
        const chosen = event.currentTarget.value
        void navigate({ to: '.', search: (old) => ({ ...old, at: chosen === current ? undefined : chosen }) })
      }}
    />
  )
}
