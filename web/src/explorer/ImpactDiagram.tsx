/** What a change hits, marked in the graph below the column. */

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Answered } from '../app/states'
import type { Mark } from '../diagram'
import type { ThingChange, ThingState } from './graphState'
import { Neighbourhood } from './Neighbourhood'
import * as questions from './questions'
import type { ImpactAnswer } from './shapes'
import { useSnapshot } from './snapshot'

const MOST = 1000

function isMark(verdict: string): verdict is 'breaking' | 'maybe' | 'harmless' {
  return verdict === 'breaking' || verdict === 'maybe' || verdict === 'harmless'
}

/** A mark for each table and column that is hit. */
export function impactMarks({ tables, hits }: Pick<ImpactAnswer, 'tables' | 'hits'>): Map<string, Mark> {
  const marks = new Map<string, Mark>()
  for (const { table, verdict } of tables) if (isMark(verdict)) marks.set(table.id, verdict)
  for (const { column, verdict } of hits) if (isMark(verdict)) marks.set(column.id, verdict)
  return marks
}

type ImpactDiagramProps = { of: string; name: string; state: ThingState; onChange: ThingChange }

export function ImpactDiagram({ of, name, state, onChange }: ImpactDiagramProps) {
  const query = useQuery(questions.impact({ of, change: state.change, limit: MOST, ...useSnapshot() }))
  const marks = useMemo(() => (query.data ? impactMarks(query.data) : undefined), [query.data])
  return (
    <Answered query={query}>
      {() => (
        <Neighbourhood
          of={of}
          name={name}
          state={state}
          onChange={onChange}
          height="max(22rem, calc(100dvh - 27.5rem))"
          {...(marks ? { marks } : {})}
        />
      )}
    </Answered>
  )
}
