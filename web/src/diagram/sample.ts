/** Diagrams for tests, from a few words: `t(a b)` is an entity with columns, `rows` is a row set; relations are `t.a > v.a`. */
import type { Diagram, DiagramEntity, DiagramRelation } from './types'

export type Said = readonly [from: string, type: DiagramRelation['type'], to: string, more?: Partial<DiagramRelation>]

export function sample(entities: Readonly<Record<string, string>>, relations: readonly Said[] = []): Diagram {
  return {
    level: 'complete',
    scripts: [],
    processes: [],
    entities: Object.entries(entities).map(([name, columns]) => entityOf(name, columns)),
    relations: relations.map(([from, type, to, more], index) => {
      const [source, target] = [ends(from), ends(to)]
      return {
        id: `r${index + 1}`,
        type,
        subtype: null,
        clause: '',
        effect: '',
        masking: false,
        candidate: false,
        star: false,
        source_entity: source.entity,
        source: source.column,
        target_entity: target.entity,
        target: target.column,
        process: null,
        expression: '',
        place: null,
        ...more,
      }
    }),
    note: '',
  }
}

/** `t.a` is the column `t.a` of the entity `t`; `t` is the entity alone. Ids are the names. */
const ends = (name: string) => ({ entity: name.split('.')[0] ?? name, column: name.includes('.') ? name : null })

function entityOf(name: string, columns: string): DiagramEntity {
  return {
    id: name,
    kind: name.startsWith('rs') ? 'resultset' : 'table',
    type: 'table',
    name,
    temporary: false,
    places: [],
    hidden_columns: 0,
    columns: columns
      .split(' ')
      .filter(Boolean)
      .map((column) => ({
        id: `${name}.${column}`,
        name: column === 'rows' ? 'PseudoRows' : column,
        data_type: null,
        inferred: false,
        row_set: column === 'rows',
        places: [],
        tags: [],
      })),
  }
}
