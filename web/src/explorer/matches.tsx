/** Search as somebody types: asked shortly after the last key, and an older question is given up as soon as there is a newer one. */

import { Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { KindIcon } from './kinds'
import { Matched } from './Matched'
import * as questions from './questions'
import type { Match } from './shapes'
import { useSnapshot } from './snapshot'

const PAUSE = 120
const SHOWN = 12

export function useMatches(typed: string, what?: 'table' | 'column') {
  const [asked] = useDebouncedValue(typed, PAUSE)
  const query = useQuery(
    questions.search({ q: asked, limit: SHOWN, ...useSnapshot(), ...(what === undefined ? {} : { what }) }),
  )
  const isCurrent = asked === typed && !query.isPlaceholderData
  return { data: asked.trim() === '' ? undefined : query.data, error: query.error, isCurrent }
}

/** Where the page of something that was found is. */
export function pageOf(match: Match): { to: '/table' | '/column'; search: { of: string } } {
  return { to: match.what === 'table' ? '/table' : '/column', search: { of: `id:${match.id}` } }
}

export function MatchLine({ match, wanted }: { match: Match; wanted: string }) {
  return (
    <Group gap={8} wrap="nowrap" justify="space-between">
      <Group gap={8} wrap="nowrap" miw={0}>
        <KindIcon kind={match.kind} column={match.what === 'column'} />
        <Matched name={match.name} wanted={wanted} />
      </Group>
      {match.data_type ? (
        <Text size="xs" c="dimmed" maw={140} truncate>
          {match.data_type}
        </Text>
      ) : null}
    </Group>
  )
}
