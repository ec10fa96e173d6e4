import { expect, test } from 'vitest'
import { mermaidOf } from './mermaid'
import { sample } from './sample'

test('cards are subgraphs, and lines have the signs of their types', () => {
  const text = mermaidOf(
    sample({ t: 'a rows', v: 'a', w: '' }, [
      ['t.a', 'fdd', 'v.a'],
      ['t.rows', 'fdr', 'v.a'],
      ['t.a', 'join', 'v.a'],
      ['t.a', 'fdd', 'v.a'],
      ['v', 'fdd', 'w'],
    ]),
  )
  expect(text.split('\n').slice(0, -3)).toEqual([
    'flowchart LR',
    '  subgraph tt["t"]',
    '    ct_2e_a["a"]:::column',
    '    ct_2e_rows["«rows»"]:::rows',
    '  end',
    '  subgraph tv["v"]',
    '    cv_2e_a["a"]:::column',
    '  end',
    '  tw["w"]',
    '  ct_2e_a --> cv_2e_a',
    '  ct_2e_rows -.-> cv_2e_a',
    '  ct_2e_a -.- cv_2e_a',
    '  tv --> tw',
  ])
})

test('names are text', () => {
  const [, node] = mermaidOf(sample({ '"]; click x "javascript:1" <b>': '' })).split('\n')
  expect(node).toMatch(/^ {2}t[A-Za-z0-9_]+\["#34;#93;#59; click x #34;javascript:1#34; #60;b#62;"\]$/)
  expect(mermaidOf(sample({ '1. a\u202eb': '' }))).toContain('["#49;. a(U+202E)b"]')
})

test('more lines than Mermaid draws are told between tables', () => {
  const names = Array.from({ length: 600 }, (_, at) => `c${at}`)
  const text = mermaidOf(
    sample(
      { t: names.join(' '), v: names.join(' ') },
      names.map((name) => [`t.${name}`, 'fdd', `v.${name}`] as const),
    ),
  )
  expect(text.split('\n').slice(0, 4)).toEqual(['flowchart LR', '  tt["t"]', '  tv["v"]', '  tt --> tv'])
})
