/** An entity's card: its head, a row for each column, and buttons for what lies beyond. */
import { useStore } from '@xyflow/react'
import { type CSSProperties, memo, useEffect, useRef } from 'react'
import { useActs } from './acts'
import { badge, type Card, columnName, footOf } from './cards'
import { KindIcon } from './KindIcon'
import { kindOf } from './kinds'
import { useLook, useStanding } from './lights'
import { headOf } from './palette'
import type { DiagramColumn, DiagramEntity, Direction } from './types'
import { FAR } from './viewport'

export const CardNode = memo(function CardNode({ data: { card } }: { data: { card: Card } }) {
  const { scheme, marks } = useActs()
  const { entity } = card
  const look = useLook([entity.id])
  const isFar = useStore((state) => state.transform[2] < FAR)
  const kind = kindOf(entity.kind)
  const head = headOf(entity.kind, scheme)
  const style = {
    '--hw-head': head.fill,
    '--hw-kind': head.ink,
    width: card.width,
    height: card.height,
    borderRadius: kind.corners.map((corner) => `${corner}px`).join(' '),
    borderStyle: kind.border,
  } as CSSProperties
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      role="group"
      aria-label={`${kind.word} ${entity.name}`}
      className="hw-card"
      data-kind={entity.kind}
      data-look={look}
      data-mark={marks.get(entity.id)}
      data-far={isFar || undefined}
      data-testid={`entity-${entity.name}`}
      style={style}
    >
      <Head entity={entity} isFar={isFar} />
      {!isFar && card.columns.length > 0 && (
        <ul className="hw-rows">
          {card.columns.map((column) => (
            <li key={column.id}>
              <Row entity={entity} column={column} />
            </li>
          ))}
        </ul>
      )}
      {!isFar && card.columns.length > 0 && entity.hidden_columns > 0 && <p className="hw-foot">{footOf(entity)}</p>}
      <Beyond entity={entity} direction="upstream" />
      <Beyond entity={entity} direction="downstream" />
    </div>
  )
})

function Head({ entity, isFar }: { entity: DiagramEntity; isFar: boolean }) {
  const row = useRow(entity.id, entity.id, null)
  const { word } = kindOf(entity.kind)
  const finer = badge(entity)
  const alias = entity.alias ? ` (${entity.alias})` : ''
  return (
    <button
      type="button"
      {...row}
      className="hw-head"
      title={[entity.name + alias, word, finer].filter(Boolean).join(' · ')}
    >
      {!isFar && <KindIcon kind={entity.kind} />}
      {!isFar && <span className="hw-hidden">{word} </span>}
      <bdi className="hw-name">{shortened(entity.name)}</bdi>
      {!isFar && finer && <span className="hw-badge">{finer}</span>}
    </button>
  )
}

const Row = memo(function Row({ entity, column }: { entity: DiagramEntity; column: DiagramColumn }) {
  const { marks } = useActs()
  const look = useLook([column.id])
  const row = useRow(column.id, entity.id, column.id)
  const facts = [column.data_type, column.inferred ? 'inferred' : null, ...column.tags]
  return (
    <button
      type="button"
      {...row}
      className="hw-row"
      data-look={look}
      data-mark={marks.get(column.id) ?? (column.tags.length > 0 ? 'tagged' : undefined)}
      data-rows={column.row_set || undefined}
      data-inferred={column.inferred || undefined}
      data-testid={`column-${entity.name}.${column.name}`}
      title={[`${entity.name}.${columnName(column)}`, ...facts].filter(Boolean).join(' · ')}
    >
      <bdi className="hw-name">{shortened(columnName(column))}</bdi>
      {column.data_type && <bdi className="hw-type">{shortened(column.data_type)}</bdi>}
    </button>
  )
})

/** What every row does: the pointer and the keyboard's focus light its chain, a click selects, a double click opens. */
function useRow(id: string, entity: string, column: string | null) {
  const { select, hover, open, focused } = useActs()
  const { isSelected, isCurrent, wantsFocus } = useStanding(id)
  const element = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (wantsFocus) element.current?.focus({ preventScroll: true })
  }, [wantsFocus])
  return {
    ref: element,
    tabIndex: isCurrent ? 0 : -1,
    'aria-pressed': isSelected,
    onClick: () => select(id),
    onDoubleClick: () => open(entity, column),
    onPointerEnter: () => hover(id),
    onPointerLeave: () => hover(null),
    onFocus: () => focused(id),
  }
}

function Beyond({ entity, direction }: { entity: DiagramEntity; direction: Direction }) {
  const { expand } = useActs()
  const count = entity.beyond?.[direction] ?? 0
  if (!expand || count === 0) return null
  const label = `Show ${count} more ${direction} of ${entity.name}`
  return (
    <button
      type="button"
      className="hw-beyond nodrag nopan"
      data-direction={direction}
      data-testid={`expand-${direction}-${entity.name}`}
      title={label}
      aria-label={label}
      onClick={() => expand(entity.id, direction)}
    >
      {direction === 'upstream' ? `‹ ${count}` : `${count} ›`}
    </button>
  )
}

/** Names are cut by the style sheet; hostile ones are not even put into the page. */
const shortened = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text)
