import { describe, expect, test } from 'vitest'
import { HEAD, ROW } from './cards'
import { courseOf } from './curve'
import { draftOf, elkGraph, isLarge, placementOf } from './layout'
import { linesOf } from './lines'
import { throughProcesses } from './processes'
import { quickPlacement } from './quick'
import { sample } from './sample'
import { stepFrom } from './walking'

const chain = sample({ a: 'x y', b: 'x', c: 'x' }, [
  ['a.y', 'fdd', 'b.x'],
  ['a.y', 'fdr', 'b.x'],
  ['b.x', 'fdd', 'c.x'],
  ['a.x', 'join', 'c.x'],
])

describe('the graph that is laid out', () => {
  test('a port where each line meets its column; joins decide nothing, and the same ends are one edge', () => {
    const graph = elkGraph(draftOf(chain))
    expect(graph.edges?.map((edge) => [edge.sources[0], edge.targets[0]])).toEqual([
      ['0 a.y out', '1 b.x in'],
      ['1 b.x out', '2 c.x in'],
    ])
    expect(graph.children?.[0]?.ports?.map((port) => port.y)).toEqual([HEAD + 1.5 * ROW])
  })

  test('a line for each type between the same ends', () => {
    expect(linesOf(chain).map((line) => [line.type, line.source, line.target])).toEqual([
      ['fdd', 'a.y', 'b.x'],
      ['fdr', 'a.y', 'b.x'],
      ['fdd', 'b.x', 'c.x'],
      ['join', 'a.x', 'c.x'],
    ])
  })

  test('the answer: cards where they were put, lines along their bends', () => {
    const draft = draftOf(chain)
    const answer = {
      ...elkGraph(draft),
      width: 500,
      height: 90,
      children: [
        { id: '0', x: 5, y: 6 },
        { id: '1', x: 200, y: 0 },
        { id: '2', x: 400, y: 0 },
      ],
      edges: [
        {
          id: '0',
          sources: [],
          targets: [],
          sections: [{ id: 's', startPoint: { x: 1, y: 2 }, bendPoints: [{ x: 3, y: 4 }], endPoint: { x: 5, y: 6 } }],
        },
      ],
    }
    const placement = placementOf(draft, answer)
    expect(placement.cards.map(({ x, y }) => [x, y])).toEqual([
      [5, 6],
      [200, 0],
      [400, 0],
    ])
    expect(placement.lines[0]?.points).toEqual([
      { x: 1, y: 2 },
      { x: 3, y: 4 },
      { x: 5, y: 6 },
    ])
    expect(placement.lines[1]?.points).toEqual(placement.lines[0]?.points)
  })

  test('beyond a hundred entities only cards count', () => {
    const many = sample(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`t${index}`, 'a b'])), [
      ['t0.a', 'fdd', 't1.b'],
    ])
    expect(isLarge(chain)).toBe(false)
    expect(isLarge(many)).toBe(true)
    expect(draftOf(many).cards[0]?.columns).toEqual([])
    expect(draftOf(many).lines[0]).toMatchObject({ source: 't0', target: 't1' })
  })
})

describe('the quick layout', () => {
  const placed = (placement: ReturnType<typeof quickPlacement>, id: string) => {
    const card = placement.cards.find((each) => each.entity.id === id)
    if (!card) throw new Error(`no card ${id}`)
    return card
  }

  test('what something is made of stands left of it', () => {
    const placement = quickPlacement(draftOf(chain))
    expect(placed(placement, 'a').x).toBeLessThan(placed(placement, 'b').x)
    expect(placed(placement, 'b').x).toBeLessThan(placed(placement, 'c').x)
  })

  test('circles are laid out too, and cards that nothing connects stand below', () => {
    const round = sample({ a: '', b: '', loose: '' }, [
      ['a', 'fdd', 'b'],
      ['b', 'fdd', 'a'],
    ])
    const placement = quickPlacement(draftOf(round))
    expect(placed(placement, 'a').x).not.toBe(placed(placement, 'b').x)
    expect(placed(placement, 'loose').y).toBeGreaterThan(placed(placement, 'a').y)
  })

  test('a thousand cards: none on top of another', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `t${index}`)
    const many = sample(
      Object.fromEntries(names.map((name) => [name, ''])),
      names.slice(10).map((name, index) => [`t${index % 200}`, 'fdd', name] as const),
    )
    const { cards, width, height } = quickPlacement(draftOf(many))
    const sorted = [...cards].sort((a, b) => a.x - b.x || a.y - b.y)
    for (const [index, card] of sorted.entries()) {
      const next = sorted[index + 1]
      if (next && next.x === card.x) expect(next.y).toBeGreaterThanOrEqual(card.y + card.height)
      expect(card.x + card.width).toBeLessThanOrEqual(width)
      expect(card.y + card.height).toBeLessThanOrEqual(height)
    }
  })
})

describe('the keyboard', () => {
  const placement = quickPlacement(draftOf(chain))

  test('down and up through the rows of a card', () => {
    expect(stepFrom(placement, 'a', 'down')).toBe('a.x')
    expect(stepFrom(placement, 'a.x', 'down')).toBe('a.y')
    expect(stepFrom(placement, 'a.y', 'down')).toBe('a.y')
    expect(stepFrom(placement, 'a.x', 'up')).toBe('a')
  })

  test('right and left along lines', () => {
    expect(stepFrom(placement, 'a.y', 'right')).toBe('b.x')
    expect(stepFrom(placement, 'b.x', 'left')).toBe('a.y')
    expect(stepFrom(placement, 'b', 'right')).toBe('c')
  })

  test('a column without lines leads to the nearest card', () => {
    expect(stepFrom(placement, 'a.x', 'right')).toBe('b')
  })

  test('it begins at the first card', () => {
    expect(stepFrom(placement, null, 'down')).toBe('a')
    expect(stepFrom(placement, 'c', 'first')).toBe('a')
    expect(stepFrom(placement, 'a', 'last')).toBe('c')
  })
})

describe('statements between tables', () => {
  test('two sources and one target of a statement are three relations', () => {
    const tables = sample({ a: '', b: '', v: '' }, [
      ['a', 'fdd', 'v', { process: '7' }],
      ['b', 'fdd', 'v', { process: '7' }],
    ])
    const led = throughProcesses({
      ...tables,
      processes: [{ id: '7', type: 'Create View', procedure: '', place: null }],
    })
    const [, , , statement] = led.entities
    expect(statement).toMatchObject({ kind: 'process', name: 'Create View' })
    expect(led.relations.map((each) => [each.source_entity, each.target_entity])).toEqual([
      ['a', statement?.id],
      [statement?.id, 'v'],
      ['b', statement?.id],
    ])
  })
})

test('a line is level where it leaves and where it arrives', () => {
  const [line] = linesOf(chain)
  if (!line) throw new Error('no line')
  expect(
    courseOf({
      ...line,
      points: [
        { x: 0, y: 10 },
        { x: 100, y: 50 },
      ],
    }),
  ).toBe('M0 10C50 10 50 50 100 50')
})

test('a line that goes back leaves to the right and arrives from the left', () => {
  const [line] = linesOf(chain)
  if (!line) throw new Error('no line')
  const points = [
    { x: 200, y: 0 },
    { x: 202, y: 100 },
    { x: -2, y: 100 },
    { x: 0, y: 50 },
  ]
  const course = courseOf({ ...line, points })
  expect(course.startsWith('M200 0L207 0Q214 0')).toBe(true)
  expect(course.endsWith('-7 50L0 50')).toBe(true)
})
