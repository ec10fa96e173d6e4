/** Which snapshot of the store is looked at: the one in the URL, or the current one. */

import { getRouteApi, rootRouteId } from '@tanstack/react-router'

const root = getRouteApi(rootRouteId)

/** The `snapshot` parameter of questions; nothing for the current one. */
export function useSnapshot(): { snapshot?: string } {
  const { at } = root.useSearch()
  return at === undefined ? {} : { snapshot: at }
}
