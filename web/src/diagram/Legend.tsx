/** What shapes, lines and marks mean: of a diagram's own kinds, or of all. */
import './diagram.css'
import { useComputedColorScheme } from '@mantine/core'
import type { CSSProperties } from 'react'
import { KindIcon } from './KindIcon'
import { KINDS, kindOf } from './kinds'
import { headOf, variablesOf } from './palette'
import type { Diagram, DiagramRelation, Mark } from './types'
import { RELATION_WORDS } from './words'

const MARK_WORDS: Readonly<Record<Mark, string>> = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  breaking: 'breaks',
  maybe: 'may break',
  harmless: 'stays whole',
  tagged: 'tagged',
  focus: 'what this is about',
}

type Props = {
  /** Only what this diagram has; else everything there is. */
  diagram?: Diagram
  marks?: readonly Mark[]
}

export function Legend({ diagram, marks = [] }: Props) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const kinds = diagram ? [...new Set(diagram.entities.map((entity) => entity.kind))] : Object.keys(KINDS)
  const types = (Object.keys(RELATION_WORDS) as DiagramRelation['type'][]).filter(
    (type) => !diagram || diagram.relations.some((relation) => relation.type === type),
  )
  return (
    <ul className="hw-legend" aria-label="Legend" style={variablesOf(scheme) as CSSProperties}>
      {kinds.map((kind) => (
        <li key={kind}>
          <span
            className="hw-swatch"
            style={{
              background: headOf(kind, scheme).fill,
              color: headOf(kind, scheme).ink,
              borderStyle: kindOf(kind).border,
              borderRadius: kindOf(kind)
                .corners.map((corner) => `${corner / 2}px`)
                .join(' '),
            }}
          >
            <KindIcon kind={kind} size={13} />
          </span>
          {kindOf(kind).word}
        </li>
      ))}
      {types.map((type) => (
        <li key={type}>
          <svg className={`hw-line hw-${type}`} width="30" height="10" aria-hidden="true">
            <path className="hw-stroke" d="M0 5H23" />
            {type !== 'join' && <path className={`hw-arrow hw-${type}`} d="M22 1.5L30 5L22 8.5z" />}
          </svg>
          {RELATION_WORDS[type]}
        </li>
      ))}
      {marks.map((mark) => (
        <li key={mark}>
          <span className="hw-mark-swatch" data-mark={mark} />
          {MARK_WORDS[mark]}
        </li>
      ))}
    </ul>
  )
}
