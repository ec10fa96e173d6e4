/** The lineage as a document: the same text that `headwater analyze` would write. */
import { Alert, Loader, Text } from '@mantine/core'
import type { AnalyzeRequest } from '../api/types'
import { SqlEditor } from '../editor'
import { useDocument } from './useAnalysis'

type Props = { request: AnalyzeRequest | null; format: string; label: string }

export function DocumentView({ request, format, label }: Props) {
  const { document, problem } = useDocument(request, format)
  if (problem) {
    return (
      <Alert m="md" color="red" title={problem.message}>
        {problem.hint}
      </Alert>
    )
  }
  if (!document) return <Loader m="md" size="sm" aria-label="Loading" />
  return (
    <div className="hw-document" data-testid={`document-${format}`}>
      {document.leftOut.length > 0 && (
        <Text size="xs" c="dimmed" px="sm" py={4}>
          Left out by this format: {document.leftOut.join('; ')}
        </Text>
      )}
      <SqlEditor value={document.text} label={label} readOnly />
    </div>
  )
}
