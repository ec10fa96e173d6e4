/** How far a graph reaches, and what of it is drawn. */

import { ActionIcon, Button, Group, SegmentedControl, Switch, Text } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { words } from '../app/search'
import type { GraphChange, GraphState } from './graphState'

const MOST = 10

type StepperProps = { label: string; value: number; onStep: (value: number) => void; testId: string }

function Stepper({ label, value, onStep, testId }: StepperProps) {
  return (
    <Group gap={4} wrap="nowrap" role="group" aria-label={`${label}: hops`}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <ActionIcon
        variant="default"
        size="sm"
        aria-label={`${label}: one hop less`}
        disabled={value <= 0}
        data-testid={`${testId}-less`}
        onClick={() => onStep(value - 1)}
      >
        <IconMinus size={13} aria-hidden />
      </ActionIcon>
      <Text size="sm" fw={600} w={18} ta="center" aria-live="polite" data-testid={testId}>
        {value}
      </Text>
      <ActionIcon
        variant="default"
        size="sm"
        aria-label={`${label}: one hop more`}
        disabled={value >= MOST}
        data-testid={`${testId}-more`}
        onClick={() => onStep(value + 1)}
      >
        <IconPlus size={13} aria-hidden />
      </ActionIcon>
    </Group>
  )
}

export function GraphControls({ state, onChange }: { state: GraphState; onChange: GraphChange }) {
  const hidden = words(state.hidden).length
  return (
    <Group gap="8px 16px">
      <Stepper label="Upstream" value={state.up} testId="depth-up" onStep={(up) => onChange({ up })} />
      <Stepper label="Downstream" value={state.down} testId="depth-down" onStep={(down) => onChange({ down })} />
      <SegmentedControl
        size="xs"
        aria-label="What is followed"
        data-testid="flow"
        value={state.flow}
        data={[
          { value: 'data', label: 'Data flow' },
          { value: 'impact', label: 'With influence' },
        ]}
        onChange={(flow) => onChange({ flow: flow as GraphState['flow'], sel: undefined })}
      />
      <SegmentedControl
        size="xs"
        aria-label="Level"
        data-testid="level"
        value={state.level}
        data={[
          { value: 'column', label: 'Columns' },
          { value: 'table', label: 'Tables' },
        ]}
        onChange={(level) => onChange({ level: level as GraphState['level'], sel: undefined })}
      />
      {state.level === 'column' ? (
        <Switch
          size="xs"
          label="Hide columns"
          data-testid="hide-columns"
          checked={state.hide}
          onChange={(event) => onChange({ hide: event.currentTarget.checked })}
        />
      ) : null}
      {state.expanded ? (
        <Button
          size="compact-xs"
          variant="default"
          data-testid="collapse-all"
          onClick={() => onChange({ expanded: '' })}
        >
          Collapse all
        </Button>
      ) : null}
      {hidden > 0 ? (
        <Button size="compact-xs" variant="default" data-testid="show-hidden" onClick={() => onChange({ hidden: '' })}>
          Show {hidden} hidden
        </Button>
      ) : null}
    </Group>
  )
}
