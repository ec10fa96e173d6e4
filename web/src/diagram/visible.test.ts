import { describe, expect, test } from 'vitest'
import { sample } from './sample'
import { visible } from './visible'

const ALL = { hideColumns: false, dataFlow: true, impact: true, join: true }

const query = sample({ t: 'rows a c', u: 'k', rs: 'rows a', lonely: 'x' }, [
  ['t.a', 'fdd', 'rs.a'],
  ['t.c', 'fdr', 'rs.rows'],
  ['u.k', 'fdr', 'rs.rows'],
  ['t.c', 'join', 'u.k'],
])

const told = (settings: Partial<typeof ALL>) => {
  const { entities, relations } = visible(query, { ...ALL, ...settings })
  return {
    entities: entities.map((entity) => `${entity.name}(${entity.columns.map((column) => column.name).join(' ')})`),
    relations: relations.map((relation) => relation.id),
  }
}

describe('what of a diagram is drawn', () => {
  test('everything; a row set that nothing connects says nothing', () => {
    expect(told({})).toEqual({
      entities: ['t(a c)', 'u(k)', 'rs(PseudoRows a)', 'lonely(x)'],
      relations: ['r1', 'r2', 'r3', 'r4'],
    })
  })

  test('without impact and joins, a table that only decided over rows goes; one that never had relations stays', () => {
    expect(told({ impact: false, join: false })).toEqual({
      entities: ['t(a c)', 'rs(a)', 'lonely(x)'],
      relations: ['r1'],
    })
  })

  test('without data flow', () => {
    expect(told({ dataFlow: false, join: false }).relations).toEqual(['r2', 'r3'])
  })

  test('with columns hidden, each pair and type once', () => {
    const twice = sample({ t: 'a b', v: 'a b' }, [
      ['t.a', 'fdd', 'v.a'],
      ['t.b', 'fdd', 'v.b'],
      ['t.b', 'fdr', 'v.a'],
    ])
    const { entities, relations } = visible(twice, { ...ALL, hideColumns: true })
    expect(entities.flatMap((entity) => entity.columns)).toEqual([])
    expect(
      relations.map(({ type, source, source_entity, target_entity }) => [type, source, source_entity, target_entity]),
    ).toEqual([
      ['fdd', null, 't', 'v'],
      ['fdr', null, 't', 'v'],
    ])
  })

  test('what the diagram is about stays, even if nothing connects it', () => {
    expect(
      visible({ ...query, focus: 'u' }, { ...ALL, impact: false, join: false }).entities.map((each) => each.id),
    ).toContain('u')
  })
})
