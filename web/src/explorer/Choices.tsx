/** Words to filter by, each with how often it occurs; several can be chosen. */

import { Chip, Group } from '@mantine/core'
import { words } from '../app/search'
import { shortCount } from './numbers'

type ChoicesProps = {
  label: string
  /** What can be chosen, and how often each occurs. */
  counts: Readonly<Record<string, number>>
  /** The chosen words, with commas between. */
  chosen: string
  onChoose: (chosen: string) => void
  nameOf?: (word: string) => string
}

export function Choices({ label, counts, chosen, onChoose, nameOf = (word) => word }: ChoicesProps) {
  const picked = words(chosen)
  const all = [...new Set([...Object.keys(counts), ...picked])].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0))
  return (
    <Chip.Group multiple value={picked} onChange={(next) => onChoose(next.join(','))}>
      <Group gap={6} role="group" aria-label={label}>
        {all.map((word) => (
          <Chip key={word} value={word} size="xs" variant="outline" wrapperProps={{ 'data-testid': `choice-${word}` }}>
            <bdi>{nameOf(word)}</bdi> {counts[word] === undefined ? '' : shortCount(counts[word])}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  )
}
