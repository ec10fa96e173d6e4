import { expect, it } from 'vitest'
import { csv } from './csv'

it('quotes what has to be quoted', () => {
  expect(
    csv(
      ['a', 'b'],
      [
        ['x,y', 'say "no"'],
        [1, 'two\nlines'],
      ],
    ),
  ).toBe('a,b\r\n"x,y","say ""no"""\r\n1,"two\nlines"\r\n')
})

it('lets no name be a formula', () => {
  expect(csv(['a'], [['=HYPERLINK("x")'], ['-1'], [-1]])).toBe('a\r\n"\'=HYPERLINK(""x"")"\r\n\'-1\r\n-1\r\n')
})
