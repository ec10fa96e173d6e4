/** Which parts of a diagram are lit, told to each part on its own: a pointer that moves over a thousand columns draws only those that change. */
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Chain } from './chain'

/** `start` is what the chain is about; all that is not on it fades; nothing is said where nothing is chosen. */
export type Look = 'start' | 'lit' | 'faded' | ''

export class Lights {
  private chain: Chain | null = null
  private start: string | null = null
  private readonly listeners = new Set<() => void>()

  show(chain: Chain | null, start: string | null): void {
    this.chain = chain
    this.start = start
    for (const listener of this.listeners) listener()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  lookOf(ids: readonly string[]): Look {
    if (!this.chain) return ''
    if (this.start !== null && ids.includes(this.start)) return 'start'
    const { columns, entities, relations } = this.chain
    return ids.some((id) => columns.has(id) || entities.has(id) || relations.has(id)) ? 'lit' : 'faded'
  }
}

export const LightsContext = createContext(new Lights())

/** How what has one of these ids looks now. */
export function useLook(ids: readonly string[]): Look {
  const lights = useContext(LightsContext)
  return useSyncExternalStore(lights.subscribe, () => lights.lookOf(ids))
}
