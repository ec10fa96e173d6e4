/** The course of a line through its points. */
import type { PlacedLine, Point } from './layout'

/** How far a line that leaves and meets cards on the same side bows out. */
const BOW = 46
/** How far a line that goes back leaves its card before it turns, and how round it turns. */
const STUB = 14
const ROUND = 10

const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`
const round = (value: number): number => Math.round(value * 10) / 10

/** An SVG path: level where it leaves, where it passes between other cards and where it arrives; in between it swings. */
export function courseOf(line: PlacedLine): string {
  const [first, ...others] = line.points
  const last = others.at(-1)
  if (!first || !last) return ''
  if (line.type === 'join' && Math.abs(first.x - last.x) < 400 && others.length === 1) return bracket(first, last)
  if (last.x <= first.x) return others.length === 1 ? loop(first, last) : back(line.points)
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

/** Around cards and back to the left: straight, with round corners; it still leaves to the right and arrives from the left. */
function back(points: readonly Point[]): string {
  const [first, ...rest] = points
  const last = rest.pop()
  if (!first || !last) return ''
  const way = [
    first,
    { x: first.x + STUB, y: first.y },
    ...rest.map((point) => aside(point, first, last)),
    { x: last.x - STUB, y: last.y },
    last,
  ]
  let course = `M${at(first)}`
  for (let index = 1; index < way.length - 1; index += 1) {
    const [before, corner, after] = [way[index - 1], way[index], way[index + 1]]
    if (!before || !corner || !after) continue
    course += `L${at(towards(corner, before))}Q${at(corner)} ${at(towards(corner, after))}`
  }
  return `${course}L${at(last)}`
}

/** A bend right beside a card stands as far from it as the line has left it. */
function aside(point: Point, first: Point, last: Point): Point {
  if (Math.abs(point.x - first.x) < STUB) return { x: first.x + STUB, y: point.y }
  if (Math.abs(point.x - last.x) < STUB) return { x: last.x - STUB, y: point.y }
  return point
}

function towards(from: Point, to: Point): Point {
  const distance = Math.hypot(to.x - from.x, to.y - from.y)
  const share = distance === 0 ? 0 : Math.min(ROUND, distance / 2) / distance
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}
