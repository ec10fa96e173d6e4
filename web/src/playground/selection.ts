/**
 * What is selected, by name: numbers change with every analysis, and a link has to mean the same tomorrow.
 *
 * An entity is `name`, a column `name/column`, a relation `source>target:type`, with the ends as before. Of several that have the same name, the
 * second is `name~2`. Names are escaped, so that these signs stand for nothing else.
 */
import type { Diagram, DiagramEntity, DiagramRelation } from '../api/types'

const escaped = (name: string): string =>
  name.replace(/[%/~>:]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** The name of what has this id; empty if nothing has. */
export function nameOf(diagram: Diagram, id: string): string {
  const relation = diagram.relations.find((each) => each.id === id)
  if (relation) return relationName(diagram, relation)
  for (const entity of diagram.entities) {
    if (entity.id === id) return entityName(diagram, entity)
    if (entity.columns.some((column) => column.id === id)) return endName(diagram, entity.id, id)
  }
  return ''
}

/** The id of what has this name; null if nothing of the diagram has. A column that the diagram does not show is seen by its entity. */
export function idOf(diagram: Diagram, name: string): string | null {
  if (name === '') return null
  if (name.includes('>')) return diagram.relations.find((each) => relationName(diagram, each) === name)?.id ?? null
  const [first = ''] = name.split('/')
  const entity = diagram.entities.find((each) => entityName(diagram, each) === first)
  if (!entity) return null
  if (first === name || entity.columns.length === 0) return entity.id
  return entity.columns.find((column) => endName(diagram, entity.id, column.id) === name)?.id ?? null
}

function relationName(diagram: Diagram, relation: DiagramRelation): string {
  const source = endName(diagram, relation.source_entity, relation.source)
  const target = endName(diagram, relation.target_entity, relation.target)
  return `${source}>${target}:${relation.type}`
}

function endName(diagram: Diagram, entityId: string, columnId: string | null): string {
  const entity = diagram.entities.find((each) => each.id === entityId)
  if (!entity) return ''
  const name = entityName(diagram, entity)
  if (columnId === null) return name
  const column = entity.columns.find((each) => each.id === columnId)
  if (!column) return name
  return `${name}/${numbered(column, entity.columns)}`
}

const entityName = (diagram: Diagram, entity: DiagramEntity): string => numbered(entity, diagram.entities)

function numbered(thing: { id: string; name: string }, all: readonly { id: string; name: string }[]): string {
  const namesakes = all.filter((each) => each.name === thing.name)
  const number = namesakes.findIndex((each) => each.id === thing.id) + 1
  return number > 1 ? `${escaped(thing.name)}~${number}` : escaped(thing.name)
}
