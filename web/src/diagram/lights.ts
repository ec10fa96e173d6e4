/**
 * Which parts of a diagram are lit, selected, or have the keyboard's focus; told to each part on its own, so that a pointer that moves over a
 * thousand columns draws only those that change.
 */
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Chain } from './chain'

/** `start` is what the chain is about; what is not on it says nothing, and fades by the style sheet as long as there is a chain. */
export type Look = 'start' | 'lit' | ''

/** Where the keyboard is: the row that Tab leads to, and whether the focus has to move there now. */
export type Walk = { readonly current: string | null; readonly isWalking: boolean }

export class Lights {
  private chain: Chain | null = null
  private start: string | null = null
  private selected: string | null = null
  private walk: Walk = { current: null, isWalking: false }
  private readonly listeners = new Set<() => void>()

  show(chain: Chain | null, start: string | null): void {
    this.chain = chain
    this.start = start
    this.tell()
  }

  stand(selected: string | null, walk: Walk): void {
    this.selected = selected
    this.walk = walk
    this.tell()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly shown = (): Chain | null => this.chain

  lookOf(ids: readonly string[]): Look {
    if (!this.chain) return ''
    if (this.start !== null && ids.includes(this.start)) return 'start'
    const { columns, entities, relations } = this.chain
    return ids.some((id) => columns.has(id) || entities.has(id) || relations.has(id)) ? 'lit' : ''
  }

  isSelected(id: string): boolean {
    return this.selected === id
  }

  isCurrent(id: string): boolean {
    return this.walk.current === id
  }

  wantsFocus(id: string): boolean {
    return this.walk.isWalking && this.walk.current === id
  }

  private tell(): void {
    for (const listener of this.listeners) listener()
  }
}

export const LightsContext = createContext(new Lights())

/** How what has one of these ids looks now. */
export function useLook(ids: readonly string[]): Look {
  const lights = useContext(LightsContext)
  return useSyncExternalStore(lights.subscribe, () => lights.lookOf(ids))
}

/** What is to be known of a row. */
export function useStanding(id: string): { isSelected: boolean; isCurrent: boolean; wantsFocus: boolean } {
  const lights = useContext(LightsContext)
  return {
    isSelected: useSyncExternalStore(lights.subscribe, () => lights.isSelected(id)),
    isCurrent: useSyncExternalStore(lights.subscribe, () => lights.isCurrent(id)),
    wantsFocus: useSyncExternalStore(lights.subscribe, () => lights.wantsFocus(id)),
  }
}
