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

/** The ink of a word on its own light ground. */
function inkOf(color: string): string {
  if (color === 'yellow') return 'light-dark(#704500, #ffe08a)'
  return `light-dark(var(--mantine-color-${color}-9), var(--mantine-color-${color}-2))`
}

export function SeverityBadge({ word }: { word: string }) {
  const color = COLORS[word] ?? 'gray'
  return (
    <Badge variant="light" color={color} c={inkOf(color)} tt="none" radius="sm" style={{ flex: 'none' }}>
      {word}
    </Badge>
  )
}
