/**
 * What stands in the URL, page by page. Everything on screen is in it, so a link shows somebody else the same thing.
 *
 * A parameter that makes no sense is taken for its default, never for an error: links are typed and cut by people. Lists are words with
 * commas between.
 */

import { z } from 'zod'

/** Rows of a page of any list. */
export const PAGE_SIZE = 100

const word = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const text = word.default('').catch('')
const maybeText = word.optional().catch(undefined)
const page = z.number().int().min(1).max(100_000).default(1).catch(1)
const flag = z.boolean().default(false).catch(false)
const hops = z.number().int().min(0).max(10).default(1).catch(1)

function oneOf<const T extends readonly [string, ...string[]]>(words: T, other: T[number]) {
  return z
    .enum(words)
    .default(other as never)
    .catch(other as never)
}

function maybeOneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words).optional().catch(undefined)
}

export const FLOWS = ['data', 'impact'] as const
export const LEVELS = ['column', 'table'] as const
export const CHANGES = ['drop', 'rename', 'retype'] as const
export const VERDICTS = ['breaking', 'maybe', 'harmless'] as const
export const TABS = ['graph', 'columns', 'upstream', 'downstream', 'statements', 'impact', 'tags'] as const
export type Tab = (typeof TABS)[number]

/** Of every page: which snapshot is looked at; none is the current one. */
export const everywhere = z.object({ at: maybeText })

const graph = {
  up: hops,
  down: hops,
  flow: oneOf(FLOWS, 'data'),
  level: oneOf(LEVELS, 'column'),
  hide: flag,
  expanded: text,
  hidden: text,
  sel: maybeText,
}

const list = { like: text, page }

/** A table's or a column's page: its tab, and what each of its tabs shows. */
export const thing = z.object({
  of: text,
  tab: oneOf(TABS, 'graph'),
  ...graph,
  ...list,
  depth: z.number().int().min(1).max(1000).optional().catch(undefined),
  change: oneOf(CHANGES, 'drop'),
  verdict: maybeOneOf(VERDICTS),
  column: maybeText,
  view: oneOf(['list', 'diagram'], 'list'),
})

export const tables = z.object({ ...list, kind: text })
export const found = z.object({ q: text, kind: text, what: maybeOneOf(['table', 'column']), page })
export const path = z.object({ source: text, target: text, flow: oneOf(FLOWS, 'data'), sel: maybeText })
export const diff = z.object({
  before: maybeText,
  after: maybeText,
  what: maybeOneOf(['table', 'column', 'relation']),
  how: maybeOneOf(['added', 'removed', 'changed']),
  breaking: z.boolean().optional().catch(undefined),
  show: maybeText,
  sel: maybeText,
  ...list,
})
export const diagnostics = z.object({ code: text, severity: text, script: maybeText, ...list })
export const tags = z.object({ tag: text, own: z.boolean().optional().catch(undefined), why: maybeText, ...list })
export const scripts = z.object(list)
export const unused = z.object(list)
export const script = z.object({ id: text, line: z.number().int().min(1).default(1).catch(1) })
/** The playground keeps its own parameters. */
export const playground = z.looseObject({})

/** The words of a list in a parameter. */
export function words(list: string): string[] {
  return list.split(',').filter((each) => each !== '')
}

/** A list with a word put in, or taken out if it was there. */
export function toggled(list: string, word: string): string {
  const all = words(list)
  return (all.includes(word) ? all.filter((each) => each !== word) : [...all, word]).join(',')
}

/** The defaults of a page's parameters: these are left out of its URL. */
export function defaultsOf<S extends z.ZodObject>(schema: S): Partial<z.output<S>> {
  const all = schema.parse({}) as Record<string, unknown>
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<z.output<S>>
}

/** What a parameter's text means: yes, no, a small number, a text in quotes. Anything else is the text itself, ids of many digits too. */
export function parameterValue(text: string): unknown {
  if (/^(true|false|-?(0|[1-9]\d{0,8})|".*")$/s.test(text)) return JSON.parse(text)
  throw new SyntaxError('a text')
}
