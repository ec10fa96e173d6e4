/** What a diagram's view takes and gives. */
import type { Diagram, Place } from '../api/types'

export type {
  Diagram,
  DiagramColumn,
  DiagramEntity,
  DiagramProcess,
  DiagramRelation,
  Place,
} from '../api/types'

/** What is drawn of a diagram: relations of which types, and whether columns are. */
export type DiagramSettings = {
  readonly hideColumns: boolean
  readonly dataFlow: boolean
  readonly impact: boolean
  readonly join: boolean
}

/** What is to be seen at an entity, a column or a relation, besides what it is. */
export type Mark = 'added' | 'removed' | 'changed' | 'breaking' | 'maybe' | 'harmless' | 'tagged' | 'focus'

export type Direction = 'upstream' | 'downstream'

export type DiagramViewProps = {
  diagram: Diagram
  settings: DiagramSettings
  /** A column's, entity's or relation's id. */
  selected: string | null
  onSelect: (id: string | null) => void
  /** Asked for by the buttons that say how much lies beyond a card. */
  onExpand?: (entityId: string, direction: Direction) => void
  /** A double click, or `o`: go to its page. */
  onOpen?: (entityId: string, columnId: string | null) => void
  /** By an entity's, a column's or a relation's id. */
  marks?: ReadonlyMap<string, Mark>
  hovered?: string | null
  onHover?: (id: string | null) => void
  /** Statements as nodes of their own between tables, as the model has it at the table level. */
  processes?: boolean
  /** A place that a relation's popover shows was clicked. */
  onPlace?: (place: Place) => void
}

/** What can be asked of a diagram that is shown. */
export type DiagramHandle = {
  /** Brings everything into view. */
  fit(): void
  /** What is drawn, as an SVG document. */
  svg(): Promise<string>
  /** The same as a Mermaid flowchart. */
  mermaid(): string
  /** The same as a PNG, `scale` times as large. */
  png(scale?: number): Promise<Blob>
}
