/** The neighbourhood of something that changed, before and after in one: what came is green, what went is red. */

import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Failed, Waiting } from '../app/states'
import { DiagramView } from '../diagram'
import { differenceMarks, isOfOneSide } from './differences'
import { merge } from './merge'
import * as questions from './questions'
import { byId } from './reference'

const route = getRouteApi('/diff')
const MOST = 1000
const SETTINGS = { hideColumns: false, dataFlow: true, impact: true, join: false }

type DiffDiagramProps = {
  /** The name of what changed. */
  of: string
  before: string
  after: string
  /** The snapshot that has it for sure. */
  at: string
}

export function DiffDiagram({ of, before, after, at }: DiffDiagramProps) {
  const { sel } = route.useSearch()
  const stay = route.useNavigate()
  const navigate = useNavigate()
  const around = { of, upstream: 1, downstream: 1, flow: 'impact' as const, level: 'column' as const }
  const all = useQuery(questions.diff({ before, after, limit: MOST }))
  const sure = useQuery(questions.neighbourhood({ ...around, snapshot: at }))
  const isInBoth = all.data !== undefined && !isOfOneSide(of, all.data.items)
  const other = useQuery({
    ...questions.neighbourhood({ ...around, snapshot: at === after ? before : after }),
    enabled: isInBoth,
  })
  const diagram = useMemo(() => {
    if (!sure.data || (isInBoth && !other.data && !other.error)) return undefined
    return other.data ? merge(sure.data, [{ entity: '', diagram: other.data }]) : sure.data
  }, [sure.data, isInBoth, other.data, other.error])
  const marks = useMemo(
    () => (diagram && all.data ? differenceMarks(diagram, all.data.items) : undefined),
    [diagram, all.data],
  )
  if (sure.error) return <Failed error={sure.error} />
  if (!diagram || !marks) return <Waiting what="Comparing" />
  return (
    <Box className="page-canvas" style={{ height: '26rem' }}>
      <DiagramView
        diagram={diagram}
        settings={SETTINGS}
        selected={sel ?? null}
        marks={marks}
        onSelect={(id) =>
          stay({ search: (old) => ({ ...old, sel: id ?? undefined }), replace: true, resetScroll: false })
        }
        onOpen={(entity, column) =>
          void navigate(
            column === null
              ? { to: '/table', search: { of: byId(entity) } }
              : { to: '/column', search: { of: byId(column) } },
          )
        }
      />
    </Box>
  )
}
