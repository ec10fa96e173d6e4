/**
 * What of a diagram is drawn under settings.
 *
 * Relations of hidden types go; then entities that nothing connects any more, unless they never had relations; then row sets that nothing
 * connects. With columns hidden, relations are drawn between entities: each pair and type once.
 */
import type { Diagram, DiagramRelation, DiagramSettings } from './types'

export function visible(diagram: Diagram, settings: DiagramSettings): Diagram {
  const shows = { fdd: settings.dataFlow, fdr: settings.impact, join: settings.join }
  const relations = diagram.relations.filter((relation) => shows[relation.type])
  const connectedBefore = connected(diagram.relations)
  const connectedNow = connected(relations)
  const entities = diagram.entities
    .filter((entity) => connectedNow.has(entity.id) || !connectedBefore.has(entity.id) || entity.id === diagram.focus)
    .map((entity) => ({
      ...entity,
      columns: settings.hideColumns
        ? []
        : entity.columns.filter(
            (column) => !column.row_set || connectedNow.has(column.id) || column.id === diagram.focus,
          ),
    }))
  return { ...diagram, entities, relations: settings.hideColumns ? betweenEntities(relations) : relations }
}

function connected(relations: readonly DiagramRelation[]): Set<string> {
  const ids = new Set<string>()
  for (const relation of relations) {
    ids.add(relation.source_entity).add(relation.target_entity)
    if (relation.source !== null) ids.add(relation.source)
    if (relation.target !== null) ids.add(relation.target)
  }
  return ids
}

/** Relations between entities: of each pair and type the first one stands for all. */
export function betweenEntities(relations: readonly DiagramRelation[]): DiagramRelation[] {
  const kept = new Map<string, DiagramRelation>()
  for (const relation of relations) {
    const key = JSON.stringify([relation.source_entity, relation.target_entity, relation.type])
    if (!kept.has(key)) kept.set(key, { ...relation, source: null, target: null })
  }
  return [...kept.values()]
}
