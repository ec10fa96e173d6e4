/** Two parts beside each other, with a bar between them that moves; above each other where there is no room. */
import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'

const LEAST = 15
const MOST = 80
const STEP = 4

/** Percent of the width that the first part has. */
export const USUAL_WIDTH = 38

export const limited = (percent: number): number => Math.min(MOST, Math.max(LEAST, percent))

type SplitProps = {
  first: ReactNode
  second: ReactNode
  label: string
  percent: number
  onPercent: (percent: number) => void
}

export function Split({ first, second, label, percent: settled, onPercent }: SplitProps) {
  /** While it is pulled. */
  const [pulled, setPulled] = useState<number | null>(null)
  const percent = pulled ?? settled
  const whole = useRef<HTMLDivElement>(null)
  const move = (event: PointerEvent) => {
    const box = whole.current?.getBoundingClientRect()
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    setPulled(Math.round(limited((100 * (event.clientX - box.left)) / box.width)))
  }
  const drop = () => {
    if (pulled !== null) onPercent(pulled)
    setPulled(null)
  }
  const press = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -STEP : event.key === 'ArrowRight' ? STEP : 0
    if (by === 0) return
    event.preventDefault()
    onPercent(limited(percent + by))
  }
  return (
    <div ref={whole} className="hw-split" style={{ '--hw-split': `${percent}%` } as CSSProperties}>
      <div className="hw-split-first">{first}</div>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved */}
      <div
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation="vertical"
        aria-valuenow={percent}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        className="hw-split-bar"
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={move}
        onPointerUp={drop}
        onPointerCancel={drop}
        onKeyDown={press}
      />
      <div className="hw-split-second">{second}</div>
    </div>
  )
}
