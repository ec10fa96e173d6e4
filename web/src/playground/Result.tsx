/** The lineage of the script, as a diagram, a table, documents; and what is to be said about it. */
import { Alert, Badge, Tabs } from '@mantine/core'
import { type ReactNode, type RefObject, useMemo } from 'react'
import type { AnalyzeRequest, Diagram, Place } from '../api/types'
import { type DiagramHandle, type DiagramSettings, DiagramView, Legend, visible } from '../diagram'
import { DiagnosticsList } from './DiagnosticsList'
import { DocumentView } from './DocumentView'
import { RelationsTable } from './RelationsTable'
import { SettingsBar } from './SettingsBar'
import { SummaryView } from './SummaryView'
import { type Settings, TABS, type Tab } from './settings'
import type { Analysis } from './useAnalysis'
import type { PlaygroundState } from './usePlaygroundState'

const TAB_LABELS: Readonly<Record<Tab, string>> = {
  diagram: 'Diagram',
  tables: 'Table lineage',
  summary: 'Summary',
  relations: 'Relations',
  json: 'JSON',
  xml: 'XML',
  diagnostics: 'Diagnostics',
}

type ResultProps = {
  state: PlaygroundState
  analysis: Analysis
  request: AnalyzeRequest | null
  picture: RefObject<DiagramHandle | null>
  diagram: Diagram | null
  selected: string | null
  onSelect: (id: string | null) => void
  hovered: string | null
  onHover: (id: string | null) => void
  onPlace: (place: Place) => void
}

export function Result({
  state,
  analysis,
  request,
  picture,
  diagram,
  selected,
  onSelect,
  hovered,
  onHover,
  onPlace,
}: ResultProps) {
  const { settings, change } = state
  const { answer, problem } = analysis
  const { tab } = settings
  const drawn = useDrawn(settings, settings.hideColumns)
  const withColumns = useDrawn(settings, false)
  const shown = useMemo(() => (diagram ? visible(diagram, withColumns) : null), [diagram, withColumns])
  const count = answer?.diagnostics.length ?? 0
  return (
    <Tabs
      className="hw-result"
      keepMounted={false}
      value={tab}
      onChange={(next) => change({ tab: (TABS.find((each) => each === next) ?? 'diagram') as Tab })}
    >
      <Tabs.List aria-label="Views">
        {TABS.map((each) => (
          <Tabs.Tab
            key={each}
            value={each}
            data-testid={`tab-${each}`}
            rightSection={
              each === 'diagnostics' && count > 0 ? (
                <Badge size="xs" circle={count < 10} color={badgeColour(analysis)} data-testid="diagnostics-count">
                  {count}
                </Badge>
              ) : undefined
            }
          >
            {TAB_LABELS[each]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {problem && (
        <Alert color="red" m="xs" p="xs" title={problem.message} data-testid="problem">
          {problem.hint}
        </Alert>
      )}
      {answer?.diagram.note && (
        <Alert color="yellow" m="xs" p="xs">
          {answer.diagram.note}
        </Alert>
      )}
      <Tabs.Panel value="diagram" className="hw-tab">
        <SettingsBar settings={settings} onChange={change} />
        {answer && (
          <Drawing diagram={answer.diagram} legend={shown}>
            <DiagramView
              ref={picture}
              diagram={answer.diagram}
              settings={drawn}
              selected={selected}
              onSelect={onSelect}
              hovered={hovered}
              onHover={onHover}
              onPlace={onPlace}
            />
          </Drawing>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="tables" className="hw-tab">
        <SettingsBar settings={settings} onChange={change} relationsOnly />
        {diagram && (
          <Drawing diagram={diagram} legend={shown}>
            <DiagramView
              ref={picture}
              diagram={diagram}
              settings={withColumns}
              selected={selected}
              onSelect={onSelect}
              hovered={hovered}
              onHover={onHover}
              onPlace={onPlace}
            />
          </Drawing>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="summary" className="hw-tab hw-scrolls">
        {answer && <SummaryView answer={answer} />}
      </Tabs.Panel>
      <Tabs.Panel value="relations" className="hw-tab">
        <SettingsBar settings={settings} onChange={change} />
        {shown && <RelationsTable diagram={shown} selected={selected} onSelect={onSelect} />}
      </Tabs.Panel>
      <Tabs.Panel value="json" className="hw-tab">
        <DocumentView request={analysis.request ?? request} format="json" label="JSON" />
      </Tabs.Panel>
      <Tabs.Panel value="xml" className="hw-tab">
        <DocumentView request={analysis.request ?? request} format="sqlflow-xml" label="XML" />
      </Tabs.Panel>
      <Tabs.Panel value="diagnostics" className="hw-tab hw-scrolls">
        <DiagnosticsList diagnostics={answer?.diagnostics ?? []} onPlace={onPlace} />
      </Tabs.Panel>
    </Tabs>
  )
}

function Drawing({ diagram, legend, children }: { diagram: Diagram; legend: Diagram | null; children: ReactNode }) {
  return (
    <>
      <div className="hw-drawing">
        {children}
        {diagram.entities.length === 0 && (
          <p className="hw-nothing">Nothing to draw yet: type SQL, or open an example.</p>
        )}
      </div>
      {legend && legend.entities.length > 0 && (
        <div className="hw-legend-bar">
          <Legend diagram={legend} />
        </div>
      )}
    </>
  )
}

/** The settings that change only what is drawn, as long as they are the same the same object. */
function useDrawn({ dataFlow, impact, join }: Settings, hideColumns: boolean): DiagramSettings {
  return useMemo(() => ({ hideColumns, dataFlow, impact, join }), [hideColumns, dataFlow, impact, join])
}

function badgeColour({ answer }: Analysis): string {
  const severities = new Set(answer?.diagnostics.map((said) => said.severity))
  return severities.has('error') ? 'red' : severities.has('warning') ? 'orange' : 'blue'
}
