/** Everything that the playground shows, kept in the URL: settings as parameters, the script and its schema compressed behind `#`. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { go, useAddress } from './address'
import { EXAMPLES } from './examples'
import { packed, unpacked } from './packing'
import { queryOf, type Settings, settingsIn } from './settings'

/** What is typed: the script, and a schema to read it by. */
export type Texts = { readonly sql: string; readonly schema: string }

export type PlaygroundState = {
  readonly settings: Settings
  /** Null until the URL is unpacked. */
  readonly texts: Texts | null
  change(settings: Partial<Settings>, how?: 'push' | 'replace'): void
  write(texts: Partial<Texts>): void
  /** Another script altogether, with the settings that it needs: a step to go back from. */
  open(texts: Texts, settings: Partial<Settings>): void
}

/** The address follows the typing after this many milliseconds. */
const REST = 300

export function usePlaygroundState(): PlaygroundState {
  const { query, fragment } = useAddress()
  const settings = settingsIn(query)
  const [texts, setTexts] = useState<Texts | null>(null)
  /** The fragment that the texts were packed into, or came from. */
  const known = useRef<string | null>(null)
  const isTyped = useRef(false)

  useEffect(() => {
    const bare = fragment.replace(/^#/, '')
    if (bare === known.current) return
    let isWanted = true
    unpacked(bare).then((found) => {
      if (!isWanted) return
      known.current = bare
      isTyped.current = false
      const [sql = '', schema = ''] = found ?? [EXAMPLES[0]?.sql ?? '', EXAMPLES[0]?.schema ?? '']
      setTexts({ sql, schema })
    })
    return () => {
      isWanted = false
    }
  }, [fragment])

  useEffect(() => {
    if (!texts || !isTyped.current) return
    let isWanted = true
    const timer = setTimeout(async () => {
      const bare = await packed([texts.sql, texts.schema])
      if (!isWanted) return
      known.current = bare
      go('replace', window.location.search, bare)
    }, REST)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [texts])

  const change = useCallback((changed: Partial<Settings>, how: 'push' | 'replace' = 'push') => {
    const { search, hash } = window.location
    go(how, queryOf({ ...settingsIn(search), ...changed }, search), hash)
  }, [])
  const write = useCallback((typed: Partial<Texts>) => {
    isTyped.current = true
    setTexts((before) => ({ sql: '', schema: '', ...before, ...typed }))
  }, [])
  const open = useCallback(async (opened: Texts, changed: Partial<Settings>) => {
    const bare = await packed([opened.sql, opened.schema])
    known.current = bare
    isTyped.current = false
    setTexts(opened)
    const { search } = window.location
    go('push', queryOf({ ...settingsIn(search), ...changed }, search), bare)
  }, [])
  return { settings, texts, change, write, open }
}
