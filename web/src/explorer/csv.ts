/** Rows as CSV. A field that a spreadsheet would take for a formula is made text, so that a name never runs as one. */

function fieldOf(value: string | number): string {
  const text = String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function csv(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, ...rows].map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('')
}
