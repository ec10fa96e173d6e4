/** A search box that takes a column. */

import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { useEffect, useState } from 'react'
import { MatchLine, useMatches } from './matches'
import type { Match } from './shapes'

type ThingPickerProps = { label: string; shown: string; testId: string; onPick: (match: Match) => void }

export function ThingPicker({ label, shown, testId, onPick }: ThingPickerProps) {
  const [typed, setTyped] = useState(shown)
  useEffect(() => setTyped(shown), [shown])
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const { data, isCurrent } = useMatches(typed === shown ? '' : typed, 'column')
  const pick = (id: string) => {
    const match = data?.items.find((each) => each.id === id)
    combobox.closeDropdown()
    if (match) onPick(match)
  }
  return (
    <Combobox store={combobox} onOptionSubmit={pick} shadow="md">
      <Combobox.Target>
        <TextInput
          label={label}
          placeholder="Search a column"
          data-testid={testId}
          flex={1}
          miw={220}
          value={typed}
          rightSection={typed !== shown && !isCurrent ? <Loader size={14} /> : null}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            combobox.openDropdown()
          }}
          onFocus={(event) => {
            event.currentTarget.select()
            combobox.openDropdown()
          }}
          onBlur={() => {
            combobox.closeDropdown()
            setTyped(shown)
          }}
          onKeyDown={(event) => {
            const first = data?.items[0]
            if (event.key === 'Enter' && first && combobox.getSelectedOptionIndex() === -1) pick(first.id)
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!data}>
        <Combobox.Options aria-label={`${label}: results`} mah={360} style={{ overflowY: 'auto' }}>
          {data?.items.map((match) => (
            <Combobox.Option key={match.id} value={match.id} data-testid={`${testId}-result`} data-name={match.name}>
              <MatchLine match={match} wanted={typed} />
            </Combobox.Option>
          ))}
          {data?.total === 0 ? <Combobox.Empty>No column is called that</Combobox.Empty> : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
