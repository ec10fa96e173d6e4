/** The lines that are drawn: one for all relations that have the same ends and the same type. */
import { sourceOf, targetOf } from './chain'
import type { Diagram, DiagramRelation } from './types'

export type Line = {
  /** The id of its first relation. */
  readonly id: string
  readonly type: DiagramRelation['type']
  readonly sourceEntity: string
  readonly targetEntity: string
  /** The column, or the entity where there is none. */
  readonly source: string
  readonly target: string
  readonly relations: readonly DiagramRelation[]
}

/** The lines of a diagram; `merged` draws them between entities although there are columns. */
export function linesOf(diagram: Diagram, merged = false): Line[] {
  const lines = new Map<string, Line & { relations: DiagramRelation[] }>()
  for (const relation of diagram.relations) {
    const source = merged ? relation.source_entity : sourceOf(relation)
    const target = merged ? relation.target_entity : targetOf(relation)
    const key = `${relation.type}\n${source}\n${target}`
    const line = lines.get(key)
    if (line) line.relations.push(relation)
    else
      lines.set(key, {
        id: relation.id,
        type: relation.type,
        sourceEntity: relation.source_entity,
        targetEntity: relation.target_entity,
        source,
        target,
        relations: [relation],
      })
  }
  return [...lines.values()]
}
