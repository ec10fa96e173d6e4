/** The address bar as a state: whoever reads it is told when it changes, also by the browser's back and forward. */
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  window.addEventListener('hashchange', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
    window.removeEventListener('hashchange', listener)
  }
}

/** What stands behind `?` and behind `#`. */
export function useAddress(): { query: string; fragment: string } {
  const query = useSyncExternalStore(subscribe, () => window.location.search)
  const fragment = useSyncExternalStore(subscribe, () => window.location.hash)
  return { query, fragment }
}

/** Changes the address: `push` leaves a step to go back to, `replace` does not. */
export function go(how: 'push' | 'replace', query: string, fragment: string): void {
  const hash = fragment.replace(/^#/, '')
  const address = `${window.location.pathname}${query}${hash && `#${hash}`}`
  if (address === `${window.location.pathname}${window.location.search}${window.location.hash}`) return
  if (how === 'push') window.history.pushState(window.history.state, '', address)
  else window.history.replaceState(window.history.state, '', address)
  for (const listener of listeners) listener()
}
