/** An editor for SQL, or a view of it: highlighted, with diagnostics at their lines and marks where a selection came from. */
import './editor.css'
import { closeBrackets } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { sql } from '@codemirror/lang-sql'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Annotation, Compartment, EditorState, type Extension, type SelectionRange } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { highlightingOf } from './dialects'
import { type MarkRole, marksField, setMarks } from './marks'
import { type Position, positionOf, stretchOf } from './positions'
import { typingOver } from './typing'

type Span = { readonly start: Position; readonly end: Position }

export type EditorMark = { readonly place: Span; readonly role: MarkRole }

export type EditorDiagnostic = {
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
  readonly code: string
  readonly place: Span | null
}

export type EditorHandle = {
  /** Brings a place into view, puts the cursor there and the focus into the editor. */
  show(place: Span): void
}

type Props = {
  value: string
  /** What the editor is called, for those who do not see it. */
  label: string
  onChange?: (value: string) => void
  /** Absent for text that is no SQL. */
  dialect?: string
  readOnly?: boolean
  diagnostics?: readonly EditorDiagnostic[]
  marks?: readonly EditorMark[]
  /** Somebody put the cursor somewhere, by pointer or keys. */
  onCursor?: (position: Position) => void
  /** The number of the text's first line, where it is a part of a longer one. */
  firstLine?: number
  /** Marks are brought into view as they come. */
  followMarks?: boolean
  ref?: Ref<EditorHandle>
}

const NO_DIAGNOSTICS: readonly EditorDiagnostic[] = []
const NO_MARKS: readonly EditorMark[] = []
/** A change that came from outside and is not to be told there again. */
const FromOutside = Annotation.define<boolean>()

/** Control characters and those that turn the direction of text are shown as such; white space, and what joins emoji, is not. */
const SPECIAL = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu

export function SqlEditor(props: Props) {
  const { value, label, dialect, readOnly = false, firstLine = 1, followMarks = false } = props
  const diagnostics = props.diagnostics ?? NO_DIAGNOSTICS
  const marks = props.marks ?? NO_MARKS
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const language = useRef(new Compartment())
  const numbers = useRef(new Compartment())
  const latest = useRef(props)
  latest.current = props
  const initial = useRef({ value, label, readOnly })

  useEffect(() => {
    if (!host.current) return
    const { value: text, label: name, readOnly: isFixed } = initial.current
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          always(name),
          isFixed ? [EditorState.readOnly.of(true)] : writing(),
          language.current.of([]),
          numbers.current.of(lineNumbers()),
          listening(() => latest.current),
        ],
      }),
    })
    view.current = made
    return () => {
      view.current = null
      made.destroy()
    }
  }, [])

  useEffect(() => {
    const extension = dialect === undefined ? [] : sql({ dialect: highlightingOf(dialect) })
    view.current?.dispatch({ effects: language.current.reconfigure(extension) })
  }, [dialect])

  useEffect(() => {
    const extension = lineNumbers({ formatNumber: (number) => `${number + firstLine - 1}` })
    view.current?.dispatch({ effects: numbers.current.reconfigure(extension) })
  }, [firstLine])

  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: editor.state.toText(value) },
      annotations: FromOutside.of(true),
    })
  }, [value])

  useEffect(() => {
    const editor = view.current
    if (editor)
      editor.dispatch(
        setDiagnostics(
          editor.state,
          diagnostics.map((each) => shown(editor, each, firstLine)),
        ),
      )
  }, [diagnostics, firstLine])

  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const stretches = marks.map((mark) => ({ ...stretchOf(editor.state.doc, mark.place, firstLine), role: mark.role }))
    const first = stretches.find((stretch) => stretch.role !== 'source') ?? stretches[0]
    const scroll = followMarks && first ? [EditorView.scrollIntoView(first.from, { y: 'nearest', yMargin: 60 })] : []
    editor.dispatch({ effects: [setMarks.of(stretches), ...scroll] })
  }, [marks, firstLine, followMarks])

  useImperativeHandle(
    props.ref,
    () => ({
      show: (place) => {
        const editor = view.current
        if (!editor) return
        const { from, to } = stretchOf(editor.state.doc, place, firstLine)
        editor.dispatch({
          selection: { anchor: from, head: to },
          effects: EditorView.scrollIntoView(from, { y: 'center' }),
        })
        editor.focus()
      },
    }),
    [firstLine],
  )

  return <div ref={host} className="hw-editor" data-testid="editor" />
}

function always(label: string): Extension {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
  return [
    EditorState.lineSeparator.of('\n'),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    nonce ? EditorView.cspNonce.of(nonce) : [],
    EditorView.perLineTextDirection.of(false),
    EditorView.scrollHandler.of(scrollsInside),
    highlightSpecialChars({ specialChars: SPECIAL }),
    highlightSelectionMatches(),
    search({ top: true }),
    syntaxHighlighting(classHighlighter),
    marksField,
    keymap.of([...searchKeymap]),
  ]
}

/** While somebody is elsewhere on the page, bringing a mark into view moves the text only, never the page around it. */
function scrollsInside(view: EditorView, range: SelectionRange): boolean {
  if (view.hasFocus) return false
  const { top, bottom } = view.lineBlockAt(range.head)
  const { scrollTop, clientHeight } = view.scrollDOM
  if (top < scrollTop || bottom > scrollTop + clientHeight) {
    view.scrollDOM.scrollTop = top - (clientHeight - (bottom - top)) / 2
  }
  return true
}

function writing(): Extension {
  return [
    history(),
    typingOver,
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    lintGutter(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
  ]
}

function listening(props: () => Props): Extension {
  return EditorView.updateListener.of((update) => {
    const isOurs = update.transactions.some((transaction) => transaction.annotation(FromOutside))
    if (update.docChanged && !isOurs) props().onChange?.(update.state.doc.toString())
    const isMoved = update.transactions.some((transaction) => transaction.isUserEvent('select'))
    if (isMoved && update.selectionSet && update.state.selection.main.empty) {
      props().onCursor?.(positionOf(update.state.doc, update.state.selection.main.head, props().firstLine))
    }
  })
}

function shown(
  editor: EditorView,
  { severity, message, code, place }: EditorDiagnostic,
  firstLine: number,
): Diagnostic {
  const stretch = place ? stretchOf(editor.state.doc, place, firstLine) : { from: 0, to: 0 }
  return { ...stretch, severity, message, source: code }
}
