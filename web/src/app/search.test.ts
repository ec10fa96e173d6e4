import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'
import { defaultsOf, diff, everywhere, parameterValue, script, tables, thing, toggled, words } from './search'

describe('parameters', () => {
  it('are restored from the URL', () => {
    const given = {
      of: 'mart.orders',
      tab: 'impact',
      up: 3,
      down: 0,
      flow: 'impact',
      level: 'table',
      hide: true,
      change: 'retype',
    }
    expect(thing.parse(given)).toMatchObject(given)
  })

  it('that make no sense are their defaults', () => {
    const given = { of: ['x'], tab: 'everything', up: -1, down: 'many', page: 0, verdict: 'bad', depth: 0.5 }
    expect(thing.parse(given)).toMatchObject({ of: '', tab: 'graph', up: 1, down: 1, page: 1 })
    expect(thing.parse(given).verdict).toBeUndefined()
    expect(thing.parse(given).depth).toBeUndefined()
  })

  it('take a name that looks like a number for a name', () => {
    expect(thing.parse({ of: 2024 }).of).toBe('2024')
    expect(tables.parse({ like: true }).like).toBe('true')
    expect(everywhere.parse({ at: 20261116 }).at).toBe('20261116')
  })

  it('know yes, no and neither', () => {
    expect(diff.parse({ breaking: false }).breaking).toBe(false)
    expect(diff.parse({}).breaking).toBeUndefined()
  })
})

describe('defaults', () => {
  it('are what stands in no URL', () => {
    expect(defaultsOf(script)).toEqual({ id: '', line: 1 })
    expect(defaultsOf(tables)).toEqual({ like: '', page: 1, kind: '' })
  })
})

describe('lists', () => {
  it('are words with commas between', () => {
    expect(words('')).toEqual([])
    expect(words('a,,b')).toEqual(['a', 'b'])
  })

  it('gain and lose a word', () => {
    expect(toggled('a,b', 'a')).toBe('b')
    expect(toggled('', 'a')).toBe('a')
  })
})

describe('the URL', () => {
  const read = parseSearchWith(parameterValue)
  const write = stringifySearchWith(JSON.stringify, parameterValue)

  it('has names and ids as they are', () => {
    expect(write({ of: 'mart.orders', sel: '-1720729280797469060', line: 12, hide: true })).toBe(
      '?of=mart.orders&sel=-1720729280797469060&line=12&hide=true',
    )
  })

  it('gives back what was put into it', () => {
    const given = {
      of: '2024',
      like: 'true',
      sel: '"x"',
      q: 'a "b" & c',
      line: 12,
      hide: false,
      id: '007',
      tag: '{"a":1}',
    }
    expect(read(write(given))).toEqual(given)
  })
})
