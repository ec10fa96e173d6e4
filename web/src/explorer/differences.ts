/** What changed, as marks on a diagram. Differences are told by name, so they are found by name. */

import type { Diagram } from '../api/types'
import type { Mark } from '../diagram'
import type { DifferenceThing } from './shapes'

/** The name of what a relation makes and of what it is made of: `t.a <- s.b`. */
const ARROW = ' <- '

/** The mark of each table, column and relation that changed. */
export function differenceMarks(diagram: Diagram, differences: readonly DifferenceThing[]): Map<string, Mark> {
  const how = new Map(differences.map((each) => [`${each.what}:${each.name}`, each.how]))
  const marks = new Map<string, Mark>()
  const mark = (id: string, what: DifferenceThing['what'], name: string) => {
    const found = how.get(`${what}:${name}`)
    if (found) marks.set(id, found)
  }
  const names = new Map<string, string>()
  for (const entity of diagram.entities) {
    mark(entity.id, 'table', entity.name)
    for (const column of entity.columns) {
      const name = `${entity.name}.${column.name}`
      names.set(column.id, name)
      mark(column.id, 'column', name)
    }
  }
  for (const { id, source, target } of diagram.relations) {
    if (source !== null && target !== null) mark(id, 'relation', `${names.get(target)}${ARROW}${names.get(source)}`)
  }
  return marks
}

/** What is looked at to see a difference: the thing itself, or what a relation makes. */
export function subjectOf({ what, name }: Pick<DifferenceThing, 'what' | 'name'>): string {
  return what === 'relation' ? (name.split(ARROW)[0] ?? name) : name
}

/** Whether only one of the snapshots has a table or column: it came, or went. */
export function isOfOneSide(name: string, differences: readonly DifferenceThing[]): boolean {
  return differences.some((each) => each.what !== 'relation' && each.how !== 'changed' && each.name === name)
}
