/** The placement of a diagram: the last one stays until the next is there. */
import { useEffect, useRef, useState } from 'react'
import { type Draft, draftOf, type Placement } from './layout'
import { Layouts, Superseded } from './layouts'
import { quickPlacement } from './quick'
import type { Diagram } from './types'

export type Laid = { readonly diagram: Diagram; readonly placement: Placement }

const EMPTY: Placement = { cards: [], lines: [], width: 0, height: 0 }

/** Beyond this many cards, the quicker layout: ELK would take many seconds. */
const MANY_CARDS = 150

async function placementOf(draft: Draft, layouts: Layouts): Promise<Placement> {
  if (draft.cards.length === 0) return EMPTY
  return draft.cards.length > MANY_CARDS ? quickPlacement(draft) : layouts.of(draft)
}

export function useLayout(diagram: Diagram): { laid: Laid | null; failed: string | null } {
  const [laid, setLaid] = useState<Laid | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const layouts = useRef<Layouts | null>(null)
  useEffect(() => () => layouts.current?.end(), [])
  useEffect(() => {
    layouts.current ??= new Layouts()
    let isWanted = true
    const placed = placementOf(draftOf(diagram), layouts.current)
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
