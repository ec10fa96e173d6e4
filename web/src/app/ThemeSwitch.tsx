/** Light, dark, or as the system says. */

import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const
const SIGN = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const
const WORD = { auto: "the system's", light: 'light', dark: 'dark' } as const

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Icon = SIGN[colorScheme]
  const next = NEXT[colorScheme]
  const label = `Colours: ${WORD[colorScheme]}. Switch to ${WORD[next]}`
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="dimmed"
      size="lg"
      aria-label={label}
      title={label}
      data-testid="theme"
      onClick={() => setColorScheme(next)}
    >
      <Icon size={20} aria-hidden />
    </ActionIcon>
  )
}
