/** Names of things, as text of their own direction that is cut where it is too long, and links to their pages. */

import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageLink } from '../app/link'
import { KindIcon } from './kinds'
import { columnReference, tableReference } from './reference'
import type { ColumnThing, Spot, TableThing } from './shapes'
import { shownName } from './shownName'

/** A name: never anything but text. */
export function Name({ children, cut = true }: { children: string; cut?: boolean }) {
  const shown = shownName(children)
  return (
    <bdi className={cut ? 'page-cut' : 'page-name'} title={shown}>
      {shown}
    </bdi>
  )
}

function WithIcon({ kind, column, children }: { kind: string; column?: boolean; children: ReactNode }) {
  return (
    <Group gap={6} wrap="nowrap" component="span" display="inline-flex" maw="100%" miw={0}>
      <KindIcon kind={kind} column={column ?? false} />
      {children}
    </Group>
  )
}

export function TableLink({ table }: { table: TableThing }) {
  return (
    <WithIcon kind={table.kind}>
      <PageLink to="/table" search={{ of: tableReference(table) }} miw={0} inherit>
        <Name>{table.name}</Name>
      </PageLink>
    </WithIcon>
  )
}

export function ColumnLink({ column, short = false }: { column: ColumnThing; short?: boolean }) {
  const name = column.row_set ? `${short ? '' : `${column.table.name} `}«rows»` : short ? column.column : column.name
  return (
    <WithIcon kind={column.table.kind} column>
      <PageLink to="/column" search={{ of: columnReference(column) }} miw={0} inherit>
        <Name>{name}</Name>
      </PageLink>
    </WithIcon>
  )
}

/** The end of a path: where a file lies is told by its folder, more is seen on its page. */
export function shortPath(path: string): string {
  const parts = path.split('/')
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : path
}

/** A place in a script: `…/folder/file:line`. */
export function SpotLink({ spot }: { spot: Spot | null }) {
  if (!spot) {
    return (
      <Text c="dimmed" size="sm">
        –
      </Text>
    )
  }
  return (
    <PageLink
      to="/script"
      search={{ id: spot.script, line: spot.line }}
      size="sm"
      maw="100%"
      title={`${spot.path}:${spot.line}`}
    >
      <bdi className="page-cut">{`${shortPath(spot.path)}:${spot.line}`}</bdi>
    </PageLink>
  )
}
