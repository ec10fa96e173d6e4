/** The pages and their URLs. */

import { useQuery } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  parseSearchWith,
  retainSearchParams,
  stringifySearchWith,
  stripSearchParams,
} from '@tanstack/react-router'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import * as questions from '../explorer/questions'
import type { StoreThing } from '../explorer/shapes'
import { PageLink } from './link'
import { Page } from './Page'
import { Shell } from './Shell'
import * as search from './search'
import { Failed, Nothing, Waiting } from './states'

/** Each page is loaded when it is opened. */
const OverviewPage = lazy(async () => ({ default: (await import('../explorer/OverviewPage')).OverviewPage }))
const TablesPage = lazy(async () => ({ default: (await import('../explorer/TablesPage')).TablesPage }))
const SearchPage = lazy(async () => ({ default: (await import('../explorer/SearchPage')).SearchPage }))
const TablePage = lazy(async () => ({ default: (await import('../explorer/TablePage')).TablePage }))
const ColumnPage = lazy(async () => ({ default: (await import('../explorer/ColumnPage')).ColumnPage }))
const PathPage = lazy(async () => ({ default: (await import('../explorer/PathPage')).PathPage }))
const DiffPage = lazy(async () => ({ default: (await import('../explorer/DiffPage')).DiffPage }))
const CoveragePage = lazy(async () => ({ default: (await import('../explorer/CoveragePage')).CoveragePage }))
const DiagnosticsPage = lazy(async () => ({ default: (await import('../explorer/DiagnosticsPage')).DiagnosticsPage }))
const TagsPage = lazy(async () => ({ default: (await import('../explorer/TagsPage')).TagsPage }))
const UnusedPage = lazy(async () => ({ default: (await import('../explorer/UnusedPage')).UnusedPage }))
const ScriptsPage = lazy(async () => ({ default: (await import('../explorer/ScriptsPage')).ScriptsPage }))
const ScriptPage = lazy(async () => ({ default: (await import('../explorer/ScriptPage')).ScriptPage }))
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

const NO_STORE = (
  <Page title="No store" testId="page-no-store" ready>
    <Nothing title="Only the playground is served">
      `headwater serve lineage/` serves a store, which `headwater build` makes.
    </Nothing>
  </Page>
)

type AboutStore = ComponentType<{ store: StoreThing }>

/** A page about a store; without one, a sentence that says so. */
function StorePage({ page: Shown, otherwise = NO_STORE }: { page: AboutStore; otherwise?: ReactNode }) {
  const { data, error, refetch } = useQuery(questions.about)
  if (!data) {
    return (
      <Page title="Headwater" testId="page-opening" ready={false}>
        {error ? <Failed error={error} again={() => void refetch()} /> : <Waiting />}
      </Page>
    )
  }
  if (!data.store) return otherwise
  return (
    <Suspense fallback={<Waiting />}>
      <Shown store={data.store} />
    </Suspense>
  )
}

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
  component: () => <StorePage page={OverviewPage} otherwise={<PlaygroundPage />} />,
})

const tables = createRoute({
  getParentRoute: () => root,
  path: '/tables',
  validateSearch: search.tables,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.tables))] },
  component: () => <StorePage page={TablesPage} />,
})

const found = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: search.found,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.found))] },
  component: () => <StorePage page={SearchPage} />,
})

const table = createRoute({
  getParentRoute: () => root,
  path: '/table',
  validateSearch: search.thing,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.thing))] },
  component: () => <StorePage page={TablePage} />,
})

const column = createRoute({
  getParentRoute: () => root,
  path: '/column',
  validateSearch: search.thing,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.thing))] },
  component: () => <StorePage page={ColumnPage} />,
})

const path = createRoute({
  getParentRoute: () => root,
  path: '/path',
  validateSearch: search.path,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.path))] },
  component: () => <StorePage page={PathPage} />,
})

const diff = createRoute({
  getParentRoute: () => root,
  path: '/diff',
  validateSearch: search.diff,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.diff))] },
  component: () => <StorePage page={DiffPage} />,
})

const coverage = createRoute({
  getParentRoute: () => root,
  path: '/coverage',
  component: () => <StorePage page={CoveragePage} />,
})

const diagnostics = createRoute({
  getParentRoute: () => root,
  path: '/diagnostics',
  validateSearch: search.diagnostics,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.diagnostics))] },
  component: () => <StorePage page={DiagnosticsPage} />,
})

const tags = createRoute({
  getParentRoute: () => root,
  path: '/tags',
  validateSearch: search.tags,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.tags))] },
  component: () => <StorePage page={TagsPage} />,
})

const unused = createRoute({
  getParentRoute: () => root,
  path: '/unused',
  validateSearch: search.unused,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.unused))] },
  component: () => <StorePage page={UnusedPage} />,
})

const scripts = createRoute({
  getParentRoute: () => root,
  path: '/scripts',
  validateSearch: search.scripts,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.scripts))] },
  component: () => <StorePage page={ScriptsPage} />,
})

const script = createRoute({
  getParentRoute: () => root,
  path: '/script',
  validateSearch: search.script,
  search: { middlewares: [stripSearchParams(search.defaultsOf(search.script))] },
  component: () => <StorePage page={ScriptPage} />,
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
  parseSearch: parseSearchWith(search.parameterValue),
  stringifySearch: stringifySearchWith(JSON.stringify, search.parameterValue),
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
