/** A placement as an SVG document that any program can show: plain shapes and texts, no styles from elsewhere. */
import { badge, columnName, FOOT, footOf, HEAD, ICON, PAD, ROW, WIDEST_BADGE } from './cards'
import type { Chain } from './chain'
import { courseOf } from './curve'
import { kindOf } from './kinds'
import type { PlacedCard, PlacedLine, Placement } from './layout'
import { BOLD, cut, FONT, PLAIN, SMALL, widthOf } from './measure'
import { headOf, type Palette, paletteOf, type Scheme } from './palette'
import type { Mark } from './types'

const MARGIN = 24
const DASHES = { solid: '', dashed: '5 3', dotted: '1.5 3' }
const LINE_DASHES = { fdd: '', fdr: '6 4', join: '1.5 4' }

/** The drawing, with the chain that is lit and the rest faded, as on the screen. */
export function svgOf(
  placement: Placement,
  scheme: Scheme,
  marks: ReadonlyMap<string, Mark>,
  chain: Chain | null,
  start: string | null,
): string {
  const pen = new Pen(scheme, marks, chain, start)
  const width = Math.ceil(placement.width + 2 * MARGIN)
  const height = Math.ceil(placement.height + 2 * MARGIN)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}" font-family="${text(FONT)}">`,
    pen.arrows(),
    `<rect x="${-MARGIN}" y="${-MARGIN}" width="${width}" height="${height}" fill="${pen.palette.ground}"/>`,
    ...placement.lines.map((line) => pen.line(line)),
    ...placement.cards.map((card) => pen.card(card)),
    '</svg>',
  ].join('\n')
}

class Pen {
  readonly palette: Palette

  constructor(
    private readonly scheme: Scheme,
    private readonly marks: ReadonlyMap<string, Mark>,
    private readonly chain: Chain | null,
    private readonly start: string | null,
  ) {
    this.palette = paletteOf(scheme)
  }

  arrows(): string {
    const markers = Object.entries(this.palette.lines).map(
      ([type, colour]) =>
        `<marker id="arrow-${type}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .5L8 4L0 7.5z" fill="${colour}"/></marker>`,
    )
    return `<defs>${markers.join('')}</defs>`
  }

  line(line: PlacedLine): string {
    const ids = line.relations.map((relation) => relation.id)
    const isFaded = this.chain !== null && !ids.some((id) => this.chain?.relations.has(id))
    const mark = ids.map((id) => this.marks.get(id)).find(Boolean)
    const colour = mark ? this.palette.marks[mark] : this.palette.lines[line.type]
    const dashes = LINE_DASHES[line.type]
    const arrow = line.type === 'join' ? '' : ` marker-end="url(#arrow-${line.type})"`
    return `<path d="${courseOf(line)}" fill="none" stroke="${colour}" stroke-width="1.4"${dashes && ` stroke-dasharray="${dashes}"`}${arrow}${isFaded ? ' opacity=".08"' : ''}/>`
  }

  card(card: PlacedCard): string {
    const { entity, width, height } = card
    const kind = kindOf(entity.kind)
    const head = headOf(entity.kind, this.scheme)
    const { palette } = this
    const [a, b, c, d] = kind.corners
    const isFaded = this.chain !== null && !this.chain.entities.has(entity.id)
    const mark = this.marks.get(entity.id)
    const border = mark ? palette.marks[mark] : head.ink
    const word = cut(badge(entity), SMALL, WIDEST_BADGE)
    const wordWidth = word ? widthOf(word, SMALL) + 8 : 0
    const isOpen = card.columns.length > 0
    const outline = rounded(width, height, [a, b, c, d])
    const top = rounded(width, HEAD, isOpen ? [a, b, 0, 0] : [a, b, c, d])
    return [
      `<g transform="translate(${card.x} ${card.y})"${isFaded ? ' opacity=".35"' : ''}>`,
      `<title>${text(entity.name)}</title>`,
      `<path d="${outline}" fill="${palette.paper}"/>`,
      `<path d="${top}" fill="${head.fill}"/>`,
      `<path d="${kind.icon}" transform="translate(${PAD} ${(HEAD - ICON) / 2})" fill="none" stroke="${head.ink}" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/>`,
      this.write(
        cut(entity.name, BOLD, width - 2 * PAD - ICON - 6 - wordWidth),
        PAD + ICON + 6,
        HEAD / 2,
        palette.ink,
        12,
        600,
      ),
      word ? this.write(word, width - PAD, HEAD / 2, palette.muted, 10.5, 400, 'end') : '',
      ...card.columns.map((_, index) => this.row(card, index)),
      isOpen && entity.hidden_columns > 0
        ? this.write(footOf(entity), PAD, height - FOOT / 2, palette.muted, 10.5)
        : '',
      `<path d="${outline}" fill="none" stroke="${border}"${mark ? ' stroke-width="2.5"' : ''}${DASHES[kind.border] && ` stroke-dasharray="${DASHES[kind.border]}"`}/>`,
      '</g>',
    ].join('')
  }

  private row(card: PlacedCard, index: number): string {
    const column = card.columns[index]
    if (!column) return ''
    const { palette } = this
    const y = HEAD + ROW * index
    const isLit = this.chain?.columns.has(column.id) ?? false
    const isFaded = this.chain !== null && !isLit
    const ground = column.id === this.start ? palette.accent : palette.wash
    const mark = this.marks.get(column.id)
    const type = column.data_type ? cut(column.data_type, SMALL, 90) : ''
    const typeWidth = type ? widthOf(type, SMALL) + 10 : 0
    const ink = column.row_set ? palette.muted : palette.ink
    const name = cut(columnName(column), PLAIN, card.width - 2 * PAD - typeWidth)
    return [
      `<g${isFaded ? ' opacity=".45"' : ''}>`,
      isLit
        ? `<rect x="1" y="${y + 1}" width="${card.width - 2}" height="${ROW - 2}" fill="${ground}"${column.id === this.start ? ' fill-opacity=".45"' : ''}/>`
        : '',
      mark ? `<rect x="1" y="${y + 1}" width="3" height="${ROW - 2}" fill="${palette.marks[mark]}"/>` : '',
      `<path d="M0 ${y}H${card.width}" stroke="${palette.rule}" stroke-opacity=".6"/>`,
      this.write(name, PAD, y + ROW / 2, ink, 12),
      type ? this.write(type, card.width - PAD, y + ROW / 2, palette.muted, 10.5, 400, 'end') : '',
      '</g>',
    ].join('')
  }

  private write(
    words: string,
    x: number,
    y: number,
    colour: string,
    size: number,
    weight = 400,
    anchor = 'start',
  ): string {
    return `<text x="${x}" y="${y}" fill="${colour}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}" dominant-baseline="central" unicode-bidi="isolate">${text(words)}</text>`
  }
}

function rounded(width: number, height: number, [a, b, c, d]: readonly [number, number, number, number]): string {
  return `M${a} 0H${width - b}a${b} ${b} 0 0 1 ${b} ${b}V${height - c}a${c} ${c} 0 0 1 ${-c} ${c}H${d}a${d} ${d} 0 0 1 ${-d} ${-d}V${a}a${a} ${a} 0 0 1 ${a} ${-a}z`
}

/** Names are text: nothing in them is markup, and what XML cannot hold is shown as a replacement. */
function text(words: string): string {
  return words
    .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
