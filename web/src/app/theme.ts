/** Colours, type and shapes of the whole page: calm surfaces, one colour for what can be acted on, contrast of AA in both schemes. */

import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, Menu } from '@mantine/core'

const water: MantineColorsTuple = [
  '#e6f6f8',
  '#cfe9ee',
  '#a0d3dd',
  '#6dbccb',
  '#45a8bb',
  '#2a95aa',
  '#14809a',
  '#0b6e7f',
  '#075a69',
  '#034652',
]

const night: MantineColorsTuple = [
  '#dfe5ea',
  '#c3ccd4',
  '#a3afb9',
  '#8493a0',
  '#5c6b78',
  '#3b4854',
  '#2a3540',
  '#1d2630',
  '#161e26',
  '#0f151b',
]

export const theme = createTheme({
  colors: { water, dark: night },
  primaryColor: 'water',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Helvetica, Arial, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "JetBrains Mono", "SFMono-Regular", Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    /** A menu has nothing but its items in it, and the focus goes to the first one. */
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
  },
})

/** Variables of our own, and those of Mantine whose contrast is too weak. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--page-surface': '#ffffff',
    '--page-ground': '#f5f7f8',
    '--page-line': '#dbe1e6',
    '--page-added': '#1a7f37',
    '--page-removed': '#c4232b',
    '--page-changed': '#8a5a00',
    '--mantine-color-body': '#f5f7f8',
    '--mantine-color-dimmed': '#55626e',
    '--mantine-color-placeholder': '#66727d',
    '--mantine-color-anchor': '#096577',
    '--mantine-color-text': '#17212b',
  },
  dark: {
    '--page-surface': '#161e26',
    '--page-ground': '#0f151b',
    '--page-line': '#2a3540',
    '--page-added': '#56d16f',
    '--page-removed': '#ff8a86',
    '--page-changed': '#e8b84a',
    '--mantine-color-body': '#0f151b',
    '--mantine-color-dimmed': '#a3afb9',
    '--mantine-color-placeholder': '#8f9ca7',
    '--mantine-color-anchor': '#6fc6d6',
    '--mantine-color-text': '#dfe5ea',
  },
})
