/**
 * How a table or a column is named in a URL and in a question.
 *
 * By its full name where that is sure to mean it and can be read; by its id where others may have the same name (temporary tables of
 * many scripts, things of a semantic layer) or where the name is of no use to anybody's eyes.
 */

import { isSemantic } from './kinds'
import type { ColumnThing, TableThing } from './shapes'

const LONGEST = 300

function isPlain(name: string): boolean {
  return (
    name !== '' && name.length <= LONGEST && !name.startsWith('id:') && !/\p{C}/u.test(name) && name === name.trim()
  )
}

function byName(table: Pick<TableThing, 'kind' | 'temporary'>, name: string): boolean {
  return !table.temporary && !isSemantic(table.kind) && isPlain(name)
}

/** What a thing is called in questions: its id, which nothing else has. */
export function byId(id: string): string {
  return `id:${id}`
}

export function tableReference(table: TableThing): string {
  return byName(table, table.name) ? table.name : byId(table.id)
}

export function columnReference(column: ColumnThing): string {
  return byName(column.table, column.name) && !column.row_set ? column.name : byId(column.id)
}
