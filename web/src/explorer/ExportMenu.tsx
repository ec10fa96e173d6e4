/** What is seen, as a picture, a document or a link. */

import { Button, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconDownload, IconFileText, IconLink, IconPhoto } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import type { Diagram } from '../api/types'
import type { DiagramHandle } from '../diagram'
import { download } from '../playground/download'
import { fileName } from './fileName'
import * as questions from './questions'
import { useSnapshot } from './snapshot'

/** What the server is asked to write, if there is a question for what is seen. */
export type ExportQuestion = {
  of: string
  direction: 'upstream' | 'downstream' | 'both'
  depth: number
  flow: 'data' | 'impact'
  level: 'column' | 'table'
}

type ExportMenuProps = {
  name: string
  diagram: Diagram
  handle: RefObject<DiagramHandle | null>
  question?: ExportQuestion
}

export function ExportMenu({ name, diagram, handle, question }: ExportMenuProps) {
  const clipboard = useClipboard({ timeout: 2000 })
  const { snapshot } = useSnapshot()
  const formats = useQuery(questions.about).data?.formats ?? []
  const known = question ? formats.filter((each) => each.levels.includes(question.level)) : []
  const hrefOf = (format: string) => {
    const parameters = new URLSearchParams({ format, ...(snapshot === undefined ? {} : { snapshot }) })
    for (const [key, value] of Object.entries(question ?? {})) parameters.set(key, String(value))
    return `/api/v1/export?${parameters}`
  }
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          data-testid="export"
          data-copied={clipboard.copied}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        <Menu.Label>What you see</Menu.Label>
        <Menu.Item
          data-testid="export-png"
          leftSection={<IconPhoto size={15} aria-hidden />}
          onClick={async () => {
            const picture = await handle.current?.png(2)
            if (picture) download(fileName(name, 'png'), picture, 'image/png')
          }}
        >
          PNG
        </Menu.Item>
        <Menu.Item
          data-testid="export-svg"
          leftSection={<IconPhoto size={15} aria-hidden />}
          onClick={async () => {
            const picture = await handle.current?.svg()
            if (picture) download(fileName(name, 'svg'), picture, 'image/svg+xml')
          }}
        >
          SVG
        </Menu.Item>
        <Menu.Item
          data-testid="export-mermaid"
          leftSection={<IconFileText size={15} aria-hidden />}
          onClick={() => {
            const text = handle.current?.mermaid()
            if (text) download(fileName(name, 'mmd'), text, 'text/plain;charset=utf-8')
          }}
        >
          Mermaid
        </Menu.Item>
        <Menu.Item
          data-testid="export-json"
          leftSection={<IconFileText size={15} aria-hidden />}
          onClick={() => download(fileName(name, 'json'), JSON.stringify(diagram, null, 2), 'application/json')}
        >
          JSON of the diagram
        </Menu.Item>
        <Menu.Item
          data-testid="export-link"
          closeMenuOnClick={false}
          leftSection={clipboard.copied ? <IconCheck size={15} aria-hidden /> : <IconLink size={15} aria-hidden />}
          onClick={() => clipboard.copy(window.location.href)}
        >
          {clipboard.copied ? 'Copied' : clipboard.error ? 'Copy it from the address bar' : 'Copy the link'}
        </Menu.Item>
        {known.length > 0 ? <Menu.Label>All as far as the depth reaches</Menu.Label> : null}
        {known.map(({ name: format, summary }) => (
          <Menu.Item
            key={format}
            component="a"
            href={hrefOf(format)}
            download
            title={summary}
            data-testid={`export-file-${format}`}
            leftSection={<IconFileText size={15} aria-hidden />}
          >
            {format}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
