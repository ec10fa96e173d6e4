/** Statements that write or read something, and the script around the one that is looked at. */

import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Nothing } from '../app/states'
import { Name } from './links'
import { ScriptExcerpt } from './ScriptExcerpt'
import type { Spot, StatementThing } from './shapes'

const WRITTEN = 'Written by'

/** The character at a spot, as a place; the statement's end is the script's own matter. */
function placeOf({ script, line, column }: Spot) {
  return { script, start: { line, column }, end: { line: line + 1, column: 1 } }
}

function Listed({
  title,
  statements,
  shown,
  onShow,
}: {
  title: string
  statements: readonly StatementThing[]
  shown: string | null
  onShow: (key: string) => void
}) {
  if (statements.length === 0) return null
  return (
    <Stack gap={4}>
      <Title order={2} size="h5">
        {title}
      </Title>
      <Stack component="ul" gap={0} p={0} m={0} style={{ listStyle: 'none' }}>
        {statements.map((statement) => (
          <Stack
            component="li"
            key={`${statement.id}:${statement.spot?.line}`}
            gap={4}
            py={6}
            className="page-hop"
            data-testid="statement"
          >
            <Group gap="sm">
              <Text size="sm" fw={600}>
                {statement.type}
              </Text>
              {statement.procedure ? (
                <Text size="sm" c="dimmed" component="span">
                  in <Name>{statement.procedure}</Name>
                </Text>
              ) : null}
              {statement.spot ? (
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  maw="100%"
                  aria-expanded={shown === `${title}:${statement.id}`}
                  onClick={() => onShow(`${title}:${statement.id}`)}
                >
                  <Name>{`${statement.spot.path}:${statement.spot.line}`}</Name>
                </Anchor>
              ) : null}
            </Group>
            {statement.spot && shown === `${title}:${statement.id}` ? (
              <ScriptExcerpt place={placeOf(statement.spot)} />
            ) : null}
          </Stack>
        ))}
      </Stack>
    </Stack>
  )
}

export function Statements({
  writing,
  reading,
}: {
  writing: readonly StatementThing[]
  reading: readonly StatementThing[]
}) {
  const first = writing.find((each) => each.spot)
  const [shown, setShown] = useState<string | null>(first ? `${WRITTEN}:${first.id}` : null)
  const toggle = (key: string) => setShown(shown === key ? null : key)
  if (writing.length === 0 && reading.length === 0) {
    return (
      <Nothing title="No statement of this store has to do with it">
        It is known from a schema, or from outside.
      </Nothing>
    )
  }
  return (
    <Stack gap="lg">
      <Listed title={WRITTEN} statements={writing} shown={shown} onShow={toggle} />
      <Listed title="Read by" statements={reading} shown={shown} onShow={toggle} />
    </Stack>
  )
}
