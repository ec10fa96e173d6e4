/** What could not be understood, or only guessed: how much of each kind, and each with its place. */

import { BarChart, DonutChart } from '@mantine/charts'
import { Badge, Box, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Page, Part } from '../app/Page'
import { words } from '../app/search'
import { Answered, Nothing } from '../app/states'
import { AXIS_WIDTH, tick } from './axis'
import { Choices } from './Choices'
import type { ListColumn } from './DataTable'
import { FilterInput } from './FilterInput'
import { Name, SpotLink } from './links'
import { counted } from './numbers'
import { PagedTable } from './PagedTable'
import { offsetOf } from './Pager'
import * as questions from './questions'
import { colorOf, SeverityBadge } from './severity'
import type { StoredDiagnostic } from './shapes'
import { useSnapshot } from './snapshot'

const route = getRouteApi('/diagnostics')
const PLOTTED = 10

const COLUMNS: ListColumn<StoredDiagnostic>[] = [
  { id: 'severity', head: 'Severity', cell: (row) => <SeverityBadge word={row.severity} />, width: '7rem' },
  { id: 'code', head: 'Code', cell: (row) => row.code, width: '13rem' },
  {
    id: 'message',
    head: 'What',
    cell: (row) => (
      <Stack gap={2}>
        <Name cut={false}>{row.message}</Name>
        {row.hint ? (
          <Text size="xs" c="dimmed">
            {row.hint}
          </Text>
        ) : null}
      </Stack>
    ),
  },
  { id: 'spot', head: 'Where', cell: (row) => <SpotLink spot={row.spot} />, width: '30%' },
]

type Counts = Readonly<Record<string, number>>

function Plots({ codes, severities }: { codes: Counts; severities: Counts }) {
  const parts = ['error', 'warning', 'info']
    .filter((name) => severities[name])
    .map((name) => ({ name, value: severities[name] ?? 0, color: colorOf(name) }))
  const bars = Object.entries(codes)
    .sort(([, a], [, b]) => b - a)
    .slice(0, PLOTTED)
    .map(([code, value]) => ({ code, Diagnostics: value }))
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Part title="By severity">
        <Group gap="xl">
          <Box
            role="img"
            aria-label={`Diagnostics by severity: ${parts.map((p) => `${p.value} ${p.name}`).join(', ')}`}
          >
            <DonutChart
              data={parts}
              size={140}
              thickness={22}
              paddingAngle={2}
              pieProps={{ isAnimationActive: false }}
              tabIndex={-1}
            />
          </Box>
          <Stack gap={6}>
            {parts.map((part) => (
              <Group key={part.name} gap="sm">
                <SeverityBadge word={part.name} />
                <Text fw={600}>{counted(part.value, 'diagnostic')}</Text>
              </Group>
            ))}
          </Stack>
        </Group>
      </Part>
      <Part title="By code">
        <Box role="img" aria-label={`Diagnostics by code: ${bars.map((b) => `${b.Diagnostics} ${b.code}`).join(', ')}`}>
          <BarChart
            h={Math.max(140, 36 + 30 * bars.length)}
            data={bars}
            dataKey="code"
            orientation="vertical"
            yAxisProps={{ width: AXIS_WIDTH, tickFormatter: tick }}
            xAxisProps={{ allowDecimals: false }}
            series={[{ name: 'Diagnostics', color: 'yellow.6' }]}
            barProps={{ isAnimationActive: false }}
            tabIndex={-1}
          />
        </Box>
      </Part>
    </SimpleGrid>
  )
}

export function DiagnosticsPage() {
  const { code, severity, script, like, page } = route.useSearch()
  const navigate = route.useNavigate()
  const filters = {
    ...(code ? { code: words(code) } : {}),
    ...(severity ? { severity: words(severity) } : {}),
    ...(script ? { script } : {}),
    ...(like ? { like } : {}),
  }
  const query = useQuery(questions.diagnostics({ ...filters, ...offsetOf(page), ...useSnapshot() }))
  return (
    <Page
      title="Diagnostics"
      about="Nothing is silently lost: what could not be read, or only guessed, is said here, with its place."
      testId="page-diagnostics"
      ready={query.isSuccess && !query.isPlaceholderData}
    >
      <Answered query={query}>
        {({ codes, severities, total, items }) => (
          <>
            {total > 0 ? <Plots codes={codes} severities={severities} /> : null}
            <Part>
              <Stack gap="sm" mb="sm">
                <Group gap="md">
                  <FilterInput
                    label="Filter by message or subject"
                    placeholder="a part of a message"
                    value={like}
                    onFilter={(value) =>
                      navigate({ search: (old) => ({ ...old, like: value, page: 1 }), replace: true })
                    }
                  />
                  <Choices
                    label="Severities"
                    counts={severities}
                    chosen={severity}
                    onChoose={(chosen) => navigate({ search: (old) => ({ ...old, severity: chosen, page: 1 }) })}
                  />
                  {script ? (
                    <Badge
                      component="button"
                      variant="outline"
                      tt="none"
                      onClick={() => navigate({ search: (old) => ({ ...old, script: undefined, page: 1 }) })}
                    >
                      of one script only: show all
                    </Badge>
                  ) : null}
                </Group>
                <Choices
                  label="Codes"
                  counts={codes}
                  chosen={code}
                  onChoose={(chosen) => navigate({ search: (old) => ({ ...old, code: chosen, page: 1 }) })}
                />
              </Stack>
              <PagedTable
                label="Diagnostics"
                columns={COLUMNS}
                rows={items}
                keyOf={(_, at) => String(at)}
                rowTestId="diagnostic-row"
                page={page}
                total={total}
                onPage={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
                nothing={
                  <Nothing title="No diagnostics">
                    Either everything is understood, or the filters leave nothing: clear them to see all.
                  </Nothing>
                }
              />
            </Part>
          </>
        )}
      </Answered>
    </Page>
  )
}
