/** What each kind of entity looks like: a word, an icon, a colour, and the shape of its card. */

/** The corners' radii, clockwise from the top left. */
type Corners = readonly [number, number, number, number]

export type Kind = {
  readonly word: string
  /** A path in a square of 16, drawn as lines. */
  readonly icon: string
  readonly hue: number
  readonly saturation: number
  readonly corners: Corners
  readonly border: 'solid' | 'dashed' | 'dotted'
}

const SQUARE: Corners = [4, 4, 4, 4]
const ROUND: Corners = [14, 14, 14, 14]
const LEAF: Corners = [14, 4, 14, 4]
const FOLDER: Corners = [4, 16, 4, 4]
const TIN: Corners = [16, 16, 4, 4]
const BOARD: Corners = [4, 4, 14, 14]

const kind = (
  word: string,
  hue: number,
  corners: Corners,
  icon: string,
  border: Kind['border'] = 'solid',
  saturation = 70,
): Kind => ({ word, icon, hue, saturation, corners, border })

export const KINDS: Readonly<Record<string, Kind>> = {
  table: kind('table', 214, SQUARE, 'M2 3h12v10H2zM2 6.5h12M6.5 6.5V13'),
  view: kind(
    'view',
    245,
    LEAF,
    'M1.5 8s2.4-4.5 6.5-4.5S14.5 8 14.5 8s-2.4 4.5-6.5 4.5S1.5 8 1.5 8zM8 6a2 2 0 1 0 0 4a2 2 0 0 0 0-4z',
  ),
  path: kind('file path', 38, FOLDER, 'M1.5 3.5H6l1.5 2h7V13h-13z', 'solid', 85),
  stage: kind(
    'stage',
    24,
    TIN,
    'M3 4c0-1.1 2.2-2 5-2s5 .9 5 2v8c0 1.1-2.2 2-5 2s-5-.9-5-2zM3 4c0 1.1 2.2 2 5 2s5-.9 5-2',
    'solid',
    80,
  ),
  pseudoTable: kind(
    'unresolved columns',
    0,
    SQUARE,
    'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13zM6 6.2a2 2 0 1 1 2.8 1.8c-.6.3-.8.7-.8 1.4M8 11.6v.1',
    'dashed',
  ),
  resultset: kind('result set', 215, ROUND, 'M2 4h1.5M6 4h8M2 8h1.5M6 8h8M2 12h1.5M6 12h8', 'dashed', 16),
  function: kind(
    'function',
    140,
    ROUND,
    'M11.5 3.2c-1.8-1-3 0-3.3 2L7 11.8c-.3 1.6-1.3 2-2.5 1.5M5 7h6.2',
    'solid',
    45,
  ),
  literal: kind(
    'literal',
    45,
    SQUARE,
    'M3 6.5h3V10H3zM3 7V5.8C3 4.6 3.7 3.8 5 3.5M9 6.5h3V10H9zM9 7V5.8c0-1.2.7-2 2-2.3',
    'dotted',
    14,
  ),
  variable: kind(
    'variable',
    325,
    ROUND,
    'M5 2.5c-2 0-1 5-3 5.5c2 .5 1 5.5 3 5.5M11 2.5c2 0 1 5 3 5.5c-2 .5-1 5.5-3 5.5M6.4 6l3.2 4M9.6 6l-3.2 4',
    'dashed',
    65,
  ),
  model: kind('model', 175, SQUARE, 'M8 1.5l5.5 3v7L8 14.5l-5.5-3v-7zM2.5 4.5L8 7.5l5.5-3M8 7.5v7', 'solid', 55),
  dimension: kind(
    'dimension',
    190,
    LEAF,
    'M3 1.5V13h11.5M1.6 3.5L3 1.5l1.4 2M12.5 11.6l2 1.4l-2 1.4M6 10l4-4',
    'solid',
    60,
  ),
  metric: kind('metric', 158, LEAF, 'M2 12a6 6 0 1 1 12 0zM8 12l3-4.5', 'solid', 55),
  insight: kind('insight', 282, BOARD, 'M5.5 10.3a4.6 4.6 0 1 1 5 0V12h-5zM6.3 14.3h3.4', 'solid', 60),
  input: kind(
    'input',
    65,
    BOARD,
    'M2 5h7M13 5h1M2 11h1M7 11h7M9 5a2 2 0 1 0 4 0a2 2 0 0 0-4 0M3 11a2 2 0 1 0 4 0a2 2 0 0 0-4 0',
    'solid',
    60,
  ),
  chart: kind('chart', 265, BOARD, 'M1.5 14h13M3 14V8h2v6M7 14V3h2v11M11 14V6h2v8', 'solid', 65),
  dashboard: kind('dashboard', 300, BOARD, 'M2 2h5v7H2zM9 2h5v4H9zM9 8h5v6H9zM2 11h5v3H2z', 'solid', 55),
  exposure: kind('exposure', 345, BOARD, 'M2 6.5v3h2.5L10 13V3L4.5 6.5zM12.3 5.5a3.6 3.6 0 0 1 0 5', 'solid', 70),
  process: kind('statement', 215, ROUND, 'M4 2.5l9 5.5l-9 5.5z', 'solid', 10),
}

const OTHER = kind('', 215, SQUARE, 'M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12z', 'solid', 10)

/** How a kind looks; one that nobody has thought of here is shown by its own word. */
export const kindOf = (word: string): Kind => KINDS[word] ?? { ...OTHER, word }
