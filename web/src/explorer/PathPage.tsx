/** How one column gets to another: the ways, drawn and step by step. */

import { ActionIcon, Box, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { Page, Part } from '../app/Page'
import { Answered, Nothing } from '../app/states'
import { type DiagramHandle, DiagramView } from '../diagram'
import { ExportMenu } from './ExportMenu'
import { Hops } from './Hops'
import { counted } from './numbers'
import * as questions from './questions'
import { byId } from './reference'
import { useSnapshot } from './snapshot'
import { ThingPicker } from './ThingPicker'

const route = getRouteApi('/path')

/** What a box shows of an end: its name as soon as that is known. */
function useEnd(of: string): string {
  const { data } = useQuery({ ...questions.column({ of, limit: 1, ...useSnapshot() }), enabled: of.startsWith('id:') })
  return of.startsWith('id:') ? (data?.column.name ?? of) : of
}

export function PathPage() {
  const { source, target, flow } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(questions.path({ source, target, flow, ...useSnapshot() }))
  const from = useEnd(source)
  const to = useEnd(target)
  const isAsked = source !== '' && target !== ''
  return (
    <Page title="Path" about="How one column gets to another." testId="page-path" ready={!isAsked || query.isSuccess}>
      <Part>
        <Group align="flex-end" gap="sm">
          <ThingPicker
            label="From"
            testId="path-source"
            shown={from}
            onPick={(match) => navigate({ search: (old) => ({ ...old, source: byId(match.id), sel: undefined }) })}
          />
          <ActionIcon
            variant="default"
            size={36}
            aria-label="The other way round"
            title="The other way round"
            onClick={() => navigate({ search: (old) => ({ ...old, source: target, target: source, sel: undefined }) })}
          >
            <IconArrowsExchange size={18} aria-hidden />
          </ActionIcon>
          <ThingPicker
            label="To"
            testId="path-target"
            shown={to}
            onPick={(match) => navigate({ search: (old) => ({ ...old, target: byId(match.id), sel: undefined }) })}
          />
          <SegmentedControl
            aria-label="What is followed"
            value={flow}
            data={[
              { value: 'data', label: 'Data flow' },
              { value: 'impact', label: 'With influence' },
            ]}
            onChange={(value) => navigate({ search: (old) => ({ ...old, flow: value as typeof flow }) })}
          />
        </Group>
      </Part>
      {isAsked ? (
        <Answered query={query}>
          {({ paths, complete, columns }) =>
            paths.length === 0 ? (
              <Part>
                <Nothing title="There is no way from the one to the other">
                  {flow === 'data'
                    ? 'No data flows between them. Perhaps the one influences the other, or it is the other way round.'
                    : 'Perhaps it is the other way round.'}
                </Nothing>
              </Part>
            ) : (
              <>
                <Drawn />
                <Part
                  title={`${counted(paths.length, 'way')}${complete ? '' : ' of more'}`}
                  aside={
                    <Text size="sm" c="dimmed">
                      {counted(columns, 'column')} on the way
                    </Text>
                  }
                >
                  <Stack gap="md">
                    {paths.map((path, at) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: ways have no name of their own, and their order stays
                      <Box key={at} data-testid="way">
                        <Title order={3} size="h6">
                          Way {at + 1}: {counted(path.hops.length, 'hop')}
                        </Title>
                        <Hops label={`Way ${at + 1}`} hops={path.hops} />
                      </Box>
                    ))}
                  </Stack>
                </Part>
              </>
            )
          }
        </Answered>
      ) : (
        <Part>
          <Nothing title="From where to where?">
            Choose two columns: the ways between them are drawn, shortest first.
          </Nothing>
        </Part>
      )}
    </Page>
  )
}

function Drawn() {
  const { source, target, flow, sel } = route.useSearch()
  const stay = route.useNavigate()
  const navigate = useNavigate()
  const handle = useRef<DiagramHandle>(null)
  const query = useQuery(questions.pathDiagram({ source, target, flow, ...useSnapshot() }))
  const settings = useMemo(
    () => ({ hideColumns: false, dataFlow: true, impact: flow === 'impact', join: false }),
    [flow],
  )
  return (
    <Answered query={query}>
      {(diagram) => (
        <Stack gap="xs">
          <Group justify="flex-end">
            <ExportMenu name="path" diagram={diagram} handle={handle} />
          </Group>
          <Box className="page-canvas" style={{ height: 'min(26rem, 60dvh)' }}>
            <DiagramView
              ref={handle}
              diagram={diagram}
              settings={settings}
              selected={sel ?? null}
              onSelect={(id) =>
                stay({ search: (old) => ({ ...old, sel: id ?? undefined }), replace: true, resetScroll: false })
              }
              onOpen={(entity, column) =>
                void navigate(
                  column === null
                    ? { to: '/table', search: { of: byId(entity) } }
                    : { to: '/column', search: { of: byId(column) } },
                )
              }
            />
          </Box>
        </Stack>
      )}
    </Answered>
  )
}
