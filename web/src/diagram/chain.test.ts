import { describe, expect, test } from 'vitest'
import { chainOf } from './chain'
import { sample } from './sample'

/** `INSERT INTO v SELECT a, b FROM t WHERE c > 0`, with a join to `u`. */
const query = sample({ t: 'rows a b c', u: 'k', rs: 'rows a b', v: 'rows a b', w: 'a' }, [
  ['t.a', 'fdd', 'rs.a'],
  ['t.b', 'fdd', 'rs.b'],
  ['t.c', 'fdr', 'rs.rows'],
  ['rs.a', 'fdd', 'v.a'],
  ['rs.b', 'fdd', 'v.b'],
  ['rs.rows', 'fdr', 'v.rows'],
  ['t.a', 'join', 'u.k'],
  ['v.a', 'fdd', 'w.a'],
])

const told = (id: string, impact: boolean, direction: 'upstream' | 'downstream' | 'both' = 'both') => {
  const chain = chainOf(query, id, impact, direction)
  return chain && { columns: [...chain.columns].sort(), relations: [...chain.relations].sort() }
}

describe('the chain of something', () => {
  test('a column: everything that it comes from and that comes from it, and nothing beside', () => {
    expect(told('v.a', false)).toEqual({ columns: ['rs.a', 't.a', 'v.a', 'w.a'], relations: ['r1', 'r4', 'r8'] })
  })

  test('one direction', () => {
    expect(told('v.a', false, 'upstream')).toEqual({ columns: ['rs.a', 't.a', 'v.a'], relations: ['r1', 'r4'] })
    expect(told('v.a', false, 'downstream')).toEqual({ columns: ['v.a', 'w.a'], relations: ['r8'] })
  })

  test('with impact, what decides over the rows of a column lies upstream of it', () => {
    expect(told('v.b', true, 'upstream')).toEqual({
      columns: ['rs.b', 'rs.rows', 't.b', 't.c', 'v.b', 'v.rows'],
      relations: ['r2', 'r3', 'r5', 'r6'],
    })
  })

  test('with impact, what is made of the rows lies downstream of what decides over them', () => {
    expect(told('t.c', true, 'downstream')?.columns).toEqual([
      'rs.a',
      'rs.b',
      'rs.rows',
      't.c',
      'v.a',
      'v.b',
      'v.rows',
      'w.a',
    ])
  })

  test('an entity: the chains of all of its columns', () => {
    expect(told('w', false)?.relations).toEqual(['r1', 'r4', 'r8'])
    expect([...(chainOf(query, 'w', false)?.entities ?? [])].sort()).toEqual(['rs', 't', 'v', 'w'])
  })

  test('a relation: upstream of its source and downstream of its target', () => {
    expect(told('r4', false)).toEqual({ columns: ['rs.a', 't.a', 'v.a', 'w.a'], relations: ['r1', 'r4', 'r8'] })
  })

  test('a join is lit with its ends, but not followed', () => {
    expect(told('r7', false)).toEqual({ columns: ['t.a', 'u.k'], relations: ['r7'] })
    expect(told('u.k', false)).toEqual({ columns: ['u.k'], relations: [] })
  })

  test('a foreign key is not followed', () => {
    const keyed = sample({ a: 'id', b: 'a_id' }, [['a.id', 'fdd', 'b.a_id', { clause: 'foreignKey' }]])
    expect([...(chainOf(keyed, 'b.a_id')?.columns ?? [])]).toEqual(['b.a_id'])
  })

  test('circles end', () => {
    const round = sample({ a: 'x', b: 'x' }, [
      ['a.x', 'fdd', 'b.x'],
      ['b.x', 'fdd', 'a.x'],
    ])
    expect([...(chainOf(round, 'a.x')?.relations ?? [])].sort()).toEqual(['r1', 'r2'])
  })

  test('nothing has that id', () => {
    expect(chainOf(query, 'nobody')).toBeNull()
  })
})
