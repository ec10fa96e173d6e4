/** The store at a glance: how much there is, how well it is understood, where most data passes. */

import { Group, SimpleGrid, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PageLink } from '../app/link'
import { Page, Part } from '../app/Page'
import { Answered, Nothing } from '../app/states'
import { Bars } from './Bars'
import { mostUsed } from './hubs'
import { KindIcon, kindColor, kindNames } from './kinds'
import { TableLink } from './links'
import { count, counted, shortCount, timeOf } from './numbers'
import * as questions from './questions'
import { Share } from './Share'
import { colorOf, SeverityBadge } from './severity'
import type { StoreThing } from './shapes'
import { useSnapshot } from './snapshot'

const HUBS = 8
const SNAPSHOTS = 6

function Fact({ label, value }: { label: string; value: number }) {
  return (
    <div className="page-card" style={{ padding: '0.9rem 1.1rem' }}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} fw={700} lh={1.2} title={count(value)} data-testid={`fact-${label.toLowerCase()}`}>
        {shortCount(value)}
      </Text>
    </div>
  )
}

function Kinds({ kinds }: { kinds: Readonly<Record<string, number>> }) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const bars = Object.entries(kinds)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, value]) => ({
      key: kind,
      value,
      label: (
        <Group gap={6} wrap="nowrap">
          <KindIcon kind={kind} />
          <PageLink to="/tables" search={{ kind }} inherit>
            {kindNames(kind)}
          </PageLink>
        </Group>
      ),
      color: kindColor(kind, scheme),
    }))
  return <Bars label="Kinds of entities" bars={bars} />
}

function Snapshots({ store }: { store: StoreThing }) {
  const newest = [...store.snapshots].sort((a, b) => b.time.localeCompare(a.time)).slice(0, SNAPSHOTS)
  return (
    <Stack gap={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {newest.map((each, at) => {
        const older = newest[at + 1]
        return (
          <Group component="li" key={each.name} justify="space-between" gap="sm">
            <PageLink to="/" search={{ at: each.current ? undefined : each.name }} size="sm">
              {timeOf(each.time)}
              {each.current ? ' (current)' : ''}
            </PageLink>
            {older ? (
              <PageLink to="/diff" search={{ before: older.name, after: each.name }} size="sm">
                what changed
              </PageLink>
            ) : (
              <Text size="sm" c="dimmed">
                the first one shown
              </Text>
            )}
          </Group>
        )
      })}
    </Stack>
  )
}

function Diagnosed() {
  const query = useQuery(questions.diagnostics({ limit: 1, ...useSnapshot() }))
  return (
    <Answered query={query}>
      {({ severities, codes, total }) =>
        total === 0 ? (
          <Text size="sm">All statements were analysed without a diagnostic.</Text>
        ) : (
          <Stack gap="md">
            <Group gap="lg">
              {['error', 'warning', 'info'].map((severity) => (
                <Group key={severity} gap={6}>
                  <SeverityBadge word={severity} />
                  <PageLink to="/diagnostics" search={{ severity }} fw={600}>
                    {count(severities[severity] ?? 0)}
                  </PageLink>
                </Group>
              ))}
            </Group>
            <Bars
              label="Diagnostics by code"
              bars={Object.entries(codes)
                .sort(([, a], [, b]) => b - a)
                .slice(0, 5)
                .map(([code, value]) => ({
                  key: code,
                  value,
                  label: (
                    <PageLink to="/diagnostics" search={{ code }} inherit>
                      {code}
                    </PageLink>
                  ),
                  color: `var(--mantine-color-${colorOf('warning').replace('.', '-')})`,
                }))}
            />
          </Stack>
        )
      }
    </Answered>
  )
}

export function OverviewPage({ store }: { store: StoreThing }) {
  const coverage = useQuery(questions.coverage(useSnapshot()))
  return (
    <Page
      title="Overview"
      heading={store.name}
      about={`Snapshot of ${timeOf(store.time)}`}
      testId="page-overview"
      ready={coverage.isSuccess}
    >
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        <Fact label="Tables" value={store.tables} />
        <Fact label="Columns" value={store.columns} />
        <Fact label="Relations" value={store.relations} />
        <Fact label="Scripts" value={store.scripts} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="md">
        <Stack gap="md">
          <Part title="How well it is understood" aside={<PageLink to="/coverage">coverage</PageLink>}>
            <Answered query={coverage}>
              {(found) => (
                <Stack gap="sm">
                  <Share label="Statements understood" part={found.understood} whole={found.statements} />
                  <Share label="Columns explained" part={found.explained} whole={found.columns} />
                  <Text size="sm" data-testid="headline">
                    {found.headline}.
                  </Text>
                  <Text size="sm" c="dimmed">
                    The longest chain has {counted(found.longest_chain, 'hop')}.
                  </Text>
                </Stack>
              )}
            </Answered>
          </Part>
          <Part title="Snapshots">
            <Snapshots store={store} />
          </Part>
        </Stack>
        <Stack gap="md">
          <Part title="Diagnostics" aside={<PageLink to="/diagnostics">all</PageLink>}>
            <Diagnosed />
          </Part>
          <Part title="What there is" aside={<PageLink to="/tables">all tables</PageLink>}>
            <Kinds kinds={store.kinds} />
          </Part>
        </Stack>
        <Part title="Most others are made of">
          <Answered query={coverage}>
            {({ hubs }) =>
              hubs.length === 0 ? (
                <Nothing title="No hubs">Nothing is made of anything else yet.</Nothing>
              ) : (
                <Bars
                  label="Tables that most others are made of"
                  bars={mostUsed(hubs)
                    .slice(0, HUBS)
                    .map((hub) => ({
                      key: hub.table.id,
                      value: hub.downstream,
                      label: <TableLink table={hub.table} />,
                    }))}
                />
              )
            }
          </Answered>
        </Part>
      </SimpleGrid>
    </Page>
  )
}
