/** The lines below the cards. */
import { ViewportPortal } from '@xyflow/react'
import { memo, useMemo } from 'react'
import { useActs } from './acts'
import { courseOf } from './curve'
import type { PlacedLine, Placement } from './layout'
import { useLook } from './lights'

const TYPES = ['fdd', 'fdr', 'join'] as const

export const LineLayer = memo(function LineLayer({ placement }: { placement: Placement }) {
  return (
    <ViewportPortal>
      <svg className="hw-lines" width={1} height={1} aria-hidden="true">
        <defs>
          {TYPES.map((type) => (
            <marker
              key={type}
              id={`hw-arrow-${type}`}
              className={`hw-arrow hw-${type}`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 0.5L8 4L0 7.5z" />
            </marker>
          ))}
        </defs>
        {placement.lines.map((line) => (
          <DrawnLine key={line.id} line={line} />
        ))}
      </svg>
    </ViewportPortal>
  )
})

const DrawnLine = memo(function DrawnLine({ line }: { line: PlacedLine }) {
  const { marks, names, select, hover } = useActs()
  const ids = useMemo(() => line.relations.map((relation) => relation.id), [line])
  const look = useLook(ids)
  const course = useMemo(() => courseOf(line), [line])
  const mark = ids.map((id) => marks.get(id)).find(Boolean)
  return (
    <g
      className={`hw-line hw-${line.type}`}
      data-look={look}
      data-mark={mark}
      data-relation={line.type}
      data-source={names.get(line.source)}
      data-target={names.get(line.target)}
      data-masking={line.relations.some((relation) => relation.masking) || undefined}
      data-candidate={line.relations.every((relation) => relation.candidate) || undefined}
    >
      <path
        className="hw-stroke"
        d={course}
        markerEnd={line.type === 'join' ? undefined : `url(#hw-arrow-${line.type})`}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: relations have rows of their own in tables and panels */}
      <path
        className="hw-hit"
        d={course}
        onClick={() => select(line.id)}
        onPointerEnter={() => hover(line.id)}
        onPointerLeave={() => hover(null)}
      />
    </g>
  )
})
