/** The frame of a table's and of a column's page: its question, its name in the URL, and what is shown while there is no answer. */

import { Group } from '@mantine/core'
import { type QueryKey, type UndefinedInitialDataOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Page } from '../app/Page'
import { Failed, Nothing, Waiting } from '../app/states'
import type { ThingChange, ThingState } from './graphState'
import { Name } from './links'

/** What a page knows of its thing once it is answered. */
export type Shown = {
  /** What the URL calls it. */
  reference: string
  title: string
  icon: ReactNode
  about: ReactNode
  actions?: ReactNode
  content: ReactNode
}

type ThingPageProps<Answer, Key extends QueryKey> = {
  what: 'Table' | 'Column'
  /** What to do if the URL names nothing. */
  hint: string
  state: ThingState
  onChange: ThingChange
  question: (of: string) => UndefinedInitialDataOptions<Answer, Error, Answer, Key> & { queryKey: Key }
  children: (answer: Answer) => Shown
}

export function ThingPage<Answer, Key extends QueryKey>(props: ThingPageProps<Answer, Key>) {
  const { what, hint, state, onChange, question, children } = props
  const client = useQueryClient()
  const query = useQuery(question(state.of))
  const shown = query.data === undefined ? undefined : children(query.data)

  const named = shown?.reference ?? state.of
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what it is called may start this
  useEffect(() => {
    if (named === state.of) return
    client.setQueryData<unknown>(question(named).queryKey, query.data)
    onChange({ of: named }, 'look')
  }, [named, state.of])

  return (
    <Page
      title={shown?.title ?? what}
      heading={
        <Group gap={10} wrap="nowrap" component="span" display="flex">
          {shown?.icon}
          <Name cut={false}>{shown?.title ?? (state.of || what)}</Name>
        </Group>
      }
      about={shown?.about}
      actions={shown?.actions}
      testId={`page-${what.toLowerCase()}`}
      ready={shown !== undefined || state.of === ''}
    >
      {shown ? (
        shown.content
      ) : state.of === '' ? (
        <Nothing title={`Which ${what.toLowerCase()}?`}>{hint}</Nothing>
      ) : query.error ? (
        <Failed error={query.error} again={() => void query.refetch()} />
      ) : (
        <Waiting />
      )}
    </Page>
  )
}
