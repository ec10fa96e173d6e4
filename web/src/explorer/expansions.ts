/**
 * Which cards were expanded, as it stands in the URL: `u123` is upstream of the entity 123, `d123.2` two pages of what is downstream of it.
 */

import { words } from '../app/search'

export type Direction = 'upstream' | 'downstream'
export type Expanded = { entity: string; direction: Direction; pages: number }

/** Tables that one more page of an expansion brings. */
export const EXPANSION_PAGE = 20

const FORM = /^([ud])(-?\d+)(?:\.(\d{1,2}))?$/

export function expandedOf(list: string): Expanded[] {
  return words(list).flatMap((word) => {
    const found = FORM.exec(word)
    if (!found?.[2]) return []
    const direction = found[1] === 'u' ? 'upstream' : 'downstream'
    return [{ entity: found[2], direction, pages: Math.max(1, Number(found[3] ?? 1)) }]
  })
}

export function listOf(expanded: readonly Expanded[]): string {
  return expanded
    .map(
      ({ entity, direction, pages }) =>
        `${direction === 'upstream' ? 'u' : 'd'}${entity}${pages > 1 ? `.${pages}` : ''}`,
    )
    .join(',')
}

/** The list with one page more of what lies beyond a card. */
export function expand(list: string, entity: string, direction: Direction): string {
  const all = expandedOf(list)
  const known = all.find((each) => each.entity === entity && each.direction === direction)
  if (!known) return listOf([...all, { entity, direction, pages: 1 }])
  return listOf(all.map((each) => (each === known ? { ...each, pages: each.pages + 1 } : each)))
}

/** The list without what was expanded at a card. */
export function collapse(list: string, entity: string): string {
  return listOf(expandedOf(list).filter((each) => each.entity !== entity))
}
