/** Everything that a search finds. */

import { Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { PageLink } from '../app/link'
import { Page, Part } from '../app/Page'
import { words } from '../app/search'
import { Answered, Nothing } from '../app/states'
import { Choices } from './Choices'
import type { ListColumn } from './DataTable'
import { FilterInput } from './FilterInput'
import { KindIcon, kindName, kindNames } from './kinds'
import { Name } from './links'
import { Matched } from './Matched'
import { pageOf } from './matches'
import { PagedTable } from './PagedTable'
import { offsetOf } from './Pager'
import * as questions from './questions'
import type { Match } from './shapes'
import { useSnapshot } from './snapshot'

const route = getRouteApi('/search')

function columnsOf(wanted: string): ListColumn<Match>[] {
  return [
    {
      id: 'name',
      head: 'Name',
      width: '60%',
      cell: (match) => (
        <Group gap={6} wrap="nowrap">
          <KindIcon kind={match.kind} column={match.what === 'column'} />
          <PageLink {...pageOf(match)} inherit miw={0}>
            <Matched name={match.name} wanted={wanted} />
          </PageLink>
        </Group>
      ),
    },
    { id: 'what', head: 'What', cell: (match) => (match.what === 'column' ? 'Column' : kindName(match.kind)) },
    { id: 'type', head: 'Type', cell: (match) => <Name>{match.data_type ?? ''}</Name> },
  ]
}

export function SearchPage() {
  const { q, kind, what, page } = route.useSearch()
  const navigate = route.useNavigate()
  const store = useQuery(questions.about).data?.store
  const query = useQuery(
    questions.search({
      q,
      ...(kind ? { kind: words(kind) } : {}),
      ...(what ? { what } : {}),
      ...offsetOf(page),
      ...useSnapshot(),
    }),
  )
  return (
    <Page title="Search" testId="page-search" ready={q === '' || (query.isSuccess && !query.isPlaceholderData)}>
      <Part>
        <Group mb="sm" gap="md">
          <FilterInput
            label="Search for"
            placeholder="a part of a name, or a pattern: *.id"
            value={q}
            onFilter={(value) => navigate({ search: (old) => ({ ...old, q: value, page: 1 }), replace: true })}
          />
          <SegmentedControl
            aria-label="What is searched"
            value={what ?? ''}
            data={[
              { value: '', label: 'Everything' },
              { value: 'table', label: 'Tables' },
              { value: 'column', label: 'Columns' },
            ]}
            onChange={(value) =>
              navigate({
                search: (old) => ({ ...old, what: value === '' ? undefined : (value as Match['what']), page: 1 }),
              })
            }
          />
          <Choices
            label="Kinds"
            counts={store?.kinds ?? {}}
            chosen={kind}
            nameOf={kindNames}
            onChoose={(chosen) => navigate({ search: (old) => ({ ...old, kind: chosen, page: 1 }) })}
          />
        </Group>
        {q === '' ? (
          <Nothing title="What are you looking for?">Type a part of a table's or a column's name.</Nothing>
        ) : (
          <Answered query={query}>
            {({ items, total, exact }) => (
              <PagedTable
                label="Results"
                columns={columnsOf(q)}
                rows={items}
                keyOf={(match) => `${match.what}:${match.id}`}
                rowTestId="result-row"
                page={page}
                total={total}
                exact={exact}
                onPage={(next) => navigate({ search: (old) => ({ ...old, page: next }) })}
                nothing={
                  <Nothing title="Nothing is called that">
                    Try a shorter part of the name, or a pattern like *.id
                  </Nothing>
                }
              />
            )}
          </Answered>
        )}
      </Part>
    </Page>
  )
}
