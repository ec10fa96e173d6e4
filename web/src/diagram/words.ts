/** Relations in words. */
import type { DiagramProcess, DiagramRelation, Place } from './types'

export const RELATION_WORDS: Readonly<Record<DiagramRelation['type'], string>> = {
  fdd: 'data flow',
  fdr: 'impact',
  join: 'join',
}

/** What a relation is: `data flow · aggregation · select · masked`. */
export function kindInWords(relation: DiagramRelation): string {
  return [
    RELATION_WORDS[relation.type],
    relation.subtype?.toLowerCase().replaceAll('_', ' '),
    relation.clause,
    relation.masking ? 'masked' : '',
    relation.candidate ? 'one of several candidates' : '',
    relation.star ? 'through *' : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Which statement a relation belongs to: `Create View in load_orders`. */
export function processInWords(process: DiagramProcess | undefined): string {
  if (!process) return ''
  return process.procedure ? `${process.type} in ${process.procedure}` : process.type
}

export const placeInWords = (place: Place): string => `line ${place.start.line}, column ${place.start.column}`
