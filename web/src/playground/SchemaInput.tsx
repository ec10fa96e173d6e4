/** The schema that a script is read by: shown when there is one, or when somebody wants to give one. */
import { Button, Collapse, Textarea, TextInput } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { PlaygroundState } from './usePlaygroundState'

export function SchemaInput({ state: { settings, texts, change, write } }: { state: PlaygroundState }) {
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
