/** Between the diagram and the script: which stretches a selection came from, and what stands at a place. */
import type { Diagram, DiagramEntity, DiagramRelation, Place, Position } from '../api/types'
import { chainOf } from '../diagram'
import type { EditorMark } from '../editor'

/**
 * The stretches that something came from: its own places, and those of all that lies upstream.
 *
 * Of stretches inside of each other the innermost are `source`, what contains them is `made`. What decides over rows is told by where it
 * stands alone: the expression that it decides over is the whole query.
 */
export function marksOf(diagram: Diagram, id: string, impact: boolean): EditorMark[] {
  const own = ownPlaces(diagram, id)
  const upstream = upstreamOf(diagram, id, impact)
  const rowSets = rowSetsOf(diagram)
  const places = new Map<string, Place>()
  for (const relation of upstream) {
    const isOfRows = relation.target !== null && rowSets.has(relation.target)
    if (relation.place && !isOfRows) places.set(keyOf(relation.place), relation.place)
    if (relation.source_place && !(relation.source !== null && rowSets.has(relation.source))) {
      places.set(keyOf(relation.source_place), relation.source_place)
    }
  }
  for (const place of own) places.delete(keyOf(place))
  const all = [...places.values()]
  const isAround = (place: Place) => [...all, ...own].some((other) => other !== place && contains(place, other))
  return [
    ...own.map((place) => ({ place, role: 'self' as const })),
    ...all.map((place) => ({
      place,
      role: isAround(place) ? ('made' as const) : ('source' as const),
    })),
  ]
}

function ownPlaces(diagram: Diagram, id: string): Place[] {
  for (const entity of diagram.entities) {
    if (entity.id === id) return entity.places
    const column = entity.columns.find((each) => each.id === id)
    if (column) return column.places
  }
  const relation = diagram.relations.find((each) => each.id === id)
  return relation?.source_place ? [relation.source_place] : []
}

function upstreamOf(diagram: Diagram, id: string, impact: boolean): DiagramRelation[] {
  const relation = diagram.relations.find((each) => each.id === id)
  if (relation) return [relation]
  const entity = diagram.entities.find((each) => each.id === id)
  if (entity) return []
  const chain = chainOf(diagram, id, impact, 'upstream')
  return chain ? diagram.relations.filter((each) => chain.relations.has(each.id) && each.type !== 'join') : []
}

/** What stands at a position of the script: the smallest stretch that has it; of equal ones a table's column, then any column. */
export function thingAt(diagram: Diagram, position: Position): string | null {
  let best: Spot | null = null
  for (const spot of spotsOf(diagram)) {
    if (!holds(spot.place, position)) continue
    const isSame: boolean = best !== null && keyOf(best.place) === keyOf(spot.place)
    const isBetter = best === null || (isSame ? spot.rank > best.rank : contains(best.place, spot.place))
    if (isBetter) best = spot
  }
  return best?.id ?? null
}

type Spot = { readonly place: Place; readonly id: string; readonly rank: number }

function spotsOf(diagram: Diagram): Spot[] {
  const ranks = new Map<string, number>()
  const spots: Spot[] = []
  for (const entity of diagram.entities) {
    for (const place of entity.places) spots.push({ place, id: entity.id, rank: 0 })
    for (const column of entity.columns) {
      if (column.row_set) continue
      const rank = isIntermediate(entity) ? 1 : 2
      ranks.set(column.id, rank)
      for (const place of column.places) spots.push({ place, id: column.id, rank })
    }
  }
  for (const { place, source, source_place, target } of diagram.relations) {
    const [ofSource, ofTarget] = [ranks.get(source ?? ''), ranks.get(target ?? '')]
    if (source_place && source !== null && ofSource !== undefined)
      spots.push({ place: source_place, id: source, rank: ofSource })
    if (place && target !== null && ofTarget !== undefined) spots.push({ place, id: target, rank: ofTarget })
  }
  return spots
}

const INTERMEDIATE = new Set(['resultset', 'function', 'literal', 'variable'])
const isIntermediate = (entity: DiagramEntity): boolean => INTERMEDIATE.has(entity.kind)

function rowSetsOf(diagram: Diagram): Set<string> {
  const columns = diagram.entities.flatMap((entity) => entity.columns)
  return new Set(columns.filter((column) => column.row_set).map((column) => column.id))
}

const keyOf = ({ start, end }: Place): string => `${start.line}:${start.column}-${end.line}:${end.column}`

const isBefore = (a: Position, b: Position): boolean => a.line < b.line || (a.line === b.line && a.column < b.column)

const contains = (outer: Place, inner: Place): boolean =>
  !isBefore(inner.start, outer.start) && !isBefore(outer.end, inner.end)

/** The position behind the last character counts too: there the cursor stands after a word was typed. */
const holds = (place: Place, position: Position): boolean =>
  !isBefore(position, place.start) && !isBefore(place.end, position)
