/** The API, with types: a request that is not in the OpenAPI document does not compile. */
import createClient from 'openapi-fetch'
import type { paths } from './schema'
import type { Problem } from './types'

export const api = createClient<paths>({
  baseUrl: typeof window === 'undefined' ? 'http://127.0.0.1' : window.location.origin,
  querySerializer: { array: { style: 'form', explode: true } },
})

/** Why there is no answer: the server's own words where it gave any. */
export class NoAnswer extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string

  constructor(status: number, problem: Problem) {
    super(problem.message)
    this.name = 'NoAnswer'
    this.status = status
    this.code = problem.code
    this.hint = problem.hint
  }
}

type Result<Data> = { data?: Data; error?: unknown; response: Response }

/** The answer, or a `NoAnswer` that says why there is none. */
export async function answered<Data>(asked: Promise<Result<Data>>): Promise<Data> {
  let result: Result<Data>
  try {
    result = await asked
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new NoAnswer(0, {
      code: 'unreachable',
      message: 'The server does not answer.',
      hint: 'Is `headwater serve` still running?',
    })
  }
  if (result.data !== undefined && result.response.ok) return result.data
  throw new NoAnswer(result.response.status, problemOf(result.error, result.response.status))
}

function problemOf(error: unknown, status: number): Problem {
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') {
    const { code, hint } = error as Partial<Problem>
    return { code: code ?? 'unknown', message: error.message, hint: hint ?? '' }
  }
  return { code: 'unknown', message: `The server answered with status ${status}.`, hint: '' }
}
