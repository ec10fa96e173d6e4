/** What is selected in a graph: how it is made, where that stands, and where one can go from here. */

import { Anchor, Button, CloseButton, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Diagram, DiagramRelation, Place } from '../api/types'
import { PageButton } from '../app/link'
import { toggled } from '../app/search'
import { kindInWords } from '../diagram'
import { collapse, expand, expandedOf } from './expansions'
import type { GraphChange, GraphState } from './graphState'
import { Expression } from './Hops'
import { KindIcon } from './kinds'
import { Name, shortPath } from './links'
import { counted } from './numbers'
import { byId } from './reference'
import { ScriptExcerpt } from './ScriptExcerpt'
import { endName, relationsOf, type Selection, selectionOf } from './selection'
import { TagBadge } from './TagBadge'

const SHOWN = 25

type PanelProps = { diagram: Diagram; selected: string; state: GraphState; onChange: GraphChange }

export function SelectionPanel({ diagram, selected, state, onChange }: PanelProps) {
  const selection = selectionOf(diagram, selected)
  if (!selection) return null
  const { into, outOf } = relationsOf(diagram, selection)
  return (
    <Stack
      component="aside"
      className="page-panel"
      aria-label="What is selected"
      gap="sm"
      data-testid="panel"
      key={selected}
    >
      <Head diagram={diagram} selection={selection} onClose={() => onChange({ sel: undefined }, 'look')} />
      <Ways selection={selection} state={state} onChange={onChange} />
      <Making
        diagram={diagram}
        title={selection.what === 'relation' ? 'How' : 'Made of'}
        relations={into}
        end="source"
        onChange={onChange}
      />
      {selection.what === 'relation' ? null : (
        <Making diagram={diagram} title="Used by" relations={outOf} end="target" onChange={onChange} />
      )}
    </Stack>
  )
}

function Head({ diagram, selection, onClose }: { diagram: Diagram; selection: Selection; onClose: () => void }) {
  const { what } = selection
  const name =
    what === 'relation'
      ? `${endName(diagram, selection.relation.source_entity, selection.relation.source)} → ${endName(diagram, selection.relation.target_entity, selection.relation.target)}`
      : endName(diagram, selection.entity.id, what === 'column' ? selection.column.id : null)
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
      <Stack gap={2} miw={0}>
        <Group gap={6} wrap="nowrap" align="flex-start">
          {what === 'relation' ? null : <KindIcon kind={selection.entity.kind} column={what === 'column'} />}
          <Title order={2} size="h5">
            <Name cut={false}>{name}</Name>
          </Title>
        </Group>
        {what === 'column' ? (
          <Group gap={6}>
            <Text size="sm" c="dimmed" maw="100%">
              <Name cut={false}>{selection.column.data_type ?? 'type not known'}</Name>
              {selection.column.inferred ? ', inferred' : ''}
            </Text>
            {(selection.column.tags ?? []).map((tag) => (
              <TagBadge key={tag} tag={tag} />
            ))}
          </Group>
        ) : null}
        {what === 'entity' ? (
          <Text size="sm" c="dimmed">
            {counted(selection.entity.columns.length + (selection.entity.hidden_columns ?? 0), 'column')}
          </Text>
        ) : null}
      </Stack>
      <CloseButton aria-label="Close the panel" onClick={onClose} />
    </Group>
  )
}

function Ways({ selection, state, onChange }: { selection: Selection; state: GraphState; onChange: GraphChange }) {
  if (selection.what === 'relation') return null
  if (selection.what === 'column') {
    const of = byId(selection.column.id)
    return (
      <Group gap={6}>
        <PageButton to="/column" search={{ of }} size="compact-sm" data-testid="panel-open">
          Open page
        </PageButton>
        <PageButton to="/column" search={{ of, tab: 'impact' }} size="compact-sm" variant="default">
          Impact
        </PageButton>
        <PageButton to="/path" search={{ source: of }} size="compact-sm" variant="default">
          Path from here
        </PageButton>
        <PageButton to="/path" search={{ target: of }} size="compact-sm" variant="default">
          Path to here
        </PageButton>
      </Group>
    )
  }
  const { id, beyond } = selection.entity
  const isExpanded = expandedOf(state.expanded).some((each) => each.entity === id)
  return (
    <Group gap={6}>
      <PageButton to="/table" search={{ of: byId(id) }} size="compact-sm" data-testid="panel-open">
        Open page
      </PageButton>
      {(['upstream', 'downstream'] as const).map((direction) =>
        beyond?.[direction] ? (
          <Button
            key={direction}
            size="compact-sm"
            variant="default"
            onClick={() => onChange({ expanded: expand(state.expanded, id, direction) })}
          >
            {beyond[direction]} more {direction}
          </Button>
        ) : null,
      )}
      {isExpanded ? (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onChange({ expanded: collapse(state.expanded, id) })}
        >
          Collapse
        </Button>
      ) : null}
      <Button
        size="compact-sm"
        variant="default"
        data-testid="panel-hide"
        onClick={() => onChange({ hidden: toggled(state.hidden, id), sel: undefined })}
      >
        Hide
      </Button>
    </Group>
  )
}

type MakingProps = {
  diagram: Diagram
  title: string
  relations: DiagramRelation[]
  end: 'source' | 'target'
  onChange: GraphChange
}

function Making({ diagram, title, relations, end, onChange }: MakingProps) {
  const first = end === 'source' ? (relations.find((each) => each.place)?.id ?? null) : null
  const [shown, setShown] = useState(first)
  if (relations.length === 0) return null
  return (
    <Stack gap={4}>
      <Title order={3} size="h6">
        {title}
      </Title>
      <Stack component="ul" gap={0} p={0} m={0} style={{ listStyle: 'none' }}>
        {relations.slice(0, SHOWN).map((relation) => (
          <Stack component="li" key={relation.id} gap={2} py={6} className="page-hop">
            <EndButton diagram={diagram} relation={relation} end={end} onChange={onChange} />
            <Text size="xs" c="dimmed">
              {kindInWords(relation)}
            </Text>
            <Expression>{relation.expression}</Expression>
            {relation.place ? (
              <PlaceButton
                diagram={diagram}
                place={relation.place}
                open={shown === relation.id}
                onToggle={() => setShown(shown === relation.id ? null : relation.id)}
              />
            ) : null}
            {relation.place && shown === relation.id ? (
              <ScriptExcerpt place={relation.place} inside={relation.source_place ?? null} />
            ) : null}
          </Stack>
        ))}
      </Stack>
      {relations.length > SHOWN ? (
        <Text size="sm" c="dimmed">
          and {counted(relations.length - SHOWN, 'more', 'more')}: its page has them all
        </Text>
      ) : null}
    </Stack>
  )
}

type EndButtonProps = { diagram: Diagram; relation: DiagramRelation; end: 'source' | 'target'; onChange: GraphChange }

function EndButton({ diagram, relation, end, onChange }: EndButtonProps) {
  const entity = end === 'source' ? relation.source_entity : relation.target_entity
  const column = end === 'source' ? relation.source : relation.target
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="start"
      maw="100%"
      onClick={() => onChange({ sel: column ?? entity }, 'look')}
    >
      <Name>{endName(diagram, entity, column)}</Name>
    </Anchor>
  )
}

type PlaceButtonProps = { diagram: Diagram; place: Place; open: boolean; onToggle: () => void }

function PlaceButton({ diagram, place, open, onToggle }: PlaceButtonProps) {
  const path = diagram.scripts.find((each) => each.id === place.script)?.path ?? ''
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="start"
      maw="100%"
      aria-expanded={open}
      onClick={onToggle}
      data-testid="place"
    >
      <bdi className="page-cut" title={path}>{`${shortPath(path)}:${place.start.line}`}</bdi>
    </Anchor>
  )
}
