/**
 * The graph around a column or a table. It begins with what it is about and what is next to that; what lies beyond is a number on a card,
 * and comes when somebody asks for it.
 */

import { Box, Group, Popover, Stack, Text, UnstyledButton } from '@mantine/core'
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import type { Diagram } from '../api/types'
import { words } from '../app/search'
import { Failed, Waiting } from '../app/states'
import { type DiagramHandle, type DiagramSettings, DiagramView, Legend, type Mark } from '../diagram'
import { ExportMenu } from './ExportMenu'
import { EXPANSION_PAGE, expand, expandedOf } from './expansions'
import { GraphControls } from './GraphControls'
import type { GraphChange, GraphState } from './graphState'
import { merge, without } from './merge'
import * as questions from './questions'
import { byId } from './reference'
import { SelectionPanel } from './SelectionPanel'
import { useSnapshot } from './snapshot'

type NeighbourhoodProps = {
  /** The id of what it is about. */
  of: string
  name: string
  state: GraphState
  onChange: GraphChange
  marks?: ReadonlyMap<string, Mark>
  /** Which snapshot it is of, if it is another than the page's. */
  at?: string
  height?: string
}

/** The answers to all expansions, and the first error of any. */
function together(results: UseQueryResult<Diagram>[]) {
  return {
    parts: results.map((each) => each.data),
    failed: results.find((each) => each.error)?.error ?? null,
  }
}

function useNeighbourhood(of: string, state: GraphState, at?: string) {
  const page = useSnapshot()
  const snapshot = at === undefined ? page : { snapshot: at }
  const { up, down, flow, level } = state
  const base = useQuery(questions.neighbourhood({ of, upstream: up, downstream: down, flow, level, ...snapshot }))
  const expanded = expandedOf(state.expanded)
  const { parts, failed } = useQueries({
    queries: expanded.map(({ entity, direction, pages }) =>
      questions.neighbourhood({
        of: byId(entity),
        upstream: direction === 'upstream' ? 1 : 0,
        downstream: direction === 'downstream' ? 1 : 0,
        flow,
        level,
        limit: Math.min(500, pages * EXPANSION_PAGE + 1),
        ...snapshot,
      }),
    ),
    combine: together,
  })
  const diagram = useMemo(() => {
    if (!base.data) return undefined
    const there = expandedOf(state.expanded).flatMap(({ entity }, at) => {
      const part = parts[at]
      return part ? [{ entity, diagram: part }] : []
    })
    return without(merge(base.data, there), new Set(words(state.hidden)))
  }, [base.data, state.expanded, state.hidden, parts])
  const error = base.error ?? failed
  return { diagram, error, refetch: base.refetch }
}

export function Neighbourhood({ of, name, state, onChange, marks, at, height }: NeighbourhoodProps) {
  const { diagram, error, refetch } = useNeighbourhood(of, state, at)
  const navigate = useNavigate()
  const handle = useRef<DiagramHandle>(null)
  const settings: DiagramSettings = useMemo(
    () => ({ hideColumns: state.hide, dataFlow: true, impact: state.flow === 'impact', join: state.flow === 'impact' }),
    [state.hide, state.flow],
  )
  const marked = useMemo(() => {
    const all = new Map<string, Mark>(diagram?.focus ? [[diagram.focus, 'focus']] : [])
    for (const [id, mark] of marks ?? []) all.set(id, mark)
    return all
  }, [diagram?.focus, marks])

  if (!diagram)
    return error ? <Failed error={error} again={() => void refetch()} /> : <Waiting what="Following the lineage" />
  const selected = state.sel ?? null
  const { up, down, flow, level } = state
  const direction = down === 0 ? 'upstream' : up === 0 ? 'downstream' : 'both'
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <GraphControls state={state} onChange={onChange} />
        <Group gap="xs">
          <Popover position="bottom-end" shadow="md" width={260}>
            <Popover.Target>
              <UnstyledButton fz="sm" c="dimmed" px={6} data-testid="legend">
                Legend
              </UnstyledButton>
            </Popover.Target>
            <Popover.Dropdown>
              <Legend diagram={diagram} marks={[...new Set(marked.values())]} />
            </Popover.Dropdown>
          </Popover>
          <ExportMenu
            name={name}
            diagram={diagram}
            handle={handle}
            question={{ of, direction, depth: Math.max(1, up, down), flow, level }}
          />
        </Group>
      </Group>
      {error ? <Failed error={error} /> : null}
      <Box className="page-graph" data-split={selected !== null}>
        <Box className="page-canvas" style={height ? { height } : undefined}>
          <DiagramView
            ref={handle}
            diagram={diagram}
            settings={settings}
            selected={selected}
            marks={marked}
            onSelect={(id) => onChange({ sel: id ?? undefined }, 'look')}
            onExpand={(entity, side) => onChange({ expanded: expand(state.expanded, entity, side) })}
            onOpen={(entity, column) =>
              void navigate(
                column === null
                  ? { to: '/table', search: { of: byId(entity) } }
                  : { to: '/column', search: { of: byId(column) } },
              )
            }
          />
        </Box>
        {selected === null ? null : (
          <SelectionPanel diagram={diagram} selected={selected} state={state} onChange={onChange} />
        )}
      </Box>
      {diagram.note ? (
        <Text size="xs" c="dimmed" role="note">
          {diagram.note}
        </Text>
      ) : null}
    </Stack>
  )
}
