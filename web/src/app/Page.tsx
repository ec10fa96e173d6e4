/** The frame of a page: its title, what stands beside that, and whether everything is there. */

import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

type PageProps = {
  /** What the browser's tab says. */
  title: string
  /** What the heading shows, if it is more than the title. */
  heading?: ReactNode
  /** A line below the heading. */
  about?: ReactNode
  /** Stands at the heading's right. */
  actions?: ReactNode
  testId: string
  /** Whether what the page is about is shown. */
  ready: boolean
  children: ReactNode
}

export function Page({ title, heading, about, actions, testId, ready, children }: PageProps) {
  useEffect(() => {
    document.title = `${title.slice(0, 200)} · Headwater`
  }, [title])
  const top = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement?.id === 'main') top.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Box px={{ base: 'md', sm: 'xl' }} py="lg" maw={1680} mx="auto" data-testid={testId} data-ready={ready}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={2} miw={0} flex="1 1 18rem">
            <Title ref={top} order={1} fz={{ base: 22, sm: 26 }} lh={1.3} tabIndex={-1} className="page-name">
              {heading ?? title}
            </Title>
            {about ? (
              <Text c="dimmed" size="sm" component="div">
                {about}
              </Text>
            ) : null}
          </Stack>
          {actions}
        </Group>
        {children}
      </Stack>
    </Box>
  )
}

/** A framed part of a page, with a heading of its own. */
export function Part({ title, aside, children }: { title?: ReactNode; aside?: ReactNode; children: ReactNode }) {
  return (
    <Box component="section" className="page-card" p="md" miw={0}>
      {title ? (
        <Group justify="space-between" mb="sm" gap="xs">
          <Title order={2} size="h5">
            {title}
          </Title>
          {aside}
        </Group>
      ) : null}
      {children}
    </Box>
  )
}
