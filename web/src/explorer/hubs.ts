/** Tables that many others are made of. */

import type { TableRow } from './shapes'

/** The hubs as they are plotted: by how many tables are made of each directly. */
export function mostUsed(hubs: readonly TableRow[]): TableRow[] {
  return [...hubs].sort((a, b) => b.downstream - a.downstream)
}
