/** What is known about the relations of a line: which it is, the expression, the statement, the place. */
import type { Line } from './lines'
import type { DiagramProcess, Place } from './types'
import { kindInWords, placeInWords, processInWords } from './words'

const MOST = 5

type Props = {
  line: Line
  names: ReadonlyMap<string, string>
  processes: readonly DiagramProcess[]
  onPlace: ((place: Place) => void) | undefined
}

export function RelationPanel({ line, names, processes, onPlace }: Props) {
  return (
    <aside className="hw-panel" aria-label="Relation" data-testid="relation-panel">
      <h3>
        <bdi>{names.get(line.source)}</bdi> {line.type === 'join' ? '↔' : '→'} <bdi>{names.get(line.target)}</bdi>
      </h3>
      {line.relations.slice(0, MOST).map((relation) => {
        const process = processInWords(processes.find((each) => each.id === relation.process))
        const place = relation.place
        return (
          <section key={relation.id}>
            <p>
              {[kindInWords(relation), process].filter(Boolean).join(' · ')}
              {place && ' · '}
              {place &&
                (onPlace ? (
                  <button type="button" onClick={() => onPlace(place)}>
                    {placeInWords(place)}
                  </button>
                ) : (
                  placeInWords(place)
                ))}
            </p>
            {relation.expression && (
              <pre>
                <code>{relation.expression}</code>
              </pre>
            )}
          </section>
        )
      })}
      {line.relations.length > MOST && <p>and {line.relations.length - MOST} more</p>}
    </aside>
  )
}
