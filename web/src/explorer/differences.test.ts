import { expect, it } from 'vitest'
import type { Diagram, DiagramEntity } from '../api/types'
import { differenceMarks, subjectOf } from './differences'
import type { DifferenceThing } from './shapes'

function entity(id: string, name: string, column: string): DiagramEntity {
  return {
    id,
    kind: 'table',
    type: 'table',
    name,
    temporary: false,
    places: [],
    columns: [{ id: `${id}c`, name: column, data_type: null, inferred: false, row_set: false, places: [], tags: [] }],
    hidden_columns: 0,
  }
}

const diagram = {
  level: 'column',
  scripts: [],
  processes: [],
  entities: [entity('1', 'raw.s', 'b'), entity('2', 'mart.t', 'a')],
  relations: [{ id: 'r', source: '1c', target: '2c', source_entity: '1', target_entity: '2' }],
  note: '',
} as unknown as Diagram

function difference(what: DifferenceThing['what'], how: DifferenceThing['how'], name: string): DifferenceThing {
  return { what, how, name, breaking: false, reason: '', before: '', after: '', place: '' }
}

it('marks what changed, by its name', () => {
  const differences = [
    difference('table', 'added', 'mart.t'),
    difference('column', 'changed', 'raw.s.b'),
    difference('relation', 'removed', 'mart.t.a <- raw.s.b'),
    difference('column', 'added', 'elsewhere.t.a'),
  ]
  expect([...differenceMarks(diagram, differences)]).toEqual([
    ['1c', 'changed'],
    ['2', 'added'],
    ['r', 'removed'],
  ])
})

it('looks at what a relation makes', () => {
  expect(subjectOf({ what: 'relation', name: 'mart.t.a <- raw.s.b' })).toBe('mart.t.a')
  expect(subjectOf({ what: 'table', name: 'mart.t' })).toBe('mart.t')
})
