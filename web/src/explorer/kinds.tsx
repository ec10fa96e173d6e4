/** Kinds of entities on pages: the diagram's words, signs and colours. */

import { useComputedColorScheme } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { kindOf, KindIcon as Sign } from '../diagram'
import { headOf, type Scheme } from '../diagram/palette'

const SEMANTIC = new Set(['model', 'dimension', 'metric', 'insight', 'input', 'chart', 'dashboard', 'exposure'])

/** Whether a kind is one of a semantic layer. */
export function isSemantic(kind: string): boolean {
  return SEMANTIC.has(kind)
}

/** A kind's name as a heading has it: `Result set`. */
export function kindName(kind: string): string {
  const { word } = kindOf(kind)
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The name of many of a kind: `Result sets`. */
export function kindNames(kind: string): string {
  const name = kindName(kind)
  return name.endsWith('s') ? name : `${name}s`
}

/** The colour that a kind's sign has. */
export function kindColor(kind: string, scheme: Scheme): string {
  return headOf(kind, scheme).ink
}

/** The sign of a kind; a column's is its own, in its table's colour. */
export function KindIcon({ kind, column = false }: { kind: string; column?: boolean }) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const label = column ? `Column of a ${kindOf(kind).word}` : kindName(kind)
  return (
    <span role="img" aria-label={label} title={label} className="page-sign" style={{ color: kindColor(kind, scheme) }}>
      {column ? <IconColumns3 size={15} stroke={1.6} aria-hidden /> : <Sign kind={kind} />}
    </span>
  )
}
