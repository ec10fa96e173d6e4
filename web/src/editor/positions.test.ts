import { Text } from '@codemirror/state'
import { describe, expect, test } from 'vitest'
import { offsetOf, positionOf, stretchOf } from './positions'

/** As the editor splits it: at line feeds only. */
const lines = (text: string) => Text.of(text.split('\n'))

describe('places and offsets', () => {
  test('plain text', () => {
    expect(offsetOf(lines('ab\ncd'), { line: 1, column: 1 })).toBe(0)
    expect(offsetOf(lines('ab\ncd'), { line: 2, column: 2 })).toBe(4)
    expect(positionOf(lines('ab\ncd'), 4)).toEqual({ line: 2, column: 2 })
  })

  test('an emoji is one column and two units', () => {
    const text = lines("SELECT '😀', b")
    expect(offsetOf(text, { line: 1, column: 10 })).toBe(10)
    expect(stretchOf(text, { start: { line: 1, column: 12 }, end: { line: 1, column: 13 } })).toEqual({
      from: 12,
      to: 13,
    })
    expect(positionOf(text, 12)).toEqual({ line: 1, column: 12 - 1 + 1 })
  })

  test('several emoji before the place', () => {
    const text = lines('😀😀x')
    expect(offsetOf(text, { line: 1, column: 3 })).toBe(4)
    expect(positionOf(text, 4)).toEqual({ line: 1, column: 3 })
    expect(positionOf(text, 5)).toEqual({ line: 1, column: 4 })
  })

  test('a combining mark is a column of its own', () => {
    expect(offsetOf(lines('e\u0301x'), { line: 1, column: 3 })).toBe(2)
  })

  test('a carriage return is the last character of its line', () => {
    const text = lines('ab\r\ncd')
    expect(offsetOf(text, { line: 2, column: 1 })).toBe(4)
    expect(positionOf(text, 4)).toEqual({ line: 2, column: 1 })
    expect(offsetOf(text, { line: 1, column: 4 })).toBe(3)
  })

  test('what lies outside is drawn to the nearest end', () => {
    const text = lines('ab\ncd')
    expect(offsetOf(text, { line: 9, column: 1 })).toBe(5)
    expect(offsetOf(text, { line: 1, column: 99 })).toBe(2)
    expect(offsetOf(text, { line: 0, column: 1 })).toBe(0)
  })

  test('a part of a longer script', () => {
    const text = lines('ab\ncd')
    expect(offsetOf(text, { line: 101, column: 2 }, 100)).toBe(4)
    expect(positionOf(text, 4, 100)).toEqual({ line: 101, column: 2 })
  })
})
