/** The course of a line through its points. */
import type { PlacedLine, Point } from './layout'

/** How far a line that leaves and meets cards on the same side bows out. */
const BOW = 46

const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`
const round = (value: number): number => Math.round(value * 10) / 10

/** An SVG path: level where it leaves, where it passes between other cards and where it arrives; in between it swings. */
export function courseOf(line: PlacedLine): string {
  const [first, ...others] = line.points
  const last = others.at(-1)
  if (!first || !last) return ''
  if (line.type === 'join' && Math.abs(first.x - last.x) < 400 && others.length === 1) return bracket(first, last)
  if (last.x <= first.x && others.length === 1) return loop(first, last)
  let course = `M${at(first)}`
  let before = first
  for (const point of others) {
    const middle = (before.x + point.x) / 2
    course += `C${round(middle)} ${round(before.y)} ${round(middle)} ${round(point.y)} ${at(point)}`
    before = point
  }
  return course
}

/** Between two cards above each other: out to the left and back; else straight to the other side. */
function bracket(first: Point, last: Point): string {
  const left = Math.min(first.x, last.x) - BOW
  return `M${at(first)}C${round(left)} ${round(first.y)} ${round(left)} ${round(last.y)} ${at(last)}`
}

/** From the right side back to the left side of the same card or of one further left. */
function loop(first: Point, last: Point): string {
  const right = first.x + BOW
  const left = last.x - BOW
  return `M${at(first)}C${round(right)} ${round(first.y)} ${round(left)} ${round(last.y)} ${at(last)}`
}
