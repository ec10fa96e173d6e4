/** A name as it is shown: text that is cut where nobody reads on, and that cannot turn what stands around it. */

const LONGEST = 500
/** Characters that turn the direction of the text behind them: no name needs them, and with them one looks like another. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

export function shownName(name: string): string {
  const cut = name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name
  return cut.replace(TURNS, (sign) => `⟨U+${sign.charCodeAt(0).toString(16).toUpperCase()}⟩`)
}
