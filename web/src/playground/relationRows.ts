/** Relations as rows of a table. */
import type { Diagram } from '../api/types'
import { processInWords, RELATION_WORDS } from '../diagram'
import { namesOf } from '../diagram/names'

export type RelationRow = {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly type: string
  readonly kind: string
  readonly expression: string
  readonly statement: string
  readonly line: number | null
}

export function rowsOf(diagram: Diagram): RelationRow[] {
  const names = namesOf(diagram)
  const processes = new Map(diagram.processes.map((process) => [process.id, process]))
  return diagram.relations.map((relation) => ({
    id: relation.id,
    source: names.get(relation.source ?? relation.source_entity) ?? '',
    target: names.get(relation.target ?? relation.target_entity) ?? '',
    type: RELATION_WORDS[relation.type],
    kind: [
      relation.subtype?.toLowerCase().replaceAll('_', ' '),
      relation.clause,
      relation.masking && 'masked',
      relation.candidate && 'candidate',
    ]
      .filter(Boolean)
      .join(' · '),
    expression: relation.expression.replace(/\s+/g, ' '),
    statement: processInWords(relation.process === null ? undefined : processes.get(relation.process)),
    line: (relation.source_place ?? relation.place)?.start.line ?? null,
  }))
}
