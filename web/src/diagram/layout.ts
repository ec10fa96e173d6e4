/**
 * Where cards stand and how lines run: a graph for ELK, and what it answers.
 *
 * Layers from left to right. Where there are few cards, lines go from column to column and cards have a port for each; beyond that only cards
 * count, and beyond what ELK can take, `quick` does it alone. Joins are no flow: they are drawn, but do not decide which card is left of which.
 */
import type { ElkExtendedEdge, ElkNode, LayoutOptions } from 'elkjs/lib/elk-api'
import { type Card, cardOf, portAt } from './cards'
import { type Line, linesOf } from './lines'
import type { Diagram } from './types'

const MOST_CARDS_WITH_COLUMNS = 100
const MOST_COLUMNS = 1500

export type Point = { readonly x: number; readonly y: number }
export type PlacedCard = Card & Point
export type PlacedLine = Line & { readonly points: readonly Point[] }

export type Placement = {
  readonly cards: readonly PlacedCard[]
  readonly lines: readonly PlacedLine[]
  readonly width: number
  readonly height: number
}

/** What is to be laid out. */
export type Draft = { readonly cards: readonly Card[]; readonly lines: readonly Line[] }

/** Whether a diagram is too large for columns to be laid out. */
export function isLarge(diagram: Diagram): boolean {
  const columns = diagram.entities.reduce((sum, entity) => sum + entity.columns.length, 0)
  return diagram.entities.length > MOST_CARDS_WITH_COLUMNS || columns > MOST_COLUMNS
}

export function draftOf(diagram: Diagram): Draft {
  const large = isLarge(diagram)
  return { cards: diagram.entities.map((entity) => cardOf(entity, !large)), lines: linesOf(diagram, large) }
}

const OPTIONS: LayoutOptions = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.edgeRouting': 'POLYLINE',
  'elk.spacing.nodeNode': '28',
  'elk.spacing.edgeNode': '16',
  'elk.spacing.edgeEdge': '8',
  'elk.spacing.componentComponent': '48',
  'elk.layered.spacing.nodeNodeBetweenLayers': '60',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.considerModelOrder.strategy': 'PREFER_EDGES',
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.nodePlacement.favorStraightEdges': 'true',
  'elk.separateConnectedComponents': 'true',
  'elk.aspectRatio': '1.6',
}

const leaving = (id: string): string => `${id} out`
const arriving = (id: string): string => `${id} in`
/** Whether a line decides which card is left of which. */
export const isFlow = (line: Line): boolean => line.type !== 'join' && line.sourceEntity !== line.targetEntity

/** The graph that ELK lays out. Ids are positions in the draft, so that no name can collide with another. */
export function elkGraph(draft: Draft): ElkNode {
  const numbers = new Map(draft.cards.map((card, index) => [card.entity.id, index]))
  const used = draft.cards.map(() => ({ in: new Set<string>(), out: new Set<string>() }))
  const edges: ElkExtendedEdge[] = []
  const drawn = new Set<string>()
  for (const [index, line] of draft.lines.entries()) {
    const source = numbers.get(line.sourceEntity)
    const target = numbers.get(line.targetEntity)
    if (!isFlow(line) || source === undefined || target === undefined) continue
    const key = `${line.source}\n${line.target}`
    if (drawn.has(key)) continue
    drawn.add(key)
    used[source]?.out.add(line.source)
    used[target]?.in.add(line.target)
    edges.push({
      id: `${index}`,
      sources: [`${source} ${leaving(line.source)}`],
      targets: [`${target} ${arriving(line.target)}`],
    })
  }
  return {
    id: 'root',
    layoutOptions: OPTIONS,
    children: draft.cards.map((card, index) => elkNode(card, index, used[index])),
    edges,
  }
}

function elkNode(card: Card, index: number, used: { in: Set<string>; out: Set<string> } | undefined): ElkNode {
  const port = (id: string, side: 'WEST' | 'EAST') => ({
    id: `${index} ${side === 'EAST' ? leaving(id) : arriving(id)}`,
    x: side === 'EAST' ? card.width : 0,
    y: portAt(card, id),
    width: 0,
    height: 0,
    layoutOptions: { 'elk.port.side': side },
  })
  return {
    id: `${index}`,
    width: card.width,
    height: card.height,
    layoutOptions: { 'elk.portConstraints': 'FIXED_POS' },
    ports: [
      ...[...(used?.in ?? [])].map((id) => port(id, 'WEST')),
      ...[...(used?.out ?? [])].map((id) => port(id, 'EAST')),
    ],
  }
}

/** The placement that ELK's answer means. */
export function placementOf(draft: Draft, answer: ElkNode): Placement {
  const cards = draft.cards.map((card, index) => {
    const node = answer.children?.[index]
    return { ...card, x: node?.x ?? 0, y: node?.y ?? 0 }
  })
  const byEntity = new Map(cards.map((card) => [card.entity.id, card]))
  const routes = new Map<string, Point[]>()
  for (const edge of answer.edges ?? []) {
    const line = draft.lines[Number(edge.id)]
    const section = edge.sections?.[0]
    if (!line || !section) continue
    routes.set(`${line.source}\n${line.target}`, [section.startPoint, ...(section.bendPoints ?? []), section.endPoint])
  }
  const lines: PlacedLine[] = []
  for (const line of draft.lines) {
    const source = byEntity.get(line.sourceEntity)
    const target = byEntity.get(line.targetEntity)
    if (!source || !target) continue
    const route = isFlow(line) ? routes.get(`${line.source}\n${line.target}`) : undefined
    lines.push({ ...line, points: route ?? ends(source, target, line) })
  }
  return { cards, lines, width: answer.width ?? 0, height: answer.height ?? 0 }
}

/** Where a line that ELK did not route begins and ends: a join by the nearer sides, anything else from right to left. */
export function ends(source: PlacedCard, target: PlacedCard, line: Line): Point[] {
  const leave = source.y + portAt(source, line.source)
  const arrive = target.y + portAt(target, line.target)
  if (line.type !== 'join' || source.x + source.width < target.x) {
    return [
      { x: source.x + source.width, y: leave },
      { x: target.x, y: arrive },
    ]
  }
  if (target.x + target.width < source.x) {
    return [
      { x: source.x, y: leave },
      { x: target.x + target.width, y: arrive },
    ]
  }
  return [
    { x: source.x, y: leave },
    { x: target.x, y: arrive },
  ]
}
