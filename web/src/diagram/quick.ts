/**
 * The layout of many cards at once, in a fraction of a second: layers from left to right, each ordered by its neighbours.
 *
 * A layer that would be far taller than the whole is wide stands in several columns; cards that nothing connects stand in rows below. Lines go
 * straight from card to card: among hundreds of cards nobody follows one through the gaps, but lights it up.
 */
import { type Draft, ends, isFlow, type PlacedCard, type Placement } from './layout'

const BETWEEN_CARDS = 16
const BETWEEN_COLUMNS = 24
const BETWEEN_LAYERS = 110
const SWEEPS = 6
/** How much wider than tall the whole should be. */
const ASPECT = 1.6

type Graph = { readonly into: number[][]; readonly outOf: number[][] }

export function quickPlacement(draft: Draft): Placement {
  const graph = graphOf(draft)
  const isJoined = (card: number) => (graph.into[card]?.length ?? 0) + (graph.outOf[card]?.length ?? 0) > 0
  const numbers = draft.cards.map((_, index) => index)
  const joined = numbers.filter(isJoined)
  const layers = ordered(layersOf(graph, joined), graph)
  const places: { x: number; y: number }[] = draft.cards.map(() => ({ x: 0, y: 0 }))
  const size = placeLayers(draft, layers, places, joined.length)
  const whole = placeRows(
    draft,
    numbers.filter((card) => !isJoined(card)),
    places,
    size,
  )
  const cards: PlacedCard[] = draft.cards.map((card, index) => ({ ...card, ...(places[index] ?? { x: 0, y: 0 }) }))
  const byEntity = new Map(cards.map((card) => [card.entity.id, card]))
  const lines = draft.lines.flatMap((line) => {
    const source = byEntity.get(line.sourceEntity)
    const target = byEntity.get(line.targetEntity)
    return source && target ? [{ ...line, points: ends(source, target, line) }] : []
  })
  return { cards, lines, ...whole }
}

/** Who is next to whom, without the ways that would lead back to where they came from. */
function graphOf(draft: Draft): Graph {
  const numbers = new Map(draft.cards.map((card, index) => [card.entity.id, index]))
  const next: Set<number>[] = draft.cards.map(() => new Set())
  for (const line of draft.lines) {
    const source = numbers.get(line.sourceEntity)
    const target = numbers.get(line.targetEntity)
    if (isFlow(line) && source !== undefined && target !== undefined) next[source]?.add(target)
  }
  const into: number[][] = draft.cards.map(() => [])
  const outOf: number[][] = draft.cards.map(() => [])
  const order = new Map(topological(next).map((card, index) => [card, index]))
  for (const [source, targets] of next.entries()) {
    for (const target of targets) {
      const isBack = (order.get(source) ?? 0) > (order.get(target) ?? 0)
      outOf[isBack ? target : source]?.push(isBack ? source : target)
      into[isBack ? source : target]?.push(isBack ? target : source)
    }
  }
  return { into, outOf }
}

/** All cards, each after those that lead to it; where ways go round in circles, as they were met. */
function topological(next: readonly ReadonlySet<number>[]): number[] {
  const done: number[] = []
  const seen = new Set<number>()
  for (const start of next.keys()) {
    if (seen.has(start)) continue
    seen.add(start)
    const walk = [{ card: start, rest: [...(next[start] ?? [])] }]
    for (let step = walk.at(-1); step; step = walk.at(-1)) {
      const following = step.rest.pop()
      if (following === undefined) {
        done.push(step.card)
        walk.pop()
      } else if (!seen.has(following)) {
        seen.add(following)
        walk.push({ card: following, rest: [...(next[following] ?? [])] })
      }
    }
  }
  return done.reverse()
}

/** Each card behind all that lead to it; those that nothing leads to, right before the first that they lead to. */
function layersOf({ into, outOf }: Graph, joined: readonly number[]): number[][] {
  const rank = new Map<number, number>()
  const waiting = new Map(joined.map((card) => [card, into[card]?.length ?? 0]))
  const pending = joined.filter((card) => waiting.get(card) === 0)
  for (let card = pending.pop(); card !== undefined; card = pending.pop()) {
    const own = rank.get(card) ?? 0
    rank.set(card, own)
    for (const following of outOf[card] ?? []) {
      rank.set(following, Math.max(rank.get(following) ?? 0, own + 1))
      const left = (waiting.get(following) ?? 0) - 1
      waiting.set(following, left)
      if (left === 0) pending.push(following)
    }
  }
  for (const card of joined) {
    if ((into[card] ?? []).length > 0) continue
    rank.set(card, Math.min(...(outOf[card] ?? []).map((following) => rank.get(following) ?? 1)) - 1)
  }
  const layers: number[][] = []
  for (const card of joined) {
    const layer = rank.get(card) ?? 0
    layers[layer] ??= []
    layers[layer]?.push(card)
  }
  return Array.from(layers, (layer) => layer ?? [])
}

/** The layers, each sorted by where the neighbours stand, to and fro. */
function ordered(layers: number[][], { into, outOf }: Graph): number[][] {
  const height = new Map<number, number>()
  const settle = (layer: readonly number[]) => {
    for (const [index, card] of layer.entries()) height.set(card, (index + 0.5) / layer.length)
  }
  for (const layer of layers) settle(layer)
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const forward = sweep % 2 === 0
    const neighbours = forward ? into : outOf
    for (const layer of forward ? layers : [...layers].reverse()) {
      const wish = new Map(
        layer.map((card) => [card, middleOf(neighbours[card] ?? [], height) ?? height.get(card) ?? 0]),
      )
      layer.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0))
      settle(layer)
    }
  }
  return layers
}

function middleOf(cards: readonly number[], height: ReadonlyMap<number, number>): number | null {
  if (cards.length === 0) return null
  return cards.reduce((sum, card) => sum + (height.get(card) ?? 0), 0) / cards.length
}

type Places = { x: number; y: number }[]

function placeLayers(draft: Draft, layers: readonly number[][], places: Places, count: number) {
  const heights = draft.cards.map((card) => card.height + BETWEEN_CARDS)
  const usualHeight = heights.reduce((sum, height) => sum + height, 0) / Math.max(1, heights.length)
  const usualWidth = draft.cards.reduce((sum, card) => sum + card.width, 0) / Math.max(1, draft.cards.length)
  const rows = Math.max(12, Math.ceil(Math.sqrt((count * (usualWidth + BETWEEN_COLUMNS)) / usualHeight / ASPECT)))
  const columns = layers.flatMap((layer) => {
    const parts = Math.ceil(layer.length / rows)
    return Array.from({ length: parts }, (_, part) => ({
      cards: layer.filter((_card, index) => Math.floor((index * parts) / layer.length) === part),
      isLast: part === parts - 1,
    }))
  })
  const tall = columns.map(({ cards }) => cards.reduce((sum, card) => sum + (heights[card] ?? 0), -BETWEEN_CARDS))
  const height = Math.max(0, ...tall)
  let x = 0
  let width = 0
  for (const [index, { cards, isLast }] of columns.entries()) {
    let y = (height - (tall[index] ?? 0)) / 2
    const wide = Math.max(...cards.map((card) => draft.cards[card]?.width ?? 0))
    for (const card of cards) {
      places[card] = { x, y }
      y += heights[card] ?? 0
    }
    width = x + wide
    x = width + (isLast ? BETWEEN_LAYERS : BETWEEN_COLUMNS)
  }
  return { width, height }
}

function placeRows(draft: Draft, loose: readonly number[], places: Places, size: { width: number; height: number }) {
  const widest = Math.max(size.width, 1200)
  let { width } = size
  let y = size.height + (size.height > 0 ? 3 * BETWEEN_CARDS : 0)
  let x = 0
  let tallest = 0
  for (const index of loose) {
    const card = draft.cards[index]
    if (!card) continue
    if (x > 0 && x + card.width > widest) {
      x = 0
      y += tallest + BETWEEN_CARDS
      tallest = 0
    }
    places[index] = { x, y }
    x += card.width + BETWEEN_COLUMNS
    width = Math.max(width, x - BETWEEN_COLUMNS)
    tallest = Math.max(tallest, card.height)
  }
  return { width, height: loose.length > 0 ? y + tallest : size.height }
}
