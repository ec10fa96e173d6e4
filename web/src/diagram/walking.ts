/** Where the keyboard goes next: up and down through a card's rows and on to its neighbour, left and right along lines. */
import { portAt } from './cards'
import type { PlacedCard, Placement } from './layout'

export type Step = 'up' | 'down' | 'left' | 'right' | 'first' | 'last'

/** The id that has the focus after a step; entities stand for their heads. */
export function stepFrom(placement: Placement, id: string | null, step: Step): string | null {
  const { cards } = placement
  const here = id === null ? undefined : cards.find((card) => rowsOf(card).includes(id))
  if (!here || id === null || step === 'first') return byPlace(cards)[0]?.entity.id ?? null
  if (step === 'last') return byPlace(cards).at(-1)?.entity.id ?? null
  if (step === 'up' || step === 'down') return alongRows(cards, here, id, step)
  return alongLines(placement, here, id, step) ?? towards(cards, here, step) ?? id
}

const rowsOf = (card: PlacedCard): string[] => [card.entity.id, ...card.columns.map((column) => column.id)]

const byPlace = (cards: readonly PlacedCard[]): PlacedCard[] => [...cards].sort((a, b) => a.x - b.x || a.y - b.y)

function alongRows(cards: readonly PlacedCard[], here: PlacedCard, id: string, step: 'up' | 'down'): string {
  const rows = rowsOf(here)
  const next = rows[rows.indexOf(id) + (step === 'up' ? -1 : 1)]
  if (next !== undefined) return next
  const isBeyond = (card: PlacedCard) => (step === 'up' ? card.y < here.y : card.y > here.y)
  const overlaps = (card: PlacedCard) => card.x < here.x + here.width && here.x < card.x + card.width
  const near = cards
    .filter((card) => isBeyond(card) && overlaps(card))
    .sort((a, b) => Math.abs(a.y - here.y) - Math.abs(b.y - here.y))[0]
  if (!near) return id
  return (step === 'up' ? rowsOf(near).at(-1) : undefined) ?? near.entity.id
}

/** The other end of the line that leaves or meets this row, the nearest one by height; of a head: of any of the card's lines. */
function alongLines(placement: Placement, here: PlacedCard, id: string, step: 'left' | 'right'): string | null {
  const isHead = id === here.entity.id
  const height = here.y + portAt(here, id)
  let best: { id: string; distance: number } | null = null
  for (const line of placement.lines) {
    if (line.type === 'join' || line.sourceEntity === line.targetEntity) continue
    const [own, ownEntity, other, otherEntity] =
      step === 'right'
        ? [line.source, line.sourceEntity, line.target, line.targetEntity]
        : [line.target, line.targetEntity, line.source, line.sourceEntity]
    if (isHead ? ownEntity !== id : own !== id) continue
    const end = step === 'right' ? line.points.at(-1) : line.points[0]
    const distance = Math.abs((end?.y ?? 0) - height)
    if (!best || distance < best.distance) best = { id: isHead ? otherEntity : other, distance }
  }
  return best?.id ?? null
}

function towards(cards: readonly PlacedCard[], here: PlacedCard, step: 'left' | 'right'): string | null {
  const isThere = (card: PlacedCard) =>
    step === 'left' ? card.x + card.width <= here.x : card.x >= here.x + here.width
  const distance = (card: PlacedCard) => Math.abs(card.x - here.x) + Math.abs(card.y - here.y)
  return cards.filter(isThere).sort((a, b) => distance(a) - distance(b))[0]?.entity.id ?? null
}
