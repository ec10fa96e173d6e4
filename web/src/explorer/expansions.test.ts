import { expect, it } from 'vitest'
import { collapse, expand, expandedOf } from './expansions'

it('reads what was expanded', () => {
  expect(expandedOf('u12,d-7.3')).toEqual([
    { entity: '12', direction: 'upstream', pages: 1 },
    { entity: '-7', direction: 'downstream', pages: 3 },
  ])
})

it('passes over what makes no sense', () => {
  expect(expandedOf('x1,u,d12.,u5.0,d8.100,<b>')).toEqual([{ entity: '5', direction: 'upstream', pages: 1 }])
})

it('expands a card once, then by a page more', () => {
  expect(expand('', '12', 'upstream')).toBe('u12')
  expect(expand('u12', '12', 'downstream')).toBe('u12,d12')
  expect(expand('u12,d12', '12', 'upstream')).toBe('u12.2,d12')
})

it('collapses both sides of a card', () => {
  expect(collapse('u12.2,d7,d12', '12')).toBe('d7')
})
