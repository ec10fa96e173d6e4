/** What part of a diagram is seen. */
import type { Placement, Point } from './layout'

export type Size = { readonly width: number; readonly height: number }
export type Viewport = Point & { readonly zoom: number }

const MARGIN = 28
const LARGEST = 1.15
export const SMALLEST = 0.02
/** Zoomed out beyond this, nobody can read a row: only heads are drawn, larger. */
export const FAR = 0.4
/** A first look is not smaller than this, even if it does not show everything. */
export const READABLE = 0.7

/** Everything, as large as it fits; with a `least` zoom the beginning of it, or what stands around a card. */
export function fitted(placement: Placement, size: Size, least = SMALLEST, around: string | null = null): Viewport {
  const { width, height } = placement
  const wanted = Math.min((size.width - 2 * MARGIN) / width, (size.height - 2 * MARGIN) / height)
  const zoom = Math.min(LARGEST, Math.max(least, wanted))
  const card = around === null ? undefined : placement.cards.find((each) => each.entity.id === around)
  const along = (whole: number, seen: number, middle: number | undefined): number => {
    if (whole * zoom <= seen - MARGIN) return (seen - whole * zoom) / 2
    if (middle === undefined) return MARGIN
    return Math.min(MARGIN, Math.max(seen - whole * zoom - MARGIN, seen / 2 - middle * zoom))
  }
  return {
    x: along(width, size.width, card && card.x + card.width / 2),
    y: along(height, size.height, card && card.y + card.height / 2),
    zoom,
  }
}

/** The same view of another placement: the card that stays nearest to the middle, or a given one, does not move on the screen. */
export function anchored(
  before: Placement,
  now: Placement,
  view: Viewport,
  size: Size,
  card: string | null,
): Viewport | null {
  const after = new Map(now.cards.map((each) => [each.entity.id, each]))
  const middle = { x: (size.width / 2 - view.x) / view.zoom, y: (size.height / 2 - view.y) / view.zoom }
  const distance = (each: Point) => Math.hypot(each.x - middle.x, each.y - middle.y)
  const staying = before.cards.filter((each) => after.has(each.entity.id))
  const anchor = staying.find((each) => each.entity.id === card) ?? staying.sort((a, b) => distance(a) - distance(b))[0]
  const moved = anchor && after.get(anchor.entity.id)
  if (!anchor || !moved) return null
  return {
    x: view.x + (anchor.x - moved.x) * view.zoom,
    y: view.y + (anchor.y - moved.y) * view.zoom,
    zoom: view.zoom,
  }
}

/** The view moved as little as it takes to have a card's row in it. */
export function revealing(placement: Placement, view: Viewport, size: Size, id: string): Viewport {
  const card = placement.cards.find((each) => each.entity.id === id || each.columns.some((column) => column.id === id))
  if (!card) return view
  const along = (start: number, length: number, offset: number, seen: number): number => {
    const from = start * view.zoom + offset
    const to = from + length * view.zoom
    if (from < MARGIN) return offset + MARGIN - from
    if (to > seen - MARGIN) return offset - Math.min(to - seen + MARGIN, from - MARGIN)
    return offset
  }
  return {
    x: along(card.x, card.width, view.x, size.width),
    y: along(card.y, Math.min(card.height, size.height / view.zoom - 2 * MARGIN), view.y, size.height),
    zoom: view.zoom,
  }
}
