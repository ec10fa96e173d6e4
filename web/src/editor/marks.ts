/** Stretches that are marked in the editor: those that a selection came from. */
import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import type { Stretch } from './positions'

/** `self` is what was selected, `made` the expression that makes it, `source` what it is made of, further up too. */
export type MarkRole = 'self' | 'made' | 'source'
export type MarkedStretch = Stretch & { readonly role: MarkRole }

export const setMarks = StateEffect.define<readonly MarkedStretch[]>()

const DECORATIONS: Readonly<Record<MarkRole, Decoration>> = {
  self: Decoration.mark({ class: 'hw-mark hw-mark-self' }),
  made: Decoration.mark({ class: 'hw-mark hw-mark-made' }),
  source: Decoration.mark({ class: 'hw-mark hw-mark-source' }),
}

/** Marks move with the text as somebody types, until the next ones come. */
export const marksField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) next = decorationsOf(effect.value, transaction.state.doc.length)
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

function decorationsOf(stretches: readonly MarkedStretch[], length: number): DecorationSet {
  const ranges = stretches
    .filter((stretch) => stretch.from < stretch.to && stretch.to <= length)
    .map((stretch) => DECORATIONS[stretch.role].range(stretch.from, stretch.to))
  return Decoration.set(ranges, true)
}
