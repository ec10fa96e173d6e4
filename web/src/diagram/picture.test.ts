import { expect, test } from 'vitest'
import { chainOf } from './chain'
import { draftOf } from './layout'
import { cut, PLAIN, widthOf } from './measure'
import { svgOf } from './picture'
import { quickPlacement } from './quick'
import { sample } from './sample'

const HOSTILE = '<img src=x onerror="alert(1)">&\u0000'

const drawn = (svg: string): Document => new DOMParser().parseFromString(svg, 'image/svg+xml')

test('a picture has the names, and a hostile one is only text', () => {
  const diagram = sample({ [HOSTILE]: 'a', v: 'b' }, [])
  const picture = drawn(svgOf(quickPlacement(draftOf(diagram)), 'light', new Map(), null, null))
  expect(picture.querySelector('parsererror')).toBeNull()
  expect(picture.querySelector('img')).toBeNull()
  expect(picture.querySelector('title')?.textContent).toBe(HOSTILE.replace('\u0000', '\uFFFD'))
  expect([...picture.querySelectorAll('text')].map((each) => each.textContent)).toContain('b')
})

test('the lines of what is not on the chain fade', () => {
  const diagram = sample({ t: 'a b', v: 'a b' }, [
    ['t.a', 'fdd', 'v.a'],
    ['t.b', 'fdr', 'v.b'],
  ])
  const svg = svgOf(quickPlacement(draftOf(diagram)), 'dark', new Map(), chainOf(diagram, 'v.a'), 'v.a')
  const lines = [...drawn(svg).querySelectorAll('path[stroke-width="1.4"]')]
  expect(lines.map((line) => [line.getAttribute('stroke-dasharray'), line.getAttribute('opacity')])).toEqual([
    [null, null],
    ['6 4', '.08'],
  ])
})

test('a text is cut where it does not fit, between characters', () => {
  expect(cut('abc', PLAIN, 1000)).toBe('abc')
  const short = cut('😀'.repeat(50), PLAIN, 100)
  expect(short.endsWith('…')).toBe(true)
  expect(widthOf(short, PLAIN)).toBeLessThanOrEqual(100)
  expect([...short.slice(0, -1)].every((character) => character === '😀')).toBe(true)
})
