/** The diagram: of a script, or of a part of a store. */
export { type Chain, chainOf } from './chain'
export { DiagramView } from './DiagramView'
export { KindIcon } from './KindIcon'
export { kindOf } from './kinds'
export { Legend } from './Legend'
export type { DiagramHandle, DiagramSettings, DiagramViewProps, Direction, Mark } from './types'
export { visible } from './visible'
export { kindInWords, placeInWords, processInWords, RELATION_WORDS } from './words'
