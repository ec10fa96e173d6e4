/** A script at a place, with what stands there marked: the expression, and inside of it what it is made of. */

import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Place } from '../api/types'
import { PageLink } from '../app/link'
import { Answered } from '../app/states'
import { type EditorMark, SqlEditor } from '../editor'
import * as questions from './questions'
import { useSnapshot } from './snapshot'

export function ScriptExcerpt({ place, inside = null }: { place: Place; inside?: Place | null }) {
  const query = useQuery(questions.script(place.script, { line: place.start.line, ...useSnapshot() }))
  const marks = useMemo((): EditorMark[] => {
    const made: EditorMark = { place, role: 'made' }
    return inside === null || inside.script !== place.script ? [made] : [made, { place: inside, role: 'self' }]
  }, [place, inside])
  return (
    <Answered query={query}>
      {({ text, first_line, script }) => (
        <Box data-testid="excerpt">
          <Box className="page-excerpt">
            <SqlEditor
              value={text}
              label={`${script.path}, line ${place.start.line}`}
              dialect={script.dialect}
              readOnly
              firstLine={first_line}
              marks={marks}
              followMarks
            />
          </Box>
          <PageLink to="/script" search={{ id: place.script, line: place.start.line }} size="xs">
            open the script
          </PageLink>
        </Box>
      )}
    </Answered>
  )
}
