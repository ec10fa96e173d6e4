import { describe, expect, test } from 'vitest'
import type { Diagram, Place } from '../api/types'
import { sample } from '../diagram/sample'
import { marksOf, thingAt } from './fragments'
import { rowsOf } from './relationRows'

const SQL = 'INSERT INTO v SELECT sum(a * b) AS s FROM t WHERE c'

/** The place of a part of the script, of the first such or of a later one. */
function place(part: string, from = 0): Place {
  const start = SQL.indexOf(part, from)
  return { script: '0', start: { line: 1, column: start + 1 }, end: { line: 1, column: start + part.length + 1 } }
}

const told = (marks: ReturnType<typeof marksOf>) =>
  marks.map(({ place: { start, end }, role }) => `${role}: ${SQL.slice(start.column - 1, end.column - 1)}`).sort()

/** What a person reads off the script above. */
const query: Diagram = (() => {
  const made = sample({ t: 'rows a b c', rs: 'rows s', v: 's' }, [
    ['t.a', 'fdd', 'rs.s', { place: place('sum(a * b) AS s'), source_place: place('a * b') && place('a', 25) }],
    ['t.b', 'fdd', 'rs.s', { place: place('sum(a * b) AS s'), source_place: place('b', 25) }],
    ['t.c', 'fdr', 'rs.rows', { place: place('sum(a * b) AS s'), source_place: place('c', 45) }],
    ['rs.s', 'fdd', 'v.s', { source_place: place('sum(a * b) AS s') }],
  ])
  const places: Record<string, Place[]> = {
    t: [place('t', SQL.indexOf('FROM'))],
    v: [place('v')],
    rs: [place('sum(a * b) AS s')],
    't.a': [place('a', 25)],
    'rs.s': [place('sum(a * b) AS s')],
    'rs.rows': [place('sum(a * b) AS s')],
  }
  const entities = made.entities.map((entity) => ({
    ...entity,
    places: places[entity.id] ?? [],
    columns: entity.columns.map((column) => ({ ...column, places: places[column.id] ?? [] })),
  }))
  return { ...made, entities }
})()

describe('what a selection came from', () => {
  test('the expression that makes a column, and the columns in it', () => {
    expect(told(marksOf(query, 'v.s', false))).toEqual(['made: sum(a * b) AS s', 'source: a', 'source: b'])
  })

  test("a result set's column is marked itself", () => {
    expect(told(marksOf(query, 'rs.s', false))).toEqual(['self: sum(a * b) AS s', 'source: a', 'source: b'])
  })

  test('with impact, what decides over its rows', () => {
    expect(told(marksOf(query, 'v.s', true))).toEqual(['made: sum(a * b) AS s', 'source: a', 'source: b', 'source: c'])
  })

  test('a table is marked where it stands', () => {
    expect(told(marksOf(query, 't', false))).toEqual(['self: t'])
  })

  test('a relation: its source inside of its expression', () => {
    expect(told(marksOf(query, 'r2', false))).toEqual(['made: sum(a * b) AS s', 'self: b'].sort())
  })
})

describe('what stands at a place', () => {
  const at = (offset: number) => thingAt(query, { line: 1, column: offset + 1 })

  test('a column that is referred to, rather than what is made of it', () => {
    expect(at(SQL.indexOf('a *'))).toBe('t.a')
  })

  test('an expression, outside of its columns', () => {
    expect(at(SQL.indexOf('sum'))).toBe('rs.s')
    expect(at(SQL.indexOf('AS s'))).toBe('rs.s')
  })

  test('a table', () => {
    expect(at(SQL.indexOf('t WHERE'))).toBe('t')
  })

  test('nothing', () => {
    expect(at(0)).toBeNull()
    expect(thingAt(query, { line: 2, column: 1 })).toBeNull()
  })
})

test('relations as rows', () => {
  expect(rowsOf(query)[2]).toMatchObject({ source: 't.c', target: 'rs.«rows»', type: 'impact', line: 1 })
})
