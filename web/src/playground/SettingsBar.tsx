/** What is drawn: the level, and the switches of the model. */
import { Checkbox, Group, SegmentedControl } from '@mantine/core'
import { LEVELS, type Level, type Settings } from './settings'

type SwitchKey = 'dataFlow' | 'impact' | 'join' | 'hideColumns' | 'resultSets' | 'functions'

type Switch = {
  key: SwitchKey
  label: string
  title: string
}

const SWITCHES: readonly Switch[] = [
  { key: 'dataFlow', label: 'Data flow', title: 'Where values come from: solid lines' },
  { key: 'impact', label: 'Impact', title: 'What decides over rows: filters, joins, grouping; dashed lines' },
  { key: 'join', label: 'Join', title: 'Columns that are compared in joins; dotted lines' },
  { key: 'hideColumns', label: 'Hide columns', title: 'Lines between tables instead of columns' },
  { key: 'resultSets', label: 'Result sets', title: 'Intermediate results of queries; complete level' },
  { key: 'functions', label: 'Functions', title: 'Functions as boxes of their own; complete level' },
]

const OF_COMPLETE = new Set<SwitchKey>(['resultSets', 'functions'])
const OF_RELATIONS = new Set<SwitchKey>(['dataFlow', 'impact', 'join'])

const LEVEL_LABELS: Readonly<Record<Level, string>> = { complete: 'Complete', column: 'Column', table: 'Table' }

type Props = {
  settings: Settings
  onChange: (changed: Partial<Settings>) => void
  /** Without the level and what goes with it: only which relations are drawn. */
  relationsOnly?: boolean
}

export function SettingsBar({ settings, onChange, relationsOnly = false }: Props) {
  return (
    <Group className="hw-settings" gap="sm" wrap="nowrap">
      {relationsOnly ? null : (
        <SegmentedControl
          size="xs"
          aria-label="Level"
          data-testid="level"
          value={settings.level}
          onChange={(level) => onChange({ level: level as Level })}
          data={LEVELS.map((value) => ({ value, label: LEVEL_LABELS[value] }))}
        />
      )}
      {SWITCHES.filter(({ key }) => !relationsOnly || OF_RELATIONS.has(key)).map(({ key, label, title }) => (
        <Checkbox
          key={key}
          size="xs"
          label={label}
          title={title}
          data-testid={`setting-${key}`}
          checked={settings[key]}
          disabled={settings.level !== 'complete' && OF_COMPLETE.has(key)}
          onChange={(event) => onChange({ [key]: event.currentTarget.checked })}
        />
      ))}
    </Group>
  )
}
