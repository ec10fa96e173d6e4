/** What somebody selected in a diagram, and what is next to it. */

import type { Diagram, DiagramColumn, DiagramEntity, DiagramRelation } from '../api/types'

export type Selection =
  | { what: 'entity'; entity: DiagramEntity }
  | { what: 'column'; entity: DiagramEntity; column: DiagramColumn }
  | { what: 'relation'; relation: DiagramRelation }

export function selectionOf(diagram: Diagram, id: string): Selection | null {
  for (const entity of diagram.entities) {
    if (entity.id === id) return { what: 'entity', entity }
    const column = entity.columns.find((each) => each.id === id)
    if (column) return { what: 'column', entity, column }
  }
  const relation = diagram.relations.find((each) => each.id === id)
  return relation ? { what: 'relation', relation } : null
}

/** The relations into something, and out of it. */
export function relationsOf(
  diagram: Diagram,
  selection: Selection,
): { into: DiagramRelation[]; outOf: DiagramRelation[] } {
  if (selection.what === 'relation') return { into: [selection.relation], outOf: [] }
  const { what, entity } = selection
  const isTarget = (each: DiagramRelation) =>
    what === 'column' ? each.target === selection.column.id : each.target_entity === entity.id
  const isSource = (each: DiagramRelation) =>
    what === 'column' ? each.source === selection.column.id : each.source_entity === entity.id
  return { into: diagram.relations.filter(isTarget), outOf: diagram.relations.filter(isSource) }
}

/** The name of a relation's end: its column's, with its table's. */
export function endName(diagram: Diagram, entityId: string, columnId: string | null): string {
  const entity = diagram.entities.find((each) => each.id === entityId)
  const column = entity?.columns.find((each) => each.id === columnId)
  const name = entity?.name ?? '?'
  return column ? (column.row_set ? `${name} «rows»` : `${name}.${column.name}`) : name
}
