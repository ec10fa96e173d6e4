import { expect, it } from 'vitest'
import { parted } from './Matched'

it('finds the part without regard to case', () => {
  expect(parted('mart.Orders.id', 'orders')).toEqual(['mart.', 'Orders', '.id'])
})

it('takes signs for themselves', () => {
  expect(parted('a.b(c)', '(c')).toEqual(['a.b', '(c', ')'])
  expect(parted('mart.orders', 'm.rt')).toEqual(['mart.orders', '', ''])
})

it('marks nothing for a pattern or for nothing', () => {
  expect(parted('mart.orders', 'mart*')).toEqual(['mart.orders', '', ''])
  expect(parted('mart.orders', '  ')).toEqual(['mart.orders', '', ''])
})
