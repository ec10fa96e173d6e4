/** The analysis of what is typed: asked for when the typing rests, and the last answer stays until there is another. */
import { useEffect, useState } from 'react'
import { answered, api, NoAnswer } from '../api/client'
import type { AnalyzeAnswer, AnalyzeRequest } from '../api/types'

export type Analysis = {
  readonly answer: AnalyzeAnswer | null
  /** What the answer is about. */
  readonly request: AnalyzeRequest | null
  readonly isBusy: boolean
  readonly problem: NoAnswer | null
}

const REST = 250

export function useAnalysis(request: AnalyzeRequest | null): Analysis {
  const [analysis, setAnalysis] = useState<Analysis>({ answer: null, request: null, isBusy: false, problem: null })
  useEffect(() => {
    if (!request) return
    const abort = new AbortController()
    setAnalysis((before) => ({ ...before, isBusy: true }))
    const ask = async () => {
      try {
        const answer = await answered(api.POST('/api/v1/analyze', { body: request, signal: abort.signal }))
        if (!abort.signal.aborted) setAnalysis({ answer, request, isBusy: false, problem: null })
      } catch (error) {
        if (abort.signal.aborted) return
        const problem = error instanceof NoAnswer ? error : unexpected(error)
        setAnalysis((before) => ({ ...before, isBusy: false, problem }))
      }
    }
    const timer = setTimeout(ask, REST)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [request])
  return analysis
}

/** The same script as a document in another format; null until it is there. */
export function useDocument(request: AnalyzeRequest | null, format: string) {
  const [found, setFound] = useState<{ text: string; leftOut: string[] } | null>(null)
  const [problem, setProblem] = useState<NoAnswer | null>(null)
  useEffect(() => {
    if (!request) return
    const abort = new AbortController()
    documentOf(request, format, abort.signal).then(
      (document) => {
        if (abort.signal.aborted) return
        setFound(document)
        setProblem(null)
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(error instanceof NoAnswer ? error : unexpected(error))
      },
    )
    return () => abort.abort()
  }, [request, format])
  return { document: found, problem }
}

/** A script's lineage in a format that is text. */
export async function documentOf(request: AnalyzeRequest, format: string, signal?: AbortSignal) {
  const asked = api.POST('/api/v1/analyze/export', { body: { ...request, format }, ...(signal && { signal }) })
  const { text, left_out } = await answered(asked)
  return { text, leftOut: left_out }
}

const unexpected = (error: unknown): NoAnswer =>
  new NoAnswer(0, { code: 'unexpected', message: error instanceof Error ? error.message : String(error), hint: '' })
