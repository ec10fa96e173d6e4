/**
 * Parts of a store's graph put together into one, as somebody expands it.
 *
 * Ids are the store's own, so what has the same id is the same. The first part is what the page is about: what it says wins, and what the
 * others know besides is added. Distances of a later part are counted from the card it was asked for.
 */

import type { Diagram, DiagramEntity } from '../api/types'

/** A part that was asked for by expanding a card. */
export type Expansion = { entity: string; diagram: Diagram }

function byId<T extends { id: string }>(lists: readonly (readonly T[])[]): T[] {
  const found = new Map<string, T>()
  for (const list of lists) for (const each of list) if (!found.has(each.id)) found.set(each.id, each)
  return [...found.values()]
}

type Beyond = NonNullable<DiagramEntity['beyond']>
type Sides = { upstream: Set<string>; downstream: Set<string> }

/** The entities next to each one, as the relations of a diagram have it. */
function neighbours(diagram: Pick<Diagram, 'relations'>): Map<string, Sides> {
  const all = new Map<string, Sides>()
  const sides = (id: string) => {
    const known = all.get(id) ?? { upstream: new Set(), downstream: new Set() }
    all.set(id, known)
    return known
  }
  for (const { source_entity, target_entity } of diagram.relations) {
    if (source_entity === target_entity) continue
    sides(source_entity).downstream.add(target_entity)
    sides(target_entity).upstream.add(source_entity)
  }
  return all
}

/** What is known of one entity by several parts. */
function joined(known: DiagramEntity, more: DiagramEntity): DiagramEntity {
  const total = Math.max(
    known.columns.length + (known.hidden_columns ?? 0),
    more.columns.length + (more.hidden_columns ?? 0),
  )
  const columns = byId([known.columns, more.columns])
  return { ...known, columns, hidden_columns: Math.max(0, total - columns.length) }
}

/** How many neighbours are not shown: what each part said, less those that another part brought; the least of these is nearest to the truth. */
function stillBeyond(id: string, parts: readonly Diagram[], merged: Map<string, Sides>): Beyond {
  const left = (direction: 'upstream' | 'downstream') => {
    const seen = merged.get(id)?.[direction].size ?? 0
    const said = parts.flatMap((part) => {
      const own = part.entities.find((each) => each.id === id)?.beyond
      if (!own) return []
      const there = neighbours(part).get(id)?.[direction].size ?? 0
      return [Math.max(0, (own[direction] ?? 0) - (seen - there))]
    })
    return said.length === 0 ? 0 : Math.min(...said)
  }
  return { upstream: left('upstream'), downstream: left('downstream') }
}

/** A diagram with its expansions. */
export function merge(base: Diagram, expansions: readonly Expansion[]): Diagram {
  if (expansions.length === 0) return base
  const entities = new Map(base.entities.map((each) => [each.id, each]))
  for (const { entity, diagram } of expansions) {
    const from = entities.get(entity)?.distance ?? 0
    for (const each of diagram.entities) {
      const known = entities.get(each.id)
      const distance = each.distance === null || each.distance === undefined ? null : from + each.distance
      entities.set(each.id, known ? joined(known, each) : { ...each, distance })
    }
  }
  const parts = [base, ...expansions.map((each) => each.diagram)]
  const relations = byId(parts.map((each) => each.relations))
  const merged = neighbours({ relations })
  return {
    ...base,
    scripts: byId(parts.map((each) => each.scripts)),
    processes: byId(parts.map((each) => each.processes)),
    relations,
    entities: [...entities.values()].map((each) => ({ ...each, beyond: stillBeyond(each.id, parts, merged) })),
    note: [...new Set(parts.map((each) => each.note ?? '').filter((note) => note !== ''))].join(' '),
  }
}

/** A diagram without some of its entities; their neighbours count them as not shown. */
export function without(diagram: Diagram, hidden: ReadonlySet<string>): Diagram {
  if (hidden.size === 0) return diagram
  const sides = neighbours(diagram)
  const gone = (ids: Set<string> | undefined) => [...(ids ?? [])].filter((id) => hidden.has(id)).length
  return {
    ...diagram,
    entities: diagram.entities
      .filter((each) => !hidden.has(each.id))
      .map((each) => ({
        ...each,
        beyond: {
          upstream: (each.beyond?.upstream ?? 0) + gone(sides.get(each.id)?.upstream),
          downstream: (each.beyond?.downstream ?? 0) + gone(sides.get(each.id)?.downstream),
        },
      })),
    relations: diagram.relations.filter((each) => !hidden.has(each.source_entity) && !hidden.has(each.target_entity)),
  }
}
