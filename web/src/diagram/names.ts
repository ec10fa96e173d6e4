/** The names of a diagram's parts, as tests, labels and titles use them. */
import { columnName } from './cards'
import type { Diagram } from './types'

/** From ids of entities and columns to the names they are shown by: `db.t`, `db.t.c`. */
export function namesOf(diagram: Diagram): Map<string, string> {
  const names = new Map<string, string>()
  for (const entity of diagram.entities) {
    names.set(entity.id, entity.name)
    for (const column of entity.columns) names.set(column.id, `${entity.name}.${columnName(column)}`)
  }
  return names
}
