/** How bad something is: a diagnostic's severity, an impact's verdict. A word always stands beside the colour. */

import { Badge } from '@mantine/core'

const COLORS: Record<string, string> = {
  error: 'red',
  warning: 'yellow',
  info: 'blue',
  breaking: 'red',
  maybe: 'yellow',
  harmless: 'green',
}

/** A colour for marks and plots that is clear on both grounds. */
export function colorOf(word: string): string {
  return `${COLORS[word] ?? 'gray'}.6`
}

export function SeverityBadge({ word }: { word: string }) {
  const color = COLORS[word] ?? 'gray'
  return (
    <Badge
      variant="light"
      color={color}
      c={`light-dark(var(--mantine-color-${color}-9), var(--mantine-color-${color}-2))`}
      tt="none"
      radius="sm"
      style={{ flex: 'none', ...(color === 'yellow' ? { color: 'light-dark(#7a4b00, #ffe08a)' } : {}) }}
    >
      {word}
    </Badge>
  )
}
