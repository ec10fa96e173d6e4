/** A name with the part that was searched for in bold. */

import { shownName } from './shownName'

/** A name before, in and behind the part that matches; patterns and words that are not in it match nothing. */
export function parted(name: string, wanted: string): [string, string, string] {
  const literal = wanted.trim().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const found = literal === '' ? null : new RegExp(literal, 'iu').exec(name)
  if (!found) return [name, '', '']
  const end = found.index + found[0].length
  return [name.slice(0, found.index), found[0], name.slice(end)]
}

export function Matched({ name, wanted }: { name: string; wanted: string }) {
  const shown = shownName(name)
  const [before, match, behind] = parted(shown, wanted)
  return (
    <bdi className="page-cut" title={shown}>
      {before}
      {match ? <b>{match}</b> : null}
      {behind}
    </bdi>
  )
}
