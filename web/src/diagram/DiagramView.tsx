/** A diagram on a canvas that can be moved, zoomed, walked through by keys, and drawn as a picture. */
import '@xyflow/react/dist/style.css'
import './diagram.css'
import { useComputedColorScheme } from '@mantine/core'
import {
  ControlButton,
  Controls,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStoreApi,
} from '@xyflow/react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type Ref,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type Acts, ActsContext } from './acts'
import { CardNode } from './CardNode'
import { chainOf } from './chain'
import { LineLayer } from './LineLayer'
import type { Placement } from './layout'
import { Lights, LightsContext, type Walk } from './lights'
import { mermaidOf } from './mermaid'
import { namesOf } from './names'
import { headOf, variablesOf } from './palette'
import { svgOf } from './picture'
import { pngOf } from './png'
import { throughProcesses } from './processes'
import { RelationPanel } from './RelationPanel'
import type { Diagram, DiagramEntity, DiagramHandle, DiagramViewProps, Direction, Mark } from './types'
import { useLayout } from './useLayout'
import { anchored, fitted, READABLE, revealing, SMALLEST, type Viewport } from './viewport'
import { visible } from './visible'
import { type Step, stepFrom } from './walking'

const NODE_TYPES = { card: CardNode }
const NO_MARKS: ReadonlyMap<string, Mark> = new Map()
/** From here on an overview helps. */
const MANY = 25

type Props = DiagramViewProps & { ref?: Ref<DiagramHandle> }

export function DiagramView(props: Props) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  )
}

function Canvas(props: Props) {
  const { diagram, settings, selected, onSelect, onExpand, onOpen, onHover, onPlace } = props
  const marks = props.marks ?? NO_MARKS
  const withProcesses = props.processes ?? false
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const help = useId()
  const shown = useMemo(
    () => visible(withProcesses ? throughProcesses(diagram) : diagram, settings),
    [diagram, settings, withProcesses],
  )
  const { laid, failed } = useLayout(shown)
  const placement = laid?.placement ?? null
  const drawn = laid?.diagram ?? shown
  const names = useMemo(() => namesOf(drawn), [drawn])

  const [ownHovered, setOwnHovered] = useState<string | null>(null)
  const hovered = props.hovered === undefined ? ownHovered : props.hovered
  const lights = useMemo(() => new Lights(), [])
  const active = hovered ?? selected
  const chain = useMemo(
    () => (active === null ? null : chainOf(drawn, drawnId(diagram, drawn, active), settings.impact)),
    [diagram, drawn, active, settings.impact],
  )
  useEffect(() => lights.show(chain, active), [lights, chain, active])

  const view = useView(placement, drawn.focus ?? null, selected)
  const [walk, setWalk] = useState<Walk>({ current: null, isWalking: false })
  const known = walk.current !== null && names.has(walk.current) ? walk.current : null
  const tabStop = known ?? (selected !== null && names.has(selected) ? selected : null) ?? drawn.entities[0]?.id ?? null

  useEffect(
    () => lights.stand(selected, { current: tabStop, isWalking: walk.isWalking }),
    [lights, selected, tabStop, walk.isWalking],
  )

  useImperativeHandle(props.ref, () => {
    const svg = async () =>
      svgOf(placement ?? { cards: [], lines: [], width: 0, height: 0 }, scheme, marks, chain, active)
    return {
      fit: () => view.fit(),
      svg,
      png: async (scale?: number) => pngOf(await svg(), scale),
      mermaid: () => mermaidOf(drawn),
    }
  }, [placement, drawn, scheme, marks, chain, active, view])

  const latest = useRef({ onSelect, onHover, onOpen, onExpand })
  latest.current = { onSelect, onHover, onOpen, onExpand }
  const canExpand = onExpand !== undefined
  const acts: Acts = useMemo(
    () => ({
      scheme,
      marks,
      names,
      select: (id) => latest.current.onSelect(id),
      hover: (id) => {
        setOwnHovered(id)
        latest.current.onHover?.(id)
      },
      open: (entity, column) => latest.current.onOpen?.(entity, column),
      focused: (id) => {
        setWalk({ current: id, isWalking: false })
      },
      expand: canExpand
        ? (entity: string, direction: Direction) => {
            view.keep(entity)
            latest.current.onExpand?.(entity, direction)
          }
        : null,
    }),
    [scheme, marks, names, canExpand, view],
  )

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !placement) return
    const step = STEPS[event.key]
    if (step) {
      const next = stepFrom(placement, tabStop, step)
      if (next === null) return
      view.reveal(next)
      setWalk({ current: next, isWalking: true })
    } else if (event.key === '+' || event.key === '=') view.zoom(1.25)
    else if (event.key === '-') view.zoom(0.8)
    else if (event.key === '0' || event.key === 'f') view.fit()
    else if (event.key === 'Escape') onSelect(null)
    else if (event.key === 'o' && tabStop !== null) {
      const owner = drawn.entities.find((entity) => entity.columns.some((column) => column.id === tabStop))
      onOpen?.(owner?.id ?? tabStop, owner ? tabStop : null)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  const nodes = useMemo(
    () =>
      (placement?.cards ?? []).map((card) => ({
        id: card.entity.id,
        type: 'card',
        position: { x: card.x, y: card.y },
        width: card.width,
        height: card.height,
        data: { card },
      })),
    [placement],
  )
  const told = placement?.lines.find((line) => line.relations.some((relation) => relation.id === active))

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the rows
    <div
      className="hw-diagram"
      style={variablesOf(scheme) as CSSProperties}
      data-ready={laid?.diagram === shown}
      data-lit={chain !== null || undefined}
      data-many={(placement?.cards.length ?? 0) > MANY || undefined}
      data-testid="diagram"
      onKeyDown={onKeyDown}
    >
      <p id={help} className="hw-hidden">
        Arrow keys walk between cards and columns, Enter selects, o opens, plus and minus zoom, f shows everything,
        Escape clears.
      </p>
      <ActsContext value={acts}>
        <LightsContext value={lights}>
          <section className="hw-canvas" aria-label="Lineage diagram" aria-describedby={help}>
            <ReactFlow
              nodes={nodes}
              edges={[]}
              nodeTypes={NODE_TYPES}
              nodesDraggable={false}
              nodesConnectable={false}
              nodesFocusable={false}
              edgesFocusable={false}
              elementsSelectable={false}
              disableKeyboardA11y
              onlyRenderVisibleElements
              zoomOnDoubleClick={false}
              minZoom={SMALLEST}
              maxZoom={2.5}
              colorMode={scheme}
              proOptions={{ hideAttribution: true }}
              onPaneClick={() => onSelect(null)}
              onMoveStart={(event) => event && view.touched()}
            >
              {placement && <LineLayer placement={placement} />}
              <Controls showInteractive={false} showFitView={false}>
                <ControlButton aria-label="Show everything" title="Show everything (f)" onClick={view.fit}>
                  <svg viewBox="0 0 16 16" aria-hidden="true">
                    <path
                      d="M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4"
                      fill="none"
                      stroke="currentColor"
                      strokeWidth="2"
                    />
                  </svg>
                </ControlButton>
              </Controls>
              {(placement?.cards.length ?? 0) > MANY && (
                <MiniMap
                  pannable
                  zoomable
                  ariaLabel="Overview"
                  nodeColor={(node) =>
                    headOf((node.data as { card: Placement['cards'][number] }).card.entity.kind, scheme).ink
                  }
                />
              )}
            </ReactFlow>
          </section>
        </LightsContext>
      </ActsContext>
      {told && <RelationPanel line={told} names={names} processes={diagram.processes} onPlace={onPlace} />}
      {failed && (
        <p className="hw-failed" role="alert">
          The diagram could not be laid out: {failed}
        </p>
      )}
    </div>
  )
}

/** A column that is hidden is seen by its entity. */
function drawnId(diagram: Diagram, drawn: Diagram, id: string): string {
  const isColumn = (entity: DiagramEntity) => entity.columns.some((column) => column.id === id)
  return drawn.entities.some(isColumn) ? id : (diagram.entities.find(isColumn)?.id ?? id)
}

const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'first',
  End: 'last',
}

type View = {
  fit(): void
  zoom(factor: number): void
  reveal(id: string): void
  /** The next placement leaves this card where it is on the screen. */
  keep(card: string): void
  /** Somebody moved the view: it is theirs from now on. */
  touched(): void
}

/** Moves the view as placements change: shows everything until somebody moves it, and then leaves them where they are. */
function useView(placement: Placement | null, focus: string | null, selected: string | null): View {
  const flow = useReactFlow()
  const store = useStoreApi()
  const before = useRef<Placement | null>(null)
  const isTouched = useRef(false)
  const kept = useRef<string | null>(null)
  const now = useRef({ placement, focus, selected })
  now.current = { placement, focus, selected }

  const sizeOf = useCallback(() => {
    const { width, height } = store.getState()
    return { width, height }
  }, [store])

  const look = useCallback(() => {
    const { placement: current, focus: about, selected: chosen } = now.current
    const size = sizeOf()
    if (!current || current.cards.length === 0 || size.width === 0) return
    const ownerOf = (id: string | null) =>
      current.cards.find((card) => card.entity.id === id || card.columns.some((column) => column.id === id))?.entity.id
    const next: Viewport = fitted(current, size, READABLE, ownerOf(about) ?? ownerOf(chosen) ?? null)
    void flow.setViewport(next)
  }, [flow, sizeOf])

  useEffect(() => {
    if (!placement) return
    const size = sizeOf()
    const held =
      before.current && (isTouched.current || kept.current !== null)
        ? anchored(before.current, placement, flow.getViewport(), size, kept.current)
        : null
    kept.current = null
    before.current = placement
    if (held) void flow.setViewport(held)
    else look()
  }, [placement, flow, sizeOf, look])

  useEffect(() => {
    let last = sizeOf()
    return store.subscribe(({ width, height }) => {
      if (width === last.width && height === last.height) return
      last = { width, height }
      if (!isTouched.current) look()
    })
  }, [store, sizeOf, look])

  return useMemo(
    () => ({
      fit: () => {
        if (now.current.placement) void flow.setViewport(fitted(now.current.placement, sizeOf()))
        isTouched.current = false
      },
      zoom: (factor) => {
        isTouched.current = true
        void flow.zoomTo(flow.getZoom() * factor)
      },
      reveal: (id) => {
        if (!now.current.placement) return
        void flow.setViewport(revealing(now.current.placement, flow.getViewport(), sizeOf(), id))
      },
      keep: (card) => {
        kept.current = card
      },
      touched: () => {
        isTouched.current = true
      },
    }),
    [flow, sizeOf],
  )
}
