/** Answers are kept while somebody looks around: a store's snapshot never changes, so an answer to the same question stays right. */

import { QueryClient } from '@tanstack/react-query'
import { NoAnswer } from '../api/client'

/** Only what may go away by itself is tried again: a busy or unreachable server. */
function tryAgain(failures: number, error: Error): boolean {
  return failures < 2 && error instanceof NoAnswer && (error.status === 0 || error.status === 503)
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 60_000, gcTime: 300_000, refetchOnWindowFocus: false, retry: tryAgain },
  },
})
