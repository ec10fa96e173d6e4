import { describe, expect, test, vi } from 'vitest'
import { sample } from '../diagram/sample'
import { packed, unpacked } from './packing'
import { idOf, nameOf } from './selection'
import { queryOf, settingsIn, USUAL } from './settings'

describe('the script behind #', () => {
  test.each([['SELECT 1'], ["SELECT '😀'\r\nFROM t -- \u202E"], ['x'.repeat(100_000)], ['\uFEFFSELECT']])(
    'comes back to the letter',
    async (sql) => {
      expect(await unpacked(`#${await packed([sql, ''])}`)).toEqual([sql])
      expect(await unpacked(await packed([sql, '{"t": {}}']))).toEqual([sql, '{"t": {}}'])
    },
  )

  test('is short for a long script, and needs no escape', async () => {
    const fragment = await packed(['SELECT a, b, c FROM some_table WHERE a > 1;\n'.repeat(200)])
    expect(fragment.length).toBeLessThan(400)
    expect(fragment).toMatch(/^[\w.-]+$/)
  })

  test('works without compression', async () => {
    vi.stubGlobal('CompressionStream', undefined)
    const fragment = await packed(['SELECT 1'])
    vi.unstubAllGlobals()
    expect(fragment.startsWith('p.')).toBe(true)
    expect(await unpacked(fragment)).toEqual(['SELECT 1'])
  })

  test('what is none of ours is nothing', async () => {
    expect(await unpacked('')).toBeNull()
    expect(await unpacked('#heading')).toBeNull()
    expect(await unpacked('#z.%%%')).toBeNull()
    expect(await unpacked('#z.AAAA')).toBeNull()
  })

  test('nothing typed is nothing in the URL', async () => {
    expect(await packed(['', ''])).toBe('')
  })
})

describe('settings in the query', () => {
  test('what is as usual is not told', () => {
    expect(queryOf(USUAL)).toBe('')
    expect(settingsIn('')).toEqual(USUAL)
  })

  test('everything comes back', () => {
    const other = {
      ...USUAL,
      dialect: 'tsql',
      level: 'column',
      tab: 'relations',
      hideColumns: true,
      dataFlow: false,
      impact: true,
      join: true,
      width: 55,
      resultSets: false,
      functions: false,
      defaultSchema: 'a b&c',
      at: 't%2F/x',
    } as const
    expect(settingsIn(queryOf(other))).toEqual(other)
  })

  test('nonsense is as usual, and parameters of others stay', () => {
    expect(settingsIn('?level=9&tab=&impact=perhaps&width=wide')).toEqual(USUAL)
    expect(queryOf({ ...USUAL, impact: true }, '?token=1&join=true')).toBe('?token=1&impact=true')
  })
})

describe('a selection by name', () => {
  const diagram = sample({ 'a/b~c': 'x y', v: 'x' }, [['v.x', 'fdd', 'v.x']])
  const [odd, view] = diagram.entities
  if (!odd || !view) throw new Error('no entities')
  const twins = {
    ...diagram,
    entities: [
      odd,
      view,
      { ...view, id: 'second', columns: view.columns.map((column) => ({ ...column, id: 'second.x' })) },
    ],
  }

  test('an entity, a column, a relation', () => {
    expect(nameOf(twins, 'v')).toBe('v')
    expect(nameOf(twins, 'v.x')).toBe('v/x')
    expect(nameOf(twins, 'r1')).toBe('v/x>v/x:fdd')
  })

  test('the second of a name', () => {
    expect(nameOf(twins, 'second.x')).toBe('v~2/x')
  })

  test('all lead back', () => {
    for (const id of ['a/b~c', 'a/b~c.x', 'a/b~c.y', 'v', 'v.x', 'second', 'second.x', 'r1']) {
      expect(idOf(twins, nameOf(twins, id))).toBe(id)
    }
  })

  test('a column where columns are not shown is its entity', () => {
    const tables = { ...twins, entities: twins.entities.map((entity) => ({ ...entity, columns: [] })) }
    expect(idOf(tables, 'v~2/x')).toBe('second')
  })

  test('what is not there', () => {
    expect(idOf(twins, 'w')).toBeNull()
    expect(idOf(twins, 'v/y')).toBeNull()
    expect(idOf(twins, 'v/x>v/x:fdr')).toBeNull()
    expect(idOf(twins, '')).toBeNull()
  })
})
