/** What stands around every page: name, search, links, snapshot, colours, help. */

import { ActionIcon, AppShell, Burger, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKeyboard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, type ParsedLocation, useRouterState } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { about } from '../explorer/questions'
import { PAGES } from './pages'
import { SearchBox } from './SearchBox'
import { ShortcutsHelp } from './ShortcutsHelp'
import { SnapshotChoice } from './SnapshotChoice'
import { useShortcuts } from './shortcuts'
import { ThemeSwitch } from './ThemeSwitch'

const HEADER = 56

/** A page is told from others by its path, and by what it is about. */
function pageOf(location: ParsedLocation | undefined): string | undefined {
  if (!location) return undefined
  const search: { of?: unknown } = location.search
  return `${location.pathname} ${search.of ?? ''}`
}

/** After a change of the page its heading has the focus, so that a reader begins there. */
function useFocusOnNavigation(): void {
  const page = useRouterState({ select: ({ resolvedLocation }) => pageOf(resolvedLocation) })
  const first = useRef(true)
  useEffect(() => {
    if (page === undefined || first.current) {
      first.current = page === undefined
      return
    }
    const target = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main')
    target?.focus({ preventScroll: true })
  }, [page])
}

function Links({ hasStore, onGo }: { hasStore: boolean; onGo?: () => void }) {
  return PAGES.filter(({ store }) => hasStore || !store).map(({ to, label }) => (
    <Link key={to} to={to} className="page-nav" activeOptions={{ exact: true, includeSearch: false }} onClick={onGo}>
      {label}
    </Link>
  ))
}

export function Shell() {
  const { data } = useQuery(about)
  const store = data?.store ?? null
  const search = useRef<HTMLInputElement>(null)
  const [menu, { toggle, close }] = useDisclosure(false)
  const [help, { open: openHelp, close: closeHelp }] = useDisclosure(false)
  const focusSearch = useCallback(() => search.current?.focus(), [])
  useShortcuts(focusSearch, openHelp)
  useFocusOnNavigation()

  return (
    <AppShell
      header={{ height: HEADER }}
      navbar={{ width: 240, breakpoint: 'lg', collapsed: { desktop: true, mobile: !menu } }}
    >
      <AppShell.Header className="page-header">
        <button type="button" className="page-skip" onClick={() => document.getElementById('main')?.focus()}>
          Skip to the content
        </button>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={menu}
            onClick={toggle}
            hiddenFrom="lg"
            size="sm"
            aria-label={menu ? 'Close the menu' : 'Open the menu'}
            aria-expanded={menu}
            data-testid="menu"
          />
          <Link to="/" className="page-brand" aria-label="Headwater: overview">
            <img src="/favicon.svg" alt="" width={26} height={26} />
            <span className="page-brand-name">Headwater</span>
          </Link>
          <Group component="nav" aria-label="Pages" gap={2} wrap="nowrap" visibleFrom="lg">
            <Links hasStore={store !== null} />
          </Group>
          <Group flex={1} justify="flex-end" gap="xs" wrap="nowrap" miw={0}>
            {store ? <SearchBox inputRef={search} /> : null}
            {store && store.snapshots.length > 1 ? (
              <Group visibleFrom="lg">
                <SnapshotChoice store={store} />
              </Group>
            ) : null}
            <ThemeSwitch />
            <ActionIcon
              variant="subtle"
              color="gray"
              c="dimmed"
              size="lg"
              aria-label="Keys"
              title="Keys (?)"
              data-testid="help"
              visibleFrom="xs"
              onClick={openHelp}
            >
              <IconKeyboard size={20} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="md" hiddenFrom="lg" aria-label="Menu" bg="var(--page-surface)">
        {menu ? (
          <Stack gap={4}>
            <Links hasStore={store !== null} onGo={close} />
            {store && store.snapshots.length > 1 ? <SnapshotChoice store={store} /> : null}
          </Stack>
        ) : null}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <ShortcutsHelp opened={help} onClose={closeHelp} />
    </AppShell>
  )
}
