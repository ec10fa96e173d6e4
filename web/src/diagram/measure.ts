/** How wide a text is in the diagram's fonts, and how it is cut to a width. */

export const FONT = 'system-ui, "Segoe UI", Helvetica, Arial, sans-serif'
export const PLAIN = `12px ${FONT}`
export const BOLD = `600 12px ${FONT}`
export const SMALL = `10.5px ${FONT}`

/** Texts are measured and shown up to here: nobody reads more, and hostile ones are long. */
const MOST_CHARACTERS = 200

let pen: CanvasRenderingContext2D | null | undefined

function penOf(): CanvasRenderingContext2D | null {
  if (pen === undefined) {
    const hasCanvas = typeof HTMLCanvasElement !== 'undefined' && typeof CanvasRenderingContext2D !== 'undefined'
    pen = hasCanvas ? document.createElement('canvas').getContext('2d') : null
  }
  return pen
}

const known = new Map<string, number>()

/** The width of a text in pixels; where nothing can draw, an estimate. */
export function widthOf(text: string, font: string): number {
  const key = `${font}\n${text}`
  const before = known.get(key)
  if (before !== undefined) return before
  const context = penOf()
  if (context) context.font = font
  const width = context ? context.measureText(text).width : text.length * 6.6
  if (known.size > 20_000) known.clear()
  known.set(key, width)
  return width
}

/** The text as far as it fits, with an ellipsis where it does not. */
export function cut(text: string, font: string, width: number): string {
  const characters = Array.from(text.slice(0, 4 * MOST_CHARACTERS)).slice(0, MOST_CHARACTERS)
  const isWhole = characters.join('').length === text.length
  if (isWhole && widthOf(text, font) <= width) return text
  let least = 0
  let most = characters.length
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (widthOf(`${characters.slice(0, middle).join('')}…`, font) <= width) least = middle
    else most = middle - 1
  }
  return `${characters.slice(0, least).join('')}…`
}
