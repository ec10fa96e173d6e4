/** A filter by a part of a name: what is typed is applied shortly after the last key. */

import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

const PAUSE = 180

type FilterInputProps = { label: string; value: string; onFilter: (value: string) => void; placeholder?: string }

export function FilterInput({
  label,
  value,
  onFilter,
  placeholder = 'a part of a name, or a pattern: *.id',
}: FilterInputProps) {
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const send = useDebouncedCallback((wanted: string) => {
    sent.current = wanted
    onFilter(wanted)
  }, PAUSE)
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(value)
  }, [value])
  return (
    <TextInput
      aria-label={label}
      title={label}
      placeholder={placeholder}
      data-testid="filter"
      value={typed}
      maxLength={1000}
      w={{ base: '100%', xs: 300 }}
      leftSection={<IconFilter size={16} aria-hidden />}
      rightSection={
        typed === '' ? null : (
          <CloseButton
            size="sm"
            aria-label="Clear the filter"
            onClick={() => {
              setTyped('')
              send('')
            }}
          />
        )
      }
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        send(event.currentTarget.value)
      }}
    />
  )
}
