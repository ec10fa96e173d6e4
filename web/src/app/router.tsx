/** The pages and their URLs. */

import { useQuery } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  retainSearchParams,
  stripSearchParams,
} from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { ColumnPage } from '../explorer/ColumnPage'
import { CoveragePage } from '../explorer/CoveragePage'
import { DiagnosticsPage } from '../explorer/DiagnosticsPage'
import { DiffPage } from '../explorer/DiffPage'
import { OverviewPage } from '../explorer/OverviewPage'
import { PathPage } from '../explorer/PathPage'
import * as questions from '../explorer/questions'
import { ScriptPage } from '../explorer/ScriptPage'
import { ScriptsPage } from '../explorer/ScriptsPage'
import { SearchPage } from '../explorer/SearchPage'
import type { StoreThing } from '../explorer/shapes'
import { TablePage } from '../explorer/TablePage'
import { TablesPage } from '../explorer/TablesPage'
import { TagsPage } from '../explorer/TagsPage'
import { UnusedPage } from '../explorer/UnusedPage'
import { PageLink } from './link'
import { Page } from './Page'
import { Shell } from './Shell'
import * as search from './search'
import { Answered, Failed, Nothing, Waiting } from './states'

const Playground = lazy(async () => ({ default: (await import('../playground')).Playground }))

function PlaygroundPage() {
  return (
    <Suspense fallback={<Waiting what="Opening the playground" />}>
      <div className="page-whole">
        <Playground />
      </div>
    </Suspense>
  )
}

/** A page about a store, or a sentence if there is none. */
function OfStore({ children, otherwise }: { children: (store: StoreThing) => ReactNode; otherwise: ReactNode }) {
  const query = useQuery(questions.about)
  return <Answered query={query}>{({ store }) => (store ? children(store) : otherwise)}</Answered>
}

const NO_STORE = (
  <Page title="No store" testId="page-no-store" ready>
    <Nothing title="Only the playground is served">
      `headwater serve lineage/` serves a store, which `headwater build` makes.
    </Nothing>
  </Page>
)

function NotFound() {
  return (
    <Page title="No such page" testId="page-not-found" ready>
      <Nothing title="There is no such page">
        The <PageLink to="/">overview</PageLink> leads everywhere.
      </Nothing>
    </Page>
  )
}

function Broken({ error }: ErrorComponentProps) {
  return (
    <Page title="Something went wrong" testId="page-broken" ready>
      <Failed
        error={error instanceof Error ? error : new Error(String(error))}
        again={() => window.location.reload()}
      />
    </Page>
  )
}

const root = createRootRoute({
  component: Shell,
  validateSearch: search.everywhere,
  search: { middlewares: [retainSearchParams(['at'])] },
  notFoundComponent: NotFound,
})

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: () => <OfStore otherwise={<PlaygroundPage />}>{(store) => <OverviewPage store={store} />}</OfStore>,
})

const tables = createRoute({
  getParentRoute: () => root,
  path: '/tables',
  validateSearch: search.tables,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.tables))] },
  component: () => <OfStore otherwise={NO_STORE}>{() => <TablesPage />}</OfStore>,
})

const found = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: search.found,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.found))] },
  component: () => <OfStore otherwise={NO_STORE}>{() => <SearchPage />}</OfStore>,
})

const table = createRoute({
  getParentRoute: () => root,
  path: '/table',
  validateSearch: search.thing,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.thing))] },
  component: () => <OfStore otherwise={NO_STORE}>{() => <TablePage />}</OfStore>,
})

const column = createRoute({
  getParentRoute: () => root,
  path: '/column',
  validateSearch: search.thing,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.thing))] },
  component: () => <OfStore otherwise={NO_STORE}>{() => <ColumnPage />}</OfStore>,
})

const path = createRoute({
  getParentRoute: () => root,
  path: '/path',
  validateSearch: search.path,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.path))] },
  component: () => <OfStore otherwise={NO_STORE}>{() => <PathPage />}</OfStore>,
})

const diff = createRoute({
  getParentRoute: () => root,
  path: '/diff',
  validateSearch: search.diff,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.diff))] },
  component: () => <OfStore otherwise={NO_STORE}>{(store) => <DiffPage store={store} />}</OfStore>,
})

const coverage = createRoute({
  getParentRoute: () => root,
  path: '/coverage',
  component: () => <OfStore otherwise={NO_STORE}>{() => <CoveragePage />}</OfStore>,
})

const diagnostics = createRoute({
  getParentRoute: () => root,
  path: '/diagnostics',
  validateSearch: search.diagnostics,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.diagnostics))] },
  component: () => <OfStore otherwise={NO_STORE}>{() => <DiagnosticsPage />}</OfStore>,
})

const tags = createRoute({
  getParentRoute: () => root,
  path: '/tags',
  validateSearch: search.tags,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.tags))] },
  component: () => <OfStore otherwise={NO_STORE}>{() => <TagsPage />}</OfStore>,
})

const unused = createRoute({
  getParentRoute: () => root,
  path: '/unused',
  validateSearch: search.unused,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.unused))] },
  component: () => <OfStore otherwise={NO_STORE}>{() => <UnusedPage />}</OfStore>,
})

const scripts = createRoute({
  getParentRoute: () => root,
  path: '/scripts',
  validateSearch: search.scripts,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.scripts))] },
  component: () => <OfStore otherwise={NO_STORE}>{() => <ScriptsPage />}</OfStore>,
})

const script = createRoute({
  getParentRoute: () => root,
  path: '/script',
  validateSearch: search.script,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.script))] },
  component: () => <OfStore otherwise={NO_STORE}>{() => <ScriptPage />}</OfStore>,
})

const playground = createRoute({
  getParentRoute: () => root,
  path: '/playground',
  validateSearch: search.playground,
  component: PlaygroundPage,
})

const routes = [
  overview,
  tables,
  found,
  table,
  column,
  path,
  diff,
  coverage,
  diagnostics,
  tags,
  unused,
  scripts,
  script,
  playground,
] as const

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultErrorComponent: Broken,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
