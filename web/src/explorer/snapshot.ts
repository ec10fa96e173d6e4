/** Which snapshot of the store is looked at: the one in the URL, or the current one. */

import { useSearch } from '@tanstack/react-router'

/** The `snapshot` parameter of questions; nothing for the current one. */
export function useSnapshot(): { snapshot?: string } {
  const at = useSearch({ strict: false, select: (search) => search.at })
  return at === undefined ? {} : { snapshot: at }
}
