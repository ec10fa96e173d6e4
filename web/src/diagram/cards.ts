/** How large an entity's card is, and where its rows stand: the same for the page, the layout and the picture. */
import { BOLD, PLAIN, SMALL, widthOf } from './measure'
import { PROCESS } from './processes'
import type { DiagramColumn, DiagramEntity } from './types'

export const HEAD = 32
export const ROW = 24
export const PAD = 10
export const ICON = 16
/** Below the rows: how many columns are left out. */
export const FOOT = 20
const NARROWEST = 120
const WIDEST = 300
const WIDEST_TYPE = 90
export const WIDEST_BADGE = 120

export type Card = {
  readonly entity: DiagramEntity
  readonly columns: readonly DiagramColumn[]
  readonly width: number
  readonly height: number
}

/** What a column is called where it is shown. */
export const columnName = (column: DiagramColumn): string => (column.row_set ? '«rows»' : column.name)

/** The finer word for an entity, where it says more than the kind's icon does; of a result set, what the query calls it, too. */
export function badge(entity: DiagramEntity): string {
  if (entity.kind === PROCESS) return ''
  if (entity.temporary) return 'temporary'
  const type = entity.type === entity.kind ? '' : entity.type
  return entity.kind === 'resultset' ? [entity.alias?.slice(0, 200), type].filter(Boolean).join(' · ') : type
}

/** What is said below the rows of the columns that are left out. */
export const footOf = ({ hidden_columns: left }: DiagramEntity): string =>
  `and ${left} more ${left === 1 ? 'column' : 'columns'}`

export function cardOf(entity: DiagramEntity, withColumns: boolean): Card {
  const columns = withColumns ? entity.columns : []
  const badgeWidth = badge(entity) ? Math.min(widthOf(badge(entity), SMALL), WIDEST_BADGE) + 8 : 0
  let inner = ICON + 6 + widthOf(entity.name.slice(0, 200), BOLD) + badgeWidth
  for (const column of columns) {
    const type = column.data_type ? Math.min(widthOf(column.data_type.slice(0, 200), SMALL), WIDEST_TYPE) + 10 : 0
    inner = Math.max(inner, widthOf(columnName(column).slice(0, 200), PLAIN) + type)
  }
  const hasFoot = columns.length > 0 && entity.hidden_columns > 0
  if (hasFoot) inner = Math.max(inner, widthOf(footOf(entity), SMALL))
  return {
    entity,
    columns,
    width: Math.round(Math.min(Math.max(inner + 2 * PAD + 4, entity.kind === PROCESS ? 0 : NARROWEST), WIDEST)),
    height: HEAD + ROW * columns.length + (hasFoot ? FOOT : 0),
  }
}

/** How far below a card's top the lines of its column meet it; of the entity itself where it is no column of the card. */
export function portAt(card: Card, id: string): number {
  const row = card.columns.findIndex((column) => column.id === id)
  return row < 0 ? HEAD / 2 : HEAD + ROW * (row + 0.5)
}
