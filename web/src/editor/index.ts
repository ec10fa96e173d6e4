/** The editor: for SQL that is typed, and for scripts that are shown. */
export type { MarkRole } from './marks'
export { type Position, positionOf, stretchOf } from './positions'
export { type EditorDiagnostic, type EditorHandle, type EditorMark, SqlEditor } from './SqlEditor'
