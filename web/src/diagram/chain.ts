/**
 * The chain of something: all columns, entities and relations upstream and downstream of a column, an entity or a relation.
 *
 * Joins and foreign keys are shown but not followed, as in the model. With impact, a column belongs to its entity's row set: what decides over
 * the rows lies upstream of each column, and what is made of a row set's table lies downstream of the row set.
 */
import type { Diagram, DiagramRelation } from './types'

export type Chain = {
  readonly columns: ReadonlySet<string>
  readonly entities: ReadonlySet<string>
  readonly relations: ReadonlySet<string>
}

/** Where a relation begins or ends: a column, or an entity where there are no columns. */
export const sourceOf = (relation: DiagramRelation): string => relation.source ?? relation.source_entity
export const targetOf = (relation: DiagramRelation): string => relation.target ?? relation.target_entity

const isFollowed = (relation: DiagramRelation): boolean => relation.type !== 'join' && relation.clause !== 'foreignKey'

/** All that belongs to what has this id; null if nothing of the diagram has it. */
export function chainOf(
  diagram: Diagram,
  id: string,
  impact = true,
  direction: 'upstream' | 'downstream' | 'both' = 'both',
): Chain | null {
  const ends = new Ends(diagram, impact)
  const relation = diagram.relations.find((each) => each.id === id)
  const starts = relation ? [] : ends.startsOf(id)
  if (!relation && starts.length === 0) return null

  const relations = new Set<string>()
  const reached = new Set<string>(starts)
  if (relation) {
    relations.add(relation.id)
    reached.add(sourceOf(relation)).add(targetOf(relation))
  }
  const isOneWay = relation !== undefined && isFollowed(relation)
  if (direction !== 'downstream') {
    ends.walk(isOneWay ? [sourceOf(relation)] : starts, 'upstream', reached, relations)
  }
  if (direction !== 'upstream') {
    ends.walk(isOneWay ? [targetOf(relation)] : starts, 'downstream', reached, relations)
  }
  for (const each of diagram.relations) {
    if (each.type === 'join' && reached.has(sourceOf(each)) && reached.has(targetOf(each))) relations.add(each.id)
  }
  return ends.chain(reached, relations)
}

class Ends {
  private readonly into = new Map<string, DiagramRelation[]>()
  private readonly outOf = new Map<string, DiagramRelation[]>()
  private readonly entityOf = new Map<string, string>()
  private readonly rowSets = new Map<string, string>()
  private readonly columnsOf = new Map<string, string[]>()

  constructor(
    diagram: Diagram,
    private readonly impact: boolean,
  ) {
    for (const entity of diagram.entities) {
      this.columnsOf.set(
        entity.id,
        entity.columns.map((column) => column.id),
      )
      for (const column of entity.columns) {
        this.entityOf.set(column.id, entity.id)
        if (column.row_set) this.rowSets.set(entity.id, column.id)
      }
    }
    for (const relation of diagram.relations) {
      if (!isFollowed(relation) || (relation.type === 'fdr' && !impact)) continue
      push(this.into, targetOf(relation), relation)
      push(this.outOf, sourceOf(relation), relation)
    }
  }

  /** The column; or the entity with all of its columns. */
  startsOf(id: string): string[] {
    if (this.entityOf.has(id)) return [id]
    const columns = this.columnsOf.get(id)
    return columns ? [id, ...columns] : []
  }

  walk(starts: string[], direction: 'upstream' | 'downstream', reached: Set<string>, relations: Set<string>): void {
    const seen = new Set<string>()
    const pending = [...starts]
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      if (seen.has(id)) continue
      seen.add(id)
      reached.add(id)
      const followed = (direction === 'upstream' ? this.into : this.outOf).get(id) ?? []
      for (const relation of followed) {
        relations.add(relation.id)
        pending.push(direction === 'upstream' ? sourceOf(relation) : targetOf(relation))
      }
      if (this.impact) pending.push(...this.throughRows(id, direction))
    }
  }

  /** Upstream of a column lies its row set, if anything decides over it; downstream of a row set lie its columns. */
  private throughRows(id: string, direction: 'upstream' | 'downstream'): string[] {
    const entity = this.entityOf.get(id)
    const rows = entity === undefined ? undefined : this.rowSets.get(entity)
    if (entity === undefined || rows === undefined) return []
    if (direction === 'upstream') return id !== rows && this.into.has(rows) ? [rows] : []
    return id === rows ? (this.columnsOf.get(entity) ?? []) : []
  }

  chain(reached: ReadonlySet<string>, relations: ReadonlySet<string>): Chain {
    const columns = new Set<string>()
    const entities = new Set<string>()
    for (const id of reached) {
      const entity = this.entityOf.get(id)
      if (entity !== undefined) columns.add(id)
      entities.add(entity ?? id)
    }
    return { columns, entities, relations }
  }
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}
