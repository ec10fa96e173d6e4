/** What the playground's URL says before the `#`; what is as usual is left out of it. */
import type { DiagramSettings } from '../diagram'
import { limited, USUAL_WIDTH } from './Split'

export const LEVELS = ['complete', 'column', 'table'] as const
export const TABS = ['diagram', 'tables', 'summary', 'relations', 'json', 'xml', 'diagnostics'] as const
export type Level = (typeof LEVELS)[number]
export type Tab = (typeof TABS)[number]

export type Settings = DiagramSettings & {
  readonly dialect: string
  readonly level: Level
  readonly tab: Tab
  /** Result sets, of the complete level. */
  readonly resultSets: boolean
  readonly functions: boolean
  readonly defaultSchema: string
  /** Percent of the width that the editor has. */
  readonly width: number
  /** The selected thing, by name: see `selection`. */
  readonly at: string
}

export const USUAL: Settings = {
  dialect: 'spark',
  level: 'complete',
  tab: 'diagram',
  hideColumns: false,
  dataFlow: true,
  impact: false,
  join: false,
  resultSets: true,
  functions: true,
  defaultSchema: '',
  width: USUAL_WIDTH,
  at: '',
}

const KEYS = Object.keys(USUAL) as (keyof Settings)[]

/** The settings that a query tells; what it does not tell, or tells wrongly, is as usual. */
export function settingsIn(query: string): Settings {
  const given = new URLSearchParams(query)
  const truth = (key: keyof Settings, usual: boolean): boolean => {
    const value = given.get(key)
    return value === 'true' || (value !== 'false' && usual)
  }
  const word = <Word extends string>(key: keyof Settings, words: readonly Word[], usual: Word): Word =>
    words.find((each) => each === given.get(key)) ?? usual
  return {
    dialect: given.get('dialect') || USUAL.dialect,
    level: word('level', LEVELS, USUAL.level),
    tab: word('tab', TABS, USUAL.tab),
    hideColumns: truth('hideColumns', USUAL.hideColumns),
    dataFlow: truth('dataFlow', USUAL.dataFlow),
    impact: truth('impact', USUAL.impact),
    join: truth('join', USUAL.join),
    resultSets: truth('resultSets', USUAL.resultSets),
    functions: truth('functions', USUAL.functions),
    defaultSchema: given.get('defaultSchema') ?? '',
    width: limited(Math.round(Number(given.get('width'))) || USUAL.width),
    at: given.get('at') ?? '',
  }
}

/** The query that tells the settings; parameters that are none of ours stay. */
export function queryOf(settings: Settings, before = ''): string {
  const told = new URLSearchParams(before)
  for (const key of KEYS) {
    if (settings[key] === USUAL[key]) told.delete(key)
    else told.set(key, String(settings[key]))
  }
  const query = told.toString()
  return query && `?${query}`
}
