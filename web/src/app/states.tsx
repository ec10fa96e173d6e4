/** What a page shows while there is nothing to show: it waits, there is nothing, or something went wrong. Each says what to do. */

import { Alert, Button, Center, EmptyState, Group, Loader, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconKey, IconMoodEmpty } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { NoAnswer } from '../api/client'

export function Waiting({ what = 'Loading' }: { what?: string }) {
  return (
    <Center p="xl" role="status" data-testid="waiting">
      <Group gap="sm">
        <Loader size="sm" />
        <Text c="dimmed">{what}…</Text>
      </Group>
    </Center>
  )
}

export function Nothing({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <EmptyState
      py="xl"
      data-testid="nothing"
      icon={<IconMoodEmpty aria-hidden />}
      title={title}
      description={children}
    />
  )
}

export function Failed({ error, again }: { error: Error; again?: () => void }) {
  if (error instanceof NoAnswer && error.status === 401) return <NeedsToken />
  const hint = error instanceof NoAnswer ? error.hint : ''
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      data-testid="failed"
      styles={TITLE}
      icon={<IconAlertTriangle aria-hidden />}
      title="There is no answer to this"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="page-name">
          {error.message}
        </Text>
        {hint ? <Text size="sm">{hint}</Text> : null}
        {again ? (
          <Button size="xs" variant="default" onClick={again}>
            Try again
          </Button>
        ) : null}
      </Stack>
    </Alert>
  )
}

const TITLE = { title: { color: 'var(--mantine-color-text)' } }

function NeedsToken() {
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      data-testid="needs-token"
      styles={TITLE}
      icon={<IconKey aria-hidden />}
      title="This server asks for its token"
    >
      <Text size="sm">
        Open the link that `headwater serve` printed when it was started: it ends with `?token=…` and lets this browser
        in. Whoever started the server has it.
      </Text>
    </Alert>
  )
}

/** An answer once it is there; before that, what is missing. */
export function Answered<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.error) return <Failed error={query.error} again={() => void query.refetch()} />
  return <Waiting />
}
