/** Search over all tables and columns, and the way to every page: the header's box, and the command palette in one. */

import { Combobox, Kbd, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { IconArrowRight, IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type Ref, useState } from 'react'
import { MatchLine, pageOf, useMatches } from '../explorer/matches'
import { counted } from '../explorer/numbers'
import { PAGES } from './pages'

const ALL = 'all'

export function SearchBox({ inputRef }: { inputRef: Ref<HTMLInputElement> }) {
  const [typed, setTyped] = useState('')
  const navigate = useNavigate()
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const { data, error, isCurrent } = useMatches(typed)
  const wanted = typed.trim()
  const pages = wanted === '' ? [] : PAGES.filter(({ label }) => label.toLowerCase().startsWith(wanted.toLowerCase()))
  const total = data ? `${data.exact ? '' : 'at least '}${counted(data.total, 'result')}` : ''

  const go = (value: string) => {
    combobox.closeDropdown()
    const match = data?.items.find((each) => `${each.what}:${each.id}` === value)
    const page = pages.find((each) => each.to === value)
    if (match) void navigate(pageOf(match))
    else if (page) void navigate({ to: page.to })
    else void navigate({ to: '/search', search: { q: wanted } })
    setTyped('')
  }

  return (
    <Combobox store={combobox} onOptionSubmit={go} position="bottom-start" width="min(40rem, 94vw)" shadow="md">
      <Combobox.Target>
        <TextInput
          ref={inputRef}
          type="search"
          flex={1}
          maw={520}
          miw={90}
          aria-label="Search tables and columns"
          placeholder="Search tables and columns"
          data-testid="search"
          value={typed}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={wanted !== '' && !isCurrent && !error ? <Loader size={14} /> : <Kbd size="xs">/</Kbd>}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
            if (event.key !== 'Enter' || wanted === '' || combobox.getSelectedOptionIndex() !== -1) return
            event.preventDefault()
            const first = data?.items[0]
            go(isCurrent && first ? `${first.what}:${first.id}` : ALL)
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={wanted === ''}>
        <Combobox.Options aria-label="Search results" mah="70vh" style={{ overflowY: 'auto' }}>
          {data?.items.map((match) => (
            <Combobox.Option
              key={`${match.what}:${match.id}`}
              value={`${match.what}:${match.id}`}
              data-testid="search-result"
              data-name={match.name}
            >
              <MatchLine match={match} wanted={wanted} />
            </Combobox.Option>
          ))}
          {pages.map(({ to, label }) => (
            <Combobox.Option key={to} value={to} data-testid="search-page">
              <Text size="sm" component="span">
                <IconArrowRight size={14} aria-hidden /> Go to {label}
              </Text>
            </Combobox.Option>
          ))}
          {error ? <Combobox.Empty role="alert">{error.message}</Combobox.Empty> : null}
          {data && data.total > 0 ? (
            <Combobox.Option value={ALL} data-testid="search-all">
              <Text size="sm" c="dimmed" component="span">
                {total}: see all
              </Text>
            </Combobox.Option>
          ) : null}
          {data && data.total === 0 && isCurrent ? (
            <Combobox.Empty>Nothing is called that. Try a part of a name, or a pattern like *.id</Combobox.Empty>
          ) : null}
        </Combobox.Options>
      </Combobox.Dropdown>
      <Text component="span" role="status" className="page-heard">
        {wanted !== '' && isCurrent ? total : ''}
      </Text>
    </Combobox>
  )
}
