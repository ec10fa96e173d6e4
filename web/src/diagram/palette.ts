/** The diagram's colours, light and dark: the page takes them as CSS variables, pictures as they are. */
import { kindOf } from './kinds'
import type { DiagramRelation, Mark } from './types'

export type Scheme = 'light' | 'dark'

export type Palette = {
  readonly ink: string
  readonly muted: string
  /** Text of what fades while something else is lit; readable on the paper and on the ground. */
  readonly pale: string
  readonly rule: string
  readonly paper: string
  readonly ground: string
  readonly wash: string
  readonly accent: string
  readonly lines: Readonly<Record<DiagramRelation['type'], string>>
  readonly marks: Readonly<Record<Mark, string>>
}

const LIGHT: Palette = {
  ink: '#1e293b',
  muted: '#5b6778',
  pale: '#6a7385',
  rule: '#cbd5e1',
  paper: '#ffffff',
  ground: '#f8fafc',
  wash: '#ccfbf1',
  accent: '#0f766e',
  lines: { fdd: '#2563eb', fdr: '#b45309', join: '#7c3aed' },
  marks: {
    added: '#15803d',
    removed: '#b91c1c',
    changed: '#a16207',
    breaking: '#b91c1c',
    maybe: '#b45309',
    harmless: '#15803d',
    tagged: '#be185d',
    focus: '#0f766e',
  },
}

const DARK: Palette = {
  ink: '#e2e8f0',
  muted: '#9aa7b8',
  pale: '#7f8c9f',
  rule: '#3b475a',
  paper: '#1c2431',
  ground: '#131922',
  wash: '#134e4a',
  accent: '#2dd4bf',
  lines: { fdd: '#60a5fa', fdr: '#f59e0b', join: '#a78bfa' },
  marks: {
    added: '#4ade80',
    removed: '#f87171',
    changed: '#facc15',
    breaking: '#f87171',
    maybe: '#fbbf24',
    harmless: '#4ade80',
    tagged: '#f472b6',
    focus: '#2dd4bf',
  },
}

export const paletteOf = (scheme: Scheme): Palette => (scheme === 'dark' ? DARK : LIGHT)

/** The head of a card of a kind: its ground, and its icon and border. */
export function headOf(word: string, scheme: Scheme): { fill: string; ink: string } {
  const { hue, saturation } = kindOf(word)
  return scheme === 'dark'
    ? { fill: hex(hue, saturation * 0.55, 24), ink: hex(hue, saturation, 74) }
    : { fill: hex(hue, saturation, 93), ink: hex(hue, saturation, 36) }
}

/** The palette as CSS variables of an element. */
export function variablesOf(scheme: Scheme): Record<`--hw-${string}`, string> {
  const { lines, marks, ...plain } = paletteOf(scheme)
  const named: Record<`--hw-${string}`, string> = {}
  for (const [name, colour] of Object.entries({ ...plain, ...lines, ...marks })) named[`--hw-${name}`] = colour
  return named
}

function hex(hue: number, saturation: number, lightness: number): string {
  const s = saturation / 100
  const l = lightness / 100
  const part = (n: number): string => {
    const k = (n + hue / 30) % 12
    const value = l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${part(0)}${part(8)}${part(4)}`
}
