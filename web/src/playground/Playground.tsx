/** The playground: SQL on one side, its lineage on the other, each pointing at the other. */
import './playground.css'
import {
  Alert,
  Badge,
  Button,
  Collapse,
  Group,
  Loader,
  Menu,
  Select,
  Tabs,
  Text,
  Textarea,
  TextInput,
  VisuallyHidden,
} from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { answered, api } from '../api/client'
import type { AnalyzeRequest, Diagram, Place, Position } from '../api/types'
import { type DiagramHandle, type DiagramSettings, DiagramView, Legend, visible } from '../diagram'
import { type EditorHandle, type EditorMark, SqlEditor } from '../editor'
import { DiagnosticsList } from './DiagnosticsList'
import { DocumentView } from './DocumentView'
import { EXAMPLES } from './examples'
import { marksOf, thingAt } from './fragments'
import { RelationsTable } from './RelationsTable'
import { SettingsBar } from './SettingsBar'
import { ShareMenu } from './ShareMenu'
import { Split } from './Split'
import { idOf, nameOf } from './selection'
import { type Settings, TABS, type Tab } from './settings'
import { type Analysis, useAnalysis } from './useAnalysis'
import { type PlaygroundState, usePlaygroundState } from './usePlaygroundState'

const NO_MARKS: readonly EditorMark[] = []
/** The table level shows all that reaches a table, however. */
const OF_TABLES: DiagramSettings = { hideColumns: false, dataFlow: true, impact: true, join: false }

const TAB_LABELS: Readonly<Record<Tab, string>> = {
  diagram: 'Diagram',
  tables: 'Table lineage',
  relations: 'Relations',
  json: 'JSON',
  xml: 'XML',
  diagnostics: 'Diagnostics',
}

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
  const diagram = analysis.answer?.diagram ?? null
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

type BarProps = {
  state: PlaygroundState
  analysis: Analysis
  request: AnalyzeRequest | null
  picture: React.RefObject<DiagramHandle | null>
}

function Bar({ state, analysis, request, picture }: BarProps) {
  const { settings, change, open } = state
  const dialects = useDialects(settings.dialect)
  return (
    <Group className="hw-bar" gap="xs" component="section" aria-label="Playground">
      <Menu position="bottom-start" shadow="md">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            data-testid="examples"
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Examples
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {EXAMPLES.map((example) => (
            <Menu.Item
              key={example.name}
              rightSection={
                <Text size="xs" c="dimmed">
                  {example.dialect}
                </Text>
              }
              onClick={() =>
                open(
                  { sql: example.sql, schema: example.schema },
                  { dialect: example.dialect, at: '', defaultSchema: '' },
                )
              }
            >
              {example.name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Select
        size="xs"
        w={140}
        aria-label="Dialect"
        data-testid="dialect"
        data={dialects}
        value={settings.dialect}
        searchable
        allowDeselect={false}
        onChange={(dialect) => dialect && change({ dialect })}
      />
      <Status analysis={analysis} />
      <Group gap="xs" ml="auto">
        <ShareMenu
          request={request}
          diagram={picture}
          hasDiagram={settings.tab === 'diagram' || settings.tab === 'tables'}
        />
      </Group>
    </Group>
  )
}

function Status({ analysis: { isBusy, answer, problem } }: { analysis: Analysis }) {
  const words = problem
    ? 'no answer'
    : answer
      ? `${answer.diagram.entities.length} entities, ${answer.diagram.relations.length} relations in ${Math.max(1, Math.round(answer.milliseconds))} ms`
      : ''
  return (
    <Group gap={6} role="status" data-testid="status">
      {isBusy && <Loader size={12} aria-hidden />}
      <Text size="xs" c={problem ? 'red' : 'dimmed'}>
        {isBusy ? 'analysing…' : words}
      </Text>
    </Group>
  )
}

function useDialects(current: string): string[] {
  const [dialects, setDialects] = useState<string[]>([])
  useEffect(() => {
    const abort = new AbortController()
    answered(api.GET('/api/v1/about', { signal: abort.signal })).then(
      (about) => setDialects(about.dialects),
      () => setDialects([]),
    )
    return () => abort.abort()
  }, [])
  return dialects.includes(current) ? dialects : [current, ...dialects]
}

function SchemaInput({ state: { settings, texts, change, write } }: { state: PlaygroundState }) {
  const [isOpen, setIsOpen] = useState<boolean | null>(null)
  const shown = isOpen ?? (texts !== null && texts.schema !== '')
  return (
    <div className="hw-schema">
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        aria-expanded={shown}
        data-testid="schema-toggle"
        leftSection={shown ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
        onClick={() => setIsOpen(!shown)}
      >
        Schema
      </Button>
      <Collapse expanded={shown}>
        <Textarea
          size="xs"
          aria-label="Schema: JSON or CREATE TABLE statements"
          placeholder={'{"shop.orders": {"order_id": "int"}}   or   CREATE TABLE shop.orders (order_id int)'}
          data-testid="schema"
          classNames={{ input: 'hw-schema-text' }}
          rows={5}
          value={texts?.schema ?? ''}
          onChange={(event) => write({ schema: event.currentTarget.value })}
        />
        <TextInput
          size="xs"
          mt={6}
          label="Default schema"
          description="Where names without a schema belong"
          value={settings.defaultSchema}
          onChange={(event) => change({ defaultSchema: event.currentTarget.value }, 'replace')}
        />
      </Collapse>
    </div>
  )
}

type ResultProps = {
  state: PlaygroundState
  analysis: Analysis
  request: AnalyzeRequest | null
  picture: React.RefObject<DiagramHandle | null>
  selected: string | null
  onSelect: (id: string | null) => void
  hovered: string | null
  onHover: (id: string | null) => void
  onPlace: (place: Place) => void
}

function Result({ state, analysis, request, picture, selected, onSelect, hovered, onHover, onPlace }: ResultProps) {
  const { settings, change } = state
  const { answer, problem } = analysis
  const { tab } = settings
  const drawn = useDrawn(settings)
  const shown = useMemo(
    () => (answer ? visible(answer.diagram, { ...drawn, hideColumns: false }) : null),
    [answer, drawn],
  )
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
        {answer && (
          <Drawing diagram={answer.tables} legend={answer.tables}>
            <DiagramView
              ref={picture}
              diagram={answer.tables}
              settings={OF_TABLES}
              selected={selected}
              onSelect={onSelect}
              onPlace={onPlace}
              processes
            />
          </Drawing>
        )}
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

function Drawing({
  diagram,
  legend,
  children,
}: {
  diagram: Diagram
  legend: Diagram | null
  children: React.ReactNode
}) {
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
function useDrawn({ hideColumns, dataFlow, impact, join }: Settings): DiagramSettings {
  return useMemo(() => ({ hideColumns, dataFlow, impact, join }), [hideColumns, dataFlow, impact, join])
}

function badgeColour({ answer }: Analysis): string {
  const severities = new Set(answer?.diagnostics.map((said) => said.severity))
  return severities.has('error') ? 'red' : severities.has('warning') ? 'orange' : 'blue'
}
