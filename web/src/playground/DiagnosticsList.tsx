/** What could not be understood, or only guessed; each entry leads to its place in the script. */
import { Badge, Text } from '@mantine/core'
import type { Place, Said } from '../api/types'
import { placeInWords } from '../diagram'

const COLOURS = { error: 'red', warning: 'orange', info: 'blue' } as const

type Props = { diagnostics: readonly Said[]; onPlace: (place: Place) => void }

export function DiagnosticsList({ diagnostics, onPlace }: Props) {
  if (diagnostics.length === 0) {
    return (
      <Text p="md" c="dimmed">
        Nothing to say: every statement was understood.
      </Text>
    )
  }
  return (
    <ul className="hw-diagnostics" data-testid="diagnostics">
      {diagnostics.map((said, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same thing can be said twice
        <li key={index}>
          <button
            type="button"
            disabled={!said.place}
            data-testid="diagnostic"
            onClick={() => said.place && onPlace(said.place)}
          >
            <Badge size="sm" variant="light" color={COLOURS[said.severity]}>
              {said.severity}
            </Badge>
            <code>{said.code}</code>
            <span className="hw-diagnostic-place">{said.place ? placeInWords(said.place) : ''}</span>
            <bdi className="hw-diagnostic-message">{said.message}</bdi>
            {said.hint && <bdi className="hw-diagnostic-hint">{said.hint}</bdi>}
          </button>
        </li>
      ))}
    </ul>
  )
}
