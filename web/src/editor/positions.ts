/**
 * Between places as the server tells them and offsets as the editor counts them.
 *
 * A position is a line and a column, both from 1; columns count code points, and lines end with a line feed only. The editor counts UTF-16 units
 * from 0 and is told to break lines at line feeds only, too, so a carriage return is a character like any other to both.
 */

/** A text in lines: what is needed of the editor's own. */
export type Lines = {
  readonly lines: number
  readonly length: number
  line(number: number): { readonly from: number; readonly text: string }
  lineAt(offset: number): { readonly number: number; readonly from: number; readonly text: string }
}

export type Position = { readonly line: number; readonly column: number }

/** A stretch of the editor's text: from the first unit up to the one behind the last. */
export type Stretch = { readonly from: number; readonly to: number }

/** The offset of a position; what lies outside of the text is drawn to its nearest end. */
export function offsetOf(lines: Lines, position: Position, firstLine = 1): number {
  const number = position.line - firstLine + 1
  if (number < 1) return 0
  if (number > lines.lines) return lines.length
  const { from, text } = lines.line(number)
  return from + unitsOf(text, position.column - 1)
}

/** The position of an offset. */
export function positionOf(lines: Lines, offset: number, firstLine = 1): Position {
  const { number, from, text } = lines.lineAt(Math.min(Math.max(offset, 0), lines.length))
  return { line: number + firstLine - 1, column: codePoints(text, offset - from) + 1 }
}

export function stretchOf(lines: Lines, place: { start: Position; end: Position }, firstLine = 1): Stretch {
  const from = offsetOf(lines, place.start, firstLine)
  return { from, to: Math.max(from, offsetOf(lines, place.end, firstLine)) }
}

/** How many UTF-16 units the first code points of a text take. */
function unitsOf(text: string, points: number): number {
  let units = 0
  for (let left = points; left > 0 && units < text.length; left -= 1) units += unitsAt(text, units)
  return units
}

/** How many code points the first UTF-16 units of a text are; an offset inside of a pair counts as before it. */
function codePoints(text: string, units: number): number {
  let points = 0
  let offset = 0
  while (offset < units && offset < text.length) {
    offset += unitsAt(text, offset)
    if (offset <= units) points += 1
  }
  return points
}

const unitsAt = (text: string, offset: number): number => ((text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1)
