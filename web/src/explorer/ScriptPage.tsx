/** A script as the store keeps it, at a line; its statements, what they write, and what was said about it. */

import { Box, Grid, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { PageLink } from '../app/link'
import { Page, Part } from '../app/Page'
import { Answered, Nothing } from '../app/states'
import { type EditorDiagnostic, type EditorMark, SqlEditor } from '../editor'
import { Name } from './links'
import { counted } from './numbers'
import * as questions from './questions'
import type { ScriptAnswer, StoredDiagnostic } from './shapes'
import { useSnapshot } from './snapshot'

const route = getRouteApi('/script')
const SAID = 200

type Statement = ScriptAnswer['statements'][number]

/** The statement that a line belongs to. */
function statementAt(statements: readonly Statement[], line: number): Statement | undefined {
  return statements.find(({ start, end }) => start.line <= line && line <= end.line)
}

function toldOf(said: readonly StoredDiagnostic[]): EditorDiagnostic[] {
  return said.flatMap(({ severity, message, code, place, spot }) => {
    const at = place ?? (spot ? { start: spot, end: { line: spot.line, column: spot.column + 1 } } : null)
    return at ? [{ severity, message, code, place: at }] : []
  })
}

function Script({ answer, line }: { answer: ScriptAnswer; line: number }) {
  const said = useQuery(questions.diagnostics({ script: answer.script.id, limit: SAID, ...useSnapshot() }))
  const diagnostics = useMemo(() => toldOf(said.data?.items ?? []), [said.data])
  const statement = statementAt(answer.statements, line)
  const marks = useMemo((): EditorMark[] => {
    const start = { line, column: 1 }
    const whole: EditorMark = { place: { start, end: { line: line + 1, column: 1 } }, role: 'made' }
    return line === 1 ? [] : [whole]
  }, [line])
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 9 }}>
        <Box className="page-script">
          <SqlEditor
            value={answer.text}
            label={answer.script.path || 'Script'}
            dialect={answer.script.dialect}
            readOnly
            firstLine={answer.first_line}
            marks={marks}
            diagnostics={diagnostics}
            followMarks
          />
        </Box>
        {answer.text.split('\n').length < answer.total_lines ? (
          <Text size="sm" c="dimmed">
            Lines around {line} of {answer.total_lines}.
          </Text>
        ) : null}
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 3 }}>
        <Part title="Statements">
          {answer.statements.length === 0 ? (
            <Nothing title="No statement makes lineage here" />
          ) : (
            <Stack component="ul" gap={4} p={0} m={0} mah="60vh" style={{ listStyle: 'none', overflowY: 'auto' }}>
              {answer.statements.map((each) => (
                <li key={`${each.statement}:${each.start.line}:${each.start.column}`}>
                  <PageLink
                    to="/script"
                    search={{ id: answer.script.id, line: each.start.line }}
                    size="sm"
                    fw={each === statement ? 700 : 400}
                    aria-current={each === statement ? 'location' : undefined}
                    data-testid="statement"
                  >
                    {each.start.line}: {each.type}
                  </PageLink>
                </li>
              ))}
            </Stack>
          )}
        </Part>
      </Grid.Col>
    </Grid>
  )
}

export function ScriptPage() {
  const { id, line } = route.useSearch()
  const query = useQuery(questions.script(id, { line, ...useSnapshot() }))
  const path = query.data?.script.path || 'Script'
  return (
    <Page
      title={path}
      heading={<Name cut={false}>{path}</Name>}
      about={
        query.data ? (
          <Group gap="md">
            <span>{query.data.script.dialect}</span>
            <span>{counted(query.data.total_lines, 'line')}</span>
            <span>{counted(query.data.script.statements, 'statement')}</span>
            <PageLink to="/diagnostics" search={{ script: id }}>
              its diagnostics
            </PageLink>
          </Group>
        ) : null
      }
      testId="page-script"
      ready={query.isSuccess}
    >
      {id === '' ? (
        <Nothing title="Which script?">Choose one in the list of scripts.</Nothing>
      ) : (
        <Answered query={query}>{(answer) => <Script answer={answer} line={line} />}</Answered>
      )}
    </Page>
  )
}
