/** The lines below the cards. Of many, only those are in the page that can be seen; if these are many still, all of a type are one shape. */
import { type ReactFlowState, useStore, ViewportPortal } from '@xyflow/react'
import { memo, useContext, useMemo, useSyncExternalStore } from 'react'
import { useActs } from './acts'
import { courseOf } from './curve'
import type { PlacedLine, Placement } from './layout'
import { LightsContext, useLook } from './lights'

const TYPES = ['fdd', 'fdr', 'join'] as const
/** Up to here each line is drawn, wherever it is. */
const FEW = 500
/** The view is looked at again when it has moved by this many pixels. */
const STEP = 400

export const LineLayer = memo(function LineLayer({ placement }: { placement: Placement }) {
  return (
    <ViewportPortal>
      <svg className="hw-lines" width={1} height={1} aria-hidden="true">
        <Arrows />
        {placement.lines.length <= FEW ? <Lines lines={placement.lines} /> : <ManyLines lines={placement.lines} />}
      </svg>
    </ViewportPortal>
  )
})

/** Those lines that cross what is seen, or its surroundings; as one if these are many, too. */
function ManyLines({ lines }: { lines: readonly PlacedLine[] }) {
  const seen = useStore(seenOf)
  const boxes = useMemo(() => lines.map(boxOf), [lines])
  const inView = useMemo(() => {
    const [left = 0, top = 0, right = 0, bottom = 0] = seen.split(' ').map(Number)
    return lines.filter((_, index) => {
      const box = boxes[index]
      return box && box.left < right && box.right > left && box.top < bottom && box.bottom > top
    })
  }, [lines, boxes, seen])
  return inView.length <= FEW ? <Lines lines={inView} /> : <LinesAsOne lines={inView} />
}

function Arrows() {
  return (
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
  )
}

function Lines({ lines }: { lines: readonly PlacedLine[] }) {
  return lines.map((line) => <DrawnLine key={line.id} line={line} />)
}

/** What is seen, with a margin, in steps: a string, so that it is the same as long as nothing has moved far. */
function seenOf({ transform: [x, y, zoom], width, height }: ReactFlowState): string {
  const step = STEP / zoom
  const [left, top] = [Math.floor(-x / zoom / step) * step, Math.floor(-y / zoom / step) * step]
  return [left - step, top - step, left + width / zoom + 2 * step, top + height / zoom + 2 * step].join(' ')
}

function boxOf({ points }: PlacedLine) {
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

/** One shape for all lines of a type, and the lit ones over it. */
function LinesAsOne({ lines }: { lines: readonly PlacedLine[] }) {
  const lights = useContext(LightsContext)
  const chain = useSyncExternalStore(lights.subscribe, lights.shown)
  const shapes = useMemo(
    () =>
      TYPES.map((type) => {
        const courses = lines.filter((line) => line.type === type).map(courseOf)
        return { type, course: courses.join('') }
      }).filter(({ course }) => course !== ''),
    [lines],
  )
  const lit = chain ? lines.filter((line) => line.relations.some((relation) => chain.relations.has(relation.id))) : []
  return (
    <>
      {shapes.map(({ type, course }) => (
        <g key={type} className={`hw-line hw-${type}`} data-look="" data-all>
          <path className="hw-stroke" d={course} />
        </g>
      ))}
      <Lines lines={lit} />
    </>
  )
}

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
