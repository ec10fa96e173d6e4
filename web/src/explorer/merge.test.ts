import { describe, expect, it } from 'vitest'
import type { Diagram, DiagramEntity, DiagramRelation } from '../api/types'
import { merge, without } from './merge'

function entity(id: string, columns: string[], more: Partial<DiagramEntity> = {}): DiagramEntity {
  return {
    id,
    kind: 'table',
    type: 'table',
    name: id,
    alias: null,
    temporary: false,
    places: [],
    columns: columns.map((name) => ({
      id: `${id}.${name}`,
      name,
      data_type: null,
      inferred: false,
      row_set: false,
      places: [],
      tags: [],
    })),
    hidden_columns: 0,
    beyond: { upstream: 0, downstream: 0 },
    distance: null,
    ...more,
  }
}

function relation(source: string, target: string): DiagramRelation {
  const [sourceEntity = '', targetEntity = ''] = [source.split('.')[0], target.split('.')[0]]
  return {
    id: `${source}>${target}`,
    type: 'fdd',
    subtype: 'IDENTITY',
    clause: 'select',
    effect: '',
    masking: false,
    candidate: false,
    star: false,
    source_entity: sourceEntity,
    source,
    target_entity: targetEntity,
    target,
    process: null,
    expression: '',
    place: null,
    source_place: null,
  }
}

function diagram(entities: DiagramEntity[], relations: DiagramRelation[], more: Partial<Diagram> = {}): Diagram {
  return { level: 'column', scripts: [], processes: [], entities, relations, focus: null, note: '', ...more }
}

// raw -> orders -> mart, and raw has two more tables below it
const base = diagram(
  [
    entity('raw', ['a'], { beyond: { upstream: 0, downstream: 2 }, distance: -1 }),
    entity('orders', ['a'], { distance: 0 }),
  ],
  [relation('raw.a', 'orders.a')],
  { focus: 'orders', note: 'more' },
)
const expansion = diagram(
  [
    entity('raw', ['a', 'b'], { hidden_columns: 3, beyond: { upstream: 0, downstream: 1 }, distance: 0 }),
    entity('log', ['b'], { distance: 1, beyond: { upstream: 1, downstream: 0 } }),
  ],
  [relation('raw.b', 'log.b')],
  { focus: 'raw', note: 'more' },
)

describe('merge', () => {
  const merged = merge(base, [{ entity: 'raw', diagram: expansion }])
  const found = (id: string) => merged.entities.find((each) => each.id === id)

  it('has every entity and relation once, and stays about the same thing', () => {
    expect(merged.entities.map((each) => each.id)).toEqual(['raw', 'orders', 'log'])
    expect(merged.relations.map((each) => each.id)).toEqual(['raw.a>orders.a', 'raw.b>log.b'])
    expect(merged.focus).toBe('orders')
    expect(merged.note).toBe('more')
  })

  it('joins the columns of a card, and counts those that no part shows', () => {
    expect(found('raw')?.columns.map((each) => each.name)).toEqual(['a', 'b'])
    // five columns altogether, as the second part says; two are shown
    expect(found('raw')?.hidden_columns).toBe(3)
  })

  it('counts what is still beyond', () => {
    // three tables are below raw: orders and log are shown
    expect(found('raw')?.beyond).toEqual({ upstream: 0, downstream: 0 })
    expect(found('log')?.beyond).toEqual({ upstream: 1, downstream: 0 })
  })

  it('counts distances from what the page is about', () => {
    expect(found('raw')?.distance).toBe(-1)
    expect(found('log')?.distance).toBe(0)
  })

  it('is the diagram itself if nothing was expanded', () => {
    expect(merge(base, [])).toBe(base)
  })
})

describe('without', () => {
  it('takes a card away with its relations, and its neighbours say so', () => {
    const left = without(base, new Set(['raw']))
    expect(left.entities.map((each) => each.id)).toEqual(['orders'])
    expect(left.relations).toEqual([])
    expect(left.entities[0]?.beyond).toEqual({ upstream: 1, downstream: 0 })
  })
})
