import { expect, it } from 'vitest'
import { shownName } from './shownName'

it('shows what would turn the text', () => {
  expect(shownName('db.\u202etxt.sql')).toBe('db.⟨U+202E⟩txt.sql')
})

it('leaves names of any script as they are', () => {
  expect(shownName('مخزن.طلبات')).toBe('مخزن.طلبات')
})

it('cuts what nobody reads', () => {
  expect(shownName('x'.repeat(10_000))).toBe(`${'x'.repeat(500)}…`)
})
