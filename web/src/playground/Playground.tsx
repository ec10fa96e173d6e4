/** The playground: SQL on one side, its lineage on the other, each pointing at the other. */
import './playground.css'
import { VisuallyHidden } from '@mantine/core'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { AnalyzeRequest, Diagram, Place, Position } from '../api/types'
import { type DiagramHandle, throughProcesses } from '../diagram'
import { type EditorHandle, type EditorMark, SqlEditor } from '../editor'
import { Bar } from './Bar'
import { marksOf, thingAt } from './fragments'
import { Result } from './Result'
import { SchemaInput } from './SchemaInput'
import { Split } from './Split'
import { idOf, nameOf } from './selection'
import type { Tab } from './settings'
import { type Analysis, useAnalysis } from './useAnalysis'
import { usePlaygroundState } from './usePlaygroundState'

const NO_MARKS: readonly EditorMark[] = []
export function Playground() {
  const state = usePlaygroundState()
  const { settings, texts } = state
  const { dialect, level, functions, resultSets, defaultSchema } = settings
  const request = useMemo<AnalyzeRequest | null>(
    () =>
      texts && {
        sql: texts.sql,
        sources: texts.schema,
        dialect,
        level,
        functions,
        intermediate: resultSets,
        default_schema: defaultSchema || null,
        ambiguous: 'candidates',
      },
    [texts, dialect, level, functions, resultSets, defaultSchema],
  )
  const analysis = useAnalysis(request)
  const diagram = useOnScreen(analysis, settings.tab)
  const editor = useRef<EditorHandle>(null)
  const picture = useRef<DiagramHandle>(null)
  const [hovered, setHovered] = useState<string | null>(null)

  const selected = useMemo(() => (diagram ? idOf(diagram, settings.at) : null), [diagram, settings.at])
  const select = useCallback(
    (id: string | null) => state.change({ at: diagram && id !== null ? nameOf(diagram, id) : '' }),
    [diagram, state.change],
  )
  const marked = hovered ?? selected
  const marks = useMemo(
    () => (diagram && marked !== null ? marksOf(diagram, marked, settings.impact) : NO_MARKS),
    [diagram, marked, settings.impact],
  )
  const atCursor = useCallback(
    (position: Position) => {
      const found = diagram && thingAt(diagram, position)
      if (found) select(found)
    },
    [diagram, select],
  )
  const showPlace = useCallback((place: Place) => editor.current?.show(place), [])

  useEffect(() => {
    document.title = 'Playground · Headwater'
  }, [])

  return (
    <div className="hw-playground" data-testid="playground" data-busy={analysis.isBusy}>
      <VisuallyHidden>
        <h1 tabIndex={-1}>Playground</h1>
      </VisuallyHidden>
      <Bar state={state} analysis={analysis} request={request} picture={picture} />
      <Split
        label="Width of the editor"
        percent={settings.width}
        onPercent={(width) => state.change({ width }, 'replace')}
        first={
          <section className="hw-script" aria-label="Script">
            <div className="hw-script-editor">
              {texts && (
                <SqlEditor
                  ref={editor}
                  value={texts.sql}
                  label="SQL"
                  dialect={dialect}
                  onChange={(sql) => state.write({ sql })}
                  diagnostics={analysis.answer?.diagnostics ?? []}
                  marks={marks}
                  followMarks={hovered === null}
                  onCursor={atCursor}
                />
              )}
            </div>
            <SchemaInput state={state} />
          </section>
        }
        second={
          <Result
            state={state}
            analysis={analysis}
            request={request}
            picture={picture}
            diagram={diagram}
            selected={selected}
            onSelect={select}
            hovered={hovered}
            onHover={setHovered}
            onPlace={showPlace}
          />
        }
      />
    </div>
  )
}

/** The diagram that a selection is about: the table level has one of its own, with statements between its tables. */
function useOnScreen({ answer }: Analysis, tab: Tab): Diagram | null {
  const tables = useMemo(() => (answer ? throughProcesses(answer.tables) : null), [answer])
  return tab === 'tables' ? tables : (answer?.diagram ?? null)
}
