/** Above everything: examples, the dialect, how the analysis goes, and what can be taken away. */
import { Button, Group, Loader, Menu, Select, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type RefObject, useEffect, useState } from 'react'
import { answered, api } from '../api/client'
import type { AnalyzeRequest } from '../api/types'
import type { DiagramHandle } from '../diagram'
import { EXAMPLES } from './examples'
import { ShareMenu } from './ShareMenu'
import type { Analysis } from './useAnalysis'
import type { PlaygroundState } from './usePlaygroundState'

type BarProps = {
  state: PlaygroundState
  analysis: Analysis
  request: AnalyzeRequest | null
  picture: RefObject<DiagramHandle | null>
}

export function Bar({ state, analysis, request, picture }: BarProps) {
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
