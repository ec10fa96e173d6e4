/** Keys that work on every page, and what they do; the help lists the same ones. */

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

export const SHORTCUTS = [
  { keys: ['/'], does: 'Search' },
  { keys: ['Ctrl', 'K'], does: 'Search, also while typing' },
  { keys: ['g', 'o'], does: 'Go to the overview' },
  { keys: ['g', 't'], does: 'Go to the tables' },
  { keys: ['g', 'd'], does: 'Go to the diagnostics' },
  { keys: ['g', 'c'], does: 'Go to the coverage' },
  { keys: ['g', 'p'], does: 'Go to the playground' },
  { keys: ['?'], does: 'Show these keys' },
  { keys: ['Esc'], does: 'Close, or clear what is selected' },
] as const

/** Keys inside of a diagram. */
export const DIAGRAM_SHORTCUTS = [
  { keys: ['↑', '↓', '←', '→'], does: 'Walk between columns and cards' },
  { keys: ['Enter'], does: 'Select, and light up its chain' },
  { keys: ['o'], does: 'Open the page of a column or table' },
  { keys: ['+', '−'], does: 'Zoom' },
  { keys: ['f'], does: 'Fit everything into view' },
] as const

const GOES = { o: '/', t: '/tables', d: '/diagnostics', c: '/coverage', p: '/playground' } as const

/** Whether keys belong to what somebody types into. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

function isDestination(key: string): key is keyof typeof GOES {
  return key in GOES
}

/** Listens for the keys of every page. */
export function useShortcuts(focusSearch: () => void, showHelp: () => void): void {
  const navigate = useNavigate()
  const going = useRef(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPalette = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
      if (isPalette) {
        event.preventDefault()
        focusSearch()
        return
      }
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const wasGoing = going.current
      going.current = event.key === 'g'
      if (wasGoing && isDestination(event.key)) void navigate({ to: GOES[event.key] })
      else if (event.key === '/') {
        event.preventDefault()
        focusSearch()
      } else if (event.key === '?') showHelp()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [focusSearch, showHelp, navigate])
}
