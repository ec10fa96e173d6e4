/** Two parts beside each other, with a bar between them that moves; above each other where there is no room. */
import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'

const LEAST = 15
const MOST = 80
const STEP = 4

const limited = (percent: number): number => Math.min(MOST, Math.max(LEAST, percent))

export function Split({ first, second, label }: { first: ReactNode; second: ReactNode; label: string }) {
  const [percent, setPercent] = useState(38)
  const whole = useRef<HTMLDivElement>(null)
  const move = (event: PointerEvent) => {
    const box = whole.current?.getBoundingClientRect()
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    setPercent(limited((100 * (event.clientX - box.left)) / box.width))
  }
  const press = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -STEP : event.key === 'ArrowRight' ? STEP : 0
    if (by === 0) return
    event.preventDefault()
    setPercent((before) => limited(before + by))
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
        aria-valuenow={Math.round(percent)}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        className="hw-split-bar"
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={move}
        onKeyDown={press}
      />
      <div className="hw-split-second">{second}</div>
    </div>
  )
}
