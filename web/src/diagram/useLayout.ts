/** The placement of a diagram: the last one stays until the next is there. */
import { useEffect, useRef, useState } from 'react'
import { draftOf, type Placement } from './layout'
import { Layouts, Superseded } from './layouts'
import type { Diagram } from './types'

export type Laid = { readonly diagram: Diagram; readonly placement: Placement }

const EMPTY: Placement = { cards: [], lines: [], width: 0, height: 0 }

export function useLayout(diagram: Diagram): { laid: Laid | null; failed: string | null } {
  const [laid, setLaid] = useState<Laid | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const layouts = useRef<Layouts | null>(null)
  useEffect(() => () => layouts.current?.end(), [])
  useEffect(() => {
    layouts.current ??= new Layouts()
    let isWanted = true
    const placed = diagram.entities.length === 0 ? Promise.resolve(EMPTY) : layouts.current.of(draftOf(diagram))
    placed.then(
      (placement) => {
        if (!isWanted) return
        setFailed(null)
        setLaid({ diagram, placement })
      },
      (error: unknown) => {
        if (isWanted && !(error instanceof Superseded))
          setFailed(error instanceof Error ? error.message : String(error))
      },
    )
    return () => {
      isWanted = false
    }
  }, [diagram])
  return { laid, failed }
}
