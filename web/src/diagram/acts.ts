/** What the parts of a diagram tell the view, and what all of them know. */
import { createContext, useContext } from 'react'
import type { Scheme } from './palette'
import type { Direction, Mark } from './types'

export type Acts = {
  readonly scheme: Scheme
  readonly marks: ReadonlyMap<string, Mark>
  readonly names: ReadonlyMap<string, string>
  select(id: string): void
  hover(id: string | null): void
  open(entity: string, column: string | null): void
  focused(id: string): void
  expand: ((entity: string, direction: Direction) => void) | null
}

export const ActsContext = createContext<Acts | null>(null)

export function useActs(): Acts {
  const acts = useContext(ActsContext)
  if (!acts) throw new Error('A part of a diagram stands outside of its view.')
  return acts
}
