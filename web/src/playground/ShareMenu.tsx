/** What is seen, as a link, a picture or a document. */
import { Button, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconDownload, IconLink } from '@tabler/icons-react'
import type { RefObject } from 'react'
import type { AnalyzeRequest } from '../api/types'
import type { DiagramHandle } from '../diagram'
import { download } from './download'
import { documentOf } from './useAnalysis'

const DOCUMENTS = [
  { format: 'mermaid', label: 'Mermaid', file: 'lineage.mmd', type: 'text/plain' },
  { format: 'json', label: 'JSON', file: 'lineage.json', type: 'application/json' },
  { format: 'sqlflow-xml', label: 'XML', file: 'lineage.xml', type: 'application/xml' },
] as const

type Props = {
  request: AnalyzeRequest | null
  /** Null where no diagram is on screen. */
  diagram: RefObject<DiagramHandle | null>
  hasDiagram: boolean
}

export function ShareMenu({ request, diagram, hasDiagram }: Props) {
  const clipboard = useClipboard({ timeout: 2000 })
  const svg = async () => {
    if (diagram.current) download('lineage.svg', await diagram.current.svg(), 'image/svg+xml')
  }
  const png = async () => {
    if (diagram.current) download('lineage.png', await diagram.current.png(2), 'image/png')
  }
  return (
    <>
      <Button
        size="xs"
        variant="default"
        className="hw-share"
        title="Copy link"
        data-testid="copy-link"
        leftSection={clipboard.copied ? <IconCheck size={14} aria-hidden /> : <IconLink size={14} aria-hidden />}
        onClick={() => clipboard.copy(window.location.href)}
      >
        <span className="hw-wide">
          {clipboard.copied ? 'Copied' : clipboard.error ? 'Copy it from the address bar' : 'Copy link'}
        </span>
      </Button>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            className="hw-share"
            title="Download"
            data-testid="download"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            <span className="hw-wide">Download</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={!hasDiagram} onClick={svg}>
            SVG
          </Menu.Item>
          <Menu.Item disabled={!hasDiagram} onClick={png}>
            PNG
          </Menu.Item>
          {DOCUMENTS.map(({ format, label, file, type }) => (
            <Menu.Item
              key={format}
              disabled={!request}
              onClick={async () => request && download(file, (await documentOf(request, format)).text, type)}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
