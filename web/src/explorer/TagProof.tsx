/** The way on which a tag came to a column. */

import { useQuery } from '@tanstack/react-query'
import { Answered, Nothing } from '../app/states'
import { Hops } from './Hops'
import * as questions from './questions'
import { useSnapshot } from './snapshot'

export function TagProof({ of, tag }: { of: string; tag: string }) {
  const query = useQuery(questions.tagPath({ of, tag, ...useSnapshot() }))
  return (
    <Answered query={query}>
      {({ path }) =>
        path.length === 0 ? (
          <Nothing title="It was said of this very column" />
        ) : (
          <div data-testid="tag-proof">
            <Hops label={`How ${tag} got there`} hops={path} />
          </div>
        )
      }
    </Answered>
  )
}
