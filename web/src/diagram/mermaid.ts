/**
 * What is drawn as a Mermaid flowchart, which GitHub, GitLab and wikis draw where it stands in Markdown: the same signs as in the files
 * that `headwater export --format mermaid` writes.
 */
import { columnName } from './cards'
import { paletteOf } from './palette'
import type { Diagram, DiagramEntity, DiagramRelation } from './types'
import { betweenEntities } from './visible'

/** Lines that Mermaid draws; of more than these only those between entities are told. */
const MOST_LINES = 500
const LONGEST_NAME = 60
const ARROWS: Readonly<Record<DiagramRelation['type'], string>> = { fdd: '-->', fdr: '-.->', join: '-.-' }
/** What may mean something to Mermaid, or to the Markdown in its labels. */
const SPECIAL = /[^\w .,:/$()=+\u0080-\uffff]|^\d+(?=[.)])/g
/** Characters that turn the direction of the text behind them. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

export function mermaidOf(drawn: Diagram): string {
  const { ink, muted, rule, paper } = paletteOf('light')
  const isOpen = drawn.relations.length <= MOST_LINES
  const lines = new Set((isOpen ? drawn.relations : betweenEntities(drawn.relations)).map(lineOf))
  return [
    'flowchart LR',
    ...drawn.entities.map((entity) => (isOpen && entity.columns.length > 0 ? cardOf(entity) : `  ${nodeOf(entity)}`)),
    ...lines,
    `  classDef column fill:${paper},stroke:${rule},color:${ink}`,
    `  classDef rows fill:${paper},stroke:${rule},color:${muted},font-style:italic`,
    '',
  ].join('\n')
}

function cardOf(entity: DiagramEntity): string {
  const rows = entity.columns.map(
    (column) => `    ${idOf('c', column.id)}["${textOf(columnName(column))}"]:::${column.row_set ? 'rows' : 'column'}`,
  )
  return [`  subgraph ${nodeOf(entity)}`, ...rows, '  end'].join('\n')
}

const nodeOf = (entity: DiagramEntity): string => `${idOf('t', entity.id)}["${textOf(entity.name || '(result)')}"]`

function lineOf({ type, source, source_entity, target, target_entity }: DiagramRelation): string {
  const [from, to] = [
    source ? idOf('c', source) : idOf('t', source_entity),
    target ? idOf('c', target) : idOf('t', target_entity),
  ]
  return `  ${from} ${ARROWS[type]} ${to}`
}

/** Ids of all sorts as words that Mermaid takes for nothing else; different ones stay different. */
const idOf = (letter: string, id: string): string =>
  letter + id.replace(/[^A-Za-z0-9]/g, (sign) => `_${sign.charCodeAt(0).toString(16)}_`)

function textOf(name: string): string {
  const cut = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
  const plain = cut.replace(TURNS, (sign) => `(U+${sign.charCodeAt(0).toString(16).toUpperCase()})`)
  return plain.replace(SPECIAL, (signs) => [...signs].map((sign) => `#${sign.codePointAt(0)};`).join(''))
}
