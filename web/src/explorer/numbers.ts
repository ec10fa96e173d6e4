/** Numbers and times as people read them. */

const COUNTS = new Intl.NumberFormat('en')
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export function count(value: number): string {
  return COUNTS.format(value)
}

export function shortCount(value: number): string {
  return value < 10_000 ? COUNTS.format(value) : SHORT.format(value)
}

/** `1 table`, `2 tables`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** A share as a percentage; all of nothing is all. Never rounded up to 100. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.floor((1000 * part) / whole) / 10
}

/** A moment: `2026-11-16 09:33:07`, for two snapshots may be of one minute. What is no time is shown as it is. */
export function timeOf(time: string): string {
  const found = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)/.exec(time)
  return found ? `${found[1]} ${found[2]}` : time
}
